// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve each function.

// CHECK: lane.elementwise add ins(%a, %b : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
// CHECK: lane.elementwise mul ins(%a, %b : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
// CHECK: lane.elementwise scale ins(%a : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
// CHECK: lane.elementwise silu ins(%a : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
// CHECK: lane.elementwise gelu ins(%a : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
// CHECK: lane.elementwise sigmoid ins(%a : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
// CHECK: lane.elementwise softplus ins(%a : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
// CHECK: lane.elementwise tanh ins(%a : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
// CHECK: lane.elementwise softcap ins(%a : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
// CHECK: lane.elementwise swiglu ins(%a, %b : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
// CHECK: lane.elementwise geglu ins(%a, %b : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)

lane.program @p context(64) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %a = lane.alloc "a" plain <pool> : !lane.buffer<1x32xf32>
    %b = lane.alloc "b" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    lane.elementwise add ins(%a, %b : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
    lane.elementwise mul ins(%a, %b : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
    lane.elementwise scale ins(%a : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
    lane.elementwise silu ins(%a : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
    lane.elementwise gelu ins(%a : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
    lane.elementwise sigmoid ins(%a : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
    lane.elementwise softplus ins(%a : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
    lane.elementwise tanh ins(%a : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
    lane.elementwise softcap ins(%a : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
    lane.elementwise swiglu ins(%a, %b : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
    lane.elementwise geglu ins(%a, %b : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
  }
}

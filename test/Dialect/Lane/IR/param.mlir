// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve inputs and positions.

// CHECK: %ids = lane.param "ids" plain <pool> : !lane.buffer<1xi32>
// CHECK: %position = lane.param "position" position plain <pool> : !lane.buffer<1xi32>
// CHECK: %untouched = lane.param "untouched" : !lane.buffer<1xi32>

lane.program @p context(64) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %ids = lane.param "ids" plain <pool> : !lane.buffer<1xi32>
    %position = lane.param "position" position plain <pool> : !lane.buffer<1xi32>
    %untouched = lane.param "untouched" : !lane.buffer<1xi32>
  }
}

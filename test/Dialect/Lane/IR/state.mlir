// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve carried state.

// CHECK: lane.state @cache_k.0 : !lane.buffer<64x128xf16>

lane.program @p context(64) numerics(one_pass) {
  lane.state @cache_k.0 : !lane.buffer<64x128xf16>
  lane.form @decode decode rows(1) {
  }
}

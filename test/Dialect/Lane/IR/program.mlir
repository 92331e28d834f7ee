// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve the context, the numerics, the files, the plan and the placement.

// CHECK: lane.program @empty context(1) numerics(one_pass) {
// CHECK: lane.program @full context(4096) numerics(two_pass) files(["a.gguf", "b.gguf"])
// CHECK: plan <arena = 256, fixed = 1024, spare = 33554432, order = []>
// CHECK: placement <budget = 4096, moved = 0, device_bytes = 1280, host_bytes = 0> {
// CHECK: lane.program @"any name" context(1) numerics(one_pass) attributes {note = "kept"} {

lane.program @empty context(1) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}
lane.program @full context(4096) numerics(two_pass) files(["a.gguf", "b.gguf"])
 plan <arena = 256, fixed = 1024, spare = 33554432, order = []>
 placement <budget = 4096, moved = 0, device_bytes = 1280, host_bytes = 0> {
  lane.form @decode decode rows(1) {
  }
}
lane.program @"any name" context(1) numerics(one_pass) attributes {note = "kept"} {
  lane.form @decode decode rows(1) {
  }
}

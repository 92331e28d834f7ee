// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve the kinds of forms.

// CHECK: lane.form @decode decode rows(1) {
// CHECK: lane.form @prefill prefill rows(16) arena(4096) {
// CHECK: lane.form @batch batch rows(8) arena(0) {

lane.program @p context(64) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
  lane.form @prefill prefill rows(16) arena(4096) {
  }
  lane.form @batch batch rows(8) arena(0) {
  }
}

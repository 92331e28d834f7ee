// RUN: lane-opt %s --residence-plan | FileCheck %s

// Forms run one at a time and share one arena, as large as the largest.

// CHECK-LABEL: lane.program @largest
// CHECK-NEXT: plan <arena = 65536, fixed = 1024, spare = 33554432, order = []> {
lane.program @largest context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(512) {
  }
  lane.form @prefill prefill rows(8) arena(65536) {
  }
  lane.form @prefill_2 prefill rows(4) arena(1024) {
  }
}

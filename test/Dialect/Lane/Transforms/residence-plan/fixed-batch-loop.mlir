// RUN: lane-opt %s --residence-plan | FileCheck %s

// With a batch form of B rows the loop keeps every sequence's position, run and
// count besides: pooled(4 * B) + pooled(4 * B * context) + pooled(4 * B).

// 1024 + 256 + pooled(4 * 3 * 100 = 1200) + 256, where the loop alone has runs of
// pooled(400) = 512.
// CHECK-LABEL: lane.program @three
// CHECK-NEXT: plan <arena = 0, fixed = 3328, spare = 33554432, order = []> {
lane.program @three context(100) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
  lane.form @batch batch rows(3) {
  }
}

// The widest batch form counts: 1536 + 512 + pooled(4 * 65 * 100 = 26000) + 512.
// CHECK-LABEL: lane.program @widest
// CHECK-NEXT: plan <arena = 0, fixed = 28672, spare = 33554432, order = []> {
lane.program @widest context(100) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
  lane.form @b2 batch rows(2) {
  }
  lane.form @b65 batch rows(65) {
  }
  lane.form @b64 batch rows(64) {
  }
}

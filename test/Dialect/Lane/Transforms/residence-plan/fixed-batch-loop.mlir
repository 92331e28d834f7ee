// RUN: lane-opt %s --residence-plan | FileCheck %s

// With a batch form of B rows, the loop also has the position, run and count of
// every sequence: aligned(4 * B) + aligned(4 * B * context) + aligned(4 * B).

// 1024 + 256 + aligned(4 * 3 * 100 = 1200) + 256; the loop itself has runs of
// aligned(400) = 512.
// CHECK-LABEL: lane.program @three
// CHECK-NEXT: plan <arena = 0, fixed = 3328, spare = 33554432, order = []> {
lane.program @three context(100) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
  lane.form @batch batch rows(3) {
  }
}

// The widest batch form counts: 1536 + 512 + aligned(4 * 65 * 100 = 26000) + 512.
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

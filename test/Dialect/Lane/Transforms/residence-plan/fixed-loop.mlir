// RUN: lane-opt %s --residence-plan | FileCheck %s

// The loop has a position, a run, its count and the prompt: aligned(4) +
// aligned(4 * context) + aligned(4) + aligned(4 * context).

// 256 + 256 + 256 + 256.
// CHECK-LABEL: lane.program @one
// CHECK-NEXT: plan <arena = 0, fixed = 1024, spare = 33554432, order = []> {
lane.program @one context(1) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}

// A run of 64 uses exactly 256 bytes.
// CHECK-LABEL: lane.program @full
// CHECK-NEXT: plan <arena = 0, fixed = 1024, spare = 33554432, order = []> {
lane.program @full context(64) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}

// 256 + 512 + 256 + 512.
// CHECK-LABEL: lane.program @more
// CHECK-NEXT: plan <arena = 0, fixed = 1536, spare = 33554432, order = []> {
lane.program @more context(65) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}

// 256 + 524288 + 256 + 524288. A prefill form adds nothing.
// CHECK-LABEL: lane.program @large
// CHECK-NEXT: plan <arena = 0, fixed = 1049088, spare = 33554432, order = []> {
lane.program @large context(131072) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
  lane.form @prefill prefill rows(512) {
  }
}

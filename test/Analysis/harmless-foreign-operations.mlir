// RUN: lane-opt %s --residence-plan | FileCheck %s

// An operation in a form that uses no buffer is allowed, and is not a launch.

// CHECK: plan <arena = 0, fixed = 1024, spare = 33554432, order = []> {
lane.program @harmless context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // CHECK: foreign.loop {
    foreign.loop {
      %i = builtin.unrealized_conversion_cast to index
    }
  }
}

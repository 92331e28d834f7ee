// RUN: lane-opt %s --residence-plan | FileCheck %s

// Scratch without a slot in the arena uses aligned(300) = 512 bytes. A counter does
// even if it has a slot. Every launch has its own scratch.

// CHECK-LABEL: lane.program @pool
// CHECK-NEXT: plan <arena = 0, fixed = 2304, spare = 33587200, order = []> {
lane.program @pool context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    lane.launch "a" ins() scratch [#lane.scratch<tag = 0, bytes = 300, pool>, #lane.scratch<tag = 1, bytes = 4, pool>]
    lane.launch "a" ins() scratch [#lane.scratch<tag = 0, bytes = 300, pool>]
  }
}

// CHECK-LABEL: lane.program @slot
// CHECK-NEXT: plan <arena = 512, fixed = 1024, spare = 33570816, order = []> {
lane.program @slot context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(512) {
    lane.launch "a" ins() scratch [#lane.scratch<tag = 0, bytes = 300, arena>, #lane.scratch<tag = 1, bytes = 300, arena[0]>]
  }
}

// CHECK-LABEL: lane.program @counter
// CHECK-NEXT: plan <arena = 0, fixed = 1536, spare = 33570816, order = []> {
lane.program @counter context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(0) {
    lane.launch "a" ins() scratch [#lane.scratch<tag = 0, bytes = 4, counter, pool>, #lane.scratch<tag = 1, bytes = 4, counter, arena>]
  }
}

// CHECK-LABEL: lane.program @none
// CHECK-NEXT: plan <arena = 0, fixed = 1024, spare = 33570816, order = []> {
lane.program @none context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    lane.launch "a" ins() scratch [#lane.scratch<tag = 0, bytes = 0, pool>]
  }
}

// CHECK-LABEL: lane.program @fused
// CHECK-NEXT: plan <arena = 0, fixed = 1536, spare = 33570816, order = []> {
lane.program @fused context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    lane.fused scratch [#lane.scratch<tag = 0, bytes = 300, pool>] {
      lane.launch "a" ins()
      lane.launch "b" ins()
    }
  }
}

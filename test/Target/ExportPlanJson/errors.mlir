// Nothing is exported if the program has no plan or a stale one, or if the module
// does not have exactly one program.

// RUN: not lane-translate --export-plan-json --split-input-file -o /dev/null \
// RUN:   %s 2>&1 | FileCheck --implicit-check-not=error: %s

// CHECK: error: the module has 0 programs instead of one
module {
}

// -----

// CHECK: error: the module has 2 programs instead of one
module {
  lane.program @one context(1) numerics(one_pass) {
    lane.form @decode decode rows(1) {
    }
  }
  lane.program @two context(1) numerics(one_pass) {
    lane.form @decode decode rows(1) {
    }
  }
}

// -----

// CHECK: error: 'lane.program' op 'unplanned' has no plan: run residence-plan first
lane.program @unplanned context(1) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}

// -----

// CHECK: error: 'lane.program' op the plan is stale, run residence-plan again: fixed was 0 bytes and is 1024
lane.program @stale_fixed context(1) numerics(one_pass)
    plan <arena = 0, fixed = 0, spare = 33554432, order = []> {
  lane.form @decode decode rows(1) {
  }
}

// -----

// CHECK: error: 'lane.program' op the placement is stale, run residence-place again: device bytes are 1000, but what stays has 1024
lane.program @stale_placement context(1) numerics(one_pass)
    plan <arena = 0, fixed = 1024, spare = 33554432, order = []>
    placement <budget = 1024, moved = 0, device_bytes = 1000, host_bytes = 0> {
  lane.form @decode decode rows(1) {
  }
}

// -----

// CHECK: error: 'lane.program' op 'stale_moved' moves 1 of 0 uploads
lane.program @stale_moved context(1) numerics(one_pass)
    plan <arena = 0, fixed = 1024, spare = 33554432, order = []>
    placement <budget = 1024, moved = 1, device_bytes = 1024, host_bytes = 0> {
  lane.form @decode decode rows(1) {
  }
}

// -----

// CHECK: error: 'lane.program' op the placement is stale, run residence-place again: 1 uploads moved, but 0 live on the host
lane.program @stale_sides context(1) numerics(one_pass)
    plan <arena = 0, fixed = 1024, spare = 33554432, order = [@w]>
    placement <budget = 1024, moved = 1, device_bytes = 1024, host_bytes = 512, policy = least_traffic> {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
    residence <class = other, last_read = 0, rank = 0, bytes = 512> extents [<device 0, offset = 0, bytes = 512>]
  lane.form @decode decode rows(1) {
  }
}

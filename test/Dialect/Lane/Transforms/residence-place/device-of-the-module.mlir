// Without an option, the budget is that of the module's device description in DLTI:
// its memory, less what the driver reserves and the spare.
//
// RUN: lane-opt %s --split-input-file --residence-plan --residence-place \
// RUN:   | FileCheck %s
// RUN: lane-opt %s --split-input-file --residence-plan \
// RUN:   --residence-place=budget=1GiB | FileCheck %s --check-prefix=OPTION

// 600 MiB, less 512 MiB, less a spare of 32 MiB for no launches.
//
// CHECK: placement <budget = 58720256, moved = 0,
// OPTION: placement <budget = 1073741824, moved = 0,
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "card" = #dlti.target_device_spec<"lane.memory_bytes" = 629145600 : i64>,
    "cpu" = #dlti.target_device_spec<"L1_cache_size_in_bytes" = 65536 : i32>>} {
  lane.program @p context(16) numerics(one_pass) {
    lane.matrix @w : !lane.matrix<6x32xf32> rows [#lane.rows<file = 0, offset = 0, count = 6>]
    lane.form @decode decode rows(1) {
    }
  }
}

// -----

// The reserve is that of the device if it has one.
//
// CHECK: placement <budget = 1048576, moved = 1, device_bytes = 1024,
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "card" = #dlti.target_device_spec<"lane.memory_bytes" = 34605552 : i64, "lane.reserve_bytes" = 2544 : i64>>} {
  lane.program @p context(16) numerics(one_pass) {
    lane.matrix @w : !lane.matrix<1024x1024xf32> rows [#lane.rows<file = 0, offset = 0, count = 1024>]
    lane.form @decode decode rows(1) {
    }
  }
}

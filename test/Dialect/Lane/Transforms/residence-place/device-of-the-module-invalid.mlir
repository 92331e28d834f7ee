// RUN: lane-opt %s --split-input-file --residence-plan --residence-place \
// RUN:   --verify-diagnostics

// expected-error@+1 {{the module describes 2 devices with a memory, expected one}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "a" = #dlti.target_device_spec<"lane.memory_bytes" = 1 : i64>,
    "b" = #dlti.target_device_spec<"lane.memory_bytes" = 1 : i64>>} {
  lane.program @p context(16) numerics(one_pass) {
    lane.matrix @w : !lane.matrix<6x32xf32> rows [#lane.rows<file = 0, offset = 0, count = 6>]
    lane.form @decode decode rows(1) {
    }
  }
}

// -----

// expected-error@+1 {{device 'a': "lane.memory_bytes" is -1 : i64, expected an integer of 0 or more below 2^63}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "a" = #dlti.target_device_spec<"lane.memory_bytes" = -1 : i64>>} {
  lane.program @p context(16) numerics(one_pass) {
    lane.matrix @w : !lane.matrix<6x32xf32> rows [#lane.rows<file = 0, offset = 0, count = 6>]
    lane.form @decode decode rows(1) {
    }
  }
}

// -----

// expected-error@+1 {{device 'a': "lane.reserve_bytes" is "much", expected an integer of 0 or more below 2^63}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "a" = #dlti.target_device_spec<"lane.memory_bytes" = 1 : i64, "lane.reserve_bytes" = "much">>} {
  lane.program @p context(16) numerics(one_pass) {
    lane.matrix @w : !lane.matrix<6x32xf32> rows [#lane.rows<file = 0, offset = 0, count = 6>]
    lane.form @decode decode rows(1) {
    }
  }
}

// -----

module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "soc" = #dlti.target_device_spec<"lane.memory_bytes" = 33557456 : i64, "lane.reserve_bytes" = 1000 : i64, "lane.integrated" = true>>} {
  // expected-error@+1 {{'lane.program' op 'p' is refused: device 'soc' shares memory with the host, so nothing can move: the program needs 2048 bytes, but the budget is 2024 bytes}}
  lane.program @p context(16) numerics(one_pass) {
    lane.matrix @w : !lane.matrix<6x32xf32> rows [#lane.rows<file = 0, offset = 0, count = 6>]
    lane.form @decode decode rows(1) {
    }
  }
}

// -----

// Page tables of the one upload would take more than it frees.

module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "a" = #dlti.target_device_spec<"lane.memory_bytes" = 33556479 : i64, "lane.reserve_bytes" = 0 : i64>>} {
  // expected-error@+1 {{'lane.program' op 'p' is refused: the program needs 2048 bytes on the device at least, with page tables, but the budget is 2047 bytes}}
  lane.program @p context(16) numerics(one_pass) {
    lane.matrix @w : !lane.matrix<6x32xf32> rows [#lane.rows<file = 0, offset = 0, count = 6>]
    lane.form @decode decode rows(1) {
    }
  }
}

// -----

// A reserve above the memory leaves nothing.

module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "a" = #dlti.target_device_spec<"lane.memory_bytes" = 1 : i64, "lane.reserve_bytes" = 9223372036854775807 : i64>>} {
  // expected-error@+1 {{the program needs 2048 bytes on the device at least, with page tables, but the budget is -33554432 bytes}}
  lane.program @p context(16) numerics(one_pass) {
    lane.matrix @w : !lane.matrix<6x32xf32> rows [#lane.rows<file = 0, offset = 0, count = 6>]
    lane.form @decode decode rows(1) {
    }
  }
}

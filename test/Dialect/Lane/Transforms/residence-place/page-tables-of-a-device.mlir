// Page tables are part of the memory of a device that the module describes, but not
// of bytes that an option gives, nor of memory that device and host share.
//
// RUN: lane-opt %s --split-input-file --residence-plan --residence-place \
// RUN:   | FileCheck %s
// RUN: lane-opt %s --split-input-file --residence-plan \
// RUN:   --residence-place=budget=8390000 | FileCheck %s --check-prefix=OPTION

// A byte is missing for both uploads.
//
// CHECK: placement <budget = 8390143, moved = 1, device_bytes = 4195584, host_bytes = 4194560, page_table_bytes = 16384> {
// OPTION: placement <budget = 8390000, moved = 1, device_bytes = 4195584, host_bytes = 4194560> {
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "card" = #dlti.target_device_spec<"lane.memory_bytes" = 41944575 : i64, "lane.reserve_bytes" = 0 : i64>>} {
  lane.program @p context(16) numerics(one_pass) {
    lane.matrix @a : !lane.matrix<1024x1024xf32> rows [#lane.rows<file = 0, offset = 0, count = 1024>]
    lane.matrix @b : !lane.matrix<1024x1024xf32> rows [#lane.rows<file = 0, offset = 4194304, count = 1024>]
    lane.form @decode decode rows(1) {
    }
  }
}

// -----

// Both fit.
//
// CHECK: placement <budget = 8390144, moved = 0, device_bytes = 8390144, host_bytes = 0> {
// OPTION: placement <budget = 8390000, moved = 1, device_bytes = 4195584, host_bytes = 4194560> {
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "soc" = #dlti.target_device_spec<"lane.memory_bytes" = 41944576 : i64, "lane.reserve_bytes" = 0 : i64, "lane.integrated" = true>>} {
  lane.program @p context(16) numerics(one_pass) {
    lane.matrix @a : !lane.matrix<1024x1024xf32> rows [#lane.rows<file = 0, offset = 0, count = 1024>]
    lane.matrix @b : !lane.matrix<1024x1024xf32> rows [#lane.rows<file = 0, offset = 4194304, count = 1024>]
    lane.form @decode decode rows(1) {
    }
  }
}

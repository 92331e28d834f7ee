module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "card" = #dlti.target_device_spec<"lane.memory_bytes" = 41944576 : i64, "lane.reserve_bytes" = 0 : i64>>} {
  lane.program @p context(16) numerics(one_pass) {
    lane.matrix @a : !lane.matrix<1024x1024xf32> rows [#lane.rows<file = 0, offset = 0, count = 1024>]
    lane.matrix @b : !lane.matrix<1024x1024xf32> rows [#lane.rows<file = 0, offset = 4194304, count = 1024>]
    lane.form @decode decode rows(1) {
    }
  }
}

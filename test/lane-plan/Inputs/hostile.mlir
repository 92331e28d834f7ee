// Names that try to end or start a script.
lane.program @hostile context(128) numerics(one_pass) {
  lane.matrix @"</script><img src=x onerror=alert(1)>" : !lane.matrix<64x256xq8_0>
    rows [#lane.rows<file = 0, offset = 0, count = 64>]
  lane.matrix @"{{DATA}}" : !lane.matrix<64x256xq8_0>
    rows [#lane.rows<file = 0, offset = 17408, count = 64>]
  lane.form @"<b>decode" decode rows(1) {
  }
}

lane.program @fused context(16) numerics(one_pass) {
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 136, count = 4>]
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    lane.launch "zero" ins() outs(%x : !lane.buffer<1x32xf32>)
    lane.fused {
      lane.launch "one" ins(%a : !lane.matrix<4x32xq8_0>) outs(%x : !lane.buffer<1x32xf32>)
      lane.launch "two" ins(%b : !lane.matrix<4x32xq8_0>) outs(%x : !lane.buffer<1x32xf32>)
      lane.launch "three" ins(%a : !lane.matrix<4x32xq8_0>) outs(%x : !lane.buffer<1x32xf32>)
    }
  }
  lane.form @prefill prefill rows(4) {
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
  }
}

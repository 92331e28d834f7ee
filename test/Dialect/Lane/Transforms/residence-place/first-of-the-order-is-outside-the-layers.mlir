// RUN: lane-opt %s --residence-plan --residence-place=budget=3583 | FileCheck %s

// A large embedding moves first, although it does not belong to a layer.

// CHECK: placement <budget = 3583, moved = 1, device_bytes = 2048, host_bytes = 2542797056> {
lane.program @outer context(16) numerics(one_pass) {
  lane.matrix @blk.0.w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.matrix @blk.1.w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>]
  // 248320 * 5120 * 2 + 32 = 2542796832, padded 2542796800 + 256.
  // CHECK: lane.matrix @token_embd {{.*}} bytes = 2542797056> extents [<host, offset = 0, bytes = 2542797056>]
  lane.matrix @token_embd : !lane.matrix<248320x5120xbf16> rows [#lane.rows<file = 0, offset = 4096, count = 248320>]
  lane.form @decode decode rows(1) {
    %embd = lane.ref @token_embd : !lane.matrix<248320x5120xbf16>
    %w0 = lane.ref @blk.0.w : !lane.matrix<4x32xq8_0>
    %w1 = lane.ref @blk.1.w : !lane.matrix<4x32xq8_0>
    lane.launch "g" ins(%embd : !lane.matrix<248320x5120xbf16> gather)
    lane.launch "d" ins(%w0 : !lane.matrix<4x32xq8_0>)
    lane.launch "d" ins(%w1 : !lane.matrix<4x32xq8_0>)
  }
}

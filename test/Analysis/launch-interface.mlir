// RUN: lane-opt %s --test-launch-interface --verify-diagnostics

// The reads of every launch with their accesses, its writes and its scratch. The
// pass fails if they disagree with the memory effects, or if an operand is
// neither read nor written.

lane.program @all context(16) numerics(one_pass) {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.matrix @w : !lane.matrix<32x32xq8_0> rows [#lane.rows<file = 0, offset = 4096, count = 32>]
  lane.matrix @up : !lane.matrix<2x64x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 128>]
  lane.matrix @down : !lane.matrix<2x32x64xq8_0> rows [#lane.rows<file = 0, offset = 16384, count = 64>]
  lane.values @v : !lane.buffer<32xf32>
  lane.state @s : !lane.buffer<4x32xf32>
  lane.form @decode decode rows(1) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %w = lane.ref @w : !lane.matrix<32x32xq8_0>
    %up = lane.ref @up : !lane.matrix<2x64x32xq8_0>
    %down = lane.ref @down : !lane.matrix<2x32x64xq8_0>
    %v = lane.ref @v plain <pool> : !lane.buffer<32xf32>
    %s = lane.ref @s plain <pool> : !lane.buffer<4x32xf32>
    %ids = lane.param "ids" plain <pool> : !lane.buffer<1xi32>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %h = lane.alloc "h" plain <pool> : !lane.buffer<1x64xf32>
    %r = lane.alloc "r" plain <pool> : !lane.buffer<1x2xf32>
    %rows = lane.alloc "rows" plain <pool> : !lane.buffer<128x32xf32>
    // expected-remark @+1 {{launch: reads ['ids' dense, 'embd' gather], writes ['x']}}
    lane.gather %ids of %embd into %x : !lane.buffer<1xi32>, !lane.matrix<4x32xq8_0>, !lane.buffer<1x32xf32>
    // expected-remark @+1 {{launch: reads ['embd' dense, 'embd' gather], writes ['rows']}}
    lane.gather %embd of %embd into %rows : !lane.matrix<4x32xq8_0>, !lane.matrix<4x32xq8_0>, !lane.buffer<128x32xf32>
    // expected-remark @+1 {{launch: reads ['x' dense, 'w' dense], writes ['y']}}
    lane.matmul %x by %w into %y : !lane.buffer<1x32xf32>, !lane.matrix<32x32xq8_0> -> !lane.buffer<1x32xf32>
    // expected-remark @+1 {{launch: reads ['x' dense, 'w' dense, 'y' dense], writes ['y'], scratch [#lane.scratch<tag = 0, bytes = 4, pool>]}}
    lane.matmul %x by %w plus %y into %y scratch [#lane.scratch<tag = 0, bytes = 4, pool>] : !lane.buffer<1x32xf32>, !lane.matrix<32x32xq8_0>, !lane.buffer<1x32xf32> -> !lane.buffer<1x32xf32>
    // expected-remark @+1 {{launch: reads ['x' dense, 'up' dense], writes ['h']}}
    lane.batch_matmul %x by %up into %h : !lane.buffer<1x32xf32>, !lane.matrix<2x64x32xq8_0> -> !lane.buffer<1x64xf32>
    // expected-remark @+1 {{launch: reads ['x' dense, 'r' dense, 'up' expert 1 of 2, 'up' expert 1 of 2, 'down' expert 1 of 2, 'x' dense, 'r' dense], writes ['y']}}
    lane.moe %x routed %r up %up gate %up down %down extra(%x, %r : !lane.buffer<1x32xf32>, !lane.buffer<1x2xf32>) into %y active(1) : !lane.buffer<1x32xf32>, !lane.buffer<1x2xf32>, !lane.matrix<2x64x32xq8_0>, !lane.matrix<2x64x32xq8_0>, !lane.matrix<2x32x64xq8_0> -> !lane.buffer<1x32xf32>
    // expected-remark @+1 {{launch: reads ['x' dense, 'r' dense, 'up' expert 2 of 2, 'down' expert 2 of 2], writes ['y']}}
    lane.moe %x routed %r up %up down %down into %y active(2) : !lane.buffer<1x32xf32>, !lane.buffer<1x2xf32>, !lane.matrix<2x64x32xq8_0>, !lane.matrix<2x32x64xq8_0> -> !lane.buffer<1x32xf32>
    // expected-remark @+1 {{launch: reads ['x' dense, 'v' dense], writes ['x']}}
    lane.norm rms ins(%x, %v : !lane.buffer<1x32xf32>, !lane.buffer<32xf32>) outs(%x : !lane.buffer<1x32xf32>) epsilon(1.0e-6)
    // expected-remark @+1 {{launch: reads ['x' dense, 'ids' dense, 'v' dense], writes ['x']}}
    lane.rope neox %x at %ids factors %v into %x dimensions(32) base(1.0e6) : !lane.buffer<1x32xf32>, !lane.buffer<1xi32>, !lane.buffer<32xf32> -> !lane.buffer<1x32xf32>
    // expected-remark @+1 {{launch: reads ['x' dense, 's' dense, 's' dense, 'ids' dense], writes ['y']}}
    lane.attention ins(%x, %s, %s, %ids : !lane.buffer<1x32xf32>, !lane.buffer<4x32xf32>, !lane.buffer<4x32xf32>, !lane.buffer<1xi32>) outs(%y : !lane.buffer<1x32xf32>) heads(1) kv_heads(1)
    // expected-remark @+1 {{launch: reads ['x' dense, 'y' dense], writes ['x']}}
    lane.elementwise add ins(%x, %y : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>) outs(%x : !lane.buffer<1x32xf32>)
    // expected-remark @+1 {{launch: reads ['x' dense, 's' dense], writes ['s', 'y']}}
    lane.recurrent convolution ins(%x : !lane.buffer<1x32xf32>) state(%s : !lane.buffer<4x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
    // expected-remark @+1 {{launch: reads ['x' dense], writes ['y']}}
    lane.copy %x into %y : !lane.buffer<1x32xf32> -> !lane.buffer<1x32xf32>
    // expected-remark @+1 {{launch: reads ['x' dense, 'ids' dense], writes ['s']}}
    lane.copy %x into %s at %ids : !lane.buffer<1x32xf32>, !lane.buffer<1xi32> -> !lane.buffer<4x32xf32>
    // expected-remark @+1 {{launch: reads ['x' dense], writes ['ids']}}
    lane.sample argmax %x into %ids : !lane.buffer<1x32xf32>, !lane.buffer<1xi32>
    // expected-remark @+1 {{launch: reads [], writes []}}
    lane.launch "nothing" ins()
    // expected-remark @+1 {{launch: reads ['x' dense, 'embd' gather, 'up' expert 1 of 2, 'up' expert], writes ['x', 'y']}}
    lane.launch "all" ins(%x : !lane.buffer<1x32xf32>, %embd : !lane.matrix<4x32xq8_0> gather, %up : !lane.matrix<2x64x32xq8_0> expert(1 of 2), %up : !lane.matrix<2x64x32xq8_0> expert) outs(%x : !lane.buffer<1x32xf32>, %y : !lane.buffer<1x32xf32>)
    // expected-remark @+1 {{launch: reads ['w' dense, 'x' dense], writes ['y']}}
    foreign.spmm %w, %x into %y : !lane.matrix<32x32xq8_0>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
    // expected-remark @+1 {{launch: reads ['embd' gather, 'ids' dense], writes ['x']}}
    foreign.lookup %embd, %ids into %x : !lane.matrix<4x32xq8_0>, !lane.buffer<1xi32>, !lane.buffer<1x32xf32>
    // expected-remark @+1 {{launch: reads ['up' expert 1 of 2, 'x' dense], writes ['y'], scratch [#lane.scratch<tag = 0, bytes = 4, pool>]}}
    foreign.experts 1 of 2 in %up, %x into %y {lane.scratch = [#lane.scratch<tag = 0, bytes = 4, pool>]} : !lane.matrix<2x64x32xq8_0>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
    // expected-remark @+1 {{launch: reads ['x' dense], writes ['y']}}
    foreign.plain %x into %y : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
    // The pass asks each part of a fused launch.
    // expected-remark @+1 {{fused launch: reads [], writes []}}
    lane.fused {
      // expected-remark @+1 {{part: reads ['ids' dense, 'embd' gather], writes ['x']}}
      lane.gather %ids of %embd into %x : !lane.buffer<1xi32>, !lane.matrix<4x32xq8_0>, !lane.buffer<1x32xf32>
      // expected-remark @+1 {{part: reads ['x' dense], writes ['y']}}
      foreign.plain %x into %y : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
    }
    // expected-remark @+1 {{fused launch: reads [], writes [], scratch [#lane.scratch<tag = 0, bytes = 4, pool>]}}
    foreign.block workspace [#lane.scratch<tag = 0, bytes = 4, pool>] {
      // expected-remark @+1 {{part: reads ['x' dense], writes ['y']}}
      lane.copy %x into %y : !lane.buffer<1x32xf32> -> !lane.buffer<1x32xf32>
    }
  }
}

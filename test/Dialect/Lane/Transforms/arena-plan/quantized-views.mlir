// RUN: lane-opt %s --arena-plan | FileCheck %s

// A view at a multiple of the block of 32 shares the quants and scales of its
// base. A view at another offset has its own: here 256 + 256 bytes for 64
// elements, beside 512 bytes plain and 256 + 256 bytes quantized of the base. "x"
// is live from launch 0 to 2. "odd" is only used at 1 and 2, so it reuses the
// bytes of "y", whose last read is at 0. With 512 + 512 + 512 bytes live at each
// launch, the arena has 1536.

// CHECK-LABEL: lane.form @decode decode rows(1) arena(1536) {
lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // CHECK: lane.alloc "x" plain <arena[0]> quantized <arena[512]>
    %x = lane.alloc "x" plain <arena> quantized <arena> : !lane.buffer<128xf32>
    // CHECK: lane.alloc "y" plain <arena[1024]>
    %y = lane.alloc "y" plain <arena> : !lane.buffer<128xf32>
    // CHECK: lane.view "even" of %x at 32 plain <arena> quantized <arena> :
    %even = lane.view "even" of %x at 32 plain <arena> quantized <arena> : !lane.buffer<128xf32> to !lane.buffer<64xf32>
    // CHECK: lane.view "odd" of %x at 33 plain <arena> quantized <arena[1024]> :
    %odd = lane.view "odd" of %x at 33 plain <arena> quantized <arena> : !lane.buffer<128xf32> to !lane.buffer<64xf32>
    // A view at a multiple of the block of "odd" shares the bytes of "odd".
    // CHECK: lane.view "inner" of %odd at 32 quantized <arena> :
    %inner = lane.view "inner" of %odd at 32 quantized <pool> : !lane.buffer<64xf32> to !lane.buffer<32xf32>
    lane.fused {
      lane.launch "k" ins() outs(%x : !lane.buffer<128xf32>, %y : !lane.buffer<128xf32>)
      lane.launch "k" ins(%y : !lane.buffer<128xf32>, %even : !lane.buffer<64xf32>)
    }
    lane.launch "k" ins() outs(%odd : !lane.buffer<64xf32>)
    lane.launch "k" ins(%inner : !lane.buffer<32xf32>)
  }
}

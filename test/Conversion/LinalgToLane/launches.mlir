// RUN: lane-opt %s --convert-linalg-to-lane=context=512 --split-input-file | FileCheck %s

// Constant globals are weights, others state. Views become their source; copies and
// fills are launches; allocations are in the arena, except those that are returned.

// CHECK-LABEL: lane.program @step context(512)
// CHECK-SAME: files(["step.weights"])
// CHECK-NEXT: lane.matrix @weight : !lane.matrix<8x64xf16> rows [#lane.rows<file = 0, offset = 0, count = 8>]
// CHECK-NEXT: lane.state @cache : !lane.buffer<16x64xf16>
// CHECK-NEXT: lane.values @scale : !lane.buffer<64xf32> rows [#lane.rows<file = 0, offset = 1024, count = 1>]
// CHECK-NEXT: lane.form @step decode rows(1) {
// CHECK-NEXT:   %arg0 = lane.param "arg0" plain <pool> : !lane.buffer<1x64xf16>
// CHECK-NEXT:   %weight = lane.ref @weight : !lane.matrix<8x64xf16>
// CHECK-NEXT:   %buffer0 = lane.param "buffer0" plain <pool> : !lane.buffer<1x64xf16>
// CHECK-NEXT:   lane.launch "memref.copy" ins(%weight : !lane.matrix<8x64xf16>) outs(%buffer0 : !lane.buffer<1x64xf16>)
// CHECK-NEXT:   %cache = lane.ref @cache plain <pool> : !lane.buffer<16x64xf16>
// CHECK-NEXT:   lane.launch "memref.copy" ins(%arg0 : !lane.buffer<1x64xf16>) outs(%cache : !lane.buffer<16x64xf16>)
// CHECK-NEXT:   %scale = lane.ref @scale plain <pool> : !lane.buffer<64xf32>
// CHECK-NEXT:   %buffer1 = lane.alloc "buffer1" plain <arena> : !lane.buffer<64xf32>
// CHECK-NEXT:   lane.launch "memref.copy" ins(%scale : !lane.buffer<64xf32>) outs(%buffer1 : !lane.buffer<64xf32>)
// CHECK-NEXT: }
// CHECK-NOT: memref.global
memref.global "private" constant @weight : memref<8x64xf16> = uninitialized
memref.global "private" constant @scale : memref<64xf32> = uninitialized
memref.global "private" @cache : memref<16x64xf16> = uninitialized
func.func @step(%x: memref<1x64xf16>) -> memref<1x64xf16> {
  %two = arith.constant 2 : index
  %weight = memref.get_global @weight : memref<8x64xf16>
  %cache = memref.get_global @cache : memref<16x64xf16>
  %scale = memref.get_global @scale : memref<64xf32>
  %row = memref.subview %weight[%two, 0] [1, 64] [1, 1] : memref<8x64xf16> to memref<1x64xf16, strided<[64, 1], offset: ?>>
  %out = memref.alloc() : memref<1x64xf16>
  memref.copy %row, %out : memref<1x64xf16, strided<[64, 1], offset: ?>> to memref<1x64xf16>
  %slot = memref.subview %cache[%two, 0] [1, 64] [1, 1] : memref<16x64xf16> to memref<1x64xf16, strided<[64, 1], offset: ?>>
  memref.copy %x, %slot : memref<1x64xf16> to memref<1x64xf16, strided<[64, 1], offset: ?>>
  %own = memref.alloc() : memref<64xf32>
  memref.copy %scale, %own : memref<64xf32> to memref<64xf32>
  memref.dealloc %own : memref<64xf32>
  return %out : memref<1x64xf16>
}

// -----

// Arguments may be weights, in a format of a checkpoint, and state. Forms share both;
// the decode form comes first, and names the program if the module has no name.

// CHECK-LABEL: lane.program @model context(512) numerics(one_pass) files(["model.gguf"])
// CHECK-NEXT: lane.matrix @output.weight : !lane.matrix<128x64xq8_0> rows [#lane.rows<file = 0, offset = 4096, count = 128>]
// CHECK-NEXT: lane.state @cache_k.0 : !lane.buffer<512x64xf16>
// CHECK-NEXT: lane.form @decode decode rows(1) {
// CHECK-NEXT:   %output.weight = lane.ref @output.weight : !lane.matrix<128x64xq8_0>
// CHECK-NEXT:   %cache_k.0 = lane.ref @cache_k.0 plain <pool> : !lane.buffer<512x64xf16>
// CHECK-NEXT:   %arg2 = lane.param "arg2" position plain <pool> : !lane.buffer<1xi32>
// CHECK:      lane.form @prefill prefill rows(32) {
// CHECK-NEXT:   %cache_k.0 = lane.ref @cache_k.0 plain <pool> : !lane.buffer<512x64xf16>
// CHECK-NEXT:   %mask = lane.alloc "mask" carried plain <pool> : !lane.buffer<32xf32>
module @model attributes {lane.files = ["model.gguf"]} {
  func.func @prefill(%cache: memref<512x64xf16> {lane.state = "cache_k.0"},
                     %mask: memref<32xf32> {lane.state = "mask"})
      attributes {lane.prefill_rows = 32 : i64} {
    return
  }
  func.func @decode(%w: memref<8704xi8> {lane.weight = "output.weight",
                        lane.type = !lane.matrix<128x64xq8_0>,
                        lane.rows = [#lane.rows<file = 0, offset = 4096, count = 128>]},
                    %cache: memref<512x64xf16> {lane.state = "cache_k.0"},
                    %position: memref<1xi32> {lane.position}) {
    return
  }
}

// -----

// A stack of experts in a form of several rows: each row has 2 of 8 active.

// CHECK-LABEL: lane.program @experts
// CHECK: lane.launch "linalg.generic" ins({{.*}}, %stack : !lane.matrix<8x4x32xf32> expert(2 of 8))
module @experts {
  memref.global "private" constant @stack : memref<8x4x32xf32> = uninitialized
  func.func @prefill(%which: memref<16x2xi32>, %out: memref<16x2x4x32xf32>)
      attributes {lane.prefill_rows = 16 : i64} {
    %stack = memref.get_global @stack : memref<8x4x32xf32>
    linalg.generic {
        indexing_maps = [affine_map<(r, c, n, k) -> (r, c)>, affine_map<(r, c, n, k) -> (r, c, n, k)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%which : memref<16x2xi32>) outs(%out : memref<16x2x4x32xf32>) {
    ^bb0(%expert: i32, %old: f32):
      %e = arith.index_cast %expert : i32 to index
      %n = linalg.index 2 : index
      %k = linalg.index 3 : index
      %value = memref.load %stack[%e, %n, %k] : memref<8x4x32xf32>
      linalg.yield %value : f32
    }
    return
  }
  func.func @decode(%which: memref<1x2xi32>) {
    return
  }
}

// -----

// A weight with two uses is declared once.

// CHECK-LABEL: lane.program @twice
// CHECK-COUNT-1: lane.ref @weight
// CHECK-NEXT: lane.launch "memref.copy" ins(%weight
// CHECK-NEXT: lane.launch "memref.copy" ins(%weight
// CHECK-NEXT: }
memref.global "private" constant @weight : memref<4x32xf32> = uninitialized
func.func @twice(%x: memref<4x32xf32>) {
  %one = memref.get_global @weight : memref<4x32xf32>
  memref.copy %one, %x : memref<4x32xf32> to memref<4x32xf32>
  %two = memref.get_global @weight : memref<4x32xf32>
  memref.copy %two, %x : memref<4x32xf32> to memref<4x32xf32>
  return
}

// -----

// A body also reads through views. A row index that adds a loop to a datum reads all
// rows, and a launch writes what its body stores to.

// CHECK-LABEL: lane.program @bodies
// CHECK: lane.launch "linalg.generic" ins(%weight : !lane.matrix<100x32xf32>) outs(%arg1 : !lane.buffer<1x32xf32>)
// CHECK: lane.launch "linalg.generic" ins(%arg0 : !lane.buffer<1xi64>, %weight : !lane.matrix<100x32xf32>) outs(%arg1 : !lane.buffer<1x32xf32>)
// CHECK: lane.launch "linalg.generic" ins(%arg1 : !lane.buffer<1x32xf32>) outs(%arg1 : !lane.buffer<1x32xf32>, %arg2 : !lane.buffer<1x32xf32>)
memref.global "private" constant @weight : memref<100x32xf32> = uninitialized
func.func @bodies(%ids: memref<1xi64>, %out: memref<1x32xf32>, %copy: memref<1x32xf32>) {
  %weight = memref.get_global @weight : memref<100x32xf32>
  linalg.generic {
      indexing_maps = [affine_map<(r, k) -> (r, k)>], iterator_types = ["parallel", "parallel"]}
      outs(%out : memref<1x32xf32>) {
  ^bb0(%old: f32):
    %r = linalg.index 0 : index
    %k = linalg.index 1 : index
    %row = memref.subview %weight[%r, 0] [1, 32] [1, 1] : memref<100x32xf32> to memref<32xf32, strided<[1], offset: ?>>
    %value = memref.load %row[%k] : memref<32xf32, strided<[1], offset: ?>>
    linalg.yield %value : f32
  }
  linalg.generic {
      indexing_maps = [affine_map<(r, k) -> (r)>, affine_map<(r, k) -> (r, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : memref<1xi64>) outs(%out : memref<1x32xf32>) {
  ^bb0(%start: i64, %old: f32):
    %s = arith.index_cast %start : i64 to index
    %r = linalg.index 0 : index
    %k = linalg.index 1 : index
    %row = arith.addi %s, %r : index
    %value = memref.load %weight[%row, %k] : memref<100x32xf32>
    linalg.yield %value : f32
  }
  linalg.generic {
      indexing_maps = [affine_map<(r, k) -> (r, k)>], iterator_types = ["parallel", "parallel"]}
      outs(%out : memref<1x32xf32>) {
  ^bb0(%old: f32):
    %r = linalg.index 0 : index
    %k = linalg.index 1 : index
    memref.store %old, %copy[%r, %k] : memref<1x32xf32>
    linalg.yield %old : f32
  }
  return
}

// Decode and prefill of a small model: a table that is also the head, a product, a
// cache that both forms share, and scores over it. Functions of memrefs, as upstream's
// passes leave them.

#ids = affine_map<(r, j) -> (r)>
#rows = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (0)>
#m = affine_map<(m, n, k) -> (m, k)>
#n = affine_map<(m, n, k) -> (n, k)>
#k = affine_map<(m, n, k) -> (m, n)>

module @tiny {
  func.func @decode(%table: memref<64x32xf32> {lane.weight = "table"},
                    %up: memref<32x32xf32> {lane.weight = "up"},
                    %cache: memref<16x32xf32> {lane.state = "cache"},
                    %ids: memref<1xi64>, %position: memref<1xi64>,
                    %logits: memref<1x64xf32>) {
    %zero = arith.constant 0.0 : f32
    %x = memref.alloc() : memref<1x32xf32>
    linalg.generic {indexing_maps = [#ids, #rows], iterator_types = ["parallel", "parallel"]}
        ins(%ids : memref<1xi64>) outs(%x : memref<1x32xf32>) {
    ^bb0(%id: i64, %out: f32):
      %row = arith.index_cast %id : i64 to index
      %column = linalg.index 1 : index
      %element = memref.load %table[%row, %column] : memref<64x32xf32>
      linalg.yield %element : f32
    }
    %key = memref.alloc() : memref<1x32xf32>
    linalg.fill ins(%zero : f32) outs(%key : memref<1x32xf32>)
    linalg.matmul indexing_maps = [#m, #n, #k]
      ins(%x, %up : memref<1x32xf32>, memref<32x32xf32>) outs(%key : memref<1x32xf32>)
    // The key becomes the row of its position.
    linalg.generic {indexing_maps = [#one, affine_map<(r, j) -> (0, j)>, #rows],
                    iterator_types = ["parallel", "parallel"]}
        ins(%position, %key : memref<1xi64>, memref<1x32xf32>) outs(%cache : memref<16x32xf32>) {
    ^bb0(%at: i64, %new: f32, %old: f32):
      %wanted = arith.index_cast %at : i64 to index
      %row = linalg.index 0 : index
      %isHere = arith.cmpi eq, %row, %wanted : index
      %kept = arith.select %isHere, %new, %old : f32
      linalg.yield %kept : f32
    }
    %scores = memref.alloc() : memref<1x16xf32>
    linalg.fill ins(%zero : f32) outs(%scores : memref<1x16xf32>)
    linalg.matmul indexing_maps = [#m, #n, #k]
      ins(%x, %cache : memref<1x32xf32>, memref<16x32xf32>) outs(%scores : memref<1x16xf32>)
    memref.dealloc %x : memref<1x32xf32>
    memref.dealloc %key : memref<1x32xf32>
    %mixed = memref.alloc() : memref<1x32xf32>
    linalg.fill ins(%zero : f32) outs(%mixed : memref<1x32xf32>)
    linalg.matmul ins(%scores, %cache : memref<1x16xf32>, memref<16x32xf32>)
      outs(%mixed : memref<1x32xf32>)
    memref.dealloc %scores : memref<1x16xf32>
    linalg.fill ins(%zero : f32) outs(%logits : memref<1x64xf32>)
    linalg.matmul indexing_maps = [#m, #n, #k]
      ins(%mixed, %table : memref<1x32xf32>, memref<64x32xf32>) outs(%logits : memref<1x64xf32>)
    memref.dealloc %mixed : memref<1x32xf32>
    return
  }

  // The keys of four tokens become the first rows of the cache.
  func.func @prefill(%table: memref<64x32xf32> {lane.weight = "table"},
                     %up: memref<32x32xf32> {lane.weight = "up"},
                     %cache: memref<16x32xf32> {lane.state = "cache"},
                     %ids: memref<4xi64>) attributes {lane.prefill_rows = 4 : i64} {
    %zero = arith.constant 0.0 : f32
    %x = memref.alloc() : memref<4x32xf32>
    linalg.generic {indexing_maps = [#ids, #rows], iterator_types = ["parallel", "parallel"]}
        ins(%ids : memref<4xi64>) outs(%x : memref<4x32xf32>) {
    ^bb0(%id: i64, %out: f32):
      %row = arith.index_cast %id : i64 to index
      %column = linalg.index 1 : index
      %element = memref.load %table[%row, %column] : memref<64x32xf32>
      linalg.yield %element : f32
    }
    %keys = memref.subview %cache[0, 0] [4, 32] [1, 1]
      : memref<16x32xf32> to memref<4x32xf32, strided<[32, 1]>>
    linalg.fill ins(%zero : f32) outs(%keys : memref<4x32xf32, strided<[32, 1]>>)
    linalg.matmul indexing_maps = [#m, #n, #k]
      ins(%x, %up : memref<4x32xf32>, memref<32x32xf32>)
      outs(%keys : memref<4x32xf32, strided<[32, 1]>>)
    memref.dealloc %x : memref<4x32xf32>
    return
  }
}

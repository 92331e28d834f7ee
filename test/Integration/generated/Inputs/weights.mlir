// A program over weights of several formats in two files, some of them read twice. The
// resource of the tied head is that of the table.
module @tiny {
  memref.global "private" constant @table : memref<96x64xf32> = dense_resource<model.table>
  memref.global "private" constant @head : memref<96x64xf32> = dense_resource<model.table>
  memref.global "private" constant @experts : memref<4x16x64xbf16> = dense_resource<model.experts>
  memref.global "private" constant @norm : memref<64xf32> = dense_resource<model.norm>
  memref.global "private" constant @half : memref<64xf32> = dense<0.5>
  memref.global "private" constant @codes : memref<7x33xi8> = dense_resource<model.codes>
  func.func @step(%ids: memref<1xi64>, %which: memref<1x2xi64>,
                  %up: memref<64x64xf16> {lane.weight = "model.up"},
                  %down: memref<64x64xf16> loc("model.down"),
                  %x: memref<1x64xf32>, %scratch: memref<64x64xf16>,
                  %y: memref<1x96xf32>, %z: memref<1x2x16x64xbf16>,
                  %c: memref<7x33xi8>, %v: memref<64xf32>) {
    %table = memref.get_global @table : memref<96x64xf32>
    %head = memref.get_global @head : memref<96x64xf32>
    %experts = memref.get_global @experts : memref<4x16x64xbf16>
    %norm = memref.get_global @norm : memref<64xf32>
    %half = memref.get_global @half : memref<64xf32>
    %codes = memref.get_global @codes : memref<7x33xi8>
    linalg.generic {
        indexing_maps = [affine_map<(r, k) -> (r)>, affine_map<(r, k) -> (r, k)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%ids : memref<1xi64>) outs(%x : memref<1x64xf32>) {
    ^bb0(%id: i64, %old: f32):
      %row = arith.index_cast %id : i64 to index
      %k = linalg.index 1 : index
      %value = memref.load %table[%row, %k] : memref<96x64xf32>
      linalg.yield %value : f32
    }
    memref.copy %norm, %v : memref<64xf32> to memref<64xf32>
    memref.copy %half, %v : memref<64xf32> to memref<64xf32>
    memref.copy %up, %scratch : memref<64x64xf16> to memref<64x64xf16>
    memref.copy %down, %scratch : memref<64x64xf16> to memref<64x64xf16>
    memref.copy %codes, %c : memref<7x33xi8> to memref<7x33xi8>
    linalg.generic {
        indexing_maps = [affine_map<(r, e, n, k) -> (r, e)>, affine_map<(r, e, n, k) -> (r, e, n, k)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%which : memref<1x2xi64>) outs(%z : memref<1x2x16x64xbf16>) {
    ^bb0(%expert: i64, %old: bf16):
      %e = arith.index_cast %expert : i64 to index
      %n = linalg.index 2 : index
      %k = linalg.index 3 : index
      %value = memref.load %experts[%e, %n, %k] : memref<4x16x64xbf16>
      linalg.yield %value : bf16
    }
    linalg.matmul
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%x, %head : memref<1x64xf32>, memref<96x64xf32>) outs(%y : memref<1x96xf32>)
    return
  }
}

// A transformer block as torch-mlir prints it: tensors, constants and linalg, without
// the lane dialect. Upstream bufferizes it, and Lane plans it.
//
// RUN: mlir-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   | lane-opt --convert-linalg-to-lane --arena-plan --residence-plan -o %t
// RUN: FileCheck %s --check-prefix=IR < %t
// RUN: lane-opt --residence-place="budget=100000 policy=least-traffic" %t \
// RUN:   | lane-translate --export-plan-json | FileCheck %s --check-prefix=PLAN
// RUN: lane-opt --residence-to-host=target=cpp %t \
// RUN:   | lane-translate --emit-cpp --cpp-file=header | FileCheck %s --check-prefix=CPP

// IR:      lane.program @forward context(4096) numerics(one_pass) files(["forward.weights"])
// IR-NEXT: plan <arena = 4608, fixed = 51456, spare = 33800192, order = [@embedding, @experts, @output, @query]> {
// IR-DAG: lane.matrix @embedding : !lane.matrix<256x32xf32> {{.*}} residence <class = gather, last_read = 0, rank = 0, bytes = 33024>
// IR-DAG: lane.matrix @experts : !lane.matrix<8x32x32xf32> {{.*}} residence <class = expert, last_read = 12, rank = 1, bytes = 33024>
// IR-DAG: lane.matrix @output : !lane.matrix<256x32xf32> {{.*}} residence <class = other, last_read = 14, rank = 2, bytes = 33024>
// IR-DAG: lane.matrix @query : !lane.matrix<32x32xf32> {{.*}} residence <class = other, last_read = 4, rank = 3, bytes = 4352>
// IR-DAG: lane.values @__constant_32xf32 : !lane.buffer<32xf32> data dense<5.000000e-01> : tensor<32xf32>
// IR: lane.form @forward decode rows(1) arena(4608)
// IR: lane.launch "linalg.generic" ins(%arg1 : {{.*}}, %experts : !lane.matrix<8x32x32xf32> expert(2 of 8))

// All uploads are 56064 + 3 * 33024 + 4352 = 159488 bytes. On 100000 bytes two of the
// three large ones must move: the table, where a step reads a row of 128 bytes, and
// the experts, where it reads 2 of 8, which are 8192 bytes.
// PLAN:      "whole": 159488,
// PLAN:      "policy": "least_traffic",
// PLAN-NEXT: "host_step_bytes": 8320,
// PLAN:      "host": [
// PLAN-NEXT:   "embedding",
// PLAN-NEXT:   "experts"
// PLAN-NEXT: ]

// CPP: LANE_FORWARD_EMBEDDING,
// CPP: int32_t lane_forward_open(

#rows = affine_map<(d0, d1) -> (d0, d1)>
#ids = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0, d1) -> (d0, 0)>
#choice = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#input = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
#active = affine_map<(d0, d1, d2, d3) -> (d0, d2)>

func.func @forward(%tokens: tensor<1xi64>, %choice: tensor<1x2xi64>,
                   %keys: tensor<1x64x32xf32>, %values: tensor<1x64x32xf32>)
    -> tensor<1x256xf32> {
  %zero = arith.constant 0.0 : f32
  %epsilon = arith.constant 1.0e-6 : f32
  %width = arith.constant 32.0 : f32
  %embedding = arith.constant dense_resource<embedding> : tensor<256x32xf32>
  %norm = arith.constant dense<0.5> : tensor<32xf32>
  %query = arith.constant dense_resource<query> : tensor<32x32xf32>
  %experts = arith.constant dense_resource<experts> : tensor<8x32x32xf32>
  %output = arith.constant dense_resource<output> : tensor<256x32xf32>

  // aten.embedding.
  %e0 = tensor.empty() : tensor<1x32xf32>
  %x = linalg.generic {indexing_maps = [#ids, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%tokens : tensor<1xi64>) outs(%e0 : tensor<1x32xf32>) {
  ^bb0(%token: i64, %out: f32):
    %row = arith.index_cast %token : i64 to index
    %column = linalg.index 1 : index
    %element = tensor.extract %embedding[%row, %column] : tensor<256x32xf32>
    linalg.yield %element : f32
  } -> tensor<1x32xf32>

  // An rms norm.
  %e1 = tensor.empty() : tensor<1x1xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x1xf32>) -> tensor<1x1xf32>
  %square = linalg.generic {indexing_maps = [#rows, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<1x32xf32>) outs(%f1 : tensor<1x1xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %product = arith.mulf %in, %in : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x1xf32>
  %e2 = tensor.empty() : tensor<1x32xf32>
  %normed = linalg.generic {indexing_maps = [#rows, #one, #column, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x, %square, %norm : tensor<1x32xf32>, tensor<1x1xf32>, tensor<32xf32>)
      outs(%e2 : tensor<1x32xf32>) {
  ^bb0(%in: f32, %sum: f32, %weight: f32, %out: f32):
    %mean = arith.divf %sum, %width : f32
    %shifted = arith.addf %mean, %epsilon : f32
    %root = math.rsqrt %shifted : f32
    %scaled = arith.mulf %in, %root : f32
    %result = arith.mulf %scaled, %weight : f32
    linalg.yield %result : f32
  } -> tensor<1x32xf32>

  // aten.linear.
  %e3 = tensor.empty() : tensor<32x32xf32>
  %transposed = linalg.transpose ins(%query : tensor<32x32xf32>)
      outs(%e3 : tensor<32x32xf32>) permutation = [1, 0]
  %e4 = tensor.empty() : tensor<1x32xf32>
  %f4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<1x32xf32>) -> tensor<1x32xf32>
  %q = linalg.matmul ins(%normed, %transposed : tensor<1x32xf32>, tensor<32x32xf32>)
      outs(%f4 : tensor<1x32xf32>) -> tensor<1x32xf32>

  // Scores over the cache, and its values by them.
  %q3 = tensor.expand_shape %q [[0, 1], [2]] output_shape [1, 1, 32]
      : tensor<1x32xf32> into tensor<1x1x32xf32>
  %e5 = tensor.empty() : tensor<1x1x64xf32>
  %f5 = linalg.fill ins(%zero : f32) outs(%e5 : tensor<1x1x64xf32>) -> tensor<1x1x64xf32>
  %scores = linalg.batch_matmul
      indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q3, %keys : tensor<1x1x32xf32>, tensor<1x64x32xf32>)
      outs(%f5 : tensor<1x1x64xf32>) -> tensor<1x1x64xf32>
  %e6 = tensor.empty() : tensor<1x1x32xf32>
  %f6 = linalg.fill ins(%zero : f32) outs(%e6 : tensor<1x1x32xf32>) -> tensor<1x1x32xf32>
  %mixed = linalg.batch_matmul ins(%scores, %values : tensor<1x1x64xf32>, tensor<1x64x32xf32>)
      outs(%f6 : tensor<1x1x32xf32>) -> tensor<1x1x32xf32>
  %attention = tensor.collapse_shape %mixed [[0, 1], [2]]
      : tensor<1x1x32xf32> into tensor<1x32xf32>

  // Two experts of eight.
  %e7 = tensor.empty() : tensor<1x32xf32>
  %f7 = linalg.fill ins(%zero : f32) outs(%e7 : tensor<1x32xf32>) -> tensor<1x32xf32>
  %moe = linalg.generic {indexing_maps = [#choice, #input, #active],
      iterator_types = ["parallel", "reduction", "parallel", "reduction"]}
      ins(%choice, %attention : tensor<1x2xi64>, tensor<1x32xf32>) outs(%f7 : tensor<1x32xf32>) {
  ^bb0(%which: i64, %in: f32, %sum: f32):
    %expert = arith.index_cast %which : i64 to index
    %n = linalg.index 2 : index
    %k = linalg.index 3 : index
    %weight = tensor.extract %experts[%expert, %n, %k] : tensor<8x32x32xf32>
    %product = arith.mulf %in, %weight : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x32xf32>

  %e8 = tensor.empty() : tensor<1x256xf32>
  %f8 = linalg.fill ins(%zero : f32) outs(%e8 : tensor<1x256xf32>) -> tensor<1x256xf32>
  %logits = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%moe, %output : tensor<1x32xf32>, tensor<256x32xf32>)
      outs(%f8 : tensor<1x256xf32>) -> tensor<1x256xf32>
  return %logits : tensor<1x256xf32>
}

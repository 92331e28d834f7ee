// Embeddings of tokens and of constant positions, and a head that is the table of tokens.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %python -B %test/Checkpoint/make_safetensors.py %t/weights.safetensors \
// RUN:   embed_tokens.weight=F32:64x32 embed_positions.weight=F32:64x32
// RUN: %python -B %S/../embed_weights.py --resources %s %t/weights.safetensors > %t/model.mlir
// RUN: %S/compile_forward.sh %t %t/model.mlir %t/model.mlir %t/exported.safetensors "" \
// RUN:   --export-weights=file=%t/exported.safetensors
// RUN: not grep "dialect_resources\|dense<" %t/bufferized.mlir
// RUN: %cxx -std=c++17 -Wall -Wextra %sanitizer_flags %cuda_flags -I%t -I%S/../Inputs \
// RUN:   -DRESULT=LANE_FORWARD_FORWARD_BUFFER7 %S/Inputs/forward.cpp %t/lane.o \
// RUN:   %t/reference.o %lane_runtime %fake_cuda -lm -o %t/forward
// RUN: cd %t && ./forward exported.safetensors $(%python -B %S/../list_budgets.py plan.json) \
// RUN:   | FileCheck --match-full-lines %s
// CHECK: 7 budgets, 10 steps each: the same bits

#rows = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0, d1) -> (d0, 0)>
#token = affine_map<(d0, d1) -> (d0)>

func.func @forward(%ids: tensor<4xi64>, %x: tensor<4x32xf32>) -> tensor<4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %width = arith.constant 32.0 : f32
  %epsilon = arith.constant 1.0e-6 : f32
  %positions = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi64>
  %table = arith.constant dense_resource<embed_tokens.weight> : tensor<64x32xf32>
  %places = arith.constant dense_resource<embed_positions.weight> : tensor<64x32xf32>

  %te = tensor.empty() : tensor<4x32xf32>
  %t = linalg.generic {indexing_maps = [#token, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<4xi64>) outs(%te : tensor<4x32xf32>) {
  ^bb0(%id: i64, %out: f32):
    %row = arith.index_cast %id : i64 to index
    %column = linalg.index 1 : index
    %element = tensor.extract %table[%row, %column] : tensor<64x32xf32>
    linalg.yield %element : f32
  } -> tensor<4x32xf32>
  %we = tensor.empty() : tensor<4x32xf32>
  %w = linalg.generic {indexing_maps = [#token, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%positions : tensor<4xi64>) outs(%we : tensor<4x32xf32>) {
  ^bb0(%id: i64, %out: f32):
    %row = arith.index_cast %id : i64 to index
    %column = linalg.index 1 : index
    %element = tensor.extract %places[%row, %column] : tensor<64x32xf32>
    linalg.yield %element : f32
  } -> tensor<4x32xf32>
  %ee = tensor.empty() : tensor<4x32xf32>
  %e = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%t, %w : tensor<4x32xf32>, tensor<4x32xf32>) outs(%ee : tensor<4x32xf32>) {
  ^bb0(%lhs: f32, %rhs: f32, %out: f32):
    %result = arith.addf %lhs, %rhs : f32
    linalg.yield %result : f32
  } -> tensor<4x32xf32>
  %ie = tensor.empty() : tensor<4x32xf32>
  %i = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%e, %x : tensor<4x32xf32>, tensor<4x32xf32>) outs(%ie : tensor<4x32xf32>) {
  ^bb0(%lhs: f32, %rhs: f32, %out: f32):
    %result = arith.addf %lhs, %rhs : f32
    linalg.yield %result : f32
  } -> tensor<4x32xf32>
  %nse = tensor.empty() : tensor<4x1xf32>
  %nsf = linalg.fill ins(%zero : f32) outs(%nse : tensor<4x1xf32>) -> tensor<4x1xf32>
  %ns = linalg.generic {indexing_maps = [#rows, #one], iterator_types = ["parallel", "reduction"]}
      ins(%i : tensor<4x32xf32>) outs(%nsf : tensor<4x1xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %square = arith.mulf %in, %in : f32
    %next = arith.addf %square, %acc : f32
    linalg.yield %next : f32
  } -> tensor<4x1xf32>
  %ne = tensor.empty() : tensor<4x32xf32>
  %n = linalg.generic {indexing_maps = [#rows, #one, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%i, %ns : tensor<4x32xf32>, tensor<4x1xf32>) outs(%ne : tensor<4x32xf32>) {
  ^bb0(%in: f32, %by: f32, %out: f32):
    %mean = arith.divf %by, %width : f32
    %shifted = arith.addf %mean, %epsilon : f32
    %root = math.rsqrt %shifted : f32
    %result = arith.mulf %in, %root : f32
    linalg.yield %result : f32
  } -> tensor<4x32xf32>

  // The head is the table.
  %ye0 = tensor.empty() : tensor<32x64xf32>
  %yt = linalg.transpose ins(%table : tensor<64x32xf32>)
      outs(%ye0 : tensor<32x64xf32>) permutation = [1, 0]
  %ye1 = tensor.empty() : tensor<4x64xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye1 : tensor<4x64xf32>) -> tensor<4x64xf32>
  %y = linalg.matmul ins(%n, %yt : tensor<4x32xf32>, tensor<32x64xf32>)
      outs(%yf : tensor<4x64xf32>) -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

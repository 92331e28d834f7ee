// A gated product with a matrix for each token, and a global with its value in the module.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %python -B %test/Checkpoint/make_safetensors.py %t/weights.safetensors \
// RUN:   experts.up=F32:4x32x64 experts.gate=F32:4x32x64
// RUN: %python -B %S/../embed_weights.py %s %t/weights.safetensors > %t/reference.mlir
// RUN: %S/compile_forward.sh %t %t/reference.mlir %s %t/weights.safetensors "--import-globals" ""
// RUN: %cxx -std=c++17 -Wall -Wextra %sanitizer_flags %cuda_flags -I%t -I%S/../Inputs \
// RUN:   -DRESULT=LANE_FORWARD_FORWARD_BUFFER4 %S/Inputs/forward.cpp %t/lane.o \
// RUN:   %t/reference.o %lane_runtime %fake_cuda -lm -o %t/forward
// RUN: cd %t && ./forward weights.safetensors $(%python -B %S/../list_budgets.py plan.json) \
// RUN:   | FileCheck --match-full-lines %s
// CHECK: 5 budgets, 10 steps each: the same bits

#rows = affine_map<(d0, d1) -> (d0, d1)>

ml_program.global private @experts.up(#ml_program.extern<tensor<4x32x64xf32>>) : tensor<4x32x64xf32>
ml_program.global private @experts.gate(#ml_program.extern<tensor<4x32x64xf32>>) : tensor<4x32x64xf32>
ml_program.global private @shift(dense<0.25> : tensor<4x64xf32>) : tensor<4x64xf32>

func.func @forward(%ids: tensor<4xi64>, %x: tensor<4x32xf32>) -> tensor<4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %unit = arith.constant 1.0 : f32
  %up = ml_program.global_load_const @experts.up : tensor<4x32x64xf32>
  %gate = ml_program.global_load_const @experts.gate : tensor<4x32x64xf32>
  %shift = ml_program.global_load_const @shift : tensor<4x64xf32>

  %x3 = tensor.expand_shape %x [[0, 1], [2]] output_shape [4, 1, 32] : tensor<4x32xf32> into tensor<4x1x32xf32>
  %ue = tensor.empty() : tensor<4x1x64xf32>
  %uf = linalg.fill ins(%zero : f32) outs(%ue : tensor<4x1x64xf32>) -> tensor<4x1x64xf32>
  %u3 = linalg.batch_matmul ins(%x3, %up : tensor<4x1x32xf32>, tensor<4x32x64xf32>)
      outs(%uf : tensor<4x1x64xf32>) -> tensor<4x1x64xf32>
  %u = tensor.collapse_shape %u3 [[0, 1], [2]] : tensor<4x1x64xf32> into tensor<4x64xf32>
  %ge = tensor.empty() : tensor<4x1x64xf32>
  %gf = linalg.fill ins(%zero : f32) outs(%ge : tensor<4x1x64xf32>) -> tensor<4x1x64xf32>
  %g3 = linalg.batch_matmul ins(%x3, %gate : tensor<4x1x32xf32>, tensor<4x32x64xf32>)
      outs(%gf : tensor<4x1x64xf32>) -> tensor<4x1x64xf32>
  %g = tensor.collapse_shape %g3 [[0, 1], [2]] : tensor<4x1x64xf32> into tensor<4x64xf32>
  %silue = tensor.empty() : tensor<4x64xf32>
  %silu = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%g : tensor<4x64xf32>) outs(%silue : tensor<4x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %negative = arith.negf %in : f32
    %exp = math.exp %negative : f32
    %divisor = arith.addf %exp, %unit : f32
    %result = arith.divf %in, %divisor : f32
    linalg.yield %result : f32
  } -> tensor<4x64xf32>
  %producte = tensor.empty() : tensor<4x64xf32>
  %product = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%silu, %u : tensor<4x64xf32>, tensor<4x64xf32>) outs(%producte : tensor<4x64xf32>) {
  ^bb0(%lhs: f32, %rhs: f32, %out: f32):
    %result = arith.mulf %lhs, %rhs : f32
    linalg.yield %result : f32
  } -> tensor<4x64xf32>
  %ye = tensor.empty() : tensor<4x64xf32>
  %y = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%product, %shift : tensor<4x64xf32>, tensor<4x64xf32>) outs(%ye : tensor<4x64xf32>) {
  ^bb0(%lhs: f32, %rhs: f32, %out: f32):
    %result = arith.addf %lhs, %rhs : f32
    linalg.yield %result : f32
  } -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// A perceptron of two layers whose weights are resources of the module, as torch-mlir
// prints a model with its parameters.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %python -B %test/Checkpoint/make_safetensors.py %t/weights.safetensors \
// RUN:   torch_tensor_64_32_torch.float32=F32:64x32 torch_tensor_64_torch.float32=F32:64 \
// RUN:   torch_tensor_64_64_torch.float32=F32:64x64
// RUN: %python -B %S/../embed_weights.py --resources %s %t/weights.safetensors > %t/model.mlir
// RUN: %S/compile_forward.sh %t %t/model.mlir %t/model.mlir %t/exported.safetensors "" \
// RUN:   --export-weights=file=%t/exported.safetensors
// RUN: not grep "dialect_resources\|dense<" %t/bufferized.mlir
// RUN: %cxx -std=c++17 -Wall -Wextra %sanitizer_flags %cuda_flags -I%t -I%S/../Inputs \
// RUN:   -DRESULT=LANE_FORWARD_FORWARD_BUFFER5 %S/Inputs/forward.cpp %t/lane.o \
// RUN:   %t/reference.o %lane_runtime %fake_cuda -lm -o %t/forward
// RUN: cd %t && ./forward exported.safetensors $(%python -B %S/../list_budgets.py plan.json) \
// RUN:   | FileCheck --match-full-lines %s
// CHECK: 5 budgets, 10 steps each: the same bits

#rows = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

func.func @forward(%ids: tensor<4xi64>, %x: tensor<4x32xf32>) -> tensor<4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w0 = arith.constant dense_resource<torch_tensor_64_32_torch.float32> : tensor<64x32xf32>
  %b0 = arith.constant dense_resource<torch_tensor_64_torch.float32> : tensor<64xf32>
  %w1 = arith.constant dense_resource<torch_tensor_64_64_torch.float32> : tensor<64x64xf32>

  %he0 = tensor.empty() : tensor<32x64xf32>
  %ht = linalg.transpose ins(%w0 : tensor<64x32xf32>)
      outs(%he0 : tensor<32x64xf32>) permutation = [1, 0]
  %he1 = tensor.empty() : tensor<4x64xf32>
  %hf = linalg.fill ins(%zero : f32) outs(%he1 : tensor<4x64xf32>) -> tensor<4x64xf32>
  %h = linalg.matmul ins(%x, %ht : tensor<4x32xf32>, tensor<32x64xf32>)
      outs(%hf : tensor<4x64xf32>) -> tensor<4x64xf32>
  %ae = tensor.empty() : tensor<4x64xf32>
  %a = linalg.generic {indexing_maps = [#rows, #column, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%h, %b0 : tensor<4x64xf32>, tensor<64xf32>) outs(%ae : tensor<4x64xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %sum = arith.addf %in, %bias : f32
    linalg.yield %sum : f32
  } -> tensor<4x64xf32>
  %re = tensor.empty() : tensor<4x64xf32>
  %r = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x64xf32>) outs(%re : tensor<4x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %positive = arith.cmpf ugt, %in, %zero : f32
    %result = arith.select %positive, %in, %zero : f32
    linalg.yield %result : f32
  } -> tensor<4x64xf32>
  %ye0 = tensor.empty() : tensor<64x64xf32>
  %yt = linalg.transpose ins(%w1 : tensor<64x64xf32>)
      outs(%ye0 : tensor<64x64xf32>) permutation = [1, 0]
  %ye1 = tensor.empty() : tensor<4x64xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye1 : tensor<4x64xf32>) -> tensor<4x64xf32>
  %y = linalg.matmul ins(%r, %yt : tensor<4x64xf32>, tensor<64x64xf32>)
      outs(%yf : tensor<4x64xf32>) -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

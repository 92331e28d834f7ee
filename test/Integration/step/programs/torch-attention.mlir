// Causal attention whose weights are external globals, as torch-mlir prints parameters
// that it leaves in their file.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %python -B %test/Checkpoint/make_safetensors.py %t/weights.safetensors \
// RUN:   attn.q_proj.weight=F32:32x32 attn.k_proj.weight=F32:32x32 \
// RUN:   attn.v_proj.weight=F32:32x32 attn.o_proj.weight=F32:64x32
// RUN: %python -B %S/../embed_weights.py %s %t/weights.safetensors > %t/reference.mlir
// RUN: %S/compile_forward.sh %t %t/reference.mlir %s %t/weights.safetensors "--import-globals" ""
// RUN: %cxx -std=c++17 -Wall -Wextra %sanitizer_flags %cuda_flags -I%t -I%S/../Inputs \
// RUN:   -DRESULT=LANE_FORWARD_FORWARD_BUFFER16 %S/Inputs/forward.cpp %t/lane.o \
// RUN:   %t/reference.o %lane_runtime %fake_cuda -lm -o %t/forward
// RUN: cd %t && ./forward weights.safetensors $(%python -B %S/../list_budgets.py plan.json) \
// RUN:   | FileCheck --match-full-lines %s
// CHECK: 9 budgets, 10 steps each: the same bits

#rows = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0, d1) -> (d0, 0)>

ml_program.global private @attn.q_proj.weight(#ml_program.extern<tensor<32x32xf32>>) : tensor<32x32xf32>
ml_program.global private @attn.k_proj.weight(#ml_program.extern<tensor<32x32xf32>>) : tensor<32x32xf32>
ml_program.global private @attn.v_proj.weight(#ml_program.extern<tensor<32x32xf32>>) : tensor<32x32xf32>
ml_program.global private @attn.o_proj.weight(#ml_program.extern<tensor<64x32xf32>>) : tensor<64x32xf32>

func.func @forward(%ids: tensor<4xi64>, %x: tensor<4x32xf32>) -> tensor<4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.176776692 : f32
  %mask = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000, 0xFF800000],
                                [0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf32>
  %wq = ml_program.global_load_const @attn.q_proj.weight : tensor<32x32xf32>
  %wk = ml_program.global_load_const @attn.k_proj.weight : tensor<32x32xf32>
  %wv = ml_program.global_load_const @attn.v_proj.weight : tensor<32x32xf32>
  %wo = ml_program.global_load_const @attn.o_proj.weight : tensor<64x32xf32>

  %qe0 = tensor.empty() : tensor<32x32xf32>
  %qt = linalg.transpose ins(%wq : tensor<32x32xf32>)
      outs(%qe0 : tensor<32x32xf32>) permutation = [1, 0]
  %qe1 = tensor.empty() : tensor<4x32xf32>
  %qf = linalg.fill ins(%zero : f32) outs(%qe1 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %q = linalg.matmul ins(%x, %qt : tensor<4x32xf32>, tensor<32x32xf32>)
      outs(%qf : tensor<4x32xf32>) -> tensor<4x32xf32>
  %ke0 = tensor.empty() : tensor<32x32xf32>
  %kt = linalg.transpose ins(%wk : tensor<32x32xf32>)
      outs(%ke0 : tensor<32x32xf32>) permutation = [1, 0]
  %ke1 = tensor.empty() : tensor<4x32xf32>
  %kf = linalg.fill ins(%zero : f32) outs(%ke1 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %k = linalg.matmul ins(%x, %kt : tensor<4x32xf32>, tensor<32x32xf32>)
      outs(%kf : tensor<4x32xf32>) -> tensor<4x32xf32>
  %ve0 = tensor.empty() : tensor<32x32xf32>
  %vt = linalg.transpose ins(%wv : tensor<32x32xf32>)
      outs(%ve0 : tensor<32x32xf32>) permutation = [1, 0]
  %ve1 = tensor.empty() : tensor<4x32xf32>
  %vf = linalg.fill ins(%zero : f32) outs(%ve1 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %v = linalg.matmul ins(%x, %vt : tensor<4x32xf32>, tensor<32x32xf32>)
      outs(%vf : tensor<4x32xf32>) -> tensor<4x32xf32>
  %q3 = tensor.expand_shape %q [[0, 1], [2]] output_shape [1, 4, 32] : tensor<4x32xf32> into tensor<1x4x32xf32>
  %k3 = tensor.expand_shape %k [[0, 1], [2]] output_shape [1, 4, 32] : tensor<4x32xf32> into tensor<1x4x32xf32>
  %v3 = tensor.expand_shape %v [[0, 1], [2]] output_shape [1, 4, 32] : tensor<4x32xf32> into tensor<1x4x32xf32>
  %kTe = tensor.empty() : tensor<1x32x4xf32>
  %kT = linalg.transpose ins(%k3 : tensor<1x4x32xf32>)
      outs(%kTe : tensor<1x32x4xf32>) permutation = [0, 2, 1]
  %ste = tensor.empty() : tensor<1x4x4xf32>
  %stf = linalg.fill ins(%zero : f32) outs(%ste : tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %st = linalg.batch_matmul ins(%q3, %kT : tensor<1x4x32xf32>, tensor<1x32x4xf32>)
      outs(%stf : tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %s2 = tensor.collapse_shape %st [[0, 1], [2]] : tensor<1x4x4xf32> into tensor<4x4xf32>
  %scalede = tensor.empty() : tensor<4x4xf32>
  %scaled = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%s2 : tensor<4x4xf32>) outs(%scalede : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %result = arith.mulf %in, %scale : f32
    linalg.yield %result : f32
  } -> tensor<4x4xf32>
  %maskede = tensor.empty() : tensor<4x4xf32>
  %masked = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%scaled, %mask : tensor<4x4xf32>, tensor<4x4xf32>) outs(%maskede : tensor<4x4xf32>) {
  ^bb0(%lhs: f32, %rhs: f32, %out: f32):
    %result = arith.addf %lhs, %rhs : f32
    linalg.yield %result : f32
  } -> tensor<4x4xf32>

  // The softmax.
  %maxe = tensor.empty() : tensor<4x1xf32>
  %maxf = linalg.fill ins(%least : f32) outs(%maxe : tensor<4x1xf32>) -> tensor<4x1xf32>
  %max = linalg.generic {indexing_maps = [#rows, #one], iterator_types = ["parallel", "reduction"]}
      ins(%masked : tensor<4x4xf32>) outs(%maxf : tensor<4x1xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %next = arith.maximumf %in, %acc : f32
    linalg.yield %next : f32
  } -> tensor<4x1xf32>
  %expe = tensor.empty() : tensor<4x4xf32>
  %exp = linalg.generic {indexing_maps = [#rows, #one, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%masked, %max : tensor<4x4xf32>, tensor<4x1xf32>) outs(%expe : tensor<4x4xf32>) {
  ^bb0(%in: f32, %by: f32, %out: f32):
    %less = arith.subf %in, %by : f32
    %result = math.exp %less : f32
    linalg.yield %result : f32
  } -> tensor<4x4xf32>
  %sume = tensor.empty() : tensor<4x1xf32>
  %sumf = linalg.fill ins(%zero : f32) outs(%sume : tensor<4x1xf32>) -> tensor<4x1xf32>
  %sum = linalg.generic {indexing_maps = [#rows, #one], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<4x4xf32>) outs(%sumf : tensor<4x1xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %next = arith.addf %in, %acc : f32
    linalg.yield %next : f32
  } -> tensor<4x1xf32>
  %pe = tensor.empty() : tensor<4x4xf32>
  %p = linalg.generic {indexing_maps = [#rows, #one, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<4x4xf32>, tensor<4x1xf32>) outs(%pe : tensor<4x4xf32>) {
  ^bb0(%in: f32, %by: f32, %out: f32):
    %result = arith.divf %in, %by : f32
    linalg.yield %result : f32
  } -> tensor<4x4xf32>

  %p3 = tensor.expand_shape %p [[0, 1], [2]] output_shape [1, 4, 4] : tensor<4x4xf32> into tensor<1x4x4xf32>
  %oe = tensor.empty() : tensor<1x4x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x4x32xf32>) -> tensor<1x4x32xf32>
  %o3 = linalg.batch_matmul ins(%p3, %v3 : tensor<1x4x4xf32>, tensor<1x4x32xf32>)
      outs(%of : tensor<1x4x32xf32>) -> tensor<1x4x32xf32>
  %o = tensor.collapse_shape %o3 [[0, 1], [2]] : tensor<1x4x32xf32> into tensor<4x32xf32>
  %ye0 = tensor.empty() : tensor<32x64xf32>
  %yt = linalg.transpose ins(%wo : tensor<64x32xf32>)
      outs(%ye0 : tensor<32x64xf32>) permutation = [1, 0]
  %ye1 = tensor.empty() : tensor<4x64xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye1 : tensor<4x64xf32>) -> tensor<4x64xf32>
  %y = linalg.matmul ins(%o, %yt : tensor<4x32xf32>, tensor<32x64xf32>)
      outs(%yf : tensor<4x64xf32>) -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// An embedding and a feed-forward block whose weights are IREE's named parameters, as
// IREE prints generic operations.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %python -B %test/Checkpoint/make_safetensors.py %t/weights.safetensors \
// RUN:   tok_embd.weight=F32:64x32 ffn.up.weight=F32:64x32 ffn.up.bias=F32:64 \
// RUN:   ffn.down.weight=F32:64x64
// RUN: %python -B %S/../embed_weights.py %s %t/weights.safetensors > %t/reference.mlir
// RUN: %S/compile_forward.sh %t %t/reference.mlir %s %t/weights.safetensors "--import-globals" ""
// RUN: %cxx -std=c++17 -Wall -Wextra %sanitizer_flags %cuda_flags -I%t -I%S/../Inputs \
// RUN:   -DRESULT=LANE_FORWARD_FORWARD_BUFFER9 %S/Inputs/forward.cpp %t/lane.o \
// RUN:   %t/reference.o %lane_runtime %fake_cuda -lm -o %t/forward
// RUN: cd %t && ./forward weights.safetensors $(%python -B %S/../list_budgets.py plan.json) \
// RUN:   | FileCheck --match-full-lines %s
// CHECK: 7 budgets, 10 steps each: the same bits

#rows = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0, d1) -> (d0, 0)>
#token = affine_map<(d0, d1) -> (d0)>

"util.global"() <{initial_value = #flow.parameter.named<"model"::"tok_embd.weight"> : tensor<64x32xf32>, sym_name = "_embed", sym_visibility = "private", type = tensor<64x32xf32>}> : () -> ()
"util.global"() <{initial_value = #flow.parameter.named<"model"::"ffn.up.weight"> : tensor<64x32xf32>, sym_name = "_up", sym_visibility = "private", type = tensor<64x32xf32>}> : () -> ()
"util.global"() <{initial_value = #flow.parameter.named<"model"::"ffn.up.bias"> : tensor<64xf32>, sym_name = "_up_bias", sym_visibility = "private", type = tensor<64xf32>}> : () -> ()
"util.global"() <{initial_value = #flow.parameter.named<"model"::"ffn.down.weight"> : tensor<64x64xf32>, sym_name = "_down", sym_visibility = "private", type = tensor<64x64xf32>}> : () -> ()

func.func @forward(%ids: tensor<4xi64>, %x: tensor<4x32xf32>) -> tensor<4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %width = arith.constant 32.0 : f32
  %epsilon = arith.constant 1.0e-6 : f32
  %unit = arith.constant 1.0 : f32
  %embed = "util.global.load"() <{global = @_embed}> : () -> tensor<64x32xf32>
  %up = "util.global.load"() <{global = @_up}> : () -> tensor<64x32xf32>
  %b = "util.global.load"() <{global = @_up_bias}> : () -> tensor<64xf32>
  %down = "util.global.load"() <{global = @_down}> : () -> tensor<64x64xf32>

  %te = tensor.empty() : tensor<4x32xf32>
  %t = linalg.generic {indexing_maps = [#token, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<4xi64>) outs(%te : tensor<4x32xf32>) {
  ^bb0(%id: i64, %out: f32):
    %row = arith.index_cast %id : i64 to index
    %column = linalg.index 1 : index
    %element = tensor.extract %embed[%row, %column] : tensor<64x32xf32>
    linalg.yield %element : f32
  } -> tensor<4x32xf32>
  %ie = tensor.empty() : tensor<4x32xf32>
  %i = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%t, %x : tensor<4x32xf32>, tensor<4x32xf32>) outs(%ie : tensor<4x32xf32>) {
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
  %he0 = tensor.empty() : tensor<32x64xf32>
  %ht = linalg.transpose ins(%up : tensor<64x32xf32>)
      outs(%he0 : tensor<32x64xf32>) permutation = [1, 0]
  %he1 = tensor.empty() : tensor<4x64xf32>
  %hf = linalg.fill ins(%zero : f32) outs(%he1 : tensor<4x64xf32>) -> tensor<4x64xf32>
  %h = linalg.matmul ins(%n, %ht : tensor<4x32xf32>, tensor<32x64xf32>)
      outs(%hf : tensor<4x64xf32>) -> tensor<4x64xf32>
  %ae = tensor.empty() : tensor<4x64xf32>
  %a = linalg.generic {indexing_maps = [#rows, #column, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%h, %b : tensor<4x64xf32>, tensor<64xf32>) outs(%ae : tensor<4x64xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %sum = arith.addf %in, %bias : f32
    linalg.yield %sum : f32
  } -> tensor<4x64xf32>
  %silue = tensor.empty() : tensor<4x64xf32>
  %silu = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x64xf32>) outs(%silue : tensor<4x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %negative = arith.negf %in : f32
    %exp = math.exp %negative : f32
    %divisor = arith.addf %exp, %unit : f32
    %result = arith.divf %in, %divisor : f32
    linalg.yield %result : f32
  } -> tensor<4x64xf32>
  %ye0 = tensor.empty() : tensor<64x64xf32>
  %yt = linalg.transpose ins(%down : tensor<64x64xf32>)
      outs(%ye0 : tensor<64x64xf32>) permutation = [1, 0]
  %ye1 = tensor.empty() : tensor<4x64xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye1 : tensor<4x64xf32>) -> tensor<4x64xf32>
  %y = linalg.matmul ins(%silu, %yt : tensor<4x64xf32>, tensor<64x64xf32>)
      outs(%yf : tensor<4x64xf32>) -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// A product of one row and a matrix, on tensors.
func.func @step(%x: tensor<1x32xf32>) -> tensor<1x32xf32> {
  %zero = arith.constant 0.0 : f32
  %output = arith.constant dense_resource<output> : tensor<32x32xf32>
  %empty = tensor.empty() : tensor<1x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x32xf32>) -> tensor<1x32xf32>
  %y = linalg.matmul ins(%x, %output : tensor<1x32xf32>, tensor<32x32xf32>)
    outs(%start : tensor<1x32xf32>) -> tensor<1x32xf32>
  return %y : tensor<1x32xf32>
}

func.func @step(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %sum = linalg.add ins(%x, %y : tensor<4xf32>, tensor<4xf32>)
                    outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  return %sum : tensor<4xf32>
}

//===- Passes.td - Reduction of lane programs --------------*- tablegen -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_REDUCER_PASSES_TD
#define LANE_REDUCER_PASSES_TD

include "mlir/Pass/PassBase.td"

def ReduceProgramPass : Pass<"reduce-program", "::mlir::ModuleOp"> {
  let summary = "Reduce a program while a test finds it interesting";
  let description = [{
    Erases plans, forms, launches and parts of fused launches from the programs
    of a module, and then buffers, constants and state without uses. It erases
    as many at once as the test allows, until nothing more can be erased. The
    result verifies. The test is a program that takes a file as its argument. As
    for `mlir-reduce`, it exits with a nonzero status if the file is
    interesting.

    ```sh
    lane-reduce big.mlir --reduce-program="test=crashes.sh" -o small.mlir
    ```
  }];
  let options = [
    Option<"test", "test", "std::string", /*default=*/"\"\"",
      "The program that tests whether a file is interesting">,
    ListOption<"testArgs", "test-arg", "std::string",
      "Arguments of the test, before the file">
  ];
}

#endif // LANE_REDUCER_PASSES_TD

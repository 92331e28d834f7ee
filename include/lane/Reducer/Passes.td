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
  let summary = "Make a program smaller while a test finds it interesting";
  let description = [{
    Takes plans, forms, launches, parts of fused launches, and then the buffers,
    constants and state that nothing uses off the programs of a module, as many
    at once as the test lets it, until there is nothing left which it could do
    without. What is left verifies. The test is a program that is given a file
    and exits with other than 0 where that still shows what is looked for, as
    `mlir-reduce` has it.

    ```sh
    lane-reduce big.mlir --reduce-program="test=crashes.sh" -o small.mlir
    ```
  }];
  let options = [
    Option<"test", "test", "std::string", /*default=*/"\"\"",
      "The program that says whether a file is interesting">,
    ListOption<"testArgs", "test-arg", "std::string",
      "Arguments of the test before the file">
  ];
}

#endif // LANE_REDUCER_PASSES_TD

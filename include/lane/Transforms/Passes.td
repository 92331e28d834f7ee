//===- Passes.td - Passes over lane programs ---------------*- tablegen -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TRANSFORMS_PASSES_TD
#define LANE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ResidencePlanPass : Pass<"residence-plan", "::lane::ProgramOp"> {
  let summary = "Classify a program's matrices and fix the order in which they leave the device";
  let description = [{
    Computes the residence plan of each program: the bytes of the arena and of
    the fixed part of the device pool, the bytes to leave free, and every
    upload with its bytes in the order in which uploads leave the device.
    Matrices that read the same rows share one upload.

    The plan is written as attributes, and replaces one that was there, with
    its placement:

    ```mlir
    lane.program @tiny context(4096) numerics(one_pass)
        plan <arena = 0, fixed = 33280, spare = 33570816, order = [@token_embd.weight]> {
      lane.matrix @token_embd.weight : !lane.matrix<32000x256xq8_0>
        rows [#lane.rows<file = 0, offset = 4096, count = 32000>]
        residence <class = gather, last_read = 0, rank = 0, bytes = 8704000>
    ```

    With remarks on (`--remark-format=emitRemark --remarks-filter=residence-plan`)
    it says for each matrix why it has its class and rank.
  }];
  let statistics = [
    Statistic<"numUploads", "uploads", "Number of uploads in the order">,
    Statistic<"numShares", "shares", "Number of matrices that share an upload">,
    Statistic<"numGatherOnly", "gather-only", "Number of gather-only uploads">,
    Statistic<"numExperts", "experts", "Number of expert uploads">
  ];
}

def ResidencePlacePass : Pass<"residence-place", "::lane::ProgramOp"> {
  let summary = "Decide which matrices live on the host on a budget";
  let description = [{
    Takes the plan that `residence-plan` wrote and a budget in bytes, and moves
    uploads to mapped host memory in the plan's order until the rest fits. The
    program then carries the placement, and each matrix its side:

    ```mlir
    lane.program @tiny ... placement <budget = 8000000, moved = 1,
        device_bytes = 33280, host_bytes = 8704000> {
      lane.matrix @token_embd.weight ... side host
    ```

    It fails, naming both figures, when arena and fixed exceed the budget, and
    when the program has no plan or has changed since it was planned.
  }];
  let options = [
    Option<"budget", "budget", "std::string", /*default=*/"",
      "Budget as it stands, in bytes or with KiB, MiB, GiB, KB, MB or GB">,
    Option<"deviceBytes", "device-bytes", "std::string", /*default=*/"",
      "Device memory given to the program, with the same units; the budget is "
      "that less the plan's spare">
  ];
  let statistics = [
    Statistic<"numMoved", "moved", "Number of uploads moved to the host">
  ];
}

#endif // LANE_TRANSFORMS_PASSES_TD

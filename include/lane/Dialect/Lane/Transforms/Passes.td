//===- Passes.td - Passes over lane programs ---------------*- tablegen -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_DIALECT_LANE_TRANSFORMS_PASSES_TD
#define LANE_DIALECT_LANE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ArenaPlanPass : Pass<"arena-plan", "::lane::ProgramOp"> {
  let summary = "Assign offsets in each form's arena by lifetime";
  let description = [{
    Plans the arena of every form that has none. In an arena, buffers share
    bytes if their lifetimes do not overlap. The pass assigns a slot to

    - each storage of a `lane.alloc` that launches use, unless the buffer is
      carried;
    - each quantized storage of a view of such a buffer, if it has its own
      bytes;
    - the scratch of each launch, except counters.

    These storages may be in the `pool` or in the `arena` before the pass. All
    others are in the pool after it: parameters, the program's own buffers,
    carried state, counters, and buffers that no launch of the form uses.

    ```mlir
    lane.form @decode decode rows(1) {
      %x = lane.alloc "x" plain <arena> : !lane.buffer<1x64xf32>
      %y = lane.alloc "y" plain <pool> : !lane.buffer<1x64xf32>
      lane.elementwise silu ins(%x : !lane.buffer<1x64xf32>)
        outs(%y : !lane.buffer<1x64xf32>)
    }
    ```

    becomes

    ```mlir
    lane.form @decode decode rows(1) arena(512) {
      %x = lane.alloc "x" plain <arena[0]> : !lane.buffer<1x64xf32>
      %y = lane.alloc "y" plain <arena[256]> : !lane.buffer<1x64xf32>
      ...
    }
    ```

    A buffer is live from its first write to its last read. A use of a view is a
    use of its base. A buffer that is read before it is written is live from the
    start of the form and, if it is also written, to the end, for the next step.
    A buffer whose last use is a write is live to the end, since the host may
    read it. A view in the arena has no offset, since it has that of its base.

    If a form changes, the pass removes the program's plan and placement. With
    remarks on (`--remark-format=emitRemark --remarks-filter=arena-plan`), it
    reports the bytes of each arena, and a lower bound: the largest sum of bytes
    that are live at one launch.
  }];
  let options = [
    Option<"replan", "replan", "bool", /*default=*/"false",
      "Also plan forms that have an arena, and replace its offsets; by default "
      "such forms do not change">
  ];
  let statistics = [
    Statistic<"numForms", "forms", "Number of forms planned">,
    Statistic<"numSlots", "slots", "Number of slots assigned">
  ];
}

def ResidencePlanPass : Pass<"residence-plan", "::lane::ProgramOp"> {
  let summary = "Classify a program's matrices and fix the order in which they leave the device";
  let description = [{
    Computes the residence plan of each program: the bytes of the arena and of
    the fixed part of the device pool, the bytes to leave free, and every
    upload with its bytes in the order in which uploads leave the device.
    Matrices that read the same rows share one upload.

    The pass writes the plan as attributes. It removes an earlier plan and its
    placement.

    ```mlir
    lane.program @tiny context(4096) numerics(one_pass) files(["tiny.gguf"]) {
      lane.matrix @token_embd.weight : !lane.matrix<32000x256xq8_0>
        rows [#lane.rows<file = 0, offset = 4096, count = 32000>]
      lane.form @decode decode rows(1) {
        %ids = lane.param "ids" plain <pool> : !lane.buffer<1xi32>
        %x = lane.alloc "x" plain <pool> : !lane.buffer<1x256xf32>
        %e = lane.ref @token_embd.weight : !lane.matrix<32000x256xq8_0>
        lane.gather %ids of %e into %x
          : !lane.buffer<1xi32>, !lane.matrix<32000x256xq8_0>, !lane.buffer<1x256xf32>
      }
    }
    ```

    becomes

    ```mlir
    lane.program @tiny context(4096) numerics(one_pass) files(["tiny.gguf"])
        plan <arena = 0, fixed = 34560, spare = 33570816, order = [@token_embd.weight]> {
      lane.matrix @token_embd.weight : !lane.matrix<32000x256xq8_0>
        rows [#lane.rows<file = 0, offset = 4096, count = 32000>]
        residence <class = gather, last_read = 0, rank = 0, bytes = 8704000>
      ...
    }
    ```

    With remarks on (`--remark-format=emitRemark --remarks-filter=residence-plan`),
    it reports why each matrix has its class and rank.
  }];
  let statistics = [
    Statistic<"numUploads", "uploads", "Number of uploads in the order">,
    Statistic<"numShares", "shares", "Number of matrices that share an upload">,
    Statistic<"numGatherOnly", "gather-only", "Number of gather-only uploads">,
    Statistic<"numExperts", "experts", "Number of expert uploads">
  ];
}

def ResidencePlacePass : Pass<"residence-place", "::lane::ProgramOp"> {
  let summary = "Decide which matrices live on the host for a budget";
  let description = [{
    Takes the plan that `residence-plan` wrote and a budget in bytes, and moves
    uploads to mapped host memory in the plan's order until the rest fits. The
    pass writes the placement on the program, and the extents of its upload on
    each matrix:

    ```mlir
    lane.program @tiny context(4096) numerics(one_pass) files(["tiny.gguf"])
        plan <arena = 0, fixed = 34560, spare = 33570816, order = [@token_embd.weight]> {
      lane.matrix @token_embd.weight : !lane.matrix<32000x256xq8_0>
        rows [#lane.rows<file = 0, offset = 4096, count = 32000>]
        residence <class = gather, last_read = 0, rank = 0, bytes = 8704000>
      lane.form @decode decode rows(1) {
        %ids = lane.param "ids" plain <pool> : !lane.buffer<1xi32>
        %x = lane.alloc "x" plain <pool> : !lane.buffer<1x256xf32>
        %e = lane.ref @token_embd.weight : !lane.matrix<32000x256xq8_0>
        lane.gather %ids of %e into %x
          : !lane.buffer<1xi32>, !lane.matrix<32000x256xq8_0>, !lane.buffer<1x256xf32>
      }
    }
    ```

    becomes, with `budget=8MB`,

    ```mlir
    lane.program @tiny ...
        placement <budget = 8000000, moved = 1, device_bytes = 34560, host_bytes = 8704000> {
      lane.matrix @token_embd.weight ... extents [<host, offset = 0, bytes = 8704000>]
      ...
    }
    ```

    If no option gives a budget or device memory, the module's DLTI target
    system specification may describe the device. The budget is then its
    `lane.memory_bytes` less its `lane.reserve_bytes`, which are 512 MiB by
    default, and less the spare.

    ```mlir
    module attributes {dlti.target_system_spec = #dlti.target_system_spec<
        "my-card" = #dlti.target_device_spec<"lane.memory_bytes" = 25769803776 : i64>>} {
    }
    ```

    The default policy, `policy=last-read`, moves uploads in the plan's order
    and may move many more bytes than the deficit. `policy=least-traffic` may
    move any uploads, and minimizes the bytes that a decode step reads from the
    host. Ties go to fewer bytes on the host, then to uploads that are earlier
    in the order. If the search reaches its limit, a remark reports that the
    traffic is not proven optimal.

    Mapped host memory takes device memory for its page tables. A described
    device, unless it shares the host's memory, pays for them from the budget,
    and so does memory that is given with `page-tables`: more uploads leave, and
    the placement has `page_table_bytes`. Other bytes that are given are for the
    program's own allocations, so page tables do not count.

    It fails, with both values, where arena and fixed exceed the budget, where
    the placement exceeds the limit of `host-bytes`, and where the program has no
    plan or has changed since it was planned.
  }];
  let options = [
    Option<"budget", "budget", "std::string", /*default=*/"",
      "Bytes for arena, fixed part and uploads, such as 12G, 12GiB (both "
      "binary) or 12GB, with K, M, G or T">,
    Option<"deviceBytes", "device-bytes", "std::string", /*default=*/"",
      "Device memory given to the program, such as 12G or 12GiB; the budget is "
      "that less the plan's spare">,
    Option<"hostBytes", "host-bytes", "std::string", /*default=*/"",
      "Most host memory that the placement may take, such as 64G or 64GiB">,
    Option<"pageTables", "page-tables", "bool", /*default=*/"false",
      "Count the page tables of mapped host memory in a given budget or device "
      "memory, as they count in that of a described device">,
    Option<"policy", "policy", "::lane::PlacementPolicy",
      /*default=*/"::lane::PlacementPolicy::LastRead",
      "Which uploads leave the device", [{::llvm::cl::values(
        clEnumValN(::lane::PlacementPolicy::LastRead, "last-read",
                   "the first in the plan's order"),
        clEnumValN(::lane::PlacementPolicy::LeastTraffic, "least-traffic",
                   "those with the fewest bytes read per decode step"))}]>
  ];
  let statistics = [
    Statistic<"numMoved", "moved", "Number of uploads moved to the host">
  ];
}

#endif // LANE_DIALECT_LANE_TRANSFORMS_PASSES_TD

//===- LaneAttrs.td - Attributes of the lane dialect -------*- tablegen -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_DIALECT_LANE_IR_LANEATTRS_TD
#define LANE_DIALECT_LANE_IR_LANEATTRS_TD

include "lane/Dialect/Lane/IR/LaneDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/Properties.td"

class Lane_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Lane_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Lane_RowsAttr : Lane_Attr<"Rows", "rows"> {
  let summary = "consecutive rows of a checkpoint file";
  let description = [{
    `count` rows of the program's file number `file`, starting at byte
    `offset`. A matrix is the concatenation of its runs of rows. `tensor` is the
    name that the file gives the tensor of these rows: a generated program
    refuses a file that has another tensor there.

    ```mlir
    #lane.rows<file = 0, offset = 4096, count = 32000>
    #lane.rows<file = 0, offset = 4096, count = 32000, tensor = "token_embd.weight">
    ```
  }];
  let parameters = (ins "int64_t":$file, "int64_t":$offset, "int64_t":$count,
                        OptionalParameter<"::mlir::StringAttr">:$tensor);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let builders = [
    AttrBuilder<(ins "int64_t":$file, "int64_t":$offset, "int64_t":$count), [{
      return $_get($_ctxt, file, offset, count, ::mlir::StringAttr());
    }]>
  ];
}

def Lane_StorageAttr : Lane_Attr<"Storage", "storage"> {
  let summary = "where a buffer's storage is allocated";
  let description = [{
    A storage is allocated in the device pool or in the arena of its form. The
    offset in bytes in the arena is present once it is assigned.

    ```mlir
    #lane.storage<pool>
    #lane.storage<arena>
    #lane.storage<arena[512]>
    ```
  }];
  let parameters = (ins "bool":$inArena, "std::optional<int64_t>":$offset);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    AttrBuilder<(ins), [{ return $_get($_ctxt, false, std::nullopt); }]>
  ];
}

def Lane_ScratchAttr : Lane_Attr<"Scratch", "scratch"> {
  let summary = "scratch bytes of a launch";
  let description = [{
    Bytes that a launch uses only while it runs. `tag` distinguishes the
    scratch buffers of one launch. A *counter* keeps its value between
    launches, so it has its own bytes in the pool. Other scratch may have a
    slot in the arena.

    ```mlir
    #lane.scratch<tag = 0, bytes = 4096, pool>
    #lane.scratch<tag = 1, bytes = 4, counter, pool>
    #lane.scratch<tag = 2, bytes = 65536, arena[1024]>
    ```
  }];
  let parameters = (ins "int64_t":$tag, "int64_t":$bytes, "bool":$counter,
                        "::lane::StorageAttr":$storage);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Lane_AccessAttr : Lane_Attr<"Access", "access"> {
  let summary = "how a launch reads one operand";
  let description = [{
    `dense` reads the whole operand, `gather` reads one row for each index, and
    `expert` reads the active experts of a stack: `active` of `experts`. Both
    counts are 0 if they are unknown.

    ```mlir
    #lane.access<dense>
    #lane.access<gather>
    #lane.access<expert 8 of 128>
    #lane.access<expert>
    ```
  }];
  let parameters = (ins "::lane::AccessKind":$kind, "int64_t":$active,
                        "int64_t":$experts);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Lane_ResidenceAttr : Lane_Attr<"Residence", "residence"> {
  let summary = "the entry of a matrix in the residence plan";
  let description = [{
    `residence-plan` sets it on every matrix that uploads its rows. It has the
    class of the upload (by its strongest read), the index of the last
    top-level launch of the decode form that reads the matrix (0 if none does),
    the rank in the order in which uploads leave the device, and the bytes in a
    pool.

    ```mlir
    #lane.residence<class = expert, last_read = 57, rank = 3, bytes = 113246464>
    ```
  }];
  let parameters = (ins "::lane::Residence":$value);
  let hasCustomAssemblyFormat = 1;
}

/// The same as a property. A plan sets one on every matrix; uniquing as many
/// attributes would take longer than planning.
def Lane_ResidenceProp : Property<"::lane::Residence", "residence of an upload"> {
  let convertToAttribute = [{
    return ::lane::ResidenceAttr::get($_ctxt, $_storage);
  }];
  let convertFromAttribute = [{
    auto residence = ::llvm::dyn_cast<::lane::ResidenceAttr>($_attr);
    if (!residence)
      return $_diag() << "expected #lane.residence, got " << $_attr;
    $_storage = residence.getValue();
    return ::mlir::success();
  }];
  let parser = [{ return ::lane::parseResidence($_parser, $_storage); }];
  let optionalParser = [{
    return ::lane::parseResidence($_parser, $_storage);
  }];
  let printer = "::lane::printResidence($_printer, $_storage)";
  let writeToMlirBytecode = [{
    $_writer.writeAttribute(::lane::ResidenceAttr::get($_ctxt, $_storage));
  }];
  let readFromMlirBytecode = [{
    ::lane::ResidenceAttr residence;
    if (::mlir::failed($_reader.readAttribute(residence)))
      return ::mlir::failure();
    $_storage = residence.getValue();
  }];
}

def Lane_PlanAttr : Lane_Attr<"Plan", "plan"> {
  let summary = "a program's residence plan";
  let description = [{
    `residence-plan` sets it on the program: the bytes of the arena, the fixed
    bytes of the device pool, the bytes to leave free at startup, and the
    uploads in the order in which they leave the device.

    ```mlir
    #lane.plan<arena = 1048576, fixed = 24832, spare = 33882112,
               order = [@token_embd.weight, @blk.0.ffn_up_exps.weight]>
    ```
  }];
  let parameters = (ins "int64_t":$arena, "int64_t":$fixed, "int64_t":$spare,
                        "::mlir::ArrayAttr":$order);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Lane_SpaceAttr : Lane_Attr<"Space", "space"> {
  let summary = "a memory space";
  let description = [{
    Where bytes live: the memory of a device, by the device's number, or
    page-locked memory of the host, which the device maps.

    ```mlir
    #lane.space<device 0>
    #lane.space<host>
    ```
  }];
  let parameters = (ins "::lane::MemorySpace":$value);
  let assemblyFormat = "`<` $value `>`";
  let genVerifyDecl = 1;
}

def Lane_ExtentAttr : Lane_Attr<"Extent", "extent"> {
  let summary = "a range of an upload's bytes in one memory space";
  let description = [{
    `bytes` of an upload, from byte `offset` of it, live in the space.

    ```mlir
    #lane.extent<host, offset = 0, bytes = 8704000>
    #lane.extent<device 0, offset = 8704000, bytes = 512>
    ```
  }];
  let parameters = (ins "::lane::MemorySpace":$space, "int64_t":$offset,
                        "int64_t":$bytes);
  let assemblyFormat = [{
    `<` $space `,` `offset` `=` $offset `,` `bytes` `=` $bytes `>`
  }];
  let genVerifyDecl = 1;
}

def Lane_ExtentsAttr
    : ArrayOfAttr<Lane_Dialect, "Extents", "extents", "::lane::ExtentAttr"> {
  let summary = "where an upload lives";
  let description = [{
    The extents of one upload by ascending offset. On a matrix they cover each
    byte of the upload exactly once.

    ```mlir
    #lane<extents[<host, offset = 0, bytes = 512>]>
    ```
  }];
}

def Lane_PlacementAttr : Lane_Attr<"Placement", "placement"> {
  let summary = "the uploads that leave the device for a budget";
  let description = [{
    `residence-place` sets it on the program: the budget, how many uploads
    leave the device, and the bytes on the device and on the host. Where page
    tables of mapped host memory are part of the budget, their bytes follow;
    `device_bytes` does not include them. With the
    policy `last_read`, which is the default and is not printed, the first
    uploads of the order leave. With `least_traffic` any upload may leave; the
    `extents` of the matrices show which ones did.

    ```mlir
    #lane.placement<budget = 12884901888, moved = 49, device_bytes = 12801335552, host_bytes = 6157238272>
    #lane.placement<budget = 8000, moved = 1, device_bytes = 7936, host_bytes = 512, policy = least_traffic>
    #lane.placement<budget = 4210688, moved = 1, device_bytes = 4194304, host_bytes = 4194304, page_table_bytes = 12288>
    ```
  }];
  let parameters = (ins "int64_t":$budget, "int64_t":$moved,
                        "int64_t":$device_bytes, "int64_t":$host_bytes,
                        DefaultValuedParameter<"int64_t", "0">:$page_table_bytes,
                        DefaultValuedParameter<"::lane::PlacementPolicy",
                          "::lane::PlacementPolicy::LastRead">:$policy);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Lane_RowsArrayAttr : TypedArrayAttrBase<Lane_RowsAttr, "runs of rows">;
def Lane_ScratchArrayAttr : TypedArrayAttrBase<Lane_ScratchAttr, "scratch of a launch">;
def Lane_AccessArrayAttr : TypedArrayAttrBase<Lane_AccessAttr, "access of each input">;

#endif // LANE_DIALECT_LANE_IR_LANEATTRS_TD

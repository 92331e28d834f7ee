//===- LaneInterfaces.td - Interfaces of the lane dialect -*- tablegen -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_DIALECT_LANE_IR_LANEINTERFACES_TD
#define LANE_DIALECT_LANE_IR_LANEINTERFACES_TD

include "mlir/IR/OpBase.td"

def Lane_LaunchOpInterface : OpInterface<"LaunchOpInterface"> {
  let cppNamespace = "::lane";
  let description = [{
    What a pass sees of a kernel launch. Any dialect's operation can implement
    it, or have it attached as an external model, and is then planned like the
    launches of this dialect.

    Reads and writes are those of `MemoryEffectOpInterface`, so the two cannot
    disagree; what the interface adds is *how* an operand is read. An operation
    that declares its effects on its operands and reads all of them densely
    has nothing to implement:

    ```c++
    struct MyKernelModel
        : lane::LaunchOpInterface::ExternalModel<MyKernelModel, MyKernelOp> {};
    MyKernelOp::attachInterface<MyKernelModel>(context);
    ```

    Scratch is kept in the discardable attribute `lane.scratch` unless the
    operation keeps it elsewhere.
  }];
  let methods = [
    InterfaceMethod<[{
        How the launch reads this operand: dense unless stated. Asked only for
        operands that are read.
      }],
      "::lane::ReadAccess", "getReadAccess",
      (ins "::mlir::OpOperand &":$operand), "",
      [{ return ::lane::ReadAccess(); }]>,
    InterfaceMethod<[{
        Collects the operands that are read, in the order of the effects. The
        parts of a fused launch are asked themselves.
      }],
      "void", "getReads",
      (ins "::llvm::SmallVectorImpl<::mlir::OpOperand *> &":$reads), "",
      [{ ::lane::detail::getOperandsWithEffect</*Write=*/false>($_op, reads); }]>,
    InterfaceMethod<[{
        Collects the operands that are written, in the order of the effects.
      }],
      "void", "getWrites",
      (ins "::llvm::SmallVectorImpl<::mlir::OpOperand *> &":$writes), "",
      [{ ::lane::detail::getOperandsWithEffect</*Write=*/true>($_op, writes); }]>,
    InterfaceMethod<[{
        The block that holds the parts of a fused launch, null for any other.
      }],
      "::mlir::Block *", "getPartsBlock", (ins), "", [{ return nullptr; }]>,
    InterfaceMethod<[{
        The launch's scratch: an array of `#lane.scratch`, or null.
      }],
      "::mlir::ArrayAttr", "getScratchAttr", (ins), "",
      [{ return $_op->template getAttrOfType<::mlir::ArrayAttr>("lane.scratch"); }]>,
    InterfaceMethod<[{
        Replaces the launch's scratch.
      }],
      "void", "setScratchAttr", (ins "::mlir::ArrayAttr":$scratch), "",
      [{
        if (scratch)
          $_op->setAttr("lane.scratch", scratch);
        else
          $_op->removeAttr("lane.scratch");
      }]>
  ];
  let extraClassDeclaration = [{
    /// Calls `callback` on this launch, or on each part where it is fused.
    void forEachPart(
        ::llvm::function_ref<void(::lane::LaunchOpInterface)> callback);
  }];
  let verify = [{ return ::lane::detail::verifyLaunch($_op); }];
}

def Lane_BufferOpInterface : OpInterface<"BufferOpInterface"> {
  let cppNamespace = "::lane";
  let description = [{
    An operation whose one result is a buffer of a form: its name, and which of
    its storages launches touch.
  }];
  let methods = [
    InterfaceMethod<"The buffer's name, unique in its form.",
      "::mlir::StringAttr", "getBufferName">,
    InterfaceMethod<"The plain storage where it is touched, or null.",
      "::lane::StorageAttr", "getPlainAttr">,
    InterfaceMethod<"The quantized storage where it is touched, or null.",
      "::lane::StorageAttr", "getQuantizedAttr">,
    InterfaceMethod<"Says where the plain storage lies.",
      "void", "setPlainAttr", (ins "::lane::StorageAttr":$storage)>,
    InterfaceMethod<"Says where the quantized storage lies.",
      "void", "setQuantizedAttr", (ins "::lane::StorageAttr":$storage)>
  ];
}

#endif // LANE_DIALECT_LANE_IR_LANEINTERFACES_TD

//===- LaneInterfaces.td - Interfaces of the lane dialect --*- tablegen -*-===//
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
    The properties of a kernel launch that passes use. An operation of any
    dialect can implement it, or have it attached as an external model; it is
    then planned like the launches of this dialect.

    Reads and writes come from `MemoryEffectOpInterface`, so the two interfaces
    always agree. This interface adds *how* an operand is read. An operation
    that declares the effects on its operands and reads all of them densely
    needs to implement nothing:

    ```c++
    struct MyKernelModel
        : lane::LaunchOpInterface::ExternalModel<MyKernelModel, MyKernelOp> {};
    MyKernelOp::attachInterface<MyKernelModel>(context);
    ```

    By default, scratch is stored in the discardable attribute `lane.scratch`.
  }];
  let methods = [
    InterfaceMethod<[{
        How the launch reads this operand; dense by default. Called only for
        operands that are read.
      }],
      "::lane::ReadAccess", "getReadAccess",
      (ins "::mlir::OpOperand &":$operand), "",
      [{ return ::lane::ReadAccess(); }]>,
    InterfaceMethod<[{
        Collects the operands that are read, in the order of the effects. For a
        fused launch, call this on its parts.
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
        The block of the parts of a fused launch; null for any other launch.
      }],
      "::mlir::Block *", "getPartsBlock", (ins), "", [{ return nullptr; }]>,
    InterfaceMethod<[{
        The scratch of the launch: an array of `#lane.scratch`, or null.
      }],
      "::mlir::ArrayAttr", "getScratchAttr", (ins), "",
      [{ return $_op->template getAttrOfType<::mlir::ArrayAttr>("lane.scratch"); }]>,
    InterfaceMethod<[{
        Replaces the scratch of the launch.
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
    /// Calls `callback` on this launch, or on each part if it is fused.
    void forEachPart(
        ::llvm::function_ref<void(::lane::LaunchOpInterface)> callback);
  }];
  let verify = [{ return ::lane::detail::verifyLaunch($_op); }];
}

def Lane_BufferOpInterface : OpInterface<"BufferOpInterface"> {
  let cppNamespace = "::lane";
  let description = [{
    An operation whose only result is a buffer of a form. It has the buffer's
    name and the storages that launches use.
  }];
  let methods = [
    InterfaceMethod<"The buffer's name, unique in its form.",
      "::mlir::StringAttr", "getBufferName">,
    InterfaceMethod<"The plain storage if a launch uses it, or null.",
      "::lane::StorageAttr", "getPlainAttr">,
    InterfaceMethod<"The quantized storage if a launch uses it, or null.",
      "::lane::StorageAttr", "getQuantizedAttr">,
    InterfaceMethod<"Sets where the plain storage is allocated.",
      "void", "setPlainAttr", (ins "::lane::StorageAttr":$storage)>,
    InterfaceMethod<"Sets where the quantized storage is allocated.",
      "void", "setQuantizedAttr", (ins "::lane::StorageAttr":$storage)>
  ];
}

#endif // LANE_DIALECT_LANE_IR_LANEINTERFACES_TD

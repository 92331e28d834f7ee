//===- LaneTypes.td - Types of the lane dialect -*- tablegen -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_DIALECT_LANE_IR_LANETYPES_TD
#define LANE_DIALECT_LANE_IR_LANETYPES_TD

include "lane/Dialect/Lane/IR/LaneDialect.td"
include "mlir/IR/AttrTypeBase.td"

class Lane_Type<string name, string typeMnemonic> : TypeDef<Lane_Dialect, name> {
  let mnemonic = typeMnemonic;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Lane_BufferType : Lane_Type<"Buffer", "buffer"> {
  let summary = "an array of numbers which launches read and write";
  let description = [{
    A dense array whose element type is an integer or a float of whole bytes.
    Its *length* is the product of its dimensions; its plain storage takes
    length times the element's bytes.

    ```mlir
    !lane.buffer<1x1024xf32>
    !lane.buffer<4096x8x128xf16>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType);
  let extraClassDeclaration = [{
    /// Number of elements.
    int64_t getLength() const;
    /// Bytes of one element.
    int64_t getElementBytes() const;
    /// Bytes of the plain storage, unpadded; the verifier keeps it in int64_t.
    int64_t getPlainBytes() const;
    /// Bytes which the quantized storage takes of a pool: levels (twice when
    /// the numerics are two-pass) and one f32 scale a whole block of 32.
    int64_t getQuantizedPoolBytes(Numerics numerics) const;
  }];
}

def Lane_MatrixType : Lane_Type<"Matrix", "matrix"> {
  let summary = "checkpoint rows in the checkpoint's own number format";
  let description = [{
    A constant matrix, or a stack of matrices, kept as the checkpoint has it.
    The last dimension is the row's width and must be whole blocks of the
    format; all dimensions before it count rows. A third dimension does not
    make a stack of experts: the launch that reads it says so.

    ```mlir
    !lane.matrix<151936x1024xq8_0>
    !lane.matrix<128x768x2048xq4_K>
    ```

    The formats are ggml's which have not been removed: f32 f16 bf16 f64 i8
    i16 i32 i64, q4_0 q4_1 q5_0 q5_1 q8_0 q8_1, q2_K q3_K q4_K q5_K q6_K q8_K,
    iq1_s iq1_m iq2_xxs iq2_xs iq2_s iq3_xxs iq3_s iq4_nl iq4_xs, tq1_0 tq2_0,
    mxfp4 nvfp4 q1_0 q2_0.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::lane::NumberFormat":$format);
  let extraClassDeclaration = [{
    /// Rows: the product of all dimensions but the last.
    int64_t getNumRows() const;
    /// Elements of a row.
    int64_t getNumColumns() const { return getShape().back(); }
    /// Number of elements.
    int64_t getLength() const { return getNumRows() * getNumColumns(); }
    /// Bytes of a row in the checkpoint.
    int64_t getRowBytes() const;
    /// Bytes of all rows in the checkpoint.
    int64_t getCheckpointBytes() const { return getNumRows() * getRowBytes(); }
    /// Bytes which the upload takes of a pool: in q8_0 levels and half scales
    /// are two arrays; any other format is its blocks and the 32 bytes which a
    /// staged read runs past them.
    int64_t getUploadBytes() const;
    /// Bytes which the quantized storage takes of a pool, as for a buffer.
    int64_t getQuantizedPoolBytes(Numerics numerics) const;
  }];
}

def Lane_AnyBuffer : Type<
    CPred<"::llvm::isa<::lane::BufferType, ::lane::MatrixType>($_self)">,
    "buffer or matrix", "::mlir::Type">;

#endif // LANE_DIALECT_LANE_IR_LANETYPES_TD

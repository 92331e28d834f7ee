//===- LaneTypes.td - Types of the lane dialect ------------*- tablegen -*-===//
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

def Lane_BlockType : Lane_Type<"Block", "block"> {
  let summary = "an element of a number format that stores blocks";
  let description = [{
    The element type of a buffer in a quantized format of ggml, such as a cache
    of keys. A format without blocks is not one of these: its element type is
    builtin. A buffer prints only the name of the format.

    ```mlir
    !lane.block<q8_0>
    !lane.buffer<4096x1024xq8_0>
    ```
  }];
  let parameters = (ins "::lane::NumberFormat":$format);
}

def Lane_BufferType : Lane_Type<"Buffer", "buffer"> {
  let summary = "an array that launches read and write";
  let description = [{
    A dense array of integers or floats of whole bytes, or of the blocks of a
    quantized format, as `!lane.block`. Its *length* is the product of its
    dimensions. Its plain storage has the length times the bytes of an element,
    or, for blocks, the bytes of all blocks. The last dimension is a multiple of
    the block, since each row is stored in blocks of its own.

    The plain storage of blocks has them in the layout of the checkpoint. It is
    not the quantized storage, which has quants and scales in separate arrays
    that launches compute from a plain storage.

    ```mlir
    !lane.buffer<1x1024xf32>
    !lane.buffer<4096x8x128xf16>
    !lane.buffer<4096x1024xq8_0>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType);
  let extraClassDeclaration = [{
    /// Number of elements.
    int64_t getLength() const;
    /// Elements per block; 1 if the elements are not of a block format.
    int64_t getBlockElements() const;
    /// Bytes per block: those of an element if it is not of a block format.
    int64_t getBlockBytes() const;
    /// Bytes of the plain storage, unpadded. Verified to fit in int64_t.
    int64_t getPlainBytes() const;
    /// Bytes of the quantized storage in a pool: quants (twice for two-pass
    /// numerics) and one f32 scale for each whole block of 32.
    int64_t getQuantizedPoolBytes(Numerics numerics) const;
  }];
}

def Lane_MatrixType : Lane_Type<"Matrix", "matrix"> {
  let summary = "checkpoint rows in the number format of the checkpoint";
  let description = [{
    A constant matrix, or a stack of matrices, in the layout of the checkpoint.
    The last dimension is the row width and must be a multiple of the format's
    block. The other dimensions count rows. A third dimension does not imply a
    stack of experts; that depends on the launch that reads it.

    ```mlir
    !lane.matrix<151936x1024xq8_0>
    !lane.matrix<128x768x2048xq4_K>
    ```

    The formats are those of ggml that have not been removed: f32 f16 bf16 f64
    i8 i16 i32 i64, q4_0 q4_1 q5_0 q5_1 q8_0 q8_1, q2_K q3_K q4_K q5_K q6_K
    q8_K, iq1_s iq1_m iq2_xxs iq2_xs iq2_s iq3_xxs iq3_s iq4_nl iq4_xs, tq1_0
    tq2_0, mxfp4 nvfp4 q1_0 q2_0.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::lane::NumberFormat":$format);
  let extraClassDeclaration = [{
    /// Number of rows: the product of all dimensions but the last.
    int64_t getNumRows() const;
    /// Elements per row.
    int64_t getNumColumns() const { return getShape().back(); }
    /// Number of elements.
    int64_t getLength() const { return getNumRows() * getNumColumns(); }
    /// Bytes per row in the checkpoint.
    int64_t getRowBytes() const;
    /// Bytes of all rows in the checkpoint.
    int64_t getCheckpointBytes() const { return getNumRows() * getRowBytes(); }
    /// Bytes of the upload in a pool. A q8_0 upload is two arrays, quants and
    /// fp16 scales. Any other format is its blocks, plus the 32 bytes that a
    /// staged read may access past the end.
    int64_t getUploadBytes() const;
    /// Bytes of the quantized storage in a pool, as for a buffer.
    int64_t getQuantizedPoolBytes(Numerics numerics) const;
  }];
}

def Lane_AnyBuffer : Type<
    CPred<"::llvm::isa<::lane::BufferType, ::lane::MatrixType>($_self)">,
    "buffer or matrix", "::mlir::Type">;

#endif // LANE_DIALECT_LANE_IR_LANETYPES_TD

#!/bin/sh
# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes transformer-device, whose kernels are in FORMAT, in the folder OUT.
#
# usage: prepare_device.sh PYTHON RUNTIME OUT FORMAT CHIP

set -eu

python=$1 runtime=$2 out=$3 format=$4 chip=$5
here=$(dirname "$0")
test=$here/../..
block=$test/Conversion/LinalgToLane/transformer.mlir
bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map"

"$python" -B "$test/Checkpoint/make_safetensors.py" "$out/weights.safetensors" \
  embedding=F32:256x32 query=F32:32x32 experts=F32:8x32x32 output=F32:256x32
"$python" -B "$here/embed_weights.py" "$block" "$out/weights.safetensors" |
  mlir-opt --one-shot-bufferize="$bufferize" \
    --convert-linalg-to-loops --expand-strided-metadata --lower-affine \
    --convert-scf-to-cf --convert-math-to-llvm --convert-index-to-llvm \
    --convert-arith-to-llvm --finalize-memref-to-llvm --llvm-request-c-wrappers \
    --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts |
  mlir-translate --mlir-to-llvmir |
  llc -filetype=obj -relocation-model=pic -o "$out/reference.o"
mlir-opt "$block" --one-shot-bufferize="$bufferize" |
  lane-opt --convert-linalg-to-lane="checkpoint=$out/weights.safetensors" \
    --arena-plan --residence-plan -o "$out/planned.mlir"
lane-opt --lane-to-nvvm="chip=$chip format=$format" "$out/planned.mlir" |
  mlir-translate --mlir-to-llvmir |
  llc -filetype=obj -relocation-model=pic -o "$out/lane.o"
lane-opt --residence-to-host=target=cpp "$out/planned.mlir" |
  lane-translate --emit-cpp --cpp-file=header -o "$out/lane_forward.h"
lane-translate --export-plan-json "$out/planned.mlir" -o "$out/plan.json"
nvcc -std=c++17 -Xcompiler -Wall,-Wextra -I"$out" -I"$here/Inputs" \
  -I"$test/lib/FakeCuda" "$here/Inputs/transformer-device.cpp" "$out/lane.o" \
  "$out/reference.o" "$runtime" -o "$out/transformer"

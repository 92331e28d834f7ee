#!/bin/sh
# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles a program twice, in the folder OUT: REFERENCE by upstream's passes to
# reference.o, and MODULE by Lane to lane.o. IMPORT is a pass of Lane before
# bufferization, and EXPORT one after it; "" is none.
#
# usage: compile_forward.sh OUT REFERENCE MODULE CHECKPOINT IMPORT EXPORT

set -eu

out=$1 reference=$2 module=$3 checkpoint=$4 import=$5 export=$6
bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map"

mlir-opt "$reference" --one-shot-bufferize="$bufferize" \
  --convert-linalg-to-loops --expand-strided-metadata --lower-affine \
  --convert-scf-to-cf --convert-math-to-llvm --convert-index-to-llvm \
  --convert-arith-to-llvm --finalize-memref-to-llvm --llvm-request-c-wrappers \
  --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts |
  mlir-translate --mlir-to-llvmir |
  llc -filetype=obj -relocation-model=pic -o "$out/reference.o"

lane-opt --allow-unregistered-dialect ${import:+"$import"} "$module" |
  mlir-opt --one-shot-bufferize="$bufferize" |
  lane-opt ${export:+"$export"} -o "$out/bufferized.mlir"
lane-opt --convert-linalg-to-lane="checkpoint=$checkpoint" --arena-plan \
  --residence-plan "$out/bufferized.mlir" -o "$out/planned.mlir"
lane-opt --lane-to-llvm "$out/planned.mlir" | mlir-translate --mlir-to-llvmir |
  llc -filetype=obj -relocation-model=pic -o "$out/lane.o"
lane-opt --residence-to-host=target=cpp "$out/planned.mlir" |
  lane-translate --emit-cpp --cpp-file=header -o "$out/lane_forward.h"
lane-translate --export-plan-json "$out/planned.mlir" -o "$out/plan.json"

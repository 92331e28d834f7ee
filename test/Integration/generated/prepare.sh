#!/bin/sh
# usage: prepare.sh PYTHON FOLDER
#
# Makes in FOLDER the tiny checkpoint, its plan, the generated code, and the bytes
# that its pointers must have.
set -e
here=$(dirname "$0")
cd "$2"
"$here/make_tiny.sh" "$1" .
lane-translate --import-gguf tiny-00001-of-00002.gguf |
  lane-opt --arena-plan --residence-plan -o planned.mlir
lane-translate --export-plan-json planned.mlir -o plan.json
lane-opt --residence-to-host planned.mlir -o llvm.mlir
lane-opt --residence-to-host=target=cpp planned.mlir -o emitc.mlir
lane-translate --emit-cpp --cpp-file=header emitc.mlir -o lane_tiny.h
lane-translate --emit-cpp emitc.mlir -o lane_tiny.cpp
"$1" -B "$here/make_reference.py" lane_tiny plan.json reference \
  tiny-00001-of-00002.gguf tiny-00002-of-00002.gguf

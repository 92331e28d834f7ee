// A module with a program is taken as it is: unplanned as an importer prints it, or
// planned with its steps.
//
// RUN: rm -rf %t && mkdir %t
// RUN: lane-translate --import-gguf %models/Qwen3-0.6B-Q8_0.gguf -o %t/model.mlir
// RUN: lane-compile %t/model.mlir --host -o %t/model.o --header %t/model.h --rows 1 \
// RUN:   | FileCheck %s --check-prefix=MODEL
// RUN: llvm-nm %t/model.o | FileCheck %s --check-prefix=ENTRIES
// RUN: lane-opt --convert-linalg-to-lane=context=512 --arena-plan --residence-plan %s \
// RUN:   -o %t/planned.mlir
// RUN: lane-compile %t/planned.mlir --host -o %t/planned.o --header %t/planned.h \
// RUN:   | FileCheck %s --check-prefix=PLANNED
// RUN: lane-compile %s --context 512 --host -o %t/made.o --header %t/made.h
// RUN: diff %t/planned.h %t/made.h
// RUN: cmp %t/planned.o %t/made.o
//
// A placement that stands is reported, and its policy is that of the program.
//
// RUN: lane-opt --residence-place="budget=16896 policy=least-traffic" %t/planned.mlir \
// RUN:   -o %t/placed.mlir
// RUN: lane-compile %t/placed.mlir --host -o %t/placed.o | FileCheck %s --check-prefix=PLACED
// RUN: llvm-nm %t/placed.o | FileCheck %s --check-prefix=POLICY
// RUN: not lane-compile %t/placed.mlir --host -o %t/a.o --policy last-read 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DIFFERS
// RUN: not ls %t/a.o

// MODEL:   model.mlir, context of 4096 tokens
// ENTRIES: T lane_Qwen3_0_6B_Q8_0_close
// ENTRIES: T lane_Qwen3_0_6B_Q8_0_open
// PLANNED: planned.mlir, context of 512 tokens
// PLACED:  Placement
// PLACED:  0 other {{.*}} w
// POLICY:  U lanePlaceLeastTraffic
// DIFFERS: error: {{.*}}'step' is placed by the policy least_traffic, but residence-to-host is given last_read

memref.global "private" constant @w : memref<32x64xf32> = uninitialized
func.func @step(%x: memref<1x32xf32>, %y: memref<1x64xf32>) {
  %w = memref.get_global @w : memref<32x64xf32>
  linalg.matmul ins(%x, %w : memref<1x32xf32>, memref<32x64xf32>)
    outs(%y : memref<1x64xf32>)
  return
}

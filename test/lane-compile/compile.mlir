// One command makes an object and a header of a module on tensors or on memrefs, for the
// host or for a GPU, and prints the plan.
//
// RUN: rm -rf %t && mkdir %t
// RUN: lane-compile %s --host -o %t/host.o --header %t/host.h \
// RUN:   | FileCheck %s --check-prefix=REPORT
// RUN: FileCheck %s --check-prefix=HEADER < %t/host.h
// RUN: llvm-nm %t/host.o | FileCheck %s --check-prefixes=NAMES,HOST
// RUN: lane-compile %s --chip sm_90 -o %t/device.o --device-bytes 64MiB \
// RUN:   --policy least-traffic --rows 1 --context 512 \
// RUN:   | FileCheck %s --check-prefix=PLACED
// RUN: llvm-nm %t/device.o | FileCheck %s --check-prefixes=NAMES,DEVICE
// RUN: grep -a "\.target sm_90" %t/device.o
// RUN: not ls %t/device.h
//
// On memrefs, as bytecode, from standard input.
//
// RUN: mlir-opt %s --emit-bytecode \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   | lane-compile - --host -o %t/memrefs.o --header %t/memrefs.h > /dev/null
// RUN: diff %t/host.h %t/memrefs.h

// REPORT:      compile.mlir, context of 4096 tokens
// REPORT-NEXT: form step: decode, 1 row, 2 launches
// REPORT:      other 4,352 {{.*}} 1 upload
// REPORT:      0 other {{.*}} output

// HEADER: LANE_STEP_OUTPUT,
// HEADER: int32_t lane_step_open(
// HEADER: int32_t lane_step_step(lane_program *program, void *stream);

// NAMES:  U laneBegin
// HOST:   U laneRunOnHost
// NAMES:  T lane_step_close
// NAMES:  T lane_step_open
// NAMES:  T lane_step_step
// DEVICE: U mgpuLaunchKernel

// PLACED: compile.mlir, context of 512 tokens
// PLACED: budget

// torch-mlir declares this in every module.
ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>

func.func @step(%x: tensor<1x32xf32>) -> tensor<1x32xf32> {
  %zero = arith.constant 0.0 : f32
  %output = arith.constant dense_resource<output> : tensor<32x32xf32>
  %empty = tensor.empty() : tensor<1x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x32xf32>) -> tensor<1x32xf32>
  %y = linalg.matmul ins(%x, %output : tensor<1x32xf32>, tensor<32x32xf32>)
    outs(%start : tensor<1x32xf32>) -> tensor<1x32xf32>
  return %y : tensor<1x32xf32>
}

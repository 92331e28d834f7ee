// Loops are vectorized for the CPU that is named.
//
// REQUIRES: host-x86_64
//
// RUN: lane-compile %s --host --cpu x86-64-v3 -o %t.o > /dev/null
// RUN: llvm-objdump -d %t.o | FileCheck %s --check-prefix=AVX
// RUN: lane-compile %s --host --cpu x86-64 -o %t.o > /dev/null
// RUN: llvm-objdump -d %t.o | FileCheck %s --check-prefix=SSE --implicit-check-not=ymm

// AVX: vaddps {{.*}}%ymm
// SSE: addps {{.*}}%xmm

func.func @step(%x: memref<1x1024xf32>, %y: memref<1x1024xf32>) {
  linalg.add ins(%x, %x : memref<1x1024xf32>, memref<1x1024xf32>)
    outs(%y : memref<1x1024xf32>)
  return
}

// Functions stay as the steps of their forms.
//
// RUN: lane-opt %s --convert-linalg-to-lane --split-input-file | FileCheck %s

// Views, copies and launches stay. Buffers take the place of arguments, globals and
// allocations, of what is returned too; deallocations and unused operations go. The
// program has the function's name, so the function gets another one.

// CHECK-LABEL: func.func @step_step() attributes {lane.step = @step::@step} {
// CHECK-NEXT:    %arg0 = lane.get_memref @step::@step["arg0"] : memref<1x64xf16>
// CHECK-NEXT:    %c2 = arith.constant 2 : index
// CHECK-NEXT:    %weight = lane.get_memref @step::@weight : memref<8x64xf16>
// CHECK-NEXT:    %cache = lane.get_memref @step::@cache : memref<16x64xf16>
// CHECK-NEXT:    %subview = memref.subview %weight[%c2, 0] [1, 64] [1, 1]
// CHECK-NEXT:    %buffer0 = lane.get_memref @step::@step["buffer0"] : memref<1x64xf16>
// CHECK-NEXT:    memref.copy %subview, %buffer0
// CHECK-NEXT:    %[[SLOT:.*]] = memref.subview %cache[%c2, 0] [1, 64] [1, 1]
// CHECK-NEXT:    memref.copy %arg0, %[[SLOT]]
// CHECK-NEXT:    %buffer1 = lane.get_memref @step::@step["buffer1"] : memref<1x64xf16>
// CHECK-NEXT:    memref.copy %buffer0, %buffer1
// CHECK-NEXT:    return
// CHECK-NEXT:  }
// CHECK-NEXT:  lane.program @step
memref.global "private" constant @weight : memref<8x64xf16> = uninitialized
memref.global "private" @cache : memref<16x64xf16> = uninitialized
func.func @step(%x: memref<1x64xf16>) -> memref<1x64xf16> {
  %two = arith.constant 2 : index
  %unused = arith.constant 3 : index
  %weight = memref.get_global @weight : memref<8x64xf16>
  %cache = memref.get_global @cache : memref<16x64xf16>
  %row = memref.subview %weight[%two, 0] [1, 64] [1, 1] : memref<8x64xf16> to memref<1x64xf16, strided<[64, 1], offset: ?>>
  %out = memref.alloc() : memref<1x64xf16>
  memref.copy %row, %out : memref<1x64xf16, strided<[64, 1], offset: ?>> to memref<1x64xf16>
  %slot = memref.subview %cache[%two, 0] [1, 64] [1, 1] : memref<16x64xf16> to memref<1x64xf16, strided<[64, 1], offset: ?>>
  memref.copy %x, %slot : memref<1x64xf16> to memref<1x64xf16, strided<[64, 1], offset: ?>>
  %own = memref.alloc() : memref<1x64xf16>
  memref.copy %out, %own : memref<1x64xf16> to memref<1x64xf16>
  memref.dealloc %own : memref<1x64xf16>
  return %out : memref<1x64xf16>
}

// -----

// Forms share weights and state. Attributes that the forms have go.

// CHECK-LABEL: module @model
// CHECK:      func.func @prefill_step() attributes {lane.step = @model::@prefill} {
// CHECK-NEXT:   %w = lane.get_memref @model::@w : memref<8x64xf32>
// CHECK-NEXT:   %cache = lane.get_memref @model::@cache : memref<8x64xf32>
// CHECK-NEXT:   memref.copy %w, %cache
// CHECK:      func.func @decode_step() attributes {lane.step = @model::@decode} {
// CHECK-NEXT:   %cache = lane.get_memref @model::@cache : memref<8x64xf32>
// CHECK-NEXT:   %w = lane.get_memref @model::@w : memref<8x64xf32>
module @model {
  func.func @prefill(%w: memref<8x64xf32> {lane.weight = "w"},
                     %cache: memref<8x64xf32> {lane.state = "cache"})
      attributes {lane.prefill_rows = 32 : i64} {
    memref.copy %w, %cache : memref<8x64xf32> to memref<8x64xf32>
    return
  }
  func.func @decode(%cache: memref<8x64xf32> {lane.state = "cache"},
                    %w: memref<8x64xf32> {lane.weight = "w"}) {
    memref.copy %w, %cache : memref<8x64xf32> to memref<8x64xf32>
    return
  }
}

// -----

// Asynchronous allocations leave their tokens; a name that is taken gets a suffix.

// CHECK-LABEL: func.func @gpu_step_() attributes {lane.step = @gpu::@gpu} {
// CHECK:         %[[FIRST:.*]] = gpu.wait async
// CHECK:         %[[WAIT:.*]] = gpu.wait async [%[[FIRST]]]
// CHECK-NEXT:    %[[COPY:.*]] = gpu.memcpy async [%[[WAIT]]] %buffer0, %arg0
// CHECK-NEXT:    %[[END:.*]] = gpu.wait async [%[[COPY]]]
// CHECK-NEXT:    gpu.wait [%[[END]]]
func.func private @gpu_step()
func.func @gpu(%x: memref<4xf32>) {
  %0 = gpu.wait async
  %y, %1 = gpu.alloc async [%0] () : memref<4xf32>
  %2 = gpu.memcpy async [%1] %y, %x : memref<4xf32>, memref<4xf32>
  %3 = gpu.dealloc async [%2] %y : memref<4xf32>
  gpu.wait [%3]
  return
}

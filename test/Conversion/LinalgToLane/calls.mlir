// RUN: lane-opt %s --convert-linalg-to-lane | FileCheck %s

// A call of an external function is a launch. It reads all of its memrefs densely and
// writes those that are not weights, unless the declaration states less. The call and the
// declaration stay.

// CHECK:      func.func private @scale(memref<1x64xf32>, memref<100x64xf32>, f32)
// CHECK:      func.func @step_step()
// CHECK:        call @scale(%[[X:.*]], %{{.*}}, %{{.*}}) : (memref<1x64xf32>, memref<100x64xf32>, f32) -> ()
// CHECK-NEXT:   call @embed(%{{.*}}, %{{.*}}, %[[X]])

// CHECK:      lane.launch "scale" ins(%arg1 : !lane.buffer<1x64xf32>, %weight : !lane.matrix<100x64xf32>) outs(%arg1 : !lane.buffer<1x64xf32>)
// CHECK-NEXT: lane.launch "embed" ins(%arg0 : !lane.buffer<1xi32>, %weight : !lane.matrix<100x64xf32> gather) outs(%arg1 : !lane.buffer<1x64xf32>)

memref.global "private" constant @weight : memref<100x64xf32> = uninitialized
func.func private @scale(memref<1x64xf32>, memref<100x64xf32>, f32)
func.func private @embed(memref<1xi32> {bufferization.access = "read"},
                         memref<100x64xf32> {lane.access = #lane.access<gather>},
                         memref<1x64xf32> {bufferization.access = "write"})
func.func @step(%ids: memref<1xi32>, %out: memref<1x64xf32>) {
  %by = arith.constant 0.5 : f32
  %weight = memref.get_global @weight : memref<100x64xf32>
  func.call @scale(%out, %weight, %by) : (memref<1x64xf32>, memref<100x64xf32>, f32) -> ()
  func.call @embed(%ids, %weight, %out) : (memref<1xi32>, memref<100x64xf32>, memref<1x64xf32>) -> ()
  return
}

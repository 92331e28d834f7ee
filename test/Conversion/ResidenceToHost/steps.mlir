// The step of each form gets an entry point; its buffers are the program's pointers.
// launches.mlir has steps that launch kernels.
//
// RUN: lane-opt %s --arena-plan --residence-plan -o %t
// RUN: lane-opt %t --residence-to-host=steps=kernel | FileCheck %s --check-prefix=KERNEL
// RUN: lane-opt %t --residence-to-host=steps=none | FileCheck %s --check-prefix=NONE
// RUN: lane-opt %t --residence-to-host=target=cpp | lane-translate --emit-cpp --cpp-file=header \
// RUN:   | FileCheck %s --check-prefix=HEADER

// KERNEL-LABEL: func.func private @lane_tiny_decode_body(%arg0: !llvm.ptr) attributes {llvm.linkage = #llvm.linkage<internal>}
// KERNEL-NEXT:    %[[FIELD:.*]] = llvm.getelementptr %arg0[88] : (!llvm.ptr) -> !llvm.ptr, i8
// KERNEL-NEXT:    %[[TABLE:.*]] = llvm.load %[[FIELD]] : !llvm.ptr -> !llvm.ptr
// KERNEL-NEXT:    %[[ENTRY:.*]] = llvm.getelementptr %[[TABLE]][{{[0-9]+}}] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// KERNEL-NEXT:    %[[START:.*]] = llvm.load %[[ENTRY]] : !llvm.ptr -> !llvm.ptr
// KERNEL:         builtin.unrealized_conversion_cast %{{.*}} : !llvm.struct<{{.*}}> to memref<64x32xf32>
// KERNEL:         linalg.matmul

// KERNEL-LABEL: func.func private @lane_tiny_decode_kernel(%arg0: !llvm.ptr)
// KERNEL-NEXT:    %[[ADDRESS:.*]] = llvm.load %arg0 : !llvm.ptr -> !llvm.ptr
// KERNEL-NEXT:    %[[PROGRAM:.*]] = llvm.load %[[ADDRESS]] : !llvm.ptr -> !llvm.ptr
// KERNEL-NEXT:    call @lane_tiny_decode_body(%[[PROGRAM]]) : (!llvm.ptr) -> ()
// KERNEL-LABEL: func.func @lane_tiny_decode(%arg0: !llvm.ptr, %arg1: !llvm.ptr) -> i32 {
// KERNEL:         %[[CODE:.*]] = call @laneRunOnHost(%arg0, %arg1, %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// KERNEL-NEXT:    return %[[CODE]] : i32

// NONE-NOT: lane_tiny_decode
// NONE-NOT: linalg

// HEADER: void lane_tiny_close(lane_program *program);
// HEADER: int32_t lane_tiny_decode(lane_program *program, void *stream);

#m = affine_map<(m, n, k) -> (m, k)>
#n = affine_map<(m, n, k) -> (n, k)>
#k = affine_map<(m, n, k) -> (m, n)>
func.func @decode_step() attributes {lane.step = @tiny::@decode} {
  %w = lane.get_memref @tiny::@w : memref<64x32xf32>
  %x = lane.get_memref @tiny::@decode["x"] : memref<1x32xf32>
  %y = lane.get_memref @tiny::@decode["y"] : memref<1x64xf32>
  linalg.matmul indexing_maps = [#m, #n, #k]
    ins(%x, %w : memref<1x32xf32>, memref<64x32xf32>) outs(%y : memref<1x64xf32>)
  return
}
lane.program @tiny context(16) numerics(one_pass) files(["tiny.gguf"]) {
  lane.matrix @w : !lane.matrix<64x32xf32> rows [#lane.rows<file = 0, offset = 0, count = 64>]
  lane.form @decode decode rows(1) {
    %x = lane.param "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.param "y" plain <pool> : !lane.buffer<1x64xf32>
    %w = lane.ref @w : !lane.matrix<64x32xf32>
    lane.launch "linalg.matmul" ins(%x : !lane.buffer<1x32xf32>, %w : !lane.matrix<64x32xf32>) outs(%y : !lane.buffer<1x64xf32>)
  }
}

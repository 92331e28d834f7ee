// `open` is a run of calls, the same in both outputs: it takes the budget, places,
// allocates on the device, maps the host's part, binds the pointers and uploads.
//
// RUN: lane-opt %s --residence-plan -o %t.mlir
// RUN: lane-opt %t.mlir --residence-to-host | FileCheck %s
// RUN: lane-opt %t.mlir --residence-to-host=target=cpp -o %t.emitc
// RUN: FileCheck %s --check-prefix=EMITC < %t.emitc
// RUN: lane-translate --emit-cpp %t.emitc -o %t.cpp
// RUN: FileCheck %s --check-prefix=CPP < %t.cpp

// CHECK-LABEL: llvm.func @lane_tiny_open(
// CHECK-SAME:    %[[OPTIONS:.*]]: !llvm.ptr, %[[RESULT:.*]]: !llvm.ptr, %[[ERROR:.*]]: !llvm.ptr) -> i32
// CHECK-NEXT:    %[[DESCRIPTION:.*]] = llvm.mlir.addressof @lane_tiny_description
// CHECK-NEXT:    %[[PROGRAM:.*]] = llvm.call @laneBegin(%[[DESCRIPTION]], %[[OPTIONS]], %[[ERROR]])
// CHECK-NEXT:    llvm.call @laneTakeBudget(%[[PROGRAM]])
// CHECK-NEXT:    llvm.call @lanePlaceLastRead(%[[PROGRAM]])
// CHECK-NEXT:    llvm.call @laneAllocateArena(%[[PROGRAM]])
// CHECK-NEXT:    llvm.call @laneAllocatePool(%[[PROGRAM]])
// CHECK-NEXT:    llvm.call @laneMapHostPool(%[[PROGRAM]])
// CHECK-NEXT:    llvm.call @laneBindPointers(%[[PROGRAM]])
// CHECK-NEXT:    llvm.call @laneUpload(%[[PROGRAM]])
// CHECK-NEXT:    %[[CODE:.*]] = llvm.call @laneFinish(%[[PROGRAM]], %[[RESULT]])
// CHECK-NEXT:    llvm.return %[[CODE]]
// CHECK-LABEL: llvm.func @lane_tiny_close(
// CHECK-NEXT:    llvm.call @laneClose(%{{.*}})
// CHECK-NEXT:    llvm.return

// EMITC-LABEL: func @lane_tiny_open(
// EMITC:         call_opaque "laneBegin"(%{{.*}}, %{{.*}}) {args = [#emitc.opaque<"&lane_tiny_description">, 0 : index, 1 : index]}
// EMITC-NEXT:    call_opaque "laneTakeBudget"
// EMITC-NEXT:    call_opaque "lanePlaceLastRead"
// EMITC-NEXT:    call_opaque "laneAllocateArena"
// EMITC-NEXT:    call_opaque "laneAllocatePool"
// EMITC-NEXT:    call_opaque "laneMapHostPool"
// EMITC-NEXT:    call_opaque "laneBindPointers"
// EMITC-NEXT:    call_opaque "laneUpload"
// EMITC-NEXT:    call_opaque "laneFinish"
// EMITC-NEXT:    return
// EMITC-LABEL: func @lane_tiny_close(
// EMITC-NEXT:    call_opaque "laneClose"

// No call is made twice on a path.
//
// CPP:        int32_t lane_tiny_open(const lane_options* [[OPTIONS:.*]], lane_program** [[RESULT:.*]], lane_error* [[ERROR:.*]]) {
// CPP-NEXT:    lane_program* [[PROGRAM:.*]] = laneBegin(&lane_tiny_description, [[OPTIONS]], [[ERROR]]);
// CPP-NEXT:    laneTakeBudget([[PROGRAM]]);
// CPP-NEXT:    lanePlaceLastRead([[PROGRAM]]);
// CPP-NEXT:    laneAllocateArena([[PROGRAM]]);
// CPP-NEXT:    laneAllocatePool([[PROGRAM]]);
// CPP-NEXT:    laneMapHostPool([[PROGRAM]]);
// CPP-NEXT:    laneBindPointers([[PROGRAM]]);
// CPP-NEXT:    laneUpload([[PROGRAM]]);
// CPP-NEXT:    int32_t [[CODE:.*]] = laneFinish([[PROGRAM]], [[RESULT]]);
// CPP-NEXT:    return [[CODE]];
// CPP-NEXT:  }
lane.program @tiny context(16) numerics(one_pass) files(["tiny.gguf"]) {
  lane.matrix @w : !lane.matrix<4x16xf32>
    rows [#lane.rows<file = 0, offset = 64, count = 4>]
  lane.form @decode decode rows(1) {
  }
}

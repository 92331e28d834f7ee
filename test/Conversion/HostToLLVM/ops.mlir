// Each operation in the LLVM dialect.
//
// RUN: lane-opt %s --convert-host-to-llvm | FileCheck %s
// RUN: lane-opt %s --convert-host-to-llvm | mlir-translate --mlir-to-llvmir > /dev/null

host.interface @lane_tiny pointers [] comments []
host.struct @record fields ["flag", "count", "data"] types [i32, i64, !host.ptr]
// CHECK-NOT: host.
// CHECK: llvm.func @laneLog(!llvm.ptr, !llvm.ptr, i32, i64)
// CHECK: llvm.mlir.global internal constant @[[TEXT:text_0]]("say {}\00")
// CHECK: llvm.func @cudaMemGetInfo(!llvm.ptr, !llvm.ptr) -> i32
// CHECK: llvm.mlir.global internal constant @numbers(dense<[1, -2]> : tensor<2xi64>) {{.*}}: !llvm.array<2 x i64>
host.table @numbers = dense<[1, -2]> : tensor<2xi64>
// CHECK: llvm.mlir.global internal constant @names("a\00b\00")
host.table @names = "a\00b"
host.comment "nothing"

// CHECK-LABEL: llvm.func internal @memory(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr, %[[A:.*]]: !llvm.ptr, %[[I:.*]]: i64) -> i1
func.func private @memory(%p: !host.ptr<"record">, %a: !host.ptr<"int64_t">, %i: i64) -> i1 {
  // CHECK: %[[F:.*]] = llvm.getelementptr %[[P]][0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i64, ptr)>
  // CHECK: %[[COUNT:.*]] = llvm.load %[[F]] : !llvm.ptr -> i64
  %count = host.get_field %p["count"] of @record : !host.ptr<"record"> -> i64
  // CHECK: %[[E:.*]] = llvm.getelementptr %[[A]][%[[COUNT]]] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  // CHECK: llvm.load %[[E]] : !llvm.ptr -> i64
  %element = host.load %a[%count] : !host.ptr<"int64_t"> -> i64
  // CHECK: %[[TABLE:.*]] = llvm.mlir.addressof @numbers : !llvm.ptr
  // CHECK: %[[E:.*]] = llvm.getelementptr %[[TABLE]][%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  // CHECK: %[[N:.*]] = llvm.load %[[E]] : !llvm.ptr -> i64
  %number = host.table_load @numbers[%i] : i64
  // CHECK: %[[E:.*]] = llvm.getelementptr %[[A]][%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  // CHECK: llvm.store %[[N]], %[[E]] : i64, !llvm.ptr
  host.store %number, %a[%i] : i64, !host.ptr<"int64_t">
  // CHECK: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
  %null = host.null : !host.ptr
  // CHECK: %[[F:.*]] = llvm.getelementptr %[[P]][0, 2]
  // CHECK: llvm.store %[[NULL]], %[[F]] : !llvm.ptr, !llvm.ptr
  host.set_field %null, %p["data"] of @record : !host.ptr, !host.ptr<"record">
  // CHECK: %[[O:.*]] = llvm.getelementptr %[[P]][%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %next = host.offset %p, %i : !host.ptr<"record"> -> !host.ptr
  // CHECK: %[[Z:.*]] = llvm.mlir.zero : !llvm.ptr
  // CHECK: llvm.icmp "ne" %[[O]], %[[Z]] : !llvm.ptr
  %is = host.is_set %next : !host.ptr
  return %is : i1
}

// What is returned through pointers has its room where the function starts, out
// of any loop.
//
// CHECK-LABEL: llvm.func @calls(
// CHECK-SAME: %[[O:.*]]: !llvm.ptr, %[[N:.*]]: i64)
// CHECK: %[[FREE:.*]] = llvm.alloca %{{.*}} x i64
// CHECK: %[[TOTAL:.*]] = llvm.alloca %{{.*}} x i64
// CHECK: llvm.br
func.func @calls(%options: !host.ptr, %n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %i = %zero to %n step %one : i64 {
    // CHECK: %[[S:.*]] = llvm.call @cudaMemGetInfo(%[[FREE]], %[[TOTAL]]) : (!llvm.ptr, !llvm.ptr) -> i32
    // CHECK: %[[F:.*]] = llvm.load %[[FREE]] : !llvm.ptr -> i64
    %s, %free, %total = host.cuda <cudaMemGetInfo>() : () -> (i32, i64, i64)
    // CHECK: %[[T:.*]] = llvm.mlir.addressof @[[TEXT]] : !llvm.ptr
    %text = host.string "say {}" : !host.ptr<"const char">
    // CHECK: llvm.call @laneLog(%[[O]], %[[T]], %[[S]], %[[F]]) : (!llvm.ptr, !llvm.ptr, i32, i64) -> ()
    host.call "laneLog"(%options, %text, %s, %free) : (!host.ptr, !host.ptr<"const char">, i32, i64) -> ()
  }
  return
}

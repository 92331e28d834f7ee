// Every operation and type of the host dialect, printed and parsed again, as text
// and as bytecode.
//
// RUN: lane-opt %s --verify-roundtrip | FileCheck %s
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s

// CHECK-LABEL: module
// CHECK-NEXT: host.interface @lane_tiny pointers ["LANE_TINY_X"] comments ["x: f32"]
host.interface @lane_tiny pointers ["LANE_TINY_X"] comments ["x: f32"]
// CHECK-NEXT: host.table @numbers = dense<[1, 2]> : tensor<2xi64>
host.table @numbers = dense<[1, 2]> : tensor<2xi64>
// CHECK-NEXT: host.table @text = "a\00b"
host.table @text = "a\00b"
// CHECK-NEXT: host.struct @record fields ["count", "data"] types [i64, !host.ptr]
host.struct @record fields ["count", "data"] types [i64, !host.ptr]
// CHECK-NEXT: host.comment "what follows"
host.comment "what follows"

// CHECK-LABEL: func.func @memory(
// CHECK-SAME: %[[P:.*]]: !host.ptr<"record">, %[[A:.*]]: !host.ptr<"int64_t">, %[[I:.*]]: i64
func.func @memory(%p: !host.ptr<"record">, %a: !host.ptr<"int64_t">, %i: i64) -> i1 {
  // CHECK-NEXT: %[[COUNT:.*]] = host.get_field %[[P]]["count"] of @record : !host.ptr<"record"> -> i64
  %count = host.get_field %p["count"] of @record : !host.ptr<"record"> -> i64
  // CHECK-NEXT: host.set_field %[[COUNT]], %[[P]]["count"] of @record : i64, !host.ptr<"record">
  host.set_field %count, %p["count"] of @record : i64, !host.ptr<"record">
  // CHECK-NEXT: %[[E:.*]] = host.load %[[A]][%[[I]]] : !host.ptr<"int64_t"> -> i64
  %element = host.load %a[%i] : !host.ptr<"int64_t"> -> i64
  // CHECK-NEXT: host.store %[[E]], %[[A]][%[[I]]] : i64, !host.ptr<"int64_t">
  host.store %element, %a[%i] : i64, !host.ptr<"int64_t">
  // CHECK-NEXT: %[[N:.*]] = host.table_load @numbers[%[[I]]] : i64
  %number = host.table_load @numbers[%i] : i64
  // CHECK-NEXT: %[[T:.*]] = host.table_address @text : !host.ptr<"const char">
  %text = host.table_address @text : !host.ptr<"const char">
  // CHECK-NEXT: %[[NULL:.*]] = host.null : !host.ptr
  %null = host.null : !host.ptr
  // CHECK-NEXT: %[[O:.*]] = host.offset %[[NULL]], %[[N]] : !host.ptr -> !host.ptr
  %offset = host.offset %null, %number : !host.ptr -> !host.ptr
  // CHECK-NEXT: host.is_set %[[O]] : !host.ptr
  %is = host.is_set %offset : !host.ptr
  return %is : i1
}

// CHECK-LABEL: func.func @calls(
// CHECK-SAME: %[[B:.*]]: i64, %[[F:.*]]: i32, %[[D:.*]]: !host.ptr
func.func @calls(%bytes: i64, %flags: i32, %data: !host.ptr) {
  // CHECK-NEXT: host.cuda <cudaFree>(%[[D]]) : (!host.ptr) -> i32
  %0 = host.cuda <cudaFree>(%data) : (!host.ptr) -> i32
  // CHECK-NEXT: host.cuda <cudaMalloc>(%[[B]]) : (i64) -> (i32, !host.ptr)
  %1:2 = host.cuda <cudaMalloc>(%bytes) : (i64) -> (i32, !host.ptr)
  // CHECK-NEXT: host.cuda <cudaHostAlloc>(%[[B]], %[[F]]) : (i64, i32) -> (i32, !host.ptr)
  %2:2 = host.cuda <cudaHostAlloc>(%bytes, %flags) : (i64, i32) -> (i32, !host.ptr)
  // CHECK-NEXT: host.cuda <cudaFreeHost>(%[[D]]) : (!host.ptr) -> i32
  %3 = host.cuda <cudaFreeHost>(%data) : (!host.ptr) -> i32
  // CHECK-NEXT: host.cuda <cudaHostGetDevicePointer>(%[[D]], %[[F]]) : (!host.ptr, i32) -> (i32, !host.ptr)
  %4:2 = host.cuda <cudaHostGetDevicePointer>(%data, %flags) : (!host.ptr, i32) -> (i32, !host.ptr)
  // CHECK-NEXT: host.cuda <cudaMemGetInfo>() : () -> (i32, i64, i64)
  %5:3 = host.cuda <cudaMemGetInfo>() : () -> (i32, i64, i64)
  // CHECK-NEXT: host.cuda <cudaGetDevice>() : () -> (i32, i32)
  %6:2 = host.cuda <cudaGetDevice>() : () -> (i32, i32)
  // CHECK-NEXT: host.cuda <cudaDeviceGetAttribute>(%[[F]], %[[F]]) : (i32, i32) -> (i32, i32)
  %7:2 = host.cuda <cudaDeviceGetAttribute>(%flags, %flags) : (i32, i32) -> (i32, i32)
  // CHECK-NEXT: host.cuda <cudaGetLastError>() : () -> i32
  %8 = host.cuda <cudaGetLastError>() : () -> i32
  // CHECK-NEXT: %[[S:.*]] = host.string "say \22this\22" : !host.ptr<"const char">
  %name = host.string "say \22this\22" : !host.ptr<"const char">
  // CHECK-NEXT: host.call "laneFail"(%[[S]], %[[F]]) : (!host.ptr<"const char">, i32) -> i32
  %9 = host.call "laneFail"(%name, %flags) : (!host.ptr<"const char">, i32) -> i32
  // CHECK-NEXT: host.call "laneLog"(%[[S]]) : (!host.ptr<"const char">) -> ()
  host.call "laneLog"(%name) : (!host.ptr<"const char">) -> ()
  return
}

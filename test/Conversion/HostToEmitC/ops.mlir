// Each operation as the C++ that a person reads.
//
// RUN: lane-opt %s --convert-host-to-emitc | lane-translate --emit-cpp \
// RUN:   | FileCheck --match-full-lines %s

host.interface @lane_tiny pointers [] comments []
host.struct @record fields ["count", "data"] types [i64, !host.ptr]
// CHECK: // The program itself: its tables, and what walks them.
// CHECK: #include "lane_tiny.h"
// CHECK-NEXT: static const int64_t numbers[2] = {1, -2};
host.table @numbers = dense<[1, -2]> : tensor<2xi64>
// CHECK-NEXT: static const float values[2] = {5.000000000e-01f, -1.000000000e+00f};
host.table @values = dense<[0.5, -1.0]> : tensor<2xf32>
// A digit after a zero byte is no part of its escape, and a trigraph is none.
// CHECK-NEXT: static const char names[12] = "a\"b\\\000"
// CHECK-NEXT:   "9\?\?/\302\265";
host.table @names = "a\22b\\\009??/µ"

// CHECK: // About the function.
host.comment "About the function."
// CHECK-NEXT: static int64_t memory(record* v1, int64_t* v2, int64_t v3) {
func.func private @memory(%p: !host.ptr<"record">, %a: !host.ptr<"int64_t">, %i: i64) -> i64 {
  // CHECK-NEXT: // Inside of it.
  host.comment "Inside of it."
  // CHECK-NEXT: int64_t v4 = v1[0].count;
  %count = host.get_field %p["count"] of @record : !host.ptr<"record"> -> i64
  // CHECK-NEXT: int64_t v5 = v2[v4];
  %element = host.load %a[%count] : !host.ptr<"int64_t"> -> i64
  // CHECK-NEXT: int64_t v6 = numbers[v3];
  %number = host.table_load @numbers[%i] : i64
  // CHECK-NEXT: v2[v3] = v6;
  host.store %number, %a[%i] : i64, !host.ptr<"int64_t">
  %null = host.null : !host.ptr
  // CHECK-NEXT: v1[0].data = nullptr;
  host.set_field %null, %p["data"] of @record : !host.ptr, !host.ptr<"record">
  // CHECK-NEXT: return v5;
  return %element : i64
}

// CHECK: void calls(const lane_options* v1, void* v2, int64_t v3, int32_t v4) {
func.func @calls(%options: !host.ptr<"const lane_options">, %p: !host.ptr, %i: i64, %n: i32) {
  // A status that nobody asks for is no variable.
  // CHECK-NEXT: void* v5 = (void*) ((char*) v2 + v3);
  // CHECK-NEXT: cudaFree(v5);
  %next = host.offset %p, %i : !host.ptr -> !host.ptr
  %s0 = host.cuda <cudaFree>(%next) : (!host.ptr) -> i32
  // CHECK-NEXT: size_t v6 = 0;
  // CHECK-NEXT: size_t v7 = 0;
  // CHECK-NEXT: int32_t v8 = cudaMemGetInfo(&v6, &v7);
  // CHECK-NEXT: size_t v9 = v6;
  // CHECK-NEXT: int64_t v10 = (int64_t) v9;
  %s1, %free, %total = host.cuda <cudaMemGetInfo>() : () -> (i32, i64, i64)
  // CHECK-NEXT: int v11 = 0;
  // CHECK-NEXT: int* v12 = &v11;
  // CHECK-NEXT: cudaDeviceAttr v13 = (cudaDeviceAttr) v4;
  // CHECK-NEXT: cudaDeviceGetAttribute(v12, v13, v4);
  %s2, %value = host.cuda <cudaDeviceGetAttribute>(%n, %n) : (i32, i32) -> (i32, i32)
  // CHECK-NEXT: laneLog(v1, names, "say \"{}\"", v8, v10);
  %names = host.table_address @names : !host.ptr<"const char">
  %text = host.string "say \22{}\22" : !host.ptr<"const char">
  host.call "laneLog"(%options, %names, %text, %s1, %free) : (!host.ptr<"const lane_options">, !host.ptr<"const char">, !host.ptr<"const char">, i32, i64) -> ()
  // CHECK-NEXT: return;
  return
}

// RUN: lane-opt %s --verify-diagnostics --split-input-file

// expected-error@+1 {{'host.interface' op has 1 pointers and 0 comments}}
host.interface @lane_tiny pointers ["LANE_TINY_X"] comments []

// -----

// expected-error@+1 {{'host.table' op expected a string or numbers of one dimension}}
host.table @t = dense<1> : tensor<2x2xi64>

// -----

// expected-error@+1 {{'host.table' op expected a string or numbers of one dimension}}
host.table @t = 1 : i64

// -----

// expected-error@+1 {{'host.table' op has no element}}
host.table @t = dense<> : tensor<0xi64>

// -----

// expected-error@+1 {{'host.struct' op has 1 fields and 2 types}}
host.struct @s fields ["a"] types [i64, i64]

// -----

func.func @f() {
  // expected-error@+1 {{'host.table_address' op @nowhere is no table}}
  %t = host.table_address @nowhere : !host.ptr
  return
}

// -----

host.struct @s fields ["a"] types [i64]
func.func @f(%i: i64) {
  // expected-error@+1 {{'host.table_load' op @s is no table}}
  %t = host.table_load @s[%i] : i64
  return
}

// -----

host.table @t = dense<1> : tensor<2xi64>
func.func @f(%i: i64) {
  // expected-error@+1 {{'host.table_load' op @t has no elements of 'i32'}}
  %t = host.table_load @t[%i] : i32
  return
}

// -----

host.table @t = "text"
func.func @f(%i: i64) {
  // expected-error@+1 {{'host.table_load' op @t has no elements of 'i8'}}
  %t = host.table_load @t[%i] : i8
  return
}

// -----

func.func @f(%p: !host.ptr) {
  // expected-error@+1 {{'host.get_field' op @s is no structure}}
  %a = host.get_field %p["a"] of @s : !host.ptr -> i64
  return
}

// -----

host.struct @s fields ["a"] types [i64]
func.func @f(%p: !host.ptr) {
  // expected-error@+1 {{'host.get_field' op @s has no field 'b'}}
  %a = host.get_field %p["b"] of @s : !host.ptr -> i64
  return
}

// -----

host.struct @s fields ["a"] types [i64]
func.func @f(%p: !host.ptr, %i: i32) {
  // expected-error@+1 {{'host.set_field' op field 'a' of @s is 'i64', got 'i32'}}
  host.set_field %i, %p["a"] of @s : i32, !host.ptr
  return
}

// -----

func.func @f(%bytes: i64) {
  // expected-error@+1 {{'host.cuda' op operands or results are not those of cudaMalloc}}
  %s = host.cuda <cudaMalloc>(%bytes) : (i64) -> i32
  return
}

// -----

func.func @f(%bytes: i32) {
  // expected-error@+1 {{'host.cuda' op operands or results are not those of cudaMalloc}}
  %s:2 = host.cuda <cudaMalloc>(%bytes) : (i32) -> (i32, !host.ptr)
  return
}

// -----

func.func @f(%p: !host.ptr) {
  // expected-error@+1 {{'host.cuda' op expected a status of i32 as the first result}}
  host.cuda <cudaFree>(%p) : (!host.ptr) -> ()
  return
}

// -----

func.func @f(%p: !host.ptr) {
  // expected-error@+2 {{expected ::lane::host::CudaFunction to be one of}}
  // expected-error@+1 {{failed to parse Host_CudaFunctionAttr}}
  %s = host.cuda <cudaLaunchKernel>(%p) : (!host.ptr) -> i32
  return
}

// The values of constants move to a file, where the program finds them by their names.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: lane-opt --export-weights=file=%t/m.safetensors %s -o %t/m.mlir
// RUN: FileCheck %s < %t/m.mlir
// RUN: lane-translate --checkpoint-to-json %t/m.safetensors | FileCheck %s --check-prefix=FILE
// RUN: lane-opt --convert-linalg-to-lane=checkpoint=%t/m.safetensors %t/m.mlir \
// RUN:   | FileCheck %s --check-prefix=PROGRAM

// The translation writes the same bytes, and nothing else is left in the folder.

// RUN: lane-translate --export-weights %s -o %t/translated.safetensors
// RUN: cmp %t/m.safetensors %t/translated.safetensors
// RUN: ls %t | FileCheck %s --check-prefix=LS --match-full-lines --implicit-check-not={{.}}
// LS:      m.mlir
// LS-NEXT: m.safetensors
// LS-NEXT: translated.safetensors

// The values are those of the module, in their order.

// RUN: %python -c "import struct; d = open('%t/m.safetensors', 'rb').read(); d = d[8 + struct.unpack_from('<Q', d)[0]:]; print(struct.unpack('<qq8f6f2e7b', d))" \
// RUN:   | FileCheck %s --check-prefix=DATA
// DATA: (7, -1, 1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 4.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1.5, -2.0, 1, 1, 1, 1, 1, 0, 1)

// Small values stay in the module.

// RUN: lane-opt --export-weights="file=%t/large.safetensors min-bytes=17" %s \
// RUN:   | FileCheck %s --check-prefix=LARGE
// RUN: lane-translate --checkpoint-to-json %t/large.safetensors | FileCheck %s --check-prefix=ONE
// LARGE: @matrix : memref<2x2xf32> = dense_resource<blob>
// LARGE: @splat : memref<2x3xf32> = uninitialized {lane.weight = "splat"}
// LARGE: @given : memref<2xf16> = dense<[1.500000e+00, -2.000000e+00]> {lane.weight = "fc.bias"}
// ONE-COUNT-1: "name":
// ONE-NOT:     "name":

// A file that cannot be written is an error, and leaves no file.

// RUN: not lane-opt --export-weights=file=%t/none/m.safetensors %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not lane-opt --export-weights %s 2>&1 | FileCheck %s --check-prefix=EMPTY
// NONE: error: export-weights: cannot write {{.*}}
// EMPTY: error: export-weights: the option 'file' is empty

// CHECK:      memref.global "private" constant @matrix : memref<2x2xf32> = uninitialized {lane.weight = "blob"}
// CHECK-NEXT: memref.global "private" constant @same : memref<2x2xf32> = uninitialized {lane.weight = "blob"}
// CHECK-NEXT: memref.global "private" constant @reshaped : memref<4xf32> = uninitialized {lane.weight = "reshaped"}
// CHECK-NEXT: memref.global "private" constant @splat : memref<2x3xf32> = uninitialized {lane.weight = "splat"}
// CHECK-NEXT: memref.global "private" constant @given : memref<2xf16> = uninitialized {lane.weight = "fc.bias"}
// CHECK-NEXT: memref.global "private" constant @mask : memref<3xi1> = uninitialized {lane.weight = "mask"}
// CHECK-NEXT: memref.global "private" constant @all : memref<4xi1> = uninitialized {lane.weight = "all"}
// CHECK-NEXT: memref.global "private" constant @ids : memref<2xi64> = uninitialized {lane.weight = "ids"}
// CHECK-NEXT: memref.global "private" constant @named : memref<2xf32> = dense_resource<elsewhere>
// CHECK-NEXT: memref.global "private" constant @external : memref<2xf32> = uninitialized
// CHECK-NEXT: memref.global "private" @state : memref<2xf32> = dense<0.000000e+00>
// CHECK-NOT:  blob:

// FILE-DAG: "name": "all",
// FILE-DAG: "name": "blob",
// FILE-DAG: "name": "fc.bias",
// FILE-DAG: "name": "ids",
// FILE-DAG: "name": "mask",
// FILE-DAG: "name": "reshaped",
// FILE-DAG: "name": "splat",

// PROGRAM:      lane.matrix @blob : !lane.matrix<2x2xf32> rows [#lane.rows<file = 0, offset = {{[0-9]+}}, count = 2, tensor = "blob">]
// PROGRAM-NEXT: lane.matrix @splat : !lane.matrix<2x3xf32> rows [#lane.rows<file = 0, offset = {{[0-9]+}}, count = 2, tensor = "splat">]

memref.global "private" constant @matrix : memref<2x2xf32> = dense_resource<blob>
memref.global "private" constant @same : memref<2x2xf32> = dense_resource<blob>
memref.global "private" constant @reshaped : memref<4xf32> = dense_resource<blob>
memref.global "private" constant @splat : memref<2x3xf32> = dense<0.5>
memref.global "private" constant @given : memref<2xf16> = dense<[1.5, -2.0]> {lane.weight = "fc.bias"}
memref.global "private" constant @mask : memref<3xi1> = dense<[true, false, true]>
memref.global "private" constant @all : memref<4xi1> = dense<true>
memref.global "private" constant @ids : memref<2xi64> = dense<[7, -1]>
memref.global "private" constant @named : memref<2xf32> = dense_resource<elsewhere>
memref.global "private" constant @external : memref<2xf32> = uninitialized
memref.global "private" @state : memref<2xf32> = dense<0.0>
func.func @forward(%x: memref<2x2xf32>, %y: memref<2x3xf32>) {
  %0 = memref.get_global @matrix : memref<2x2xf32>
  memref.copy %0, %x : memref<2x2xf32> to memref<2x2xf32>
  %1 = memref.get_global @splat : memref<2x3xf32>
  memref.copy %1, %y : memref<2x3xf32> to memref<2x3xf32>
  return
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000000803F000000400000404000008040"
    }
  }
#-}

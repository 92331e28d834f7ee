// RUN: rm -rf %t && mkdir -p %t/other && split-file %s %t
// RUN: %python -B %test/Checkpoint/make_safetensors.py %t/a.safetensors w=F32:2x2 'a#b=F32:2x2'
// RUN: %python -B %test/Checkpoint/make_safetensors.py %t/b.safetensors w=F32:4x4 v=F32:2x2
// RUN: cp %t/b.safetensors %t/other/a.safetensors

// A weight is in the first of several checkpoints that has it, and all that are missing
// are one error.

// RUN: lane-opt --convert-linalg-to-lane=checkpoint=%t/a.safetensors,%t/b.safetensors %t/weights.mlir \
// RUN:   | FileCheck %t/weights.mlir
// RUN: not lane-opt --convert-linalg-to-lane=checkpoint=%t/a.safetensors,%t/b.safetensors %t/key.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MISSING
// MISSING: error: '{{.*}}a.safetensors', '{{.*}}b.safetensors' have no tensor for 'a\00b'

// A program names files without their folders.

// RUN: not lane-opt --convert-linalg-to-lane=checkpoint=%t/a.safetensors,%t/other/a.safetensors %t/weights.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SAME
// SAME: error: convert-linalg-to-lane: '{{.*}}a.safetensors' and '{{.*}}other/a.safetensors' have the same name

// A file may have a name with a NUL byte, which no program can have: 6 bytes are an escape.

// RUN: %python -c "import sys; p = sys.argv[1]; d = open(p, 'rb').read(); n = d[0]; open(p, 'wb').write(bytes([n + 5]) + d[1:8] + d[8:].replace(b'#', b'\\\\u0000', 1))" %t/a.safetensors
// RUN: lane-translate --checkpoint-to-json %t/a.safetensors | FileCheck %s --check-prefix=FILE
// RUN: not lane-opt --convert-linalg-to-lane=checkpoint=%t/a.safetensors %t/key.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NUL
// RUN: not lane-opt --convert-linalg-to-lane=checkpoint=%t/a.safetensors %t/location.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NUL
// FILE: "name": "a\u0000b"
// NUL: error: {{.*}} op has a weight whose tensor name "a\00b" is empty or contains a NUL byte

//--- weights.mlir
// CHECK: files(["a.safetensors", "b.safetensors"])
// CHECK-NEXT: lane.matrix @w : !lane.matrix<2x2xf32> rows [#lane.rows<file = 0, {{.*}}tensor = "w">]
// CHECK-NEXT: lane.matrix @v : !lane.matrix<2x2xf32> rows [#lane.rows<file = 1, {{.*}}tensor = "v">]
func.func @f(%w: memref<2x2xf32> {lane.weight = "w"}, %v: memref<2x2xf32> {lane.weight = "v"}) {
  return
}

//--- key.mlir
memref.global "private" constant @w : memref<2x2xf32> = dense_resource<"a\00b">
func.func @f(%x: memref<2x2xf32>) {
  %0 = memref.get_global @w : memref<2x2xf32>
  memref.copy %0, %x : memref<2x2xf32> to memref<2x2xf32>
  return
}

//--- location.mlir
func.func @f(%w: memref<2x2xf32> loc("a\00b")) {
  return
}

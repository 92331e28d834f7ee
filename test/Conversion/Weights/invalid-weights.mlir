// RUN: rm -rf %t && mkdir -p %t
// RUN: lane-opt --export-weights=file=%t/m.safetensors --split-input-file --verify-diagnostics %s
// RUN: lane-translate --export-weights --split-input-file --verify-diagnostics %s
// RUN: not ls %t/m.safetensors

// expected-error @+1 {{'memref.global' op @w has 'memref<4xi4>', whose element type is not a format of matrices}}
memref.global "private" constant @w : memref<4xi4> = dense<1>

// -----

// expected-error @+1 {{'memref.global' op @w has the name "a\00b", which contains a NUL byte}}
memref.global "private" constant @w : memref<2xf32> = dense_resource<"a\00b">

{-#
  dialect_resources: {
    builtin: {
      "a\00b": "0x040000000000803F00000040"
    }
  }
#-}

// -----

// expected-error @+1 {{'memref.global' op @w has the name "\FF", which is not UTF-8}}
memref.global "private" constant @w : memref<2xf32> = dense<1.0> {lane.weight = "\FF"}

// -----

// expected-error @+1 {{'memref.global' op @__metadata__ has the name "__metadata__", which is that of the metadata of a safetensors file}}
memref.global "private" constant @__metadata__ : memref<2xf32> = dense<1.0>

// -----

// expected-error @+1 {{'memref.global' op @w has 'memref<2xf32>' of 8 bytes, but its resource has 4}}
memref.global "private" constant @w : memref<2xf32> = dense_resource<short>

{-#
  dialect_resources: {
    builtin: {
      short: "0x040000000000803F"
    }
  }
#-}

// RUN: lane-opt %s --pass-pipeline="builtin.module(gpu.module(check-device-code))" --verify-diagnostics --split-input-file

gpu.module @kernels {
  // expected-error@below {{kernel 'scale' has no code to compile for a GPU}}
  llvm.func @scale(!llvm.ptr) attributes {gpu.kernel}
}

// -----

// expected-error@below {{a kernel calls '__nv_expf' of CUDA's device library, but no CUDA Toolkit was found: set the option toolkit or the environment variable CUDA_ROOT}}
gpu.module @kernels {
  llvm.func @__nv_expf(f32) -> f32
}

// RUN: lane-opt %s --residence-to-host --verify-diagnostics --split-input-file
// RUN: lane-opt %s --verify-diagnostics=only-expected --split-input-file \
// RUN:   --residence-to-host | FileCheck --allow-empty %s
// CHECK-NOT: llvm.

// expected-error@+1 {{expected a module with one lane.program, found 0}}
module {
}

// -----

lane.program @one context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}
// expected-error@+1 {{expected a module with one lane.program, found 2}}
lane.program @two context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}

// -----

// expected-error@+1 {{'lane.program' op 'unplanned' has no plan: run residence-plan first}}
lane.program @unplanned context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass)
    plan <arena = 1024, fixed = 1024, spare = 33554432, order = []> {
  lane.form @decode decode rows(1) arena(1024) {
    // expected-error@+1 {{'lane.alloc' op 'decode.x' has a slot without an offset: run arena-plan first}}
    %x = lane.alloc "x" plain <arena> : !lane.buffer<1x64xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass)
    plan <arena = 1024, fixed = 1024, spare = 33554432, order = []> {
  lane.form @decode decode rows(1) arena(1024) {
    // expected-error@+1 {{'lane.alloc' op 'decode.x' has a slot without an offset: run arena-plan first}}
    %x = lane.alloc "x" quantized <arena> : !lane.buffer<1x64xf32>
  }
}

// -----

// expected-error@+1 {{'lane.program' op has a file name that contains a NUL byte}}
lane.program @p context(16) numerics(one_pass) files(["a\00b"])
    plan <arena = 0, fixed = 1024, spare = 33554432, order = []> {
  lane.form @decode decode rows(1) {
  }
}

// The stock mlir-opt plans and lowers with the plugin. (It is built without
// sanitizers, so it cannot load a library with sanitizers.)
//
// UNSUPPORTED: sanitized
//
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s \
// RUN:   --pass-pipeline="builtin.module(lane.program(arena-plan,residence-plan,residence-place{budget=1600}))" \
// RUN:   | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s \
// RUN:   --pass-pipeline="builtin.module(lane.program(arena-plan,residence-plan),residence-to-host)" \
// RUN:   | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVM

// CHECK: lane.program @p
// CHECK: plan <arena = 256, fixed = 1024, spare = {{[0-9]+}}, order = [@a]>
// CHECK: placement <budget = 1600, moved = 1, device_bytes = 1280, host_bytes = 512>
// CHECK: lane.matrix @a {{.*}} extents [<host, offset = 0, bytes = {{[0-9]+}}>]
// LLVM: define i32 @lane_p_open(ptr %0, ptr %1, ptr %2)
lane.program @p context(16) numerics(one_pass) {
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    lane.launch "kernel" ins(%a : !lane.matrix<4x32xq8_0>) outs(%x : !lane.buffer<1x32xf32>)
  }
}

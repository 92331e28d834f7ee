// For a deficit of 50 MB, least_traffic must not move a head of 1 GB if 67 MB of
// other matrices suffice. last_read moves the head, as specified.
//
// RUN: lane-opt %s --residence-plan --residence-place="budget=1157961856 policy=least-traffic" \
// RUN:   | FileCheck %s
// RUN: lane-opt %s --residence-plan --residence-place="budget=1157961856 policy=least-traffic" \
// RUN:   | lane-translate --export-plan-json | FileCheck %s --check-prefix=TRAFFIC
// RUN: lane-opt %s --residence-plan --residence-place=budget=1157961856 \
// RUN:   | lane-translate --export-plan-json | FileCheck %s --check-prefix=ORDER

// CHECK: placement <budget = 1157961856, moved = 2, device_bytes = 1140852480, host_bytes = 67109376, policy = least_traffic>
// CHECK: lane.matrix @head {{.*}} extents [<device 0, offset = 0, bytes = {{[0-9]+}}>]
// CHECK: lane.matrix @w0 {{.*}} extents [<host, offset = 0, bytes = {{[0-9]+}}>]
// CHECK: lane.matrix @w1 {{.*}} extents [<host, offset = 0, bytes = {{[0-9]+}}>]
// CHECK: lane.matrix @w2 {{.*}} extents [<device 0, offset = 0, bytes = {{[0-9]+}}>]
// CHECK: lane.matrix @w3 {{.*}} extents [<device 0, offset = 0, bytes = {{[0-9]+}}>]

// At 32 GB/s of the link: 2 ms per token instead of 34.
//
// TRAFFIC: "host_step_bytes": 67108864,
// TRAFFIC-NEXT: "bound_host_step_bytes": 67108864,
// ORDER: "moved": 1,
// ORDER: "host_step_bytes": 1073741824,
// ORDER-NEXT: "bound_host_step_bytes": 67108864
lane.program @p context(16) numerics(one_pass) {
  lane.matrix @head : !lane.matrix<262144x2048xf16> rows [#lane.rows<file = 0, offset = 0, count = 262144>]
  lane.matrix @w0 : !lane.matrix<4096x4096xf16> rows [#lane.rows<file = 0, offset = 1073741824, count = 4096>]
  lane.matrix @w1 : !lane.matrix<4096x4096xf16> rows [#lane.rows<file = 0, offset = 1107296256, count = 4096>]
  lane.matrix @w2 : !lane.matrix<4096x4096xf16> rows [#lane.rows<file = 0, offset = 1140850688, count = 4096>]
  lane.matrix @w3 : !lane.matrix<4096x4096xf16> rows [#lane.rows<file = 0, offset = 1174405120, count = 4096>]
  lane.form @decode decode rows(1) {
    %head = lane.ref @head : !lane.matrix<262144x2048xf16>
    %w0 = lane.ref @w0 : !lane.matrix<4096x4096xf16>
    %w1 = lane.ref @w1 : !lane.matrix<4096x4096xf16>
    %w2 = lane.ref @w2 : !lane.matrix<4096x4096xf16>
    %w3 = lane.ref @w3 : !lane.matrix<4096x4096xf16>
    lane.launch "layers" ins(%w0 : !lane.matrix<4096x4096xf16>, %w1 : !lane.matrix<4096x4096xf16>, %w2 : !lane.matrix<4096x4096xf16>, %w3 : !lane.matrix<4096x4096xf16>)
    lane.launch "head" ins(%head : !lane.matrix<262144x2048xf16>)
  }
}

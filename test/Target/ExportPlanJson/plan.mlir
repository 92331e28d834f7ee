// All keys of a plan, and the additional key of a placement.

// RUN: lane-opt --residence-plan %s | lane-translate --export-plan-json \
// RUN:   | FileCheck --check-prefixes=CHECK,PLAN --match-full-lines %s
// RUN: lane-opt --residence-plan --residence-place=budget=80KB %s \
// RUN:   | lane-translate --export-plan-json \
// RUN:   | FileCheck --check-prefixes=CHECK,PLACED --match-full-lines %s

lane.program @tiny context(16) numerics(one_pass) {
  lane.matrix @embd : !lane.matrix<64x32xq8_0>
    rows [#lane.rows<file = 0, offset = 0, count = 64>]
  lane.matrix @head : !lane.matrix<64x32xq8_0>
    rows [#lane.rows<file = 0, offset = 0, count = 64>]
  lane.matrix @table : !lane.matrix<512x32xf32>
    rows [#lane.rows<file = 0, offset = 8192, count = 512>]
  lane.matrix @experts : !lane.matrix<4x32x32xf16>
    rows [#lane.rows<file = 0, offset = 81920, count = 128>]
  lane.values @norm : !lane.buffer<32xf32>
  lane.state @cache : !lane.buffer<16x32xf16>
  lane.form @decode decode rows(1) arena(4096) {
    %ids = lane.param "ids" plain <pool> : !lane.buffer<1xi32>
    %embd = lane.ref @embd : !lane.matrix<64x32xq8_0>
    %head = lane.ref @head : !lane.matrix<64x32xq8_0>
    %table = lane.ref @table : !lane.matrix<512x32xf32>
    %experts = lane.ref @experts : !lane.matrix<4x32x32xf16>
    %norm = lane.ref @norm plain <pool> : !lane.buffer<32xf32>
    %cache = lane.ref @cache plain <pool> : !lane.buffer<16x32xf16>
    %x = lane.alloc "x" plain <arena> : !lane.buffer<32xf32>
    lane.launch "embed" ins(%ids : !lane.buffer<1xi32>,
        %embd : !lane.matrix<64x32xq8_0> gather,
        %table : !lane.matrix<512x32xf32> gather)
      outs(%x : !lane.buffer<32xf32>)
      scratch [#lane.scratch<tag = 0, bytes = 300, pool>]
    lane.launch "experts" ins(%x : !lane.buffer<32xf32>,
        %experts : !lane.matrix<4x32x32xf16> expert(1 of 4))
      outs(%x : !lane.buffer<32xf32>)
    lane.launch "head" ins(%x : !lane.buffer<32xf32>,
        %norm : !lane.buffer<32xf32>, %head : !lane.matrix<64x32xq8_0>)
      outs(%x : !lane.buffer<32xf32>)
  }
}

// CHECK: {
// CHECK-NEXT:   "arena": 4096,
// CHECK-NEXT:   "fixed": 3072,
// CHECK-NEXT:   "spare": 33603584,
// CHECK-NEXT:   "whole": 83712,
// CHECK-NEXT:   "order": [
// CHECK-NEXT:     [
// CHECK-NEXT:       "table",
// CHECK-NEXT:       65792
// CHECK-NEXT:     ],
// CHECK-NEXT:     [
// CHECK-NEXT:       "experts",
// CHECK-NEXT:       8448
// CHECK-NEXT:     ],
// CHECK-NEXT:     [
// CHECK-NEXT:       "embd",
// CHECK-NEXT:       2304
// CHECK-NEXT:     ]
// CHECK-NEXT:   ],
// CHECK-NEXT:   "shares": {
// CHECK-NEXT:     "head": "embd"
// CHECK-NEXT:   },
// PLACED-NEXT:  "place": [
// PLACED-NEXT:    {
// PLACED-NEXT:      "budget": 80000,
// PLACED-NEXT:      "moved": 1,
// PLACED-NEXT:      "device_bytes": 17920,
// PLACED-NEXT:      "host_bytes": 65792
// PLACED-NEXT:    }
// PLACED-NEXT:  ],
// PLACED-NEXT:  "spaces": {
// PLACED-NEXT:    "device 0": 17920,
// PLACED-NEXT:    "host": 65792
// PLACED-NEXT:  },
// PLACED-NEXT:  "extents": {
// PLACED-NEXT:    "table": [
// PLACED-NEXT:      {
// PLACED-NEXT:        "space": "host",
// PLACED-NEXT:        "offset": 0,
// PLACED-NEXT:        "bytes": 65792
// PLACED-NEXT:      }
// PLACED-NEXT:    ],
// PLACED-NEXT:    "experts": [
// PLACED-NEXT:      {
// PLACED-NEXT:        "space": "device 0",
// PLACED-NEXT:        "offset": 0,
// PLACED-NEXT:        "bytes": 8448
// PLACED-NEXT:      }
// PLACED-NEXT:    ],
// PLACED-NEXT:    "embd": [
// PLACED-NEXT:      {
// PLACED-NEXT:        "space": "device 0",
// PLACED-NEXT:        "offset": 0,
// PLACED-NEXT:        "bytes": 2304
// PLACED-NEXT:      }
// PLACED-NEXT:    ]
// PLACED-NEXT:  },
// PLACED-NEXT:  "traffic": {
// PLACED-NEXT:    "policy": "last_read",
// PLACED-NEXT:    "host_step_bytes": 128,
// PLACED-NEXT:    "bound_host_step_bytes": 8
// PLACED-NEXT:  },
// PLAN-NOT:     "place"
// PLAN-NOT:     "extents"
// CHECK:        "terms": {
// CHECK-NEXT:     "loop": 1024,
// CHECK-NEXT:     "values": 256,
// CHECK-NEXT:     "state": 1024,
// CHECK-NEXT:     "buffers": 256,
// CHECK-NEXT:     "scratch": 512
// CHECK-NEXT:   },
// CHECK-NEXT:   "classes": {
// CHECK-NEXT:     "table": "gather",
// CHECK-NEXT:     "experts": "expert",
// CHECK-NEXT:     "embd": "other"
// CHECK-NEXT:   },
// CHECK-NEXT:   "last_read": {
// CHECK-NEXT:     "table": 0,
// CHECK-NEXT:     "experts": 1,
// CHECK-NEXT:     "embd": 2
// CHECK-NEXT:   }
// CHECK-NEXT: }

// least_traffic moves the uploads with the fewest bytes read per step, regardless of
// their position in the order.
//
// RUN: lane-opt %s --residence-plan --residence-place="budget=3071 policy=least-traffic" \
// RUN:   | FileCheck %s --check-prefix=B3071
// RUN: lane-opt %s --residence-plan --residence-place="budget=2560 policy=least-traffic" \
// RUN:   | FileCheck %s --check-prefix=B2560
// RUN: lane-opt %s --residence-plan --residence-place="budget=2303 policy=least-traffic" \
// RUN:   | FileCheck %s --check-prefix=B2303
// RUN: lane-opt %s --residence-plan --residence-place="budget=3584 policy=least-traffic" \
// RUN:   | FileCheck %s --check-prefix=ALL
// RUN: not lane-opt %s --residence-plan --residence-place="budget=1279 policy=least-traffic" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REFUSED
// RUN: lane-opt %s --residence-plan --residence-place="budget=2303 policy=least-traffic" \
// RUN:   --emit-bytecode | lane-translate --export-plan-json \
// RUN:   | FileCheck %s --check-prefix=JSON
// RUN: not lane-opt %s --residence-plan --residence-place="budget=2303 policy=most" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=POLICY

// Arena and fixed 1280; uploads 512, 768 and 1024. A step reads one row of q8_0
// (34 bytes), one of two experts (256), and all (768) of them.

// The deficit is 513 bytes. last_read would move "embd" and "up": "up" is enough.
//
// B3071: placement <budget = 3071, moved = 1, device_bytes = 2816, host_bytes = 768, policy = least_traffic> {
// B3071: lane.matrix @embd {{.*}} extents [<device 0, offset = 0, bytes = {{[0-9]+}}>]{{$}}
// B3071: lane.matrix @up {{.*}} extents [<host, offset = 0, bytes = {{[0-9]+}}>]{{$}}
// B3071: lane.matrix @w {{.*}} extents [<device 0, offset = 0, bytes = {{[0-9]+}}>]{{$}}
// B3071: lane.matrix @tied {{.*}} extents [<device 0, offset = 0, bytes = {{[0-9]+}}>]{{$}}

// The deficit is 1024: two uploads with few reads leave instead of "w", which has
// exactly that size.
//
// B2560: placement <budget = 2560, moved = 2, device_bytes = 2304, host_bytes = 1280, policy = least_traffic> {
// B2560: lane.matrix @embd {{.*}} extents [<host, offset = 0, bytes = {{[0-9]+}}>]{{$}}
// B2560: lane.matrix @up {{.*}} extents [<host, offset = 0, bytes = {{[0-9]+}}>]{{$}}
// B2560: lane.matrix @w {{.*}} extents [<device 0, offset = 0, bytes = {{[0-9]+}}>]{{$}}

// The deficit is 1281: aliases of an upload move with it.
//
// B2303: placement <budget = 2303, moved = 2, device_bytes = 2048, host_bytes = 1536, policy = least_traffic> {
// B2303: lane.matrix @embd {{.*}} extents [<host, offset = 0, bytes = {{[0-9]+}}>]{{$}}
// B2303: lane.matrix @up {{.*}} extents [<device 0, offset = 0, bytes = {{[0-9]+}}>]{{$}}
// B2303: lane.matrix @w {{.*}} extents [<host, offset = 0, bytes = {{[0-9]+}}>]{{$}}
// B2303: lane.matrix @tied {{.*}} extents [<host, offset = 0, bytes = {{[0-9]+}}>]{{$}}

// ALL: placement <budget = 3584, moved = 0, device_bytes = 3584, host_bytes = 0, policy = least_traffic> {
// ALL-NOT: extents [<host

// REFUSED: error: 'lane.program' op 'three' is refused: the program needs 1280 bytes on the device at least, but the budget is 1279 bytes

// JSON:      "place": [
// JSON-NEXT:   {
// JSON-NEXT:     "budget": 2303,
// JSON-NEXT:     "moved": 2,
// JSON-NEXT:     "device_bytes": 2048,
// JSON-NEXT:     "host_bytes": 1536
// JSON-NEXT:   }
// JSON-NEXT: ],
// JSON-NEXT: "spaces": {
// JSON-NEXT:   "device 0": 2048,
// JSON-NEXT:   "host": 1536
// JSON-NEXT: },
// JSON:      "traffic": {
// JSON-NEXT:   "policy": "least_traffic",
// JSON-NEXT:   "host_step_bytes": 802,
// JSON-NEXT:   "bound_host_step_bytes": {{[0-9]+}},
// JSON-NEXT:   "host": [
// JSON-NEXT:     "embd",
// JSON-NEXT:     "w"
// JSON-NEXT:   ]

// POLICY: for the --policy option: Cannot find option named 'most'!

lane.program @three context(16) numerics(one_pass) {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.matrix @up : !lane.matrix<2x4x32xf16> rows [#lane.rows<file = 0, offset = 4096, count = 8>]
  lane.matrix @w : !lane.matrix<6x32xf32> rows [#lane.rows<file = 0, offset = 8192, count = 6>]
  lane.matrix @tied : !lane.matrix<6x32xf32> rows [#lane.rows<file = 0, offset = 8192, count = 6>]
  lane.form @decode decode rows(1) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %up = lane.ref @up : !lane.matrix<2x4x32xf16>
    %w = lane.ref @w : !lane.matrix<6x32xf32>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "experts" ins(%x : !lane.buffer<1x32xf32>, %up : !lane.matrix<2x4x32xf16> expert(1 of 2)) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "head" ins(%x : !lane.buffer<1x32xf32>, %w : !lane.matrix<6x32xf32>)
  }
}

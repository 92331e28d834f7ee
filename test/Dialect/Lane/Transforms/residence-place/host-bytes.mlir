// A placement that takes more host memory than the limit is refused with both
// values.
//
// RUN: lane-opt %s --residence-plan \
// RUN:   --residence-place="budget=8390144 host-bytes=4194560" \
// RUN:   | FileCheck %s --check-prefix=EXACT
// RUN: not lane-opt %s --residence-plan \
// RUN:   --residence-place="budget=8390144 host-bytes=4194559" 2> %t.err | count 0
// RUN: FileCheck %s --check-prefix=LESS < %t.err
// RUN: not lane-opt %s \
// RUN:   --residence-pipeline="budget=8390144 host-bytes=4MiB policy=least-traffic" \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=LEAST
// RUN: lane-opt %s --residence-plan \
// RUN:   --residence-place="budget=12584704 host-bytes=0" \
// RUN:   | FileCheck %s --check-prefix=FITS
// RUN: not lane-opt %s --residence-plan \
// RUN:   --residence-place="budget=12584704 host-bytes=1PiB" -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SIZE

// Fixed 1024, and three uploads of 4194560.

// EXACT: placement <budget = 8390144, moved = 1, device_bytes = 8390144, host_bytes = 4194560> {
// LESS: host-bytes.mlir:[[#@LINE+6]]:1: error: 'lane.program' op 'p' is refused: the placement needs 4194560 bytes of host memory, but the limit is 4194559 bytes{{$}}
// LESS-NOT: error:
// LEAST: error: 'lane.program' op 'p' is refused: the placement needs 4194560 bytes of host memory, but the limit is 4194304 bytes{{$}}
// FITS: placement <budget = 12584704, moved = 0, device_bytes = 12584704, host_bytes = 0> {
// SIZE: error: 'lane.program' op residence-place: '1PiB' is not a size: expected bytes, or a number with K, M, G, T, KiB, MiB, GiB, TiB, KB, MB, GB or TB{{$}}

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @a : !lane.matrix<1024x1024xf32> rows [#lane.rows<file = 0, offset = 0, count = 1024>]
  lane.matrix @b : !lane.matrix<1024x1024xf32> rows [#lane.rows<file = 0, offset = 4194304, count = 1024>]
  lane.matrix @c : !lane.matrix<1024x1024xf32> rows [#lane.rows<file = 0, offset = 8388608, count = 1024>]
  lane.form @decode decode rows(1) {
    %a = lane.ref @a : !lane.matrix<1024x1024xf32>
    %b = lane.ref @b : !lane.matrix<1024x1024xf32>
    %c = lane.ref @c : !lane.matrix<1024x1024xf32>
    lane.launch "gather" ins(%a : !lane.matrix<1024x1024xf32> gather)
    lane.launch "two" ins(%b : !lane.matrix<1024x1024xf32>, %c : !lane.matrix<1024x1024xf32>)
  }
}

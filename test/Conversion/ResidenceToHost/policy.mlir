// A generated program places by the policy of the placement or of the option, or by
// last-read if there is neither.
//
// RUN: lane-opt %s --residence-plan -o %t.planned
// RUN: lane-opt %t.planned --residence-place="budget=2100 policy=least-traffic" -o %t.placed
//
// RUN: lane-opt %t.planned --residence-to-host | FileCheck %s --check-prefix=LAST
// RUN: lane-opt %t.planned --residence-to-host=policy=as-placed | FileCheck %s --check-prefix=LAST
// RUN: lane-opt %t.planned --residence-to-host=policy=last-read | FileCheck %s --check-prefix=LAST
// RUN: lane-opt %t.planned --residence-to-host=policy=least-traffic | FileCheck %s --check-prefix=LEAST
// RUN: lane-opt %t.placed --residence-to-host | FileCheck %s --check-prefix=LEAST
// RUN: lane-opt %t.placed --residence-to-host=policy=least-traffic | FileCheck %s --check-prefix=LEAST
// RUN: lane-opt %t.placed --residence-to-host=target=cpp \
// RUN:   | lane-translate --emit-cpp | FileCheck %s --check-prefix=CPP
// RUN: not lane-opt %t.placed --residence-to-host=policy=last-read 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR

// LAST: @lane_p_uploads(dense<{{\[\[}}512, 0], [512, 0]]>
// LAST: llvm.call @lanePlaceLastRead
// LAST-NOT: llvm.call @lanePlaceLeastTraffic
//
// LEAST: @lane_p_uploads(dense<{{\[\[}}512, 64], [512, 256]]>
// LEAST: llvm.call @lanePlaceLeastTraffic
// LEAST-NOT: llvm.call @lanePlaceLastRead
//
// A source contains only the policy that it calls.
// CPP-NOT: lanePlaceLastRead
// CPP: class LaneTrafficSearch
// CPP-NOT: lanePlaceLastRead
// CPP: lanePlaceLeastTraffic(
//
// ERROR: error: 'lane.program' op 'p' is placed by the policy least_traffic, but residence-to-host is given last_read
lane.program @p context(16) numerics(one_pass) {
  lane.matrix @table : !lane.matrix<4x16xf32>
    rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.matrix @dense : !lane.matrix<4x16xf32>
    rows [#lane.rows<file = 0, offset = 256, count = 4>]
  lane.form @decode decode rows(1) {
    %ids = lane.param "ids" plain <pool> : !lane.buffer<1xi32>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x16xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x4xf32>
    %t = lane.ref @table : !lane.matrix<4x16xf32>
    %d = lane.ref @dense : !lane.matrix<4x16xf32>
    lane.gather %ids of %t into %x : !lane.buffer<1xi32>, !lane.matrix<4x16xf32>, !lane.buffer<1x16xf32>
    lane.launch "kernel" ins(%d : !lane.matrix<4x16xf32>, %x : !lane.buffer<1x16xf32>) outs(%y : !lane.buffer<1x4xf32>)
  }
}

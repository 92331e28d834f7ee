// Page tables of mapped host memory are part of the budget where an option asks for
// that: more uploads leave than without them, until there is room for both.
//
// RUN: lane-opt %s --residence-plan --residence-place=budget=8394704 \
// RUN:   | FileCheck %s --check-prefix=EXACT
// RUN: lane-opt %s --residence-plan \
// RUN:   --residence-place="budget=8394704 page-tables" \
// RUN:   | FileCheck %s --check-prefix=COUNTED
// RUN: lane-opt %s --residence-plan \
// RUN:   --residence-place="budget=8394704 page-tables policy=least-traffic" \
// RUN:   | FileCheck %s --check-prefix=LEAST
// RUN: lane-opt %s --residence-pipeline="device-bytes=41981904 page-tables" \
// RUN:   | FileCheck %s --check-prefix=COUNTED
// RUN: lane-opt %s --residence-plan \
// RUN:   --residence-place="budget=12584704 page-tables" \
// RUN:   | FileCheck %s --check-prefix=FITS
// RUN: lane-opt %s --residence-plan \
// RUN:   --residence-place="budget=33890 page-tables" \
// RUN:   | FileCheck %s --check-prefix=TIGHT
// RUN: not lane-opt %s --residence-plan \
// RUN:   --residence-place="budget=33889 page-tables" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REFUSED
// RUN: lane-opt %s --residence-plan \
// RUN:   --residence-place="budget=8394704 page-tables" --emit-bytecode \
// RUN:   | lane-translate --export-plan-json | FileCheck %s --check-prefix=JSON
// RUN: lane-opt %s --residence-plan --residence-place=budget=8394704 \
// RUN:   | lane-translate --export-plan-json \
// RUN:   | FileCheck %s --check-prefix=NO-JSON --implicit-check-not=page_table
// RUN: lane-opt %s --residence-plan \
// RUN:   --residence-place="budget=8394704 page-tables" \
// RUN:   | sed 's/page_table_bytes = 24576/page_table_bytes = 16384/' \
// RUN:   | not lane-translate --export-plan-json 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STALE

// Fixed 1024, and three uploads of 4194560. 4190000 bytes are missing, and the
// page tables of one upload are four of 4 KiB.

// EXACT: placement <budget = 8394704, moved = 1, device_bytes = 8390144, host_bytes = 4194560> {
// COUNTED: placement <budget = 8394704, moved = 2, device_bytes = 4195584, host_bytes = 8389120, page_table_bytes = 24576> {
// LEAST: placement <budget = 8394704, moved = 2, device_bytes = 4195584, host_bytes = 8389120, page_table_bytes = 24576, policy = least_traffic> {
// FITS: placement <budget = 12584704, moved = 0, device_bytes = 12584704, host_bytes = 0> {
// TIGHT: placement <budget = 33890, moved = 3, device_bytes = 1024, host_bytes = 12583680, page_table_bytes = 32768> {
// REFUSED: error: 'lane.program' op 'p' is refused: the program needs 33890 bytes on the device at least, with page tables, but the budget is 33889 bytes{{$}}

// JSON:      "place": [
// JSON-NEXT:   {
// JSON-NEXT:     "budget": 8394704,
// JSON-NEXT:     "moved": 2,
// JSON-NEXT:     "device_bytes": 4195584,
// JSON-NEXT:     "host_bytes": 8389120,
// JSON-NEXT:     "page_table_bytes": 24576
// JSON-NEXT:   }
// JSON-NEXT: ],
// NO-JSON: "host_bytes": 4194560

// STALE: error: 'lane.program' op the placement is stale, run residence-place again: page tables have 16384 bytes, but those of 8389120 host bytes have 24576

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

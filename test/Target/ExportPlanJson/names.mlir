// A symbol may have any bytes, but the output is valid UTF-8.

// RUN: lane-opt --residence-plan %s | lane-translate --export-plan-json -o %t
// RUN: %python -c "import json; print(*(ascii(name) for name, _ in json.load(open(r'%t', encoding='utf-8', errors='strict'))['order']), sep='\n')" \
// RUN:   | FileCheck --match-full-lines %s

// CHECK: 'quote"d'
// CHECK-NEXT: 'w\xe9'
// CHECK-NEXT: '\ufffd'
lane.program @names context(1) numerics(one_pass) {
  lane.matrix @"\FF" : !lane.matrix<1x32xf32>
    rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.matrix @"w\C3\A9" : !lane.matrix<1x32xf32>
    rows [#lane.rows<file = 0, offset = 128, count = 1>]
  lane.matrix @"quote\22d" : !lane.matrix<1x32xf32>
    rows [#lane.rows<file = 0, offset = 256, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

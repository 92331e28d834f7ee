// RUN: not lane-opt %s --convert-linalg-to-lane=context=0 2>&1 | FileCheck %s
// RUN: not lane-opt %s --convert-linalg-to-lane=context=-5 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NEGATIVE
// RUN: not lane-opt %s --convert-linalg-to-lane=context=99999999999999 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LARGE
// RUN: lane-opt %s --convert-linalg-to-lane=context=1073741824 \
// RUN:   | FileCheck %s --check-prefix=MOST

// The bound is that of models that are imported.

// CHECK: error: convert-linalg-to-lane: context of 0 is out of the range 1 to 1073741824
// NEGATIVE: error: convert-linalg-to-lane: context of -5 is out of the range 1 to 1073741824
// LARGE: error: convert-linalg-to-lane: context of 99999999999999 is out of the range 1 to 1073741824
// MOST: lane.program @step context(1073741824)
func.func @step() {
  return
}

// RUN: not lane-opt %s --convert-linalg-to-lane=context=0 2>&1 | FileCheck %s

// CHECK: error: convert-linalg-to-lane: a context of 0 tokens is not positive
func.func @step() {
  return
}

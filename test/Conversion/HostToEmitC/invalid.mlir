// RUN: lane-opt %s --convert-host-to-emitc --verify-diagnostics --split-input-file

// expected-error@+1 {{expected a module with one host.interface, found 0: run residence-to-host first}}
module {
}

// -----

host.interface @lane_tiny pointers [] comments []
// expected-error@+1 {{failed to legalize operation 'func.func'}}
func.func @f(%x: vector<4xf32>) -> vector<4xf32> {
  %y = arith.addf %x, %x : vector<4xf32>
  return %y : vector<4xf32>
}

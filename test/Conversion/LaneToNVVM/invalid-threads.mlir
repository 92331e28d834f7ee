// RUN: lane-opt %s --pass-pipeline="builtin.module(func.func(step-to-parallel-loops{threads=1025}))" --verify-diagnostics

// expected-error@below {{a block has 1 to 1024 threads, not 1025}}
func.func @step() attributes {lane.step = @tiny::@decode} {
  return
}

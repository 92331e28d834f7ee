// RUN: lane-opt %s --arena-plan --residence-plan --residence-to-host --verify-diagnostics --split-input-file

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}
// expected-error@below {{'func.func' op has an argument of type 'index', but the inputs of a step are buffers of the program}}
func.func @step(%n: index) attributes {lane.step = @tiny::@decode} {
  return
}

// -----

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}
// expected-error@below {{'func.func' op is a step of @tiny::@prefill, which is not a form of the program}}
func.func @step() attributes {lane.step = @tiny::@prefill} {
  return
}

// -----

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}
func.func @first() attributes {lane.step = @tiny::@decode} {
  return
}
// expected-error@below {{'func.func' op is a step of @tiny::@decode, but so is @first}}
func.func @second() attributes {lane.step = @tiny::@decode} {
  return
}

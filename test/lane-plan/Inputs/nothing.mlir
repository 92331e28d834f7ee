// A program without matrices.
lane.program @nothing context(128) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}

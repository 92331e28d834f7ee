lane.program @nothing context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}

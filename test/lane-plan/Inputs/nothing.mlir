// Nothing to place.
lane.program @nothing context(128) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}

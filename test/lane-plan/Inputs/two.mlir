lane.program @first context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}
lane.program @second context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}

lane.program @program context(16) numerics(one_pass) {
  lane.nothing
}

// RUN: lane-opt %s --split-input-file --verify-diagnostics

// Extents that do not cover each byte of an upload, of 512, exactly once.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.matrix' op extents leave bytes 256 to 257 uncovered}}
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] extents [<host, offset = 0, bytes = 256>, <host, offset = 257, bytes = 255>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.matrix' op extents leave bytes 0 to 256 uncovered}}
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] extents [<host, offset = 256, bytes = 256>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.matrix' op extent at byte 255 overlaps the one before, which ends at 256}}
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] extents [<device 0, offset = 0, bytes = 256>, <host, offset = 255, bytes = 257>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.matrix' op extent at byte 0 overlaps the one before, which ends at 512}}
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] extents [<device 0, offset = 0, bytes = 512>, <host, offset = 0, bytes = 512>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.matrix' op extents cover 511 of 512 bytes}}
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] extents [<host, offset = 0, bytes = 511>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.matrix' op extents cover 513 of 512 bytes}}
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] extents [<host, offset = 0, bytes = 513>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.matrix' op extents cover 0 of 512 bytes}}
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] extents []
  lane.form @decode decode rows(1) {
  }
}

// -----

// An alias has the extents of its owner.

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] extents [<host, offset = 0, bytes = 512>]
  // expected-error @+1 {{'lane.matrix' op extents differ from those of its owner @w}}
  lane.matrix @alias : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] shares @w extents [<device 0, offset = 0, bytes = 512>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] extents [<host, offset = 0, bytes = 512>]
  // expected-error @+1 {{'lane.matrix' op extents differ from those of its owner @w}}
  lane.matrix @alias : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] shares @w
  lane.form @decode decode rows(1) {
  }
}

// -----

// expected-error @+1 {{device number -1 is negative}}
module attributes {lane.test = #lane.space<device -1>} {
}

// -----

// expected-error @+2 {{expected 'device' or 'host'}}
// expected-error @+1 {{failed to parse Lane_SpaceAttr}}
module attributes {lane.test = #lane.space<disk>} {
}

// -----

// expected-error @+1 {{offset -256 is negative}}
module attributes {lane.test = #lane.extent<host, offset = -256, bytes = 256>} {
}

// -----

// expected-error @+1 {{0 bytes of an extent are not positive}}
module attributes {lane.test = #lane.extent<host, offset = 0, bytes = 0>} {
}

// -----

// expected-error @+1 {{9223372036854775807 bytes at offset 1 overflow int64}}
module attributes {lane.test = #lane.extent<host, offset = 1, bytes = 9223372036854775807>} {
}

// -----

// expected-error @+1 {{device number -1 is negative}}
module attributes {lane.test = #lane.extent<device -1, offset = 0, bytes = 1>} {
}

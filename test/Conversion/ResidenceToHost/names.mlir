// For any names of the model, the generated names are legal in C, unique, and do
// not end a comment.
//
// RUN: lane-opt %s --residence-plan --residence-to-host=target=cpp \
// RUN:   | lane-translate --emit-cpp --cpp-file=header -o %t.h
// RUN: FileCheck --match-full-lines %s < %t.h
// RUN: %cxx -x c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only %t.h
// RUN: cc -x c -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only %t.h

// CHECK:     #ifndef LANE_3_MODELS_V1_0_H
// CHECK:   /* _/ int x; /_: f32, 256 bytes of upload 0 */
// CHECK-NEXT:   LANE_3_MODELS_V1_0____INT_X____,
// CHECK-NEXT:   /* A-B: f32, 256 bytes of upload 1 */
// CHECK-NEXT:   LANE_3_MODELS_V1_0_A_B,
// CHECK-NEXT:   /* a.b: f32, 256 bytes of upload 2 */
// CHECK-NEXT:   LANE_3_MODELS_V1_0_A_B_2,
// CHECK-NEXT:   /* a_b: f32, 256 bytes of upload 3 */
// CHECK-NEXT:   LANE_3_MODELS_V1_0_A_B_3,
// CHECK-NEXT:   /* gr____: f32, 256 bytes of upload 4 */
// CHECK-NEXT:   LANE_3_MODELS_V1_0_GR____,
// CHECK-NEXT:   /* int: f32, 256 bytes of upload 5 */
// CHECK-NEXT:   LANE_3_MODELS_V1_0_INT,
// CHECK:     int32_t lane_3_models_v1_0_open(const lane_options *options, lane_program **program,
lane.program @"3 models v1.0" context(16) numerics(one_pass) {
  lane.matrix @a.b : !lane.matrix<4x16xf32> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.matrix @a_b : !lane.matrix<4x16xf32> rows [#lane.rows<file = 0, offset = 256, count = 4>]
  lane.matrix @"A-B" : !lane.matrix<4x16xf32> rows [#lane.rows<file = 0, offset = 512, count = 4>]
  lane.matrix @"*/ int x; /*" : !lane.matrix<4x16xf32> rows [#lane.rows<file = 0, offset = 768, count = 4>]
  lane.matrix @int : !lane.matrix<4x16xf32> rows [#lane.rows<file = 0, offset = 1024, count = 4>]
  lane.matrix @"größ" : !lane.matrix<4x16xf32> rows [#lane.rows<file = 0, offset = 1280, count = 4>]
  lane.form @decode decode rows(1) {
  }
}

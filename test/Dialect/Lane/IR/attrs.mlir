// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines

// Every attribute of the dialect in each of its forms.

lane.program @p context(16) numerics(one_pass) {
  // CHECK: lane.state @s0 : !lane.buffer<4xf32> {value = #lane.rows<file = 0, offset = 0, count = 1>}
  lane.state @s0 : !lane.buffer<4xf32> {value = #lane.rows<file = 0, offset = 0, count = 1>}
  // CHECK-NEXT: lane.state @s1 : !lane.buffer<4xf32> {value = #lane.rows<file = 3, offset = 4611686018427387904, count = 9223372036854775807>}
  lane.state @s1 : !lane.buffer<4xf32> {value = #lane.rows<file = 3, offset = 4611686018427387904, count = 9223372036854775807>}
  // CHECK-NEXT: lane.state @s2 : !lane.buffer<4xf32> {value = #lane.storage<pool>}
  lane.state @s2 : !lane.buffer<4xf32> {value = #lane.storage<pool>}
  // CHECK-NEXT: lane.state @s3 : !lane.buffer<4xf32> {value = #lane.storage<arena>}
  lane.state @s3 : !lane.buffer<4xf32> {value = #lane.storage<arena>}
  // CHECK-NEXT: lane.state @s4 : !lane.buffer<4xf32> {value = #lane.storage<arena[0]>}
  lane.state @s4 : !lane.buffer<4xf32> {value = #lane.storage<arena[0]>}
  // CHECK-NEXT: lane.state @s5 : !lane.buffer<4xf32> {value = #lane.storage<arena[512]>}
  lane.state @s5 : !lane.buffer<4xf32> {value = #lane.storage<arena[512]>}
  // CHECK-NEXT: lane.state @s6 : !lane.buffer<4xf32> {value = #lane.scratch<tag = 0, bytes = 4096, pool>}
  lane.state @s6 : !lane.buffer<4xf32> {value = #lane.scratch<tag = 0, bytes = 4096, pool>}
  // CHECK-NEXT: lane.state @s7 : !lane.buffer<4xf32> {value = #lane.scratch<tag = -1, bytes = 0, counter, pool>}
  lane.state @s7 : !lane.buffer<4xf32> {value = #lane.scratch<tag = -1, bytes = 0, counter, pool>}
  // CHECK-NEXT: lane.state @s8 : !lane.buffer<4xf32> {value = #lane.scratch<tag = 2, bytes = 65536, arena>}
  lane.state @s8 : !lane.buffer<4xf32> {value = #lane.scratch<tag = 2, bytes = 65536, arena>}
  // CHECK-NEXT: lane.state @s9 : !lane.buffer<4xf32> {value = #lane.scratch<tag = 2, bytes = 65536, arena[1024]>}
  lane.state @s9 : !lane.buffer<4xf32> {value = #lane.scratch<tag = 2, bytes = 65536, arena[1024]>}
  // CHECK-NEXT: lane.state @s10 : !lane.buffer<4xf32> {value = #lane.access<dense>}
  lane.state @s10 : !lane.buffer<4xf32> {value = #lane.access<dense>}
  // CHECK-NEXT: lane.state @s11 : !lane.buffer<4xf32> {value = #lane.access<gather>}
  lane.state @s11 : !lane.buffer<4xf32> {value = #lane.access<gather>}
  // CHECK-NEXT: lane.state @s12 : !lane.buffer<4xf32> {value = #lane.access<expert>}
  lane.state @s12 : !lane.buffer<4xf32> {value = #lane.access<expert>}
  // CHECK-NEXT: lane.state @s13 : !lane.buffer<4xf32> {value = #lane.access<expert 8 of 128>}
  lane.state @s13 : !lane.buffer<4xf32> {value = #lane.access<expert 8 of 128>}
  // CHECK-NEXT: lane.state @s14 : !lane.buffer<4xf32> {value = #lane.access<expert 1 of 1>}
  lane.state @s14 : !lane.buffer<4xf32> {value = #lane.access<expert 1 of 1>}
  // CHECK-NEXT: lane.state @s15 : !lane.buffer<4xf32> {value = #lane.residence<class = gather, last_read = 57, rank = 3, bytes = 113246464>}
  lane.state @s15 : !lane.buffer<4xf32> {value = #lane.residence<class = gather, last_read = 57, rank = 3, bytes = 113246464>}
  // CHECK-NEXT: lane.state @s16 : !lane.buffer<4xf32> {value = #lane.residence<class = expert, last_read = 0, rank = 0, bytes = 256>}
  lane.state @s16 : !lane.buffer<4xf32> {value = #lane.residence<class = expert, last_read = 0, rank = 0, bytes = 256>}
  // CHECK-NEXT: lane.state @s17 : !lane.buffer<4xf32> {value = #lane.residence<class = other, last_read = 0, rank = 0, bytes = 9223372036854775552>}
  lane.state @s17 : !lane.buffer<4xf32> {value = #lane.residence<class = other, last_read = 0, rank = 0, bytes = 9223372036854775552>}
  // CHECK-NEXT: lane.state @s18 : !lane.buffer<4xf32> {value = #lane.plan<arena = 0, fixed = 1024, spare = 33554432, order = []>}
  lane.state @s18 : !lane.buffer<4xf32> {value = #lane.plan<arena = 0, fixed = 1024, spare = 33554432, order = []>}
  // CHECK-NEXT: lane.state @s19 : !lane.buffer<4xf32> {value = #lane.plan<arena = 1048576, fixed = 24832, spare = 33882112, order = [@a, @b]>}
  lane.state @s19 : !lane.buffer<4xf32> {value = #lane.plan<arena = 1048576, fixed = 24832, spare = 33882112, order = [@a, @b]>}
  // CHECK-NEXT: lane.state @s20 : !lane.buffer<4xf32> {value = #lane.placement<budget = 12884901888, moved = 49, device_bytes = 12801335552, host_bytes = 6157238272>}
  lane.state @s20 : !lane.buffer<4xf32> {value = #lane.placement<budget = 12884901888, moved = 49, device_bytes = 12801335552, host_bytes = 6157238272>}
  // CHECK-NEXT: lane.state @s21 : !lane.buffer<4xf32> {value = #lane.space<device 0>}
  lane.state @s21 : !lane.buffer<4xf32> {value = #lane.space<device 0>}
  // CHECK-NEXT: lane.state @s22 : !lane.buffer<4xf32> {value = #lane.space<device 7>}
  lane.state @s22 : !lane.buffer<4xf32> {value = #lane.space<device 7>}
  // CHECK-NEXT: lane.state @s23 : !lane.buffer<4xf32> {value = #lane.space<host>}
  lane.state @s23 : !lane.buffer<4xf32> {value = #lane.space<host>}
  // CHECK-NEXT: lane.state @s24 : !lane.buffer<4xf32> {value = #lane.extent<device 1, offset = 256, bytes = 1>}
  lane.state @s24 : !lane.buffer<4xf32> {value = #lane.extent<device 1, offset = 256, bytes = 1>}
  // CHECK-NEXT: lane.state @s25 : !lane.buffer<4xf32> {value = #lane.extent<host, offset = 0, bytes = 9223372036854775807>}
  lane.state @s25 : !lane.buffer<4xf32> {value = #lane.extent<host, offset = 0, bytes = 9223372036854775807>}
  // CHECK-NEXT: lane.state @s26 : !lane.buffer<4xf32> {value = #lane<extents[]>}
  lane.state @s26 : !lane.buffer<4xf32> {value = #lane<extents[]>}
  // CHECK-NEXT: lane.state @s27 : !lane.buffer<4xf32> {value = #lane<extents[<device 0, offset = 0, bytes = 256>, <host, offset = 256, bytes = 256>]>}
  lane.state @s27 : !lane.buffer<4xf32> {value = #lane<extents[<device 0, offset = 0, bytes = 256>, <host, offset = 256, bytes = 256>]>}
  // CHECK-NEXT: lane.state @s28 : !lane.buffer<4xf32> {value = #lane.placement<budget = 6, moved = 1, device_bytes = 2, host_bytes = 3, page_table_bytes = 4, policy = least_traffic>}
  lane.state @s28 : !lane.buffer<4xf32> {value = #lane.placement<budget = 6, moved = 1, device_bytes = 2, host_bytes = 3, page_table_bytes = 4, policy = least_traffic>}
  lane.form @decode decode rows(1) {
  }
}

// RUN: lane-opt %s --pass-pipeline="builtin.module(attach-nvvm-target{chip=sm_999})" --verify-diagnostics

// expected-error@below {{unknown chip 'sm_999', expected one such as sm_90}}
module {
}

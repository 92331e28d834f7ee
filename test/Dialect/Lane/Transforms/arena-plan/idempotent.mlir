// RUN: lane-opt %s --arena-plan -o %t.once
// RUN: lane-opt %s --arena-plan --arena-plan | diff %t.once -
// RUN: lane-opt %s --arena-plan --arena-plan=replan=true | diff %t.once -
// RUN: lane-opt %t.once --arena-plan=replan=true | diff %t.once -

lane.program @p context(16) numerics(two_pass) {
  lane.form @decode decode rows(1) {
    %ids = lane.param "ids" plain <arena> : !lane.buffer<1xi32>
    %x = lane.alloc "x" plain <arena> quantized <arena> : !lane.buffer<128xf32>
    %v = lane.view "v" of %x at 33 plain <pool> quantized <pool> : !lane.buffer<128xf32> to !lane.buffer<64xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<300xf32>
    %z = lane.alloc "z" plain <pool> : !lane.buffer<200xf32>
    %logits = lane.alloc "logits" plain <arena> : !lane.buffer<500xf32>
    lane.launch "k" ins(%ids : !lane.buffer<1xi32>) outs(%x : !lane.buffer<128xf32>)
    lane.launch "k" ins(%v : !lane.buffer<64xf32>) outs(%y : !lane.buffer<300xf32>) scratch [#lane.scratch<tag = 0, bytes = 300, pool>, #lane.scratch<tag = 1, bytes = 4, counter, arena>]
    lane.launch "k" ins(%y : !lane.buffer<300xf32>) outs(%z : !lane.buffer<200xf32>)
    lane.launch "k" ins(%z : !lane.buffer<200xf32>) outs(%logits : !lane.buffer<500xf32>)
  }
}

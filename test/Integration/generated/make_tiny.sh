#!/bin/sh
# usage: make_tiny.sh PYTHON FOLDER
#
# Makes a checkpoint with data: two layers in two files, a tied head, experts, and
# nine formats.
set -e
here=$(dirname "$0")
make="$1 -B $here/../../Target/ImportGGUF/make_header.py qwen3moe"
first=$2/tiny-00001-of-00002.gguf
second=$2/tiny-00002-of-00002.gguf
common='block_count=2 expert_feed_forward_length=256 .split.count:u16=2
  .split.tensors.count:i32=26 ~output.weight'
layer() {
  echo "+blk.$1.ffn_up_exps.weight=64x256x4:$2 +blk.$1.ffn_gate_exps.weight=64x256x4:q8_0
    +blk.$1.ffn_down_exps.weight=256x64x4:$3 +blk.$1.attn_k.weight=64x32:$4
    +blk.$1.attn_v.weight=64x32:$5"
}
drop() {
  for name in attn_norm attn_q attn_k attn_v attn_q_norm attn_k_norm attn_output \
    ffn_norm ffn_gate_inp ffn_up_exps ffn_gate_exps ffn_down_exps; do
    echo "~blk.$1.$name.weight"
  done
}
# shellcheck disable=SC2046,SC2086
$make "$first" $common .split.no:u16=0 $(layer 0 mxfp4 q4_K bf16 q4_0) $(drop 1) \
  ~output_norm.weight
# shellcheck disable=SC2046,SC2086
$make "$second" $common .split.no:u16=1 $(layer 1 q5_1 q6_K f16 q8_0) $(drop 0) \
  ~token_embd.weight
$1 -B "$here/fill_checkpoint.py" "$first" "$second"

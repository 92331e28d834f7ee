# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports invalid headers with invalid options, and compares the error of each.

usage: check_refusals.py LANE_TRANSLATE FOLDER

Prints a line with `error:` for each difference.
"""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
ARCHITECTURES = (
    "deepseek2, gemma2, gemma3, gemma3n, glm4moe, gpt-oss, llama, llama4, "
    "minimax-m2, phi3, phimoe, qwen2, qwen3, qwen3moe, qwen3next"
)

# Arguments of make_header.py after the preset, options of the tool, and its error.
# FILE is the path.
REFUSALS = [
    # Keys.
    (
        ["llama", '.general.architecture="gemma9"'],
        [],
        "FILE:0:0: error: unknown architecture 'gemma9'; known architectures are "
        + ARCHITECTURES,
    ),
    (
        ["llama", '.general.architecture="a\\n\\u001b[31m"'],
        [],
        "FILE:0:0: error: unknown architecture 'a\\0A\\1B[31m'; known architectures are "
        + ARCHITECTURES,
    ),
    (
        ["llama", ".general.architecture=3"],
        [],
        "<unknown>:0: error: FILE: key 'general.architecture' at offset 24: "
        "expected a string, found u32",
    ),
    (
        ["llama", "-.general.architecture"],
        [],
        "<unknown>:0: error: FILE: key 'general.architecture': missing, "
        "expected a string",
    ),
    (
        ["llama", "-block_count"],
        [],
        "<unknown>:0: error: FILE: key 'llama.block_count': missing, expected "
        "an integer below 2^63",
    ),
    (
        ["llama", "-attention.layer_norm_rms_epsilon"],
        [],
        "<unknown>:0: error: FILE: key 'llama.attention.layer_norm_rms_epsilon'"
        ": missing, expected a number",
    ),
    (
        ["llama", 'block_count:str="1"'],
        [],
        "<unknown>:0: error: FILE: key 'llama.block_count' at offset 69: "
        "expected an integer below 2^63, found str",
    ),
    (
        ["llama", 'rope.freq_base="fast"'],
        [],
        "<unknown>:0: error: FILE: key 'llama.rope.freq_base' at offset 358: "
        "expected a number, found str",
    ),
    (
        ["llama", "attention.head_count=0"],
        [],
        "<unknown>:0: error: FILE: key 'llama.attention.head_count' is 0, "
        "expected 1 to 16777216",
    ),
    (
        ["llama", "attention.head_count:i32=-4"],
        [],
        "<unknown>:0: error: FILE: key 'llama.attention.head_count' is -4, "
        "expected 1 to 16777216",
    ),
    (
        ["llama", "embedding_length:u64=1099511627776"],
        [],
        "<unknown>:0: error: FILE: key 'llama.embedding_length' is "
        "1099511627776, expected 1 to 16777216",
    ),
    (
        ["llama", "block_count:u32=4294967295", "~token_embd.weight"],
        [],
        "<unknown>:0: error: FILE: key 'llama.block_count' is 4294967295, "
        "expected 1 to 4096",
    ),
    (
        ["llama", "rope.dimension_count=17"],
        [],
        "<unknown>:0: error: FILE: key 'llama.rope.dimension_count' is 17, "
        "expected 1 to 16",
    ),
    (
        ["llama", "attention.head_count_kv=3"],
        [],
        "<unknown>:0: error: FILE: key 'llama.attention.head_count' is 4, not a "
        "multiple of layer 0's 3 key and value heads",
    ),
    (
        ["llama", "block_count=2", "attention.head_count_kv=[2, 8]"],
        [],
        "<unknown>:0: error: FILE: key 'llama.attention.head_count' is 4, not a "
        "multiple of layer 1's 8 key and value heads",
    ),
    (
        ["llama", "attention.head_count_kv=[2, 2]"],
        [],
        "<unknown>:0: error: FILE: key 'llama.attention.head_count_kv' at "
        "offset 259: expected an integer below 2^63 or an array of 1, found "
        "arr of 2 u32",
    ),
    (
        ["llama", "attention.head_count=4096", "attention.key_length=8192"],
        [],
        "<unknown>:0: error: FILE: 4096 heads of 8192 elements are more than "
        "16777216 in all",
    ),
    (
        ["mixtral", "expert_used_count=0"],
        [],
        "<unknown>:0: error: FILE: key 'llama.expert_used_count' is 0 for 4 "
        "experts",
    ),
    (
        ["mixtral", "expert_used_count=5"],
        [],
        "<unknown>:0: error: FILE: key 'llama.expert_used_count' is 5, "
        "expected 0 to 4",
    ),
    (
        ["llama", ".split.count=3"],
        [],
        "<unknown>:0: error: FILE: key 'split.no': missing, expected an integer "
        "below 2^63",
    ),
    (
        ["llama", '.split.count="3"'],
        [],
        "<unknown>:0: error: FILE: key 'split.count' at offset 394: expected "
        "an integer below 2^63, found str",
    ),
    # Tensors.
    (
        ["llama", "~token_embd.weight"],
        [],
        "FILE:0:0: error: tensor 'token_embd.weight' is missing or is not a "
        "matrix of at most 2^31 rows",
    ),
    (
        ["llama", "+token_embd.weight=64:q8_0"],
        [],
        "FILE:0:0: error: tensor 'token_embd.weight' is missing or is not a "
        "matrix of at most 2^31 rows",
    ),
    (
        ["llama", "~blk.0.ffn_up.weight"],
        [],
        "FILE:0:0: error: tensor 'blk.0.ffn_up.weight' is missing",
    ),
    (
        ["qwen2", "~blk.0.attn_k.bias"],
        [],
        "FILE:0:0: error: tensor 'blk.0.attn_k.bias' is missing",
    ),
    (
        ["qwen3", "~blk.0.attn_q_norm.weight"],
        [],
        "FILE:0:0: error: tensor 'blk.0.attn_q_norm.weight' is missing",
    ),
    (
        ["qwen3moe", "~blk.0.ffn_gate_inp.weight"],
        [],
        "FILE:0:0: error: tensor 'blk.0.ffn_gate_inp.weight' is missing",
    ),
    (
        ["llama", "+blk.0.ffn_up.weight=64x64:q8_0"],
        [],
        "FILE:0:0: error: tensor 'blk.0.ffn_up.weight' is 64x64, expected "
        "128x64",
    ),
    (
        ["mixtral", "+blk.0.ffn_up_exps.weight=64x512:q8_0"],
        [],
        "FILE:0:0: error: tensor 'blk.0.ffn_up_exps.weight' is 512x64, "
        "expected 4x128x64",
    ),
    (
        ["llama", "+rope_freqs.weight=9:f32"],
        [],
        "FILE:0:0: error: tensor 'rope_freqs.weight' is 9, expected 8",
    ),
    (
        ["llama", "+=64:f32"],
        [],
        "FILE:0:0: error: tensor '': has an empty name",
    ),
    (
        ["llama", "+a\nb=2x0:f16"],
        [],
        "FILE:0:0: error: tensor 'a\\0Ab': dimension 0 is not positive",
    ),
    (
        ["llama", "+none=0:f32"],
        [],
        "FILE:0:0: error: tensor 'none': has no elements",
    ),
    (
        ["llama", "+cache_k.0=64:f32"],
        [],
        "FILE:0:0: error: tensor 'cache_k.0' has the same name as a state",
    ),
    (
        ["llama", "+decode=64x2:f32"],
        [],
        "FILE:0:0: error: tensor 'decode' has the same name as a form",
    ),
    # Options.
    (
        ["llama"],
        ["--context=-1"],
        "FILE:0:0: error: context of -1 is out of the range 0 to 1073741824",
    ),
    (
        ["llama"],
        ["--context=1073741825"],
        "FILE:0:0: error: context of 1073741825 is out of the range 0 to "
        "1073741824",
    ),
    (
        ["llama"],
        ["--prefill-rows=-1"],
        "FILE:0:0: error: prefill-rows of -1 is out of the range 0 to 1048576",
    ),
    (
        ["llama"],
        ["--prefill-rows=1048577"],
        "FILE:0:0: error: prefill-rows of 1048577 is out of the range 0 to "
        "1048576",
    ),
    (
        ["llama"],
        ["--batch-rows=-1"],
        "FILE:0:0: error: batch-rows of -1 is out of the range 0 to 1048576",
    ),
    (
        ["llama"],
        ["--batch-rows=1048577"],
        "FILE:0:0: error: batch-rows of 1048577 is out of the range 0 to "
        "1048576",
    ),
    (
        ["llama"],
        ["--prefill-rows=65"],
        "FILE:0:0: error: prefill-rows of 65 exceed the context of 64 tokens",
    ),
    (
        [
            "llama",
            "attention.head_count=1",
            "attention.head_count_kv=1",
            "attention.key_length=16777216",
        ],
        ["--context=1073741824", "--batch-rows=1048576"],
        "FILE:0:0: error: 'cache_k.0': the bytes of the buffer overflow int64",
    ),
    # Experts with a tensor each.
    (
        ["mixtral", "~blk.0.ffn_up_exps.weight"]
        + [f"+blk.0.ffn_up.{expert}.weight=64x128:q8_0" for expert in (0, 2)],
        [],
        "FILE:0:0: error: tensor 'blk.0.ffn_up_exps.weight': expert 1 is "
        "missing",
    ),
    (
        [
            "mixtral",
            "~blk.0.ffn_up_exps.weight",
            "+blk.0.ffn_up.0.weight=64x128:q8_0",
            "+blk.0.ffn_up.1.weight=64x128:f16",
        ],
        [],
        "FILE:0:0: error: tensor 'blk.0.ffn_up.1.weight' is 128x64 in f16, "
        "expected 128x64 in q8_0 as 'blk.0.ffn_up.0.weight'",
    ),
    (
        ["mixtral", "+blk.0.ffn_up.0.weight=64x128:q8_0"],
        [],
        "FILE:0:0: error: tensor 'blk.0.ffn_up_exps.weight' and tensors of its "
        "experts are both present",
    ),
    (
        [
            "mixtral",
            "~blk.0.ffn_up_exps.weight",
            "+blk.0.ffn_up.1.weight=64x128:q8_0",
            "+blk.0.ffn_up.01.weight=64x128:q8_0",
        ],
        [],
        "FILE:0:0: error: tensor 'blk.0.ffn_up.01.weight' is the same expert as "
        "'blk.0.ffn_up.1.weight'",
    ),
    # Keys of other architectures.
    (
        ["gemma3"],
        [],
        "<unknown>:0: error: FILE: key 'gemma3.attention.sliding_window': "
        "missing, expected an integer below 2^63",
    ),
    (
        [
            "gemma3",
            "block_count=2",
            "attention.sliding_window=8",
            "attention.sliding_window_pattern=[true]",
        ],
        [],
        "<unknown>:0: error: FILE: key "
        "'gemma3.attention.sliding_window_pattern' has 1 flags for 2 layers",
    ),
    (
        ["deepseek2", "attention.kv_lora_rank=32"],
        [],
        "<unknown>:0: error: FILE: keys of 16 elements are not longer than "
        "the 16 that rotate",
    ),
    (
        [
            "qwen3next",
            "ssm.conv_kernel=4",
            "ssm.inner_size=33",
            "ssm.state_size=8",
            "ssm.time_step_rank=4",
            "ssm.group_count=2",
        ],
        [],
        "<unknown>:0: error: FILE: key 'qwen3next.ssm.inner_size' is 33, not a "
        "multiple of 4 time steps",
    ),
    (
        ["llama", "nextn_predict_layers=1"],
        [],
        "<unknown>:0: error: FILE: key 'llama.nextn_predict_layers' is 1, "
        "expected 0 to 0",
    ),
    (
        ["llama", '.general.architecture="gemma9"'],
        ["--generic", "--prefill-rows=2"],
        "FILE:0:0: error: a generic import has only a decode form, so it takes "
        "no prefill-rows or batch-rows",
    ),
    (
        [
            "llama",
            '.general.architecture="gemma9"',
            '.gemma9.expert_used_count="two"',
        ],
        ["--generic"],
        "<unknown>:0: error: FILE: key 'gemma9.expert_used_count' at offset "
        "395: expected an integer below 2^63, found str",
    ),
    (
        [
            "llama",
            '.general.architecture="gemma9"',
            "+blk.0.huge.weight=1x2305843009213693952:i8",
        ],
        ["--generic"],
        "FILE:0:0: error: 'blk.0.huge.weight.out': the bytes of the buffer "
        "overflow int64",
    ),
    (
        [
            "deepseek2",
            "rope.dimension_count=8",
            "attention.kv_lora_rank=16777216",
        ],
        [],
        "<unknown>:0: error: FILE: 4 heads of 16777224 elements are more than "
        "16777216 in all",
    ),
]

# Valid imports: limits of ranges, and defaults.
ACCEPTED = [
    (["llama"], ["--prefill-rows=64"]),
    (["llama"], ["--context=1073741824", "--batch-rows=1048576"]),
    (["llama"], ["--context=0", "--prefill-rows=0", "--batch-rows=0"]),
    (["llama", ".split.count=1"], []),
    (["mixtral", "expert_used_count=4"], []),
    (["llama", "rope.dimension_count=16"], []),
    (["llama", "+prefill=64x2:f32"], []),
    # No shared experts, and no layer with experts.
    (["mixtral", "expert_shared_count=0"], []),
    (["llama", "interleave_moe_layer_step=0"], []),
    # A generic import does not check shapes: here the table is a vector.
    (
        [
            "llama",
            '.general.architecture="gemma9"',
            "+token_embd.weight=64:f32",
            "~output.weight",
        ],
        ["--generic"],
    ),
]


def run(lane_translate, folder, index, changes, options):
    """The path of a header, and the result of importing it."""
    path = folder / f"{index}.gguf"
    preset, *rest = changes
    make = [sys.executable, "-B", HERE / "make_header.py", preset, path, *rest]
    subprocess.run(make, check=True)
    command = [lane_translate, "--import-gguf", *options, path]
    done = subprocess.run(command, capture_output=True, text=True)
    return path, done


def main():
    lane_translate, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    failures = 0
    for index, (changes, options, message) in enumerate(REFUSALS):
        path, done = run(lane_translate, folder, index, changes, options)
        wanted = (1, "", message.replace("FILE", str(path)) + "\n")
        found = (done.returncode, done.stdout, done.stderr)
        if found != wanted:
            failures += 1
            print(f"{changes} {options}: error: got {found}, expected {wanted}")
    for changes, options in ACCEPTED:
        _, done = run(lane_translate, folder, "accepted", changes, options)
        if done.returncode != 0 or "error:" in done.stderr:
            failures += 1
            print(f"{changes} {options}: error: refused: {done.stderr}")
    print(f"refused {len(REFUSALS)} imports, accepted {len(ACCEPTED)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

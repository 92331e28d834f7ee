#!/usr/bin/env bash
# Sets up, builds and runs Lane on Debian 12.
#
#   ./build.sh plan [FILE [OPTIONS]]  plan a model: FILE, or Qwen3-30B-A3B on 12 GiB
#   ./build.sh check                  build everything and pass every test
#   ./build.sh sanitize               the same under address and undefined-behaviour sanitizers
#   ./build.sh fuzz [SECONDS]         run each fuzzer so long (default: 60)
#   ./build.sh bench                  build and run the benchmarks
#   ./build.sh doc                    generate the reference and the site, build/site
set -euo pipefail

root=$(cd "$(dirname "$0")" && pwd)
step='starting'
trap 'echo "build.sh: failed while $step" >&2' ERR

say() {
  step=$1
  echo "build.sh: $step" >&2
}

# What the build needs, and beside it what the tests need.
build_packages=(cmake g++ ninja-build libmlir-22-dev mlir-22-tools llvm-22-dev
  llvm-22-tools zlib1g-dev)
test_packages=(libgtest-dev python3 git chromium chromium-driver mkdocs)
bench_packages=(libbenchmark-dev python3)
doc_packages=(mkdocs)
fuzz_packages=(clang-22 libclang-rt-22-dev)

install_missing() {
  local missing=() package
  for package in "$@"; do
    # The packages' own state: a name that was removed is known but not installed.
    [[ $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true) == 'install ok installed' ]] ||
      missing+=("$package")
  done
  [[ ${#missing[@]} -eq 0 ]] && return
  local sudo=()
  [[ $EUID -eq 0 ]] || sudo=(sudo)
  say "installing ${missing[*]}"
  "${sudo[@]}" apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >&2
}

configure() {
  local preset=$1
  shift
  say "configuring ($preset)"
  local log
  log=$(mktemp)
  (cd "$root" && cmake --preset "$preset" "$@" >"$log" 2>&1) ||
    { tail -n 20 "$log" >&2; rm -f "$log"; false; }
  rm -f "$log"
}

build() {
  local folder=$1
  shift
  say "building $*"
  ninja -C "$root/$folder" "$@" >&2
}

# libMLIR.so is not instrumented: memory that our inlined copies of LLVM's
# allocators poison, or containers of both, look wrong to the sanitizers.
export_sanitizer_options() {
  export ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0
  export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
}

# Runs one fuzzer from the seeds in the folders given; what it finds new is kept
# under build-fuzz.
fuzz() {
  local fuzzer=$1 seconds=$2
  shift 2
  say "fuzzing with $fuzzer for $seconds s"
  local corpus=$root/build-fuzz/corpus/$fuzzer
  mkdir -p "$corpus"
  local log=$root/build-fuzz/$fuzzer.log
  "$root/build-fuzz/test/fuzz/$fuzzer" -max_total_time="$seconds" -timeout=10 \
    -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="$root/build-fuzz/$fuzzer-" "$corpus" "$@" >"$log" 2>&1 ||
    { tail -n 30 "$log" >&2; false; }
  grep 'number_of_executed_units' "$log" | sed "s/^stat::/$fuzzer: /"
}

# llama.cpp's own reader, which ours is compared with.
install_reference() {
  local folder=$1/npm
  if ! command -v npm >/dev/null; then
    echo "build.sh: no npm, so the comparison with llama.cpp's reader is skipped" >&2
    return
  fi
  mkdir -p "$folder"
  if ! cmp -s "$root/test/Inputs/npm/package-lock.json" "$folder/installed"; then
    say "installing llama.cpp's reader"
    cp "$root"/test/Inputs/npm/package*.json "$folder"
    if (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund >&2); then
      cp "$folder/package-lock.json" "$folder/installed"
    else
      echo "build.sh: npm could not install llama.cpp's reader, so the comparison with it is skipped" >&2
    fi
  fi
}

check() {
  local preset=$1 folder=$2
  install_missing "${build_packages[@]}" "${test_packages[@]}"
  install_reference "$root/$folder"
  command -v nvcc >/dev/null || echo 'build.sh: no nvcc, so what needs it is skipped' >&2
  configure "$preset" -DLANE_INCLUDE_TESTS=ON
  build "$folder" all LaneUnitTests
  say 'running the unit tests'
  (cd "$root/$folder" && ctest --output-on-failure)
  say 'running the lit tests'
  /usr/lib/llvm-22/bin/lit -sv "$root/$folder/test"
  say 'done: every test passed'
}

case "${1:-}" in
plan)
  shift
  install_missing "${build_packages[@]}"
  # Without what the tests need, unless they are configured already.
  if [[ -f $root/build/CMakeCache.txt ]]; then
    configure release
  else
    configure release -DLANE_INCLUDE_TESTS=OFF
  fi
  build build lane-plan
  if [[ $# -eq 0 ]]; then
    set -- "$root/test/Inputs/models/Qwen3-30B-A3B-Q4_K_M.gguf" --device-bytes 12GiB
  fi
  say "planning $1"
  "$root/build/bin/lane-plan" "$@"
  ;;
check)
  check release build
  ;;
sanitize)
  export_sanitizer_options
  check sanitize build-sanitize
  ;;
fuzz)
  install_missing "${build_packages[@]}" "${fuzz_packages[@]}"
  export_sanitizer_options
  configure fuzz
  build build-fuzz lane-fuzzers
  inputs=$root/test
  fuzz GGUFFuzzer "${2:-60}" "$inputs/Checkpoint/Inputs/malformed" "$inputs/Inputs/models"
  fuzz CheckpointFileFuzzer "${2:-60}" "$inputs/Checkpoint/Inputs/malformed" "$inputs/Inputs/models"
  fuzz JsonFuzzer "${2:-60}" "$inputs/Inputs/golden"
  fuzz TextFuzzer "${2:-60}" "$inputs/Dialect/Lane/IR" "$inputs/Dialect/Lane/Transforms/residence-plan"
  ;;
bench)
  install_missing "${build_packages[@]}" "${bench_packages[@]}"
  configure release -DLANE_INCLUDE_BENCHMARKS=ON
  build build lane-benchmarks
  say 'running the benchmarks'
  "$root/build/benchmarks/residence-plan-bench"
  "$root/build/benchmarks/placement-bench"
  (cd "$root/build/benchmarks" && ./upload-bench)
  build build lane-opt lane-translate
  cuda=$(sed -n 's/^LANE_CUDA_INCLUDE_DIR:PATH=//p' "$root/build/CMakeCache.txt")
  [[ -d $cuda ]] || cuda=$root/test/lib/FakeCuda/include
  python3 "$root/benchmarks/compile-generated.py" "$root/build/bin" c++ "$cuda"
  python3 -B "$root/benchmarks/peers.py" "$root/build/bin" "$root/test/Inputs/models"
  if command -v chromedriver >/dev/null; then
    PATH=$root/build/bin:$PATH python3 -B "$root/test/lane-plan/Inputs/check_report.py" --time \
      "$root/build/benchmarks" "$root/test/Inputs/models/DeepSeek-V3-Q4_K_M.gguf" 25769803776
  fi
  ;;
doc)
  install_missing "${build_packages[@]}" "${doc_packages[@]}"
  configure release
  build build lane-doc
  say 'making the site'
  mkdocs build --strict -q -f "$root/cmake/mkdocs.yml" -d "$root/build/site"
  say "done: the reference is under build/docs, the site is build/site/index.html"
  ;;
*)
  sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
  exit 2
  ;;
esac

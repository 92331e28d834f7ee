#!/usr/bin/env bash
# Sets up, builds and runs Lane on Debian 12.
#
#   ./build.sh plan [FILE [OPTIONS]]  plan a model: FILE, or Qwen3-30B-A3B on 12 GiB
#   ./build.sh build                  build everything, tests included
#   ./build.sh check                  build everything and run every test
#   ./build.sh sanitize               the same under address and undefined-behaviour sanitizers
#   ./build.sh format [--fix]         check the format of all C++, or correct it
#   ./build.sh tidy [COMMIT]          run clang-tidy on all C++ sources, or on those
#                                     that changed since COMMIT
#   ./build.sh fuzz [SECONDS]         run each fuzzer for that time (default: 60)
#   ./build.sh bench                  build and run the benchmarks
#   ./build.sh doc                    generate the reference and the site, build/site
set -euo pipefail

root=$(cd "$(dirname "$0")" && pwd)
# Debian's LLVM 22. A build by hand can use another one: see CONTRIBUTING.md.
llvm=/usr/lib/llvm-22
step='starting'
trap 'echo "build.sh: failed while $step" >&2' ERR

say() {
  step=$1
  echo "build.sh: $step" >&2
}

# Packages that the build needs, and those that each command needs besides.
build_packages=(cmake g++ ninja-build libmlir-22-dev mlir-22-tools llvm-22-dev
  llvm-22-tools zlib1g-dev)
test_packages=(libgtest-dev python3 git chromium chromium-driver mkdocs)
bench_packages=(libbenchmark-dev python3)
doc_packages=(mkdocs)
format_packages=(clang-format-22 git)
tidy_packages=(clang-tidy-22 git libgtest-dev python3)
fuzz_packages=(clang-22 libclang-rt-22-dev)

install_missing() {
  local missing=() package
  for package in "$@"; do
    # dpkg also knows packages that were removed, so check the state.
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
  (cd "$root" && cmake --preset "$preset" -DMLIR_DIR="$llvm/lib/cmake/mlir" \
    -DLLVM_DIR="$llvm/lib/cmake/llvm" "$@" >"$log" 2>&1) ||
    { tail -n 20 "$log" >&2; rm -f "$log"; false; }
  rm -f "$log"
}

build() {
  local folder=$1
  shift
  say "building $*"
  ninja -C "$root/$folder" "$@" >&2
}

# libMLIR.so is not instrumented. Containers that cross its border, and memory
# that inlined copies of LLVM's allocators poison, cause false reports.
export_sanitizer_options() {
  export ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0
  export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
}

# Runs one fuzzer on the seeds in the given folders. New inputs are kept under
# build-fuzz.
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

# Installs llama.cpp's own reader, which tests compare with Lane's.
install_reference() {
  local folder=$1/npm
  if ! command -v npm >/dev/null; then
    echo "build.sh: npm is missing; skipping the comparison with llama.cpp's reader" >&2
    return
  fi
  mkdir -p "$folder"
  if ! cmp -s "$root/test/Inputs/npm/package-lock.json" "$folder/installed"; then
    say "installing llama.cpp's reader"
    cp "$root"/test/Inputs/npm/package*.json "$folder"
    if (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund >&2); then
      cp "$folder/package-lock.json" "$folder/installed"
    else
      echo "build.sh: npm cannot install llama.cpp's reader; skipping the comparison with it" >&2
    fi
  fi
}

build_all() {
  local preset=$1 folder=$2
  install_missing "${build_packages[@]}" "${test_packages[@]}"
  configure "$preset" -DLANE_INCLUDE_TESTS=ON
  build "$folder" all LaneUnitTests
}

check() {
  local preset=$1 folder=$2
  build_all "$preset" "$folder"
  install_reference "$root/$folder"
  command -v nvcc >/dev/null || echo 'build.sh: nvcc is missing; skipping the tests that need it' >&2
  say 'running the unit tests'
  (cd "$root/$folder" && ctest --output-on-failure)
  say 'running the lit tests'
  "$llvm/bin/lit" -sv "$root/$folder/test"
  say 'done: every test passed'
}

# Checks the format of every tracked C++ file, or corrects it with --fix.
format() {
  local mode=(--dry-run -Werror)
  [[ ${1:-} != --fix ]] || mode=(-i)
  install_missing "${format_packages[@]}"
  say 'checking the format'
  (cd "$root" && git ls-files -z '*.c' '*.cpp' '*.cu' '*.h' |
    xargs -0 clang-format-22 "${mode[@]}")
}

# Prints the compiled sources, all or those that changed since a commit.
list_sources() {
  (cd "$root" && if [[ $# -gt 0 ]]; then
    git diff --name-only --diff-filter=d "$1" -- 'lib/*.cpp' 'tools/*.cpp'
  else
    git ls-files 'lib/*.cpp' 'tools/*.cpp'
  fi)
}

# Treats warnings as errors. Sources include generated headers, so build those first.
tidy() {
  install_missing "${build_packages[@]}" "${tidy_packages[@]}"
  configure release -DLANE_INCLUDE_TESTS=ON
  build build lane-headers
  local sources
  mapfile -t sources < <(list_sources "$@")
  say "running clang-tidy on ${#sources[@]} files"
  [[ ${#sources[@]} -eq 0 ]] && return
  (cd "$root" && printf '%s\0' "${sources[@]}" |
    xargs -0 -n 1 -P "$(nproc)" "$llvm/bin/clang-tidy" -p build --quiet --warnings-as-errors='*')
}

case "${1:-}" in
plan)
  shift
  install_missing "${build_packages[@]}"
  # A fresh build needs no tests, nor their packages; keep the choice of an old one.
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
build)
  build_all release build
  ;;
check)
  check release build
  ;;
format)
  format "${@:2}"
  ;;
tidy)
  tidy "${@:2}"
  ;;
sanitize)
  export_sanitizer_options
  check sanitize build-sanitize
  ;;
fuzz)
  install_missing "${build_packages[@]}" "${fuzz_packages[@]}"
  export_sanitizer_options
  configure fuzz -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22
  build build-fuzz lane-fuzzers
  inputs=$root/test
  fuzz GGUFFuzzer "${2:-60}" "$inputs/Checkpoint/Inputs/malformed" "$inputs/Inputs/models"
  fuzz SafetensorsFuzzer "${2:-60}" "$inputs/Checkpoint/Inputs/safetensors"
  fuzz CheckpointFileFuzzer "${2:-60}" "$inputs/Checkpoint/Inputs/malformed" \
    "$inputs/Checkpoint/Inputs/safetensors" "$inputs/Inputs/models"
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
  say 'building the site'
  mkdocs build --strict -q -f "$root/cmake/mkdocs.yml" -d "$root/build/site"
  say 'done: the reference is in build/docs, the site in build/site/index.html'
  ;;
*)
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
  ;;
esac

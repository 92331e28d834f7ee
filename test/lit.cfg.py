# lit configuration of Lane's tests.

import os
import platform
import shutil
import subprocess

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "Lane"
config.test_format = lit.formats.ShTest(not llvm_config.use_lit_shell)
config.suffixes = [".mlir", ".test", ".json-test"]
config.excludes = ["Inputs", "unit", "lib", "CMakeLists.txt", "README.md"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.lane_obj_root, "test")

llvm_config.with_environment(
    "PATH", [config.lane_tools_dir, config.llvm_tools_dir], append_path=True
)
llvm_config.use_default_substitutions()

# Headers of models, and golden programs, for tests in any folder.
config.substitutions.append(
    ("%models", os.path.join(config.test_source_root, "Inputs", "models"))
)
config.substitutions.append(
    ("%golden", os.path.join(config.test_source_root, "Inputs", "golden"))
)
config.substitutions.append(("%test", config.test_source_root))
config.substitutions.append(("%lane_version", config.lane_version))
config.substitutions.append(("%python", config.python_executable))
config.substitutions.append(("%cmake", config.cmake_command))
config.substitutions.append(("%mlir_cmake_dir", config.mlir_cmake_dir))
# A program that links sanitized libraries must be sanitized too.
config.substitutions.append(
    ("%sanitizer_flags", "-fsanitize=address,undefined" if config.sanitized else "")
)
config.substitutions.append(
    (
        "%leak_flags",
        "-fsanitize=address,undefined" if config.sanitized else "-fsanitize=leak",
    )
)
config.substitutions.append(("%cxx", config.cxx))
config.substitutions.append(("%cc", config.cc))
config.substitutions.append(
    ("%lane_include", os.path.join(os.path.dirname(config.test_source_root), "include"))
)
config.substitutions.append(
    ("%benchmarks", os.path.join(os.path.dirname(config.test_source_root), "benchmarks"))
)
config.substitutions.append(("%mlir_include", config.mlir_include_dir))
config.substitutions.append(("%mlir_lib", config.llvm_lib_dir))
config.substitutions.append(("%llvm_bin", config.llvm_tools_dir))
# The header of the CUDA runtime, and a fake runtime to link.
fake_cuda = os.path.join(config.test_source_root, "lib", "FakeCuda")
cuda_include = config.cuda_include_dir or os.path.join(fake_cuda, "include")
config.substitutions.append(("%cuda_flags", f"-isystem {cuda_include}"))
config.substitutions.append(("%cuda_include", cuda_include))
config.substitutions.append(
    ("%plugin", os.path.join(config.lane_obj_root, "lib", "LanePlugin.so"))
)
config.substitutions.append(
    ("%lane_runtime", os.path.join(config.lane_obj_root, "lib", "libLaneRuntime.a"))
)
config.substitutions.append(
    (
        "%placement_check",
        os.path.join(config.lane_obj_root, "test", "bin", "lane-placement-check"),
    )
)
config.substitutions.append(
    (
        "%fake_cuda",
        f"-I{fake_cuda} {config.lane_obj_root}/lib/libLaneFakeCuda.a -pthread",
    )
)
config.substitutions.append(("%lane_obj_root", config.lane_obj_root))
config.substitutions.append(
    ("%docs", os.path.join(os.path.dirname(config.test_source_root), "docs"))
)

llvm_config.add_tool_substitutions(
    [
        "lane-compile",
        "lane-lsp-server",
        "lane-opt",
        "lane-plan",
        "lane-reduce",
        "lane-translate",
    ],
    [config.lane_tools_dir],
)

config.available_features.add(f"host-{platform.machine()}")
if shutil.which("nvcc"):
    config.available_features.add("nvcc")
# The driver's tools are not enough: a device must answer.
if shutil.which("nvidia-smi") and not subprocess.run(
    ["nvidia-smi", "-L"], capture_output=True
).returncode:
    config.available_features.add("cuda-device")
# build.sh installs the package of test/Inputs/npm.
llama_cpp = os.path.join(
    config.lane_obj_root,
    "npm/node_modules/@node-llama-cpp/linux-x64/bins/linux-x64",
)
config.substitutions.append(("%llama_cpp", llama_cpp))
if os.path.exists(os.path.join(llama_cpp, "libllama.v0.4.0.so")):
    config.available_features.add("llama-cpp")
if shutil.which("dpkg-deb") and shutil.which("cpack"):
    config.available_features.add("dpkg-deb")
if shutil.which("chromium") and shutil.which("chromedriver"):
    config.available_features.add("chromium")
if shutil.which("mkdocs"):
    config.available_features.add("mkdocs")
if config.sanitized:
    config.available_features.add("sanitized")
if config.llvm_enable_assertions:
    config.available_features.add("asserts")

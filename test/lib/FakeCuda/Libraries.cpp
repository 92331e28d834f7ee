//===- Libraries.cpp - Kernels of the fake CUDA runtime -------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include <algorithm>
#include <cstring>

using namespace lane::test;

bool State::isUnloaded(const void *kernel) const {
  for (const auto &library : libraries)
    for (const auto &[name, owned] : library->kernels)
      if (&owned == kernel)
        return !library->isLoaded;
  return false;
}

cudaError_t CUDARTAPI cudaLibraryLoadData(
    cudaLibrary_t *library, const void *code, enum cudaJitOption *, void **,
    unsigned int, enum cudaLibraryOption *, void **, unsigned int) {
  Call call("cudaLibraryLoadData");
  if (call.fails())
    return call.finish();
  if (cudaError_t status = state->checkNoCapture())
    return status;
  // Of other data only as many bytes are known to exist.
  if (std::memcmp(code, &FakeBinary::kMagic, sizeof(FakeBinary::kMagic)) != 0)
    return state->finish(cudaErrorInvalidKernelImage);
  auto *binary = static_cast<const FakeBinary *>(code);
  auto loaded = std::make_unique<CUlib_st>();
  for (int64_t i = 0; i < binary->numKernels; ++i) {
    const FakeKernel &kernel = binary->kernels[i];
    loaded->kernels[kernel.name] = {kernel.run, kernel.numArguments};
  }
  *library = loaded.get();
  state->libraries.push_back(std::move(loaded));
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaLibraryUnload(cudaLibrary_t library) {
  // The destructors of an object run after those of the fake.
  if (!state)
    return cudaErrorCudartUnloading;
  Call call("cudaLibraryUnload");
  auto isIt = [&](auto &known) { return known.get() == library; };
  auto found =
      std::find_if(state->libraries.begin(), state->libraries.end(), isIt);
  if (found == state->libraries.end() || !library->isLoaded)
    return state->fault("cudaLibraryUnload of a library that is not loaded");
  library->isLoaded = false;
  return call.fails() ? call.finish() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaLibraryGetKernel(cudaKernel_t *kernel,
                                           cudaLibrary_t library,
                                           const char *name) {
  Call call("cudaLibraryGetKernel");
  if (call.fails())
    return call.finish();
  if (!library->isLoaded)
    return state->fault("cudaLibraryGetKernel of a library that was unloaded");
  auto found = library->kernels.find(name);
  if (found == library->kernels.end())
    return state->finish(cudaErrorSymbolNotFound);
  *kernel = reinterpret_cast<cudaKernel_t>(&found->second);
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaFuncSetAttribute(const void *function,
                                           enum cudaFuncAttribute attribute,
                                           int value) {
  Call call("cudaFuncSetAttribute", value);
  if (call.fails())
    return call.finish();
  if (!function || attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
    return state->fault("cudaFuncSetAttribute of an unknown attribute");
  return cudaSuccess;
}

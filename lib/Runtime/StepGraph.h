//===- StepGraph.h - A step as a CUDA graph ---------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_RUNTIME_STEPGRAPH_H
#define LANE_LIB_RUNTIME_STEPGRAPH_H

#include <cuda_runtime_api.h>

namespace lane::runtime {

/// The graph of a step that has run, once its launches were captured.
class StepGraph {
public:
  StepGraph() = default;
  StepGraph(const StepGraph &) = delete;
  StepGraph &operator=(const StepGraph &) = delete;
  ~StepGraph() { reset(); }

  /// Destroys the graph that it had.
  void reset(cudaGraphExec_t other = nullptr) {
    // An error is not that of the caller's next call.
    if (graph && cudaGraphExecDestroy(graph) != cudaSuccess)
      cudaGetLastError();
    graph = other;
  }
  cudaGraphExec_t get() const { return graph; }

private:
  cudaGraphExec_t graph = nullptr;
};

} // namespace lane::runtime

#endif // LANE_LIB_RUNTIME_STEPGRAPH_H

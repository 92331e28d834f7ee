//===- Graphs.cpp - Graphs of the fake CUDA runtime -----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"

using namespace lane::test;

cudaError_t CUDARTAPI cudaStreamBeginCapture(cudaStream_t stream,
                                             enum cudaStreamCaptureMode mode) {
  Call call("cudaStreamBeginCapture");
  if (call.fails())
    return call.finish();
  if (mode != cudaStreamCaptureModeThreadLocal)
    return state->fault("cudaStreamBeginCapture of a mode that the fake lacks");
  // The default stream cannot be captured.
  if (!stream)
    return state->finish(cudaErrorStreamCaptureUnsupported);
  if (stream->isCapturing)
    return state->fault("cudaStreamBeginCapture of a stream under capture");
  stream->isCapturing = true;
  stream->isInvalidated = false;
  stream->capturer = std::this_thread::get_id();
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaStreamEndCapture(cudaStream_t stream,
                                           cudaGraph_t *graph) {
  Call call("cudaStreamEndCapture");
  *graph = nullptr;
  if (!stream || !stream->isCapturing)
    return state->fault("cudaStreamEndCapture of a stream without a capture");
  // The capture ends where the call fails too.
  stream->isCapturing = false;
  std::vector<Work> work = std::move(stream->captured);
  stream->captured.clear();
  if (call.fails())
    return call.finish();
  if (stream->isInvalidated)
    return state->finish(cudaErrorStreamCaptureInvalidated);
  *graph = new CUgraph_st{std::move(work)};
  ++state->numObjects;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaGraphInstantiateWithFlags(cudaGraphExec_t *runnable,
                                                    cudaGraph_t graph,
                                                    unsigned long long) {
  Call call("cudaGraphInstantiateWithFlags");
  if (call.fails())
    return call.finish();
  *runnable = new CUgraphExec_st{graph->work};
  ++state->numObjects;
  return cudaSuccess;
}

/// The work of a graph is one item of the stream.
cudaError_t CUDARTAPI cudaGraphLaunch(cudaGraphExec_t runnable,
                                      cudaStream_t stream) {
  Call call("cudaGraphLaunch");
  if (call.fails())
    return call.finish();
  if (state->getStream(stream).isCapturing)
    return state->invalidate(*stream);
  Work work = {[parts = runnable->work]() mutable {
                 for (Work &part : parts)
                   part.run();
               },
               nullptr, nullptr, 0};
  work.usesAll = true;
  state->enqueue(stream, std::move(work));
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaGraphExecDestroy(cudaGraphExec_t runnable) {
  Call call("cudaGraphExecDestroy");
  delete runnable;
  --state->numObjects;
  return call.fails() ? call.finish() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaGraphDestroy(cudaGraph_t graph) {
  Call call("cudaGraphDestroy");
  delete graph;
  --state->numObjects;
  return call.fails() ? call.finish() : cudaSuccess;
}

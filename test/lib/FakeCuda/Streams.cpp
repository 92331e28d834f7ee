//===- Streams.cpp - Work of the fake CUDA runtime ------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "lane/Runtime/Program.h"
#include <cstring>

using namespace lane::test;

static cudaError_t fill(cudaStream_t stream, const char *function, void *to,
                        int value, size_t count) {
  auto bytes = static_cast<int64_t>(count);
  char *target = state->findBehind(to, bytes);
  if (!target)
    return state->fault(std::string(function) + " of " + std::to_string(bytes) +
                        " bytes outside of an allocation");
  state->enqueue(stream, {[=] { std::memset(target, value, count); }, target,
                          nullptr, bytes});
  return cudaSuccess;
}

static cudaError_t copy(cudaStream_t stream, const char *function, void *to,
                        const void *from, size_t count,
                        enum cudaMemcpyKind kind) {
  auto bytes = static_cast<int64_t>(count);
  // Where the kind is the default, both are the device's.
  bool isToHost = kind == cudaMemcpyDeviceToHost;
  bool isFromHost = kind == cudaMemcpyHostToDevice;
  // The host's own memory is not in an allocation.
  char *target =
      isToHost ? static_cast<char *>(to) : state->findBehind(to, bytes);
  const char *source = isFromHost ? static_cast<const char *>(from)
                                  : state->findBehind(from, bytes);
  if (!target || !source)
    return state->fault(std::string(function) + " of " + std::to_string(bytes) +
                        " bytes outside of an allocation");
  state->enqueue(stream, {[=] { std::memcpy(target, source, count); }, target,
                          source, bytes});
  return cudaSuccess;
}

/// Waits for all work so far of a stream.
static void wait(Call &call, cudaStream_t stream) {
  Queue &queue = state->getStream(stream).queue;
  call.wait(queue, queue.getNumEnqueued());
}

cudaError_t CUDARTAPI cudaMemcpyAsync(void *to, const void *from, size_t count,
                                      enum cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  Call call("cudaMemcpyAsync", static_cast<int64_t>(count));
  return call.fails() ? call.finish()
                      : copy(stream, "cudaMemcpyAsync", to, from, count, kind);
}

cudaError_t CUDARTAPI cudaMemcpy(void *to, const void *from, size_t count,
                                 enum cudaMemcpyKind kind) {
  Call call("cudaMemcpy", static_cast<int64_t>(count));
  if (call.fails())
    return call.finish();
  if (cudaError_t status = state->checkNoCapture())
    return status;
  cudaError_t status = copy(nullptr, "cudaMemcpy", to, from, count, kind);
  wait(call, nullptr);
  return status;
}

cudaError_t CUDARTAPI cudaMemsetAsync(void *pointer, int value, size_t count,
                                      cudaStream_t stream) {
  Call call("cudaMemsetAsync", static_cast<int64_t>(count));
  return call.fails() ? call.finish()
                      : fill(stream, "cudaMemsetAsync", pointer, value, count);
}

cudaError_t CUDARTAPI cudaMemset(void *pointer, int value, size_t count) {
  Call call("cudaMemset", static_cast<int64_t>(count));
  if (call.fails())
    return call.finish();
  if (cudaError_t status = state->checkNoCapture())
    return status;
  cudaError_t status = fill(nullptr, "cudaMemset", pointer, value, count);
  wait(call, nullptr);
  return status;
}

cudaError_t CUDARTAPI cudaLaunchKernel(const void *function, dim3, dim3,
                                       void **arguments, size_t,
                                       cudaStream_t stream) {
  Call call("cudaLaunchKernel");
  if (call.fails())
    return call.finish();
  if (!function)
    return state->fault("cudaLaunchKernel of no kernel");
  if (state->isUnloaded(function))
    return state->fault("cudaLaunchKernel of a library that was unloaded");
  // Arguments are copied now. Each has at most as many bytes as an address.
  lane_host_kernel kernel = *static_cast<const lane_host_kernel *>(function);
  std::vector<void *> values(static_cast<size_t>(kernel.num_arguments));
  for (size_t i = 0; i < values.size(); ++i)
    std::memcpy(&values[i], arguments[i], sizeof(void *));
  State *running = state.get();
  Work work = {[running, kernel, values]() mutable {
                 std::vector<void *> addresses;
                 for (void *&value : values)
                   addresses.push_back(&value);
                 running->beginKernel();
                 kernel.run(addresses.data());
                 running->endKernel();
               },
               nullptr, nullptr, 0};
  work.usesAll = true;
  state->enqueue(stream, std::move(work));
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaDeviceSynchronize(void) {
  Call call("cudaDeviceSynchronize");
  if (call.fails())
    return call.finish();
  if (cudaError_t status = state->checkNoCapture())
    return status;
  int device = State::current;
  wait(call, nullptr);
  for (auto &stream : state->streams)
    if (stream->device == device)
      wait(call, stream.get());
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaStreamCreateWithFlags(cudaStream_t *stream,
                                                unsigned int flags) {
  Call call("cudaStreamCreateWithFlags", static_cast<int64_t>(flags));
  if (call.fails())
    return call.finish();
  bool isBlocking = !(flags & cudaStreamNonBlocking);
  state->streams.emplace_back(
      new CUstream_st{State::current, isBlocking, Queue(state->config.copies)});
  *stream = state->streams.back().get();
  ++state->numObjects;
  return cudaSuccess;
}

/// Does not wait: the work of the stream goes on.
cudaError_t CUDARTAPI cudaStreamDestroy(cudaStream_t stream) {
  Call call("cudaStreamDestroy");
  state->getStream(stream).queue.close();
  --state->numObjects;
  return call.fails() ? call.finish() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaStreamSynchronize(cudaStream_t stream) {
  Call call("cudaStreamSynchronize");
  if (state->getStream(stream).isCapturing)
    return state->invalidate(*stream);
  wait(call, stream);
  return call.fails() ? call.finish() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaEventCreateWithFlags(cudaEvent_t *event,
                                               unsigned int) {
  Call call("cudaEventCreateWithFlags");
  if (call.fails())
    return call.finish();
  *event = new CUevent_st;
  ++state->numObjects;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaEventDestroy(cudaEvent_t event) {
  Call call("cudaEventDestroy");
  delete event;
  --state->numObjects;
  return call.fails() ? call.finish() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  Call call("cudaEventRecord");
  if (call.fails())
    return call.finish();
  event->queue = &state->getStream(stream).queue;
  event->recorded = event->queue->getNumEnqueued();
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaStreamWaitEvent(cudaStream_t stream,
                                          cudaEvent_t event, unsigned int) {
  Call call("cudaStreamWaitEvent");
  if (call.fails())
    return call.finish();
  Work work = {[] {}, nullptr, nullptr, 0};
  if (event->queue)
    work.dependencies.push_back({event->queue, event->recorded});
  state->enqueue(stream, std::move(work));
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaEventSynchronize(cudaEvent_t event) {
  Call call("cudaEventSynchronize");
  if (event->queue)
    call.wait(*event->queue, event->recorded);
  return call.fails() ? call.finish() : cudaSuccess;
}

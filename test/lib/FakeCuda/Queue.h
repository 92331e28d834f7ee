//===- Queue.h - The work of a stream ---------------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TEST_FAKECUDA_QUEUE_H
#define LANE_TEST_FAKECUDA_QUEUE_H

#include "FakeCuda.h"
#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lane::test {

class Queue;

/// A number of items of a queue that must be done first.
struct Dependency {
  Queue *queue;
  int64_t number;
};

/// A copy, a fill or a kernel, and the bytes that it uses, by addresses that
/// can be accessed. Each address may be null.
struct Work {
  std::function<void()> run;
  const char *target;
  const char *source;
  int64_t bytes;
  std::vector<Dependency> dependencies = {};
  /// Whether it may use any memory, as kernels do.
  bool usesAll = false;

  bool uses(const char *start, int64_t size) const {
    auto isIn = [&](const char *used) {
      return used && used < start + size && used + bytes > start;
    };
    return usesAll || isIn(target) || isIn(source);
  }
};

/// The work of one stream, done in order. All functions are called with the
/// fake's lock held, except `wait` where copies are done in a thread.
class Queue {
public:
  explicit Queue(FakeCudaConfig::Copies copies) : copies(copies) {}
  ~Queue() { stopWorker(); }

  void enqueue(Work work);
  /// Waits until so many items are done.
  void wait(int64_t number);
  /// Whether work that is not done uses the bytes.
  bool isUsing(const char *start, int64_t bytes);
  /// Lets the thread end once all work is done: no more is enqueued.
  void close() { isStopping = true; }
  int64_t getNumEnqueued() const { return numEnqueued; }

private:
  void work();
  void stopWorker();

  FakeCudaConfig::Copies copies;
  int64_t numEnqueued = 0;
  std::deque<Work> queue;
  /// Items given to the worker, and items done.
  std::atomic<int64_t> numQueued{0}, numDone{0};
  std::mutex mutex;
  std::thread worker;
  std::atomic<bool> isStopping{false};
};

} // namespace lane::test

#endif // LANE_TEST_FAKECUDA_QUEUE_H

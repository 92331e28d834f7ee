//===- Queue.cpp - The work of a stream -----------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Queue.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

using namespace lane::test;

namespace {

/// Spins for a while before it yields, since a system call can take longer than
/// a copy.
class Spin {
public:
  void wait() {
    if (++count % kPauses == 0)
      std::this_thread::yield();
#ifdef __SSE2__
    else
      _mm_pause();
#endif
  }

private:
  static constexpr int64_t kPauses = 4096;
  int64_t count = 0;
};

} // namespace

static void run(Work &work) {
  for (Dependency &dependency : work.dependencies)
    dependency.queue->wait(dependency.number);
  work.run();
}

void Queue::enqueue(Work work) {
  ++numEnqueued;
  if (copies == FakeCudaConfig::Copies::AtOnce) {
    run(work);
    ++numQueued;
    ++numDone;
    return;
  }
  std::lock_guard<std::mutex> lock(mutex);
  queue.push_back(std::move(work));
  ++numQueued;
  if (copies == FakeCudaConfig::Copies::Meanwhile && !worker.joinable())
    worker = std::thread([this] { this->work(); });
}

void Queue::wait(int64_t number) {
  if (copies == FakeCudaConfig::Copies::Meanwhile) {
    for (Spin spin; numDone.load() < number;)
      spin.wait();
    return;
  }
  while (numDone < number) {
    Work next = std::move(queue.front());
    queue.pop_front();
    run(next);
    ++numDone;
  }
}

bool Queue::isUsing(const char *start, int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  for (const Work &work : queue)
    if (work.uses(start, bytes))
      return true;
  return false;
}

/// Never sleeps: the engine of a device does not wait for a scheduler either.
void Queue::work() {
  Spin spin;
  while (true) {
    if (numQueued.load() == numDone.load() && !isStopping.load()) {
      spin.wait();
      continue;
    }
    Work *next = nullptr;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (queue.empty())
        return;
      next = &queue.front();
    }
    run(*next);
    {
      std::lock_guard<std::mutex> lock(mutex);
      queue.pop_front();
    }
    ++numDone;
  }
}

void Queue::stopWorker() {
  if (!worker.joinable())
    return;
  isStopping = true;
  worker.join();
}

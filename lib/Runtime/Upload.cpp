//===- Upload.cpp - From checkpoint files into the pools ------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PieceReader.h"
#include <cstring>
#include <thread>

namespace lane::runtime {

namespace {

/// Fills the pools, and pins the chunks of the host pool that are filled.
class Uploader {
public:
  Uploader(ProgramState &state, cudaStream_t stream)
      : state(state), stream(stream), work(state) {}

  int32_t run();

private:
  int32_t openFiles();
  int32_t openFile(int64_t number, const char *path);
  int32_t checkSegment(const lane_segment &segment);
  int32_t fillWithoutFiles();
  int32_t fillZeros(const lane_segment &segment);
  int32_t copyValues(const lane_segment &segment);
  int64_t getNumThreads() const;
  int32_t readHere();
  int32_t readInThreads(int64_t numThreads);
  void runReader();
  int32_t advance();
  int32_t pinFilledChunks();
  int32_t reportProgress();

  char *getDestination(const lane_segment &segment) const {
    return state.getStart(segment.base, ProgramState::View::Host) +
           segment.destination_bytes;
  }

  ProgramState &state;
  cudaStream_t stream;
  CheckpointFiles files;
  UploadWork work;
  int64_t reportedBytes = 0;
};

/// Threads that are told to stop, and joined.
class ReaderThreads {
public:
  explicit ReaderThreads(UploadWork &work) : work(work) {}
  ReaderThreads(const ReaderThreads &) = delete;
  ReaderThreads &operator=(const ReaderThreads &) = delete;
  ~ReaderThreads() {
    work.stop();
    join();
  }
  template <typename FunctionT>
  void start(FunctionT function) {
    threads.emplace_back(function);
  }
  void join() {
    for (std::thread &thread : threads)
      if (thread.joinable())
        thread.join();
  }

private:
  UploadWork &work;
  std::vector<std::thread> threads;
};

} // namespace

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

int32_t Uploader::openFile(int64_t number, const char *path) {
  std::string which = "checkpoint file " + std::to_string(number) + " of " +
                      std::to_string(state.description->num_files);
  if (!path)
    return fail(state.error, LANE_BAD_OPTION, "path of " + which + " is NULL");
  if (!*path)
    return fail(state.error, LANE_BAD_OPTION,
                which + " has no name: give files in lane_options");
  auto &file = files[static_cast<size_t>(number)];
  file = std::make_unique<CheckpointFile>(path);
  return file->open(state.options.file_reads, state.is_integrated, state.error);
}

int32_t Uploader::checkSegment(const lane_segment &segment) {
  const char *names = state.description->tensor_names;
  const char *nameInFile =
      segment.tensor_offset < 0 ? nullptr : names + segment.tensor_offset;
  return files[static_cast<size_t>(segment.source)]->check(
      segment, names + segment.name_offset, nameInFile, state.error);
}

/// Opens the files that are needed, those given or those compiled in, and
/// checks that they are the ones compiled, before anything is read of them.
int32_t Uploader::openFiles() {
  const lane_description &description = *state.description;
  const lane_options &options = state.options;
  if (options.files && options.num_files != description.num_files)
    return fail(state.error, LANE_BAD_OPTION,
                std::to_string(options.num_files) +
                    " checkpoint files are given, but the program has " +
                    std::to_string(description.num_files));
  std::vector<const char *> paths;
  const char *name = description.file_names;
  for (int64_t i = 0; i < description.num_files; ++i) {
    paths.push_back(options.files ? options.files[i] : name);
    name += std::strlen(name) + 1;
  }
  files.resize(paths.size());
  for (int64_t i = 0; i < description.num_segments; ++i) {
    const lane_segment &segment = description.segments[i];
    if (segment.source < 0)
      continue;
    auto number = static_cast<size_t>(segment.source);
    if (!files[number])
      if (int32_t code = openFile(segment.source, paths[number]))
        return code;
    if (int32_t code = checkSegment(segment))
      return code;
  }
  return LANE_OK;
}

//===----------------------------------------------------------------------===//
// Bytes that are not from files
//===----------------------------------------------------------------------===//

int32_t Uploader::fillZeros(const lane_segment &segment) {
  char *start = getDestination(segment);
  auto bytes = static_cast<size_t>(segment.bytes);
  if (state.isOnHost(segment.base)) {
    std::memset(start, 0, bytes);
    return LANE_OK;
  }
  return checkCuda(state.error, "cudaMemsetAsync",
                   cudaMemsetAsync(start, 0, bytes, stream), segment.bytes);
}

int32_t Uploader::copyValues(const lane_segment &segment) {
  const float *values = state.description->values + segment.offset;
  auto bytes = static_cast<size_t>(segment.bytes);
  return checkCuda(state.error, "cudaMemcpyAsync",
                   cudaMemcpyAsync(getDestination(segment), values, bytes,
                                   cudaMemcpyHostToDevice, stream),
                   segment.bytes);
}

int32_t Uploader::fillWithoutFiles() {
  for (int64_t i = 0; i < state.description->num_segments; ++i) {
    const lane_segment &segment = state.description->segments[i];
    int32_t code = LANE_OK;
    if (segment.source == LANE_SOURCE_ZEROS)
      code = fillZeros(segment);
    else if (segment.source == LANE_SOURCE_VALUES)
      code = copyValues(segment);
    if (code)
      return code;
  }
  return LANE_OK;
}

//===----------------------------------------------------------------------===//
// Pinning and progress, in the caller's thread
//===----------------------------------------------------------------------===//

int32_t Uploader::pinFilledChunks() {
  RegisteredMemory &memory = state.registeredMemory;
  while (!memory.isPinned() &&
         work.isFilled(memory.getPinnedBytes() / memory.getChunkBytes())) {
    int64_t left = state.host_bytes - memory.getPinnedBytes();
    cudaError_t status = memory.pinNextChunk();
    if (int32_t code = checkPinned(state.error, "cudaHostRegister", status,
                                   std::min(left, memory.getChunkBytes())))
      return code;
  }
  return LANE_OK;
}

int32_t Uploader::reportProgress() {
  int64_t doneBytes =
      work.getReadBytes() + state.registeredMemory.getPinnedBytes();
  if (!state.options.progress || doneBytes == reportedBytes)
    return LANE_OK;
  reportedBytes = doneBytes;
  int64_t totalBytes = work.getTotalBytes() + state.registeredMemory.getBytes();
  if (!state.options.progress(state.options.user, doneBytes, totalBytes))
    return LANE_OK;
  return fail(state.error, LANE_CANCELLED,
              "the upload was cancelled after " + std::to_string(doneBytes) +
                  " of " + std::to_string(totalBytes) + " bytes");
}

int32_t Uploader::advance() {
  if (int32_t code = pinFilledChunks())
    return code;
  return reportProgress();
}

//===----------------------------------------------------------------------===//
// Readers
//===----------------------------------------------------------------------===//

int64_t Uploader::getNumThreads() const {
  constexpr int64_t kMuchBytes = int64_t(64) << 20;
  constexpr int64_t kMostThreads = 8;
  if (state.options.num_threads > 0)
    return state.options.num_threads;
  if (work.getTotalBytes() < kMuchBytes)
    return 1;
  int64_t numProcessors = std::thread::hardware_concurrency();
  return std::min(std::max<int64_t>(numProcessors, 1), kMostThreads);
}

int32_t Uploader::readHere() {
  PieceReader reader(state, files, stream, state.error);
  for (Piece piece; work.take(piece);) {
    if (int32_t code = reader.read(piece))
      return code;
    work.finish(piece);
    if (int32_t code = advance())
      return code;
  }
  return reader.finish();
}

/// The body of a thread. No exception leaves it.
void Uploader::runReader() {
  lane_error error = {};
  int32_t code = LANE_OK;
  try {
    code = checkCuda(&error, "cudaSetDevice", cudaSetDevice(state.device));
    if (code == LANE_OK)
      code = PieceReader(state, files, stream, &error).readAll(work);
  } catch (...) {
    code = fail(&error, LANE_NO_HOST_MEMORY, "the host has no memory to read");
  }
  work.finishReader(code, error);
}

int32_t Uploader::readInThreads(int64_t numThreads) {
  ReaderThreads threads(work);
  for (int64_t i = 0; i < numThreads; ++i)
    threads.start([this] { runReader(); });
  while (work.waitForReaders(numThreads))
    if (int32_t code = advance())
      return code;
  threads.join();
  lane_error error = {};
  int32_t code = work.getFailure(error);
  return code ? fail(state.error, code, error.message) : code;
}

int32_t Uploader::run() {
  if (int32_t code = openFiles())
    return code;
  if (int32_t code = fillWithoutFiles())
    return code;
  int64_t numThreads = getNumThreads();
  int32_t code = numThreads == 1 ? readHere() : readInThreads(numThreads);
  if (code)
    return code;
  // What no byte of a file is read to is pinned too.
  if (int32_t code = advance())
    return code;
  for (auto &file : files)
    if (file)
      if (int32_t code = file->checkUnchanged(state.error))
        return code;
  return checkCuda(state.error, "cudaStreamSynchronize",
                   cudaStreamSynchronize(stream));
}

/// Uploads on the caller's stream, or on one of the program's own, which does
/// not wait for the default stream.
static int32_t upload(ProgramState &state) {
  auto *given = static_cast<cudaStream_t>(state.options.stream);
  if (state.options.file_reads < LANE_FILE_READS_AUTO ||
      state.options.file_reads > LANE_FILE_READS_DIRECT)
    return fail(state.error, LANE_BAD_OPTION,
                "file_reads is " + std::to_string(state.options.file_reads));
  if (state.options.num_threads < 0)
    return fail(state.error, LANE_BAD_OPTION,
                "num_threads is " + std::to_string(state.options.num_threads));
  StreamOwner own;
  if (!given)
    if (int32_t code =
            checkCuda(state.error, "cudaStreamCreateWithFlags", own.create()))
      return code;
  if (int32_t code = Uploader(state, given ? given : own.get()).run())
    return code;
  return checkCuda(state.error, "cudaStreamDestroy", own.destroy());
}

} // namespace lane::runtime

LANE_RUNTIME_LINKAGE void laneUpload(lane_program *program) {
  lane::runtime::runMemoryStep(program, lane::runtime::upload);
}

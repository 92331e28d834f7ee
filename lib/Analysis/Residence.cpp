//===- Residence.cpp - The residence plan of a program --------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Residence.h"
#include "SharedBuffers.h"
#include "lane/Support/Bytes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lane;

namespace {

/// A sum of bytes that remembers having passed int64_t.
class CheckedSum {
public:
  void add(std::optional<int64_t> bytes, int64_t &term) {
    std::optional<int64_t> next =
        bytes ? checkedAddBytes(total, *bytes) : std::nullopt;
    if (!next) {
      overflowed = true;
      return;
    }
    total = *next;
    term += *bytes;
  }
  bool hasOverflowed() const { return overflowed; }

private:
  int64_t total = 0;
  bool overflowed = false;
};

/// A matrix of the program. A million of them lie in memory that no cache
/// holds, so each is kept to one line of it.
struct Matrix {
  Operation *op;
  MatrixType type;
  ArrayAttr rows;
  /// A reference to it, of a form that holds it.
  FlatSymbolRefAttr symbol;
  /// Its strongest read, if any, the first launch that makes it, and the index
  /// of its last read in the decode form.
  Operation *decidingRead = nullptr;
  int64_t lastRead = 0;
  MatrixClass matrixClass = MatrixClass::Gather;
  /// Index of the first form that holds it; past all forms where none does.
  uint32_t firstForm = std::numeric_limits<uint32_t>::max();
  /// Where it stands for all that read the same rows: the one of them that is
  /// met first, and the next matrix of these rows in another format.
  MatrixIndex metFirst = kNoMatrix;
  MatrixIndex nextOfRows = kNoMatrix;

  void addRead(Operation *launch, MatrixClass readClass) {
    if (decidingRead && readClass <= matrixClass)
      return;
    decidingRead = launch;
    matrixClass = readClass;
  }
};

/// Walks a program once and gathers the figures of its plan.
class Planner {
public:
  explicit Planner(ProgramOp program) : program(program) {}

  FailureOr<ResidencePlan> run();

private:
  void collectShared();
  void addLoop();
  LogicalResult addForm(FormOp form, unsigned formIndex);
  void addBuffer(BufferOpInterface buffer);
  void addRef(RefOp ref, unsigned formIndex);
  void addLaunch(LaunchOpInterface launch, bool isDecode, int64_t launchIndex);
  void addQuantized(BufferOpInterface buffer, int64_t &term);
  SharedBuffer *lookup(RefOp ref);
  void collectUploads();
  bool needsPool(StorageAttr storage);

  ProgramOp program;
  ResidencePlan plan;
  CheckedSum sum;
  SmallVector<Matrix, 0> matrices;
  SharedBuffers shared;
  SmallVector<FormOp> forms;
  int64_t numLaunches = 0;
  /// Whether the form being walked has slots in its arena.
  bool hasSlots = false;
  // Kept from launch to launch, so that none allocates.
  SmallVector<OpOperand *> reads;
};

} // namespace

/// Calls `visit` on the operations of `block` in order. A large program lies in
/// memory that no cache holds, its operations one after another as they were
/// parsed, so what comes some operations later is fetched ahead.
static void visitOperations(Block &block,
                            function_ref<void(Operation &)> visit) {
  constexpr int kLineBytes = 64, kFirstLine = 8, kNumLines = 8;
  for (Operation &op : block) {
    const char *address = reinterpret_cast<const char *>(&op);
    for (int line = kFirstLine; line < kFirstLine + kNumLines; ++line)
      __builtin_prefetch(address + line * kLineBytes);
    visit(op);
  }
}

static MatrixClass getReadClass(AccessKind kind) {
  switch (kind) {
  case AccessKind::Gather:
    return MatrixClass::Gather;
  case AccessKind::Expert:
    return MatrixClass::Expert;
  case AccessKind::Dense:
    return MatrixClass::Other;
  }
  llvm_unreachable("unknown access");
}

//===----------------------------------------------------------------------===//
// Fixed bytes
//===----------------------------------------------------------------------===//

/// Whether a touched storage needs bytes of the pool. One with a slot in the
/// form's arena does not, but then the arena must have a size to count.
bool Planner::needsPool(StorageAttr storage) {
  if (!storage || !storage.getInArena())
    return storage != nullptr;
  hasSlots = true;
  return false;
}

/// What the generation loop keeps: a position, the run and its count, the
/// prompt; and for every sequence of a batch a position, a run and a count.
void Planner::addLoop() {
  int64_t &loop = plan.fixed.loop;
  int64_t context = program.getContextLength();
  std::optional<int64_t> runBytes = checkedMulBytes(4, context);
  auto addPooled = [&](std::optional<int64_t> bytes) {
    sum.add(bytes ? pooled(*bytes) : std::nullopt, loop);
  };
  addPooled(4);
  addPooled(runBytes);
  addPooled(4);
  addPooled(runBytes);

  int64_t batchRows = 0;
  for (FormOp form : forms)
    if (form.getKind() == FormKind::Batch)
      batchRows = std::max<int64_t>(batchRows, form.getRows());
  if (batchRows == 0)
    return;
  addPooled(checkedMulBytes(4, batchRows));
  addPooled(runBytes ? checkedMulBytes(*runBytes, batchRows) : std::nullopt);
  addPooled(checkedMulBytes(4, batchRows));
}

void Planner::addQuantized(BufferOpInterface buffer, int64_t &term) {
  if (!needsPool(buffer.getQuantizedAttr()))
    return;
  Type type = buffer->getResult(0).getType();
  if (auto matrix = dyn_cast<MatrixType>(type))
    return sum.add(matrix.getQuantizedPoolBytes(program.getNumerics()), term);
  sum.add(cast<BufferType>(type).getQuantizedPoolBytes(program.getNumerics()),
          term);
}

/// A buffer of one form.
void Planner::addBuffer(BufferOpInterface buffer) {
  if (auto view = dyn_cast<ViewOp>(*buffer)) {
    // At whole blocks a quantized view lies in its base's levels and scales.
    if (view.getOffset() % kQuantizationBlockElements != 0)
      addQuantized(buffer, plan.fixed.buffers);
    return;
  }
  auto param = dyn_cast<ParamOp>(*buffer);
  if (param && param.getPosition())
    return;
  auto alloc = dyn_cast<AllocOp>(*buffer);
  int64_t &term =
      alloc && alloc.getCarried() ? plan.fixed.state : plan.fixed.buffers;
  if (needsPool(buffer.getPlainAttr())) {
    auto type = cast<BufferType>(buffer->getResult(0).getType());
    sum.add(pooled(type.getPlainBytes()), term);
  }
  addQuantized(buffer, term);
}

SharedBuffer *Planner::lookup(RefOp ref) {
  return shared.lookup(ref.getSymbolAttr().getAttr());
}

/// A buffer which the forms share: each of its storages is counted once.
void Planner::addRef(RefOp ref, unsigned formIndex) {
  SharedBuffer *buffer = lookup(ref);
  if (!buffer)
    return;
  bool isMatrix = buffer->index != kNoMatrix;
  if (isMatrix) {
    Matrix &matrix = matrices[buffer->index];
    matrix.firstForm = std::min(matrix.firstForm, formIndex);
    matrix.symbol = ref.getSymbolAttr();
  }
  int64_t &term = isMatrix           ? plan.fixed.buffers
                  : buffer->isValues ? plan.fixed.values
                                     : plan.fixed.state;
  // Values need their bytes however they are touched, a matrix has its upload.
  bool hasPlain =
      buffer->isValues || (!isMatrix && needsPool(ref.getPlainAttr()));
  if (hasPlain && !buffer->countedPlain) {
    buffer->countedPlain = true;
    sum.add(pooled(cast<BufferType>(ref.getType()).getPlainBytes()), term);
  }
  if (needsPool(ref.getQuantizedAttr()) && !buffer->countedQuantized) {
    buffer->countedQuantized = true;
    addQuantized(ref, term);
  }
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void Planner::addLaunch(LaunchOpInterface launch, bool isDecode,
                        int64_t launchIndex) {
  launch.forEachPart([&](LaunchOpInterface part) {
    reads.clear();
    part.getReads(reads);
    for (OpOperand *read : reads) {
      auto ref = dyn_cast_if_present<RefOp>(getBaseBuffer(read->get()));
      // Only a matrix has a class; its type tells, without a look-up.
      if (!ref || !isa<MatrixType>(ref.getType()))
        continue;
      SharedBuffer *buffer = lookup(ref);
      if (!buffer || buffer->index == kNoMatrix)
        continue;
      Matrix &matrix = matrices[buffer->index];
      matrix.addRead(part, getReadClass(part.getReadAccess(*read).kind));
      if (isDecode)
        matrix.lastRead = std::max(matrix.lastRead, launchIndex);
    }
  });

  ArrayAttr scratch = launch.getScratchAttr();
  if (!scratch)
    return;
  for (auto entry : scratch.getAsRange<ScratchAttr>())
    if (entry.getCounter() || needsPool(entry.getStorage()))
      sum.add(pooled(entry.getBytes()), plan.fixed.scratch);
}

LogicalResult Planner::addForm(FormOp form, unsigned formIndex) {
  hasSlots = false;
  shared.rewind();
  plan.arenaBytes =
      std::max<int64_t>(plan.arenaBytes, form.getArena().value_or(0));
  bool isDecode = form.getKind() == FormKind::Decode;
  int64_t launchIndex = 0;
  visitOperations(form.getBody().front(), [&](Operation &op) {
    if (auto ref = dyn_cast<RefOp>(op))
      addRef(ref, formIndex);
    else if (auto launch = dyn_cast<LaunchOpInterface>(op))
      addLaunch(launch, isDecode, launchIndex++);
    else if (auto buffer = dyn_cast<BufferOpInterface>(op))
      addBuffer(buffer);
  });
  numLaunches += launchIndex;
  if (hasSlots && !form.getArena())
    return emitError(form.getLoc())
           << "'lane.form' op '" << form.getSymName()
           << "' has slots in an arena without a size: run arena-plan first";
  return success();
}

//===----------------------------------------------------------------------===//
// Uploads and their order
//===----------------------------------------------------------------------===//

static bool haveSameFormat(MatrixType lhs, MatrixType rhs) {
  return lhs.getFormat() == rhs.getFormat() &&
         lhs.getNumColumns() == rhs.getNumColumns();
}

/// Whether `lhs` is met before `rhs`: forms in program order, and in a form
/// the buffers in order of name.
static bool isMetBefore(const Matrix &lhs, const Matrix &rhs) {
  if (lhs.firstForm != rhs.firstForm)
    return lhs.firstForm < rhs.firstForm;
  return cast<MatrixOp>(lhs.op).getSymName() <
         cast<MatrixOp>(rhs.op).getSymName();
}

/// Makes one upload of the matrices that read the same rows, held by the one
/// that is met first and classified by the strongest read of any, and orders
/// the uploads by class, last read and name.
void Planner::collectUploads() {
  // Attributes are uniqued, so equal runs are one attribute. The key is that
  // pointer alone, since neighbours in memory are neighbours in the table.
  DenseMap<Attribute, MatrixIndex> byRows;
  byRows.reserve(matrices.size());
  // Each matrix that reads rows met before, and the one that stands for them.
  SmallVector<std::pair<MatrixIndex, MatrixIndex>> duplicates;
  for (MatrixIndex index = 0; index < matrices.size(); ++index) {
    Matrix &matrix = matrices[index];
    MatrixIndex &chain =
        byRows.try_emplace(matrix.rows, kNoMatrix).first->second;
    MatrixIndex same = chain;
    while (same != kNoMatrix &&
           !haveSameFormat(matrices[same].type, matrix.type))
      same = matrices[same].nextOfRows;
    if (same == kNoMatrix) {
      matrix.metFirst = index;
      matrix.nextOfRows = chain;
      chain = index;
      continue;
    }
    duplicates.push_back({index, same});
    Matrix &other = matrices[same];
    if (isMetBefore(matrix, matrices[other.metFirst]))
      other.metFirst = index;
    if (matrix.decidingRead)
      other.addRead(matrix.decidingRead, matrix.matrixClass);
    other.lastRead = std::max(other.lastRead, matrix.lastRead);
  }

  int64_t uploadBytes = 0;
  plan.order.reserve(matrices.size() - duplicates.size());
  for (const Matrix &matrix : matrices) {
    if (matrix.metFirst == kNoMatrix)
      continue;
    const Matrix &holder = matrices[matrix.metFirst];
    int64_t bytes = matrix.type.getUploadBytes();
    sum.add(bytes, uploadBytes);
    plan.order.push_back(
        {cast<MatrixOp>(holder.op), holder.symbol,
         matrix.decidingRead ? matrix.matrixClass : MatrixClass::Other,
         matrix.lastRead, bytes, matrix.decidingRead});
  }
  llvm::sort(plan.order, [](const Upload &lhs, const Upload &rhs) {
    if (lhs.matrixClass != rhs.matrixClass)
      return lhs.matrixClass < rhs.matrixClass;
    if (lhs.lastRead != rhs.lastRead)
      return lhs.lastRead > rhs.lastRead;
    return MatrixOp(lhs.matrix).getSymName() <
           MatrixOp(rhs.matrix).getSymName();
  });

  for (auto [index, same] : duplicates) {
    MatrixIndex holder = matrices[same].metFirst;
    MatrixIndex sharer = holder == index ? same : index;
    plan.shares.push_back({cast<MatrixOp>(matrices[sharer].op),
                           cast<MatrixOp>(matrices[holder].op)});
  }
}

/// Numbers what the forms share, and lists the forms. The body is long: it is
/// counted first, since to grow a table costs more than to walk twice.
void Planner::collectShared() {
  size_t numOperations = 0;
  visitOperations(program.getBody().front(),
                  [&](Operation &) { ++numOperations; });
  shared.reserve(numOperations);
  matrices.reserve(numOperations);
  visitOperations(program.getBody().front(), [&](Operation &op) {
    SharedBuffer buffer;
    if (auto matrix = dyn_cast<MatrixOp>(op)) {
      buffer.index = matrices.size();
      matrices.push_back({matrix, matrix.getType(), matrix.getRowsAttr()});
      shared.add(matrix.getSymNameAttr(), buffer);
    } else if (auto values = dyn_cast<ValuesOp>(op)) {
      buffer.isValues = true;
      shared.add(values.getSymNameAttr(), buffer);
    } else if (auto state = dyn_cast<StateOp>(op)) {
      shared.add(state.getSymNameAttr(), buffer);
    } else {
      forms.push_back(cast<FormOp>(op));
    }
  });
}

FailureOr<ResidencePlan> Planner::run() {
  collectShared();
  addLoop();
  for (auto [index, form] : llvm::enumerate(forms))
    if (failed(addForm(form, index)))
      return failure();
  collectUploads();

  int64_t arena = 0;
  sum.add(plan.arenaBytes, arena);
  plan.spareBytes = kSpareBytes + kSpareBytesPerLaunch * numLaunches;
  if (sum.hasOverflowed()) {
    emitError(program.getLoc()) << "'lane.program' op the bytes of '"
                                << program.getSymName() << "' pass 2^63";
    return failure();
  }
  return std::move(plan);
}

FailureOr<ResidencePlan> lane::computeResidencePlan(ProgramOp program) {
  return Planner(program).run();
}

PlacementProblem ResidencePlan::getPlacementProblem() const {
  PlacementProblem problem;
  problem.arenaBytes = arenaBytes;
  problem.fixedBytes = fixed.getTotal();
  problem.uploadBytes.reserve(order.size());
  for (const Upload &upload : order)
    problem.uploadBytes.push_back(upload.bytes);
  return problem;
}

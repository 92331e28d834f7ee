//===- Residence.cpp - The residence plan of a program --------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Residence.h"
#include "LayoutBuilder.h"
#include "lane/Support/Bytes.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace lane;

namespace {

/// A matrix of the program. It has the size of one cache line, since a million
/// matrices exceed the caches.
struct Matrix {
  Operation *op;
  MatrixType type;
  ArrayAttr rows;
  /// The symbol in a reference to it; null if no form references it.
  FlatSymbolRefAttr symbol;
  /// The first launch with the strongest read, if any; the index of the last
  /// read in the decode form; and the class of the strongest read.
  Operation *decidingRead = nullptr;
  int64_t lastRead = 0;
  MatrixClass matrixClass = MatrixClass::Gather;
  /// Index of the first form that references it; larger than any index if none
  /// does.
  uint32_t firstForm = std::numeric_limits<uint32_t>::max();
  /// Set in the first matrix of the program with these rows and format: the
  /// owner of the upload, and the next matrix with these rows in another
  /// format.
  MatrixIndex owner = kNoMatrix;
  MatrixIndex nextOfRows = kNoMatrix;

  void addRead(Operation *launch, MatrixClass readClass) {
    if (decidingRead && readClass <= matrixClass)
      return;
    decidingRead = launch;
    matrixClass = readClass;
  }
};

/// Plans the uploads during the walk that lays out the fixed part: collects how
/// matrices are read, then forms and orders the uploads.
class Planner : public LayoutVisitor {
public:
  explicit Planner(ProgramOp program)
      : program(program), builder(program, *this) {}

  FailureOr<ResidencePlan> run();

private:
  void visitProgram(size_t numOperations) override {
    matrices.reserve(numOperations);
  }
  void visitMatrix(MatrixOp matrix) override {
    matrices.push_back({matrix, matrix.getType(), matrix.getRowsAttr()});
  }
  void visitRef(RefOp ref, MatrixIndex index, unsigned formIndex) override {
    Matrix &matrix = matrices[index];
    matrix.firstForm = std::min(matrix.firstForm, formIndex);
    matrix.symbol = ref.getSymbolAttr();
  }
  void visitLaunch(LaunchOpInterface launch, FormKind form,
                   int64_t launchIndex) override;
  void collectUploads();
  bool hasOverflowed() const;

  ProgramOp program;
  LayoutBuilder builder;
  ResidencePlan plan;
  SmallVector<Matrix, 0> matrices;
  // Reused for all launches to avoid allocations.
  SmallVector<OpOperand *> reads;
};

} // namespace

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

void Planner::visitLaunch(LaunchOpInterface launch, FormKind form,
                          int64_t launchIndex) {
  launch.forEachPart([&](LaunchOpInterface part) {
    reads.clear();
    part.getReads(reads);
    for (OpOperand *read : reads) {
      auto ref = dyn_cast_if_present<RefOp>(getBaseBuffer(read->get()));
      // Only matrices have a class. Checking the type is faster than a lookup.
      if (!ref || !isa<MatrixType>(ref.getType()))
        continue;
      MatrixIndex index = builder.lookupMatrix(ref);
      if (index == kNoMatrix)
        continue;
      Matrix &matrix = matrices[index];
      matrix.addRead(part, getReadClass(part.getReadAccess(*read).kind));
      if (form == FormKind::Decode)
        matrix.lastRead = std::max(matrix.lastRead, launchIndex);
    }
  });
}

//===----------------------------------------------------------------------===//
// Uploads and their order
//===----------------------------------------------------------------------===//

static bool haveSameFormat(MatrixType lhs, MatrixType rhs) {
  return lhs.getFormat() == rhs.getFormat() &&
         lhs.getNumColumns() == rhs.getNumColumns();
}

/// Whether `lhs` precedes `rhs` in form order, then name order, so that it is
/// the owner of an upload that both read.
static bool comesBefore(const Matrix &lhs, const Matrix &rhs) {
  if (lhs.firstForm != rhs.firstForm)
    return lhs.firstForm < rhs.firstForm;
  return cast<MatrixOp>(lhs.op).getSymName() <
         cast<MatrixOp>(rhs.op).getSymName();
}

/// Forms one upload of all matrices with the same rows and format. The first in
/// form order, then name order, owns it; the strongest read of any determines
/// its class. Orders the uploads by class, last read and name.
void Planner::collectUploads() {
  // Attributes are uniqued, so equal rows are the same attribute. Use only this
  // pointer as the key, so that neighbours in memory are neighbours in the
  // table.
  DenseMap<Attribute, MatrixIndex> byRows;
  byRows.reserve(matrices.size());
  // Each matrix with the rows of an earlier matrix, and that matrix.
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
      matrix.owner = index;
      matrix.nextOfRows = chain;
      chain = index;
      continue;
    }
    duplicates.push_back({index, same});
    Matrix &other = matrices[same];
    if (comesBefore(matrix, matrices[other.owner]))
      other.owner = index;
    if (matrix.decidingRead)
      other.addRead(matrix.decidingRead, matrix.matrixClass);
    other.lastRead = std::max(other.lastRead, matrix.lastRead);
  }

  plan.order.reserve(matrices.size() - duplicates.size());
  for (const Matrix &matrix : matrices) {
    if (matrix.owner == kNoMatrix)
      continue;
    const Matrix &owner = matrices[matrix.owner];
    plan.order.push_back(
        {cast<MatrixOp>(owner.op), owner.symbol,
         matrix.decidingRead ? matrix.matrixClass : MatrixClass::Other,
         matrix.lastRead, matrix.type.getUploadBytes(), matrix.decidingRead});
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
    MatrixIndex owner = matrices[same].owner;
    MatrixIndex alias = owner == index ? same : index;
    plan.shares.push_back({cast<MatrixOp>(matrices[alias].op),
                           cast<MatrixOp>(matrices[owner].op)});
  }
}

/// Whether the sum of all bytes of the plan overflows int64.
bool Planner::hasOverflowed() const {
  if (builder.hasOverflowed())
    return true;
  std::optional<int64_t> sum =
      checkedAddBytes(plan.fixed.getTotal(), plan.arenaBytes);
  for (const Upload &upload : plan.order)
    sum = sum ? checkedAddBytes(*sum, upload.bytes) : std::nullopt;
  return !sum;
}

FailureOr<ResidencePlan> Planner::run() {
  if (failed(builder.run()))
    return failure();
  plan.arenaBytes = builder.getArenaBytes();
  plan.fixed = builder.getTerms();
  plan.spareBytes =
      kSpareBytes + kSpareBytesPerLaunch * builder.getNumLaunches();
  collectUploads();
  if (hasOverflowed()) {
    emitBriefOpError(program)
        << "the bytes of '" << program.getSymName() << "' overflow int64";
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

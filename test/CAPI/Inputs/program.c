//===- program.c - A compiler in C that uses Lane -------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a program, plans and places it, prints the results, and checks the
// error for a budget that is too small. If it gets the path of a checkpoint, it
// imports that too.
//
//===----------------------------------------------------------------------===//

#include "lane-c/Program.h"
#include "lane-c/Plan.h"
#include "lane-c/Translate.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static MlirStringRef text(const char *string) {
  return mlirStringRefCreateFromCString(string);
}

static void print(MlirStringRef string, void *userData) {
  (void)userData;
  fwrite(string.data, 1, string.length, stdout);
}

static void count(MlirStringRef string, void *bytes) {
  *(size_t *)bytes += string.length;
}

static MlirLogicalResult diagnose(MlirDiagnostic diagnostic, void *userData) {
  (void)userData;
  printf("diagnostic: ");
  mlirDiagnosticPrint(diagnostic, print, NULL);
  printf("\n");
  return mlirLogicalResultSuccess();
}

static void check(bool condition, const char *message) {
  if (condition)
    return;
  printf("fails: %s\n", message);
  exit(1);
}

static void printExtents(MlirOperation program, intptr_t rank,
                         intptr_t numExtents) {
  static const char *const kinds[] = {"device", "host"};
  LaneExtent extent;
  for (intptr_t index = 0; index < numExtents; ++index) {
    check(laneProgramGetExtent(program, rank, index, &extent),
          "each extent is readable");
    printf(" %s %" PRId64 " from %" PRId64 " to %" PRId64,
           kinds[extent.space.kind], extent.space.number, extent.offsetBytes,
           extent.offsetBytes + extent.bytes);
  }
  check(!laneProgramGetExtent(program, rank, numExtents, &extent),
        "an index past the last extent is an error");
  check(!laneProgramGetExtent(program, rank, -1, &extent),
        "a negative index is an error");
}

static void printUploads(MlirOperation program) {
  static const char *const classes[] = {"gather", "expert", "other"};
  LanePlan plan;
  check(laneProgramGetPlan(program, &plan), "the program has a plan");
  printf("arena %" PRId64 " fixed %" PRId64 " spare %" PRId64 " whole %" PRId64
         "\n",
         plan.arenaBytes, plan.fixedBytes, plan.spareBytes, plan.wholeBytes);
  LaneUpload upload;
  for (intptr_t rank = 0; rank < plan.numUploads; ++rank) {
    check(laneProgramGetUpload(program, rank, &upload),
          "each rank has an upload");
    printf("%d: %.*s %s read %" PRId64 " bytes %" PRId64, (int)rank,
           (int)upload.name.length, upload.name.data,
           classes[upload.matrixClass], upload.lastRead, upload.bytes);
    printExtents(program, rank, upload.numExtents);
    printf("\n");
  }
  check(!laneProgramGetUpload(program, plan.numUploads, &upload),
        "a rank past the last is an error");
  check(!laneProgramGetUpload(program, -1, &upload),
        "a negative rank is an error");
}

/// token = argmax-like "sample" of experts(embedding[ids]).
static MlirOperation buildProgram(MlirModule module, MlirLocation loc) {
  MlirType f32 = mlirF32TypeGet(mlirLocationGetContext(loc));
  MlirType i32 = mlirIntegerTypeGet(mlirLocationGetContext(loc), 32);
  const int64_t table[] = {64, 32}, stack[] = {8, 32, 32}, row[] = {1, 32},
                one[] = {1}, wide[] = {1, 64}, cache[] = {128, 32};
  MlirType tableType = laneMatrixTypeGet(loc, 2, table, text("q8_0"));
  MlirType stackType = laneMatrixTypeGet(loc, 3, stack, text("q4_0"));
  MlirType rowType = laneBufferTypeGet(loc, 2, row, f32);
  check(laneTypeIsAMatrix(tableType) && !laneTypeIsABuffer(tableType),
        "a matrix is a matrix");
  check(laneTypeIsABuffer(rowType), "a buffer is a buffer");
  printf("upload of %" PRId64 " bytes\n",
         laneMatrixTypeGetUploadBytes(tableType));

  MlirOperation program =
      laneProgramCreate(module, loc, text("tiny"), 128, LaneNumericsOnePass);
  int64_t file = laneProgramAddFile(program, text("tiny.gguf"));
  laneMatrixCreate(program, loc, text("embedding"), tableType, file, 0);
  laneMatrixCreate(program, loc, text("experts"), stackType, file, 4096);
  laneMatrixCreate(program, loc, text("output"), tableType, file, 16384);
  laneValuesCreate(program, loc, text("norm"),
                   laneBufferTypeGet(loc, 1, &row[1], f32), file, 32768);
  laneStateCreate(program, loc, text("cache"),
                  laneBufferTypeGet(loc, 2, cache, f32));

  LaneStorages none = {LaneStorageNone, LaneStorageNone};
  LaneStorages pool = {LaneStoragePool, LaneStorageNone};
  LaneStorages arena = {LaneStorageArena, LaneStorageNone};
  MlirOperation form =
      laneFormCreate(program, loc, text("decode"), LaneFormKindDecode, 1);
  MlirValue ids = laneParamCreate(form, loc, text("ids"),
                                  laneBufferTypeGet(loc, 1, one, i32), pool,
                                  /*isPosition=*/false);
  MlirValue embedding =
      laneRefCreate(form, loc, text("embedding"), tableType, none);
  MlirValue experts =
      laneRefCreate(form, loc, text("experts"), stackType, none);
  MlirValue output = laneRefCreate(form, loc, text("output"), tableType, none);
  MlirValue norm = laneRefCreate(form, loc, text("norm"),
                                 laneBufferTypeGet(loc, 1, &row[1], f32), pool);
  MlirValue state = laneRefCreate(form, loc, text("cache"),
                                  laneBufferTypeGet(loc, 2, cache, f32), pool);
  MlirValue x = laneAllocCreate(form, loc, text("x"), rowType, arena);
  MlirValue y = laneAllocCreate(form, loc, text("y"), rowType, arena);
  MlirValue z = laneAllocCreate(form, loc, text("z"),
                                laneBufferTypeGet(loc, 2, wide, f32), arena);
  MlirValue half =
      laneViewCreate(form, loc, text("half"), z, 32, rowType, arena);

  MlirValue gatherInputs[] = {ids, embedding};
  LaneAccess gather[] = {{LaneAccessKindDense, 0, 0},
                         {LaneAccessKindGather, 0, 0}};
  laneLaunchCreate(form, loc, text("embed"), 2, gatherInputs, gather, 1, &x);
  MlirValue expertInputs[] = {x, experts, norm};
  LaneAccess expert[] = {{LaneAccessKindDense, 0, 0},
                         {LaneAccessKindExpert, 2, 8},
                         {LaneAccessKindDense, 0, 0}};
  MlirValue expertOutputs[] = {y, state};
  laneLaunchCreate(form, loc, text("experts"), 3, expertInputs, expert, 2,
                   expertOutputs);
  MlirValue outputInputs[] = {y, output};
  laneLaunchCreate(form, loc, text("output"), 2, outputInputs, NULL, 1, &z);
  laneLaunchCreate(form, loc, text("fold"), 1, &half, NULL, 1, &y);
  return program;
}

static void useBuiltProgram(MlirContext context) {
  MlirLocation loc = mlirLocationUnknownGet(context);
  MlirModule module = mlirModuleCreateEmpty(loc);
  MlirOperation program = buildProgram(module, loc);
  LanePlan plan;
  LanePlacement placement;
  check(!laneProgramGetPlan(program, &plan),
        "the program has no plan before planning");
  check(mlirLogicalResultIsSuccess(laneProgramPlan(program)),
        "the program is planned");
  check(!laneProgramGetPlacement(program, &placement),
        "the program has no placement before placing");
  printUploads(program);

  check(mlirLogicalResultIsFailure(
            laneProgramPlace(program, 100, LanePlacementPolicyLastRead)),
        "100 bytes are too few");
  check(laneProgramGetPlan(program, &plan), "the program has a plan");
  check(mlirLogicalResultIsSuccess(laneProgramPlace(
            program, plan.wholeBytes - 256, LanePlacementPolicyLeastTraffic)),
        "the program is placed");
  check(laneProgramGetPlacement(program, &placement),
        "the program has a placement");
  printf("moved %" PRId64 " device %" PRId64 " host %" PRId64 " policy %d\n",
         placement.moved, placement.deviceBytes, placement.hostBytes,
         (int)placement.policy);
  check(placement.pageTableBytes == 0, "page tables are not in the budget");
  printUploads(program);

  check(mlirLogicalResultIsSuccess(laneExportPlanJson(module, print, NULL)),
        "the plan is exported");
  size_t before = 0;
  for (int file = 0; file < 2; ++file) {
    size_t bytes = 0;
    check(mlirLogicalResultIsSuccess(
              laneEmitCpp(module, LanePlacementPolicyLeastTraffic,
                          (LaneCppFile)file, count, &bytes)),
          "the file is emitted");
    check(bytes > 1000 && bytes != before,
          "the files are not empty, and differ");
    before = bytes;
  }
  mlirModuleDestroy(module);
}

static void checkErrors(MlirContext context) {
  MlirLocation loc = mlirLocationUnknownGet(context);
  const int64_t odd[] = {4, 31};
  check(mlirTypeIsNull(laneMatrixTypeGet(loc, 2, odd, text("q8_0"))),
        "31 columns are not whole blocks");
  check(mlirTypeIsNull(laneMatrixTypeGet(loc, 2, odd, text("q9_0"))),
        "q9_0 is unknown");
  check(mlirModuleIsNull(laneImportJson(context, text("{"))),
        "an incomplete object is an error");
  LaneImportOptions options = {0, 0, 0, false};
  check(mlirModuleIsNull(
            laneImportGGUF(context, text("/nowhere/model.gguf"), options)),
        "a missing file is an error");
  // A program without a form.
  MlirModule module = mlirModuleCreateEmpty(loc);
  MlirOperation program =
      laneProgramCreate(module, loc, text("wrong"), 16, LaneNumericsOnePass);
  check(mlirLogicalResultIsFailure(laneProgramPlan(program)),
        "a program without a decode form is an error");
  mlirModuleDestroy(module);
}

static void importCheckpoint(MlirContext context, const char *path) {
  LaneImportOptions options = {0, 0, 0, false};
  MlirModule module = laneImportGGUF(context, text(path), options);
  check(!mlirModuleIsNull(module), "the checkpoint is imported");
  MlirOperation program = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  check(mlirLogicalResultIsSuccess(laneProgramPlan(program)),
        "the program is planned");
  LanePlan plan;
  check(laneProgramGetPlan(program, &plan), "the program has a plan");
  printf("checkpoint: whole %" PRId64 ", %d uploads\n", plan.wholeBytes,
         (int)plan.numUploads);
  mlirModuleDestroy(module);
}

int main(int argc, char **argv) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__lane__(), registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, diagnose, NULL, NULL);

  useBuiltProgram(context);
  checkErrors(context);
  if (argc > 1)
    importCheckpoint(context, argv[1]);

  mlirContextDetachDiagnosticHandler(context, handler);
  mlirContextDestroy(context);
  printf("done\n");
  return 0;
}

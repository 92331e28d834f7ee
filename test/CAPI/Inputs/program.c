//===- program.c - A compiler in C that holds Lane ------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a program, plans it, places it, is refused, and reads and prints what
// was decided. With a checkpoint's path it imports that too.
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

static void check(bool holds, const char *what) {
  if (holds)
    return;
  printf("fails: %s\n", what);
  exit(1);
}

static void printExtents(MlirOperation program, intptr_t rank,
                         intptr_t numExtents) {
  static const char *const kinds[] = {"device", "host"};
  LaneExtent extent;
  for (intptr_t index = 0; index < numExtents; ++index) {
    check(laneProgramGetExtent(program, rank, index, &extent),
          "each extent is there");
    printf(" %s %" PRId64 " from %" PRId64 " to %" PRId64,
           kinds[extent.space.kind], extent.space.number, extent.offsetBytes,
           extent.offsetBytes + extent.bytes);
  }
  check(!laneProgramGetExtent(program, rank, numExtents, &extent),
        "no extent is past the last");
  check(!laneProgramGetExtent(program, rank, -1, &extent),
        "no extent is negative");
}

static void printUploads(MlirOperation program) {
  static const char *const classes[] = {"gather", "expert", "other"};
  LanePlan plan;
  check(laneProgramGetPlan(program, &plan), "there is a plan");
  printf("arena %" PRId64 " fixed %" PRId64 " spare %" PRId64 " whole %" PRId64
         "\n",
         plan.arenaBytes, plan.fixedBytes, plan.spareBytes, plan.wholeBytes);
  LaneUpload upload;
  for (intptr_t rank = 0; rank < plan.numUploads; ++rank) {
    check(laneProgramGetUpload(program, rank, &upload), "each rank is there");
    printf("%d: %.*s %s read %" PRId64 " bytes %" PRId64, (int)rank,
           (int)upload.name.length, upload.name.data,
           classes[upload.matrixClass], upload.lastRead, upload.bytes);
    printExtents(program, rank, upload.numExtents);
    printf("\n");
  }
  check(!laneProgramGetUpload(program, plan.numUploads, &upload),
        "no rank is past the last");
  check(!laneProgramGetUpload(program, -1, &upload), "no rank is negative");
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
  check(!laneProgramGetPlan(program, &plan), "there is no plan yet");
  check(mlirLogicalResultIsSuccess(laneProgramPlan(program)), "it plans");
  check(!laneProgramGetPlacement(program, &placement), "it is not placed yet");
  printUploads(program);

  check(mlirLogicalResultIsFailure(
            laneProgramPlace(program, 100, LanePlacementPolicyLastRead)),
        "100 bytes are too few");
  check(laneProgramGetPlan(program, &plan), "there is a plan");
  check(mlirLogicalResultIsSuccess(laneProgramPlace(
            program, plan.wholeBytes - 256, LanePlacementPolicyLeastTraffic)),
        "it is placed");
  check(laneProgramGetPlacement(program, &placement), "it has a placement");
  printf("moved %" PRId64 " device %" PRId64 " host %" PRId64 " policy %d\n",
         placement.moved, placement.deviceBytes, placement.hostBytes,
         (int)placement.policy);
  check(placement.pageTableBytes == 0, "page tables are not in the budget");
  printUploads(program);

  check(mlirLogicalResultIsSuccess(laneExportPlanJson(module, print, NULL)),
        "it is exported");
  size_t before = 0;
  for (int file = 0; file < 2; ++file) {
    size_t bytes = 0;
    check(mlirLogicalResultIsSuccess(
              laneEmitCpp(module, LanePlacementPolicyLeastTraffic,
                          (LaneCppFile)file, count, &bytes)),
          "it is emitted");
    check(bytes > 1000 && bytes != before, "two files with something in them");
    before = bytes;
  }
  mlirModuleDestroy(module);
}

static void meetErrors(MlirContext context) {
  MlirLocation loc = mlirLocationUnknownGet(context);
  const int64_t odd[] = {4, 31};
  check(mlirTypeIsNull(laneMatrixTypeGet(loc, 2, odd, text("q8_0"))),
        "31 columns are no whole blocks");
  check(mlirTypeIsNull(laneMatrixTypeGet(loc, 2, odd, text("q9_0"))),
        "there is no q9_0");
  check(mlirModuleIsNull(laneImportJson(context, text("{"))),
        "a brace is no program");
  LaneImportOptions options = {0, 0, 0, false};
  check(mlirModuleIsNull(
            laneImportGGUF(context, text("/nowhere/model.gguf"), options)),
        "nothing is nowhere");
  // A launch that nothing gives its matrix.
  MlirModule module = mlirModuleCreateEmpty(loc);
  MlirOperation program =
      laneProgramCreate(module, loc, text("wrong"), 16, LaneNumericsOnePass);
  check(mlirLogicalResultIsFailure(laneProgramPlan(program)),
        "a program without a decode form does not plan");
  mlirModuleDestroy(module);
}

static void importCheckpoint(MlirContext context, const char *path) {
  LaneImportOptions options = {0, 0, 0, false};
  MlirModule module = laneImportGGUF(context, text(path), options);
  check(!mlirModuleIsNull(module), "it is imported");
  MlirOperation program = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  check(mlirLogicalResultIsSuccess(laneProgramPlan(program)), "it plans");
  LanePlan plan;
  check(laneProgramGetPlan(program, &plan), "there is a plan");
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
  meetErrors(context);
  if (argc > 1)
    importCheckpoint(context, argv[1]);

  mlirContextDetachDiagnosticHandler(context, handler);
  mlirContextDestroy(context);
  printf("done\n");
  return 0;
}

/* What `gmg bench` measured, as JSON (docs/performance/bench.md has its members). */
#ifndef GMG_IO_BENCH_JSON_H
#define GMG_IO_BENCH_JSON_H

#include "bench_data.h"
#include "file/output.h"
#include "file/problem.h"

struct bench_document {
  const struct bench *bench;
  const struct problem *problem;
  const char *name; /* of the problem: its file, or its case */
  gmg_context *context;
  const gmg_solver *solver;
};
/* Writes the file on rank 0. Errors: STATUS_MACHINE. Calls: collective. */
int bench_json_write(const struct output *output, const struct bench_document *document,
                     struct failure *failure);

#endif

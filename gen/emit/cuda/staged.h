/* What the form SYMBOL_staged copies to shared memory, and how large that is. */
#ifndef GEN_EMIT_CUDA_STAGED_H
#define GEN_EMIT_CUDA_STAGED_H

#include "emit/emit.h"

enum { GEN_STAGED_BOXES = 8, GEN_STAGED_LINES = 16 };

/* A field: rows from j + low to j + high; whether cells beside the own one along i are read, and in
 * plane k + 1 or k - 1. halves: even and odd cells are copied by themselves, since of the outermost
 * rows only one half each is needed, the first colour's. */
struct gen_staged_box {
  int array, low, high;
  bool beside, ahead, below, halves;
};

/* The fields; and along each axis the lines: along i one access to each array, along j and k one
 * for each place, as j and j + 1. */
struct gen_staged {
  int count, given;
  bool fits;
  struct gen_staged_box box[GEN_STAGED_BOXES];
  int lines[GEN_AXES];
  const struct gen_access *line[GEN_AXES][GEN_STAGED_LINES];
};

struct gen_staged gen_staged_of(const struct gen_schedule *schedule);
/* NULL: the array is none of them. */
const struct gen_staged_box *gen_staged_box_of(const struct gen_staged *staged, int array);
/* How many boxes of a stage are asked for while the stage before is still under way. */
int gen_staged_early(const struct gen_schedule *schedule, const struct gen_staged *staged,
                     const struct gen_cuda_shape *shape);
/* false: none fits shared memory. */
bool gen_staged_shape(const struct gen_schedule *schedule, const struct gen_staged *staged,
                      struct gen_cuda_shape *shape);
/* The struct SYMBOL_place, and SYMBOL_copy (gen/emit/cuda/staged_copy.c). */
void gen_emit_staged_places(struct gen_emitter *emitter, const struct gen_staged *staged);
void gen_emit_staged_copy(struct gen_emitter *emitter, const struct gen_staged *staged,
                          const struct gen_cuda_shape *shape);
/* Its kernel alone (gen/emit/cuda/staged_march.c); emitter->given is the array u. */
void gen_emit_cuda_staged_march(struct gen_emitter *emitter, const struct gen_staged *staged);

#endif

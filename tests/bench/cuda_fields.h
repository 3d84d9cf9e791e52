/* Arguments of a kernel on one box, laid out as the solver lays them out, cells paired two by two
 * with other levels. */
#ifndef GMG_BENCH_CUDA_FIELDS_H
#define GMG_BENCH_CUDA_FIELDS_H

#include "kernel.h"

struct bench_fields {
  const struct gmg_kernel_descriptor *kernel;
  struct gmg_kernel_box box;
  struct {
    size_t bytes, origin; /* of the whole array; where element 0, or (0, 0, 0), is in it */
    void *data;           /* NULL where it was not asked for */
  } field[GMG_MAX_FIELDS];
  double scalar[GMG_MAX_SCALARS];
  /* compulsory, of one run: every array once, of what a colour does not visit nothing */
  double bytes;
};

/* cells: own ones. contents: also of three-dimensional fields, at random; lines and tables are
 * always there. */
void bench_fields_make(struct bench_fields *fields, const struct gmg_kernel_descriptor *kernel,
                       const int cells[3], int contents, unsigned long long seed);
void bench_fields_clear(struct bench_fields *fields);
/* Random numbers between 0.5 and 1.5, of any use as contents of a field. */
void bench_fill(void *data, size_t bytes, enum gmg_precision precision, unsigned long long seed);
/* A colour for kernels that have one. */
void bench_set_colour(struct bench_fields *fields, int colour);
/* Cuts that fit the contents. */
void bench_cuts(const struct bench_fields *fields, double cut[GMG_SUM_BINS]);

#endif

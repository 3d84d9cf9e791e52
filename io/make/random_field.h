/* A Gaussian random field, as a sum of waves of random direction, length and phase: a function of
 * the coordinates and the seed alone, so that every rank makes its own part, and finer grids sample
 * the same field. Mean 0, variance 1, covariance exp(-distance / length). */
#ifndef GMG_IO_RANDOM_FIELD_H
#define GMG_IO_RANDOM_FIELD_H

#include <stdint.h>

#include "common/failure.h"

enum { RANDOM_WAVES = 512 };

struct random_field {
  int cells[3];
  double *table[3]; /* [axis][wave][0 cosine, 1 sine][cell] of the wave's phase along the axis */
};
/* centre: the coordinates at which the field is wanted, cells[d] along each axis. Memory: gives the
 * tables. Errors: STATUS_MACHINE. */
int random_field_start(uint64_t seed, double length, const int cells[3], double *const centre[3],
                       struct random_field *field, struct failure *failure);
void random_field_clear(struct random_field *field);
/* The values along x, from cell (from, j, k) to before (to, j, k). */
void random_field_row(const struct random_field *field, int from, int to, int j, int k,
                      double *row);

/* A whole number that depends on the arguments alone, all bits alike. */
uint64_t random_hash(uint64_t seed, int64_t i, int64_t j, int64_t k);

#endif

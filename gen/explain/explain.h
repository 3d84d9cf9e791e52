/* What the compiler understood of a kernel, in words, and the counts behind it. */
#ifndef GEN_EXPLAIN_H
#define GEN_EXPLAIN_H

#include "check/check.h"

/* Additions, subtractions, multiplications, divisions, maxima and roots per iteration visited, as
 * the tree stands (an fma counts 2). What depends on no field, but on scalars and lines, is the
 * same in all rows or planes and not counted. */
int gen_flops(const struct gen_kernel *kernel);
/* Compulsory bytes per iteration: every [box][k][j][i] array once if it is read and once if it is
 * written; 8 elements of the finer level, an eighth of the coarser; lines and tables count nothing.
 */
double gen_bytes(const struct gen_kernel *kernel, double bytes_per_real);

/* Loops, arrays with centring, ghost zone, offsets and halo, colours, flops, bytes and arithmetic
 * intensity, and what the proof holds. The text ends with a line feed. */
const char *gen_explain(const struct gen_kernel *kernel, const struct gen_proof *proof);

#endif

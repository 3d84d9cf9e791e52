#include "reduce.h"

#include <math.h>
#include <string.h>

/* How the sum is made independent of order. Let |x| < 2^M for each of N ≤ 2^L terms. With cut = 1.5 · 2^e and |x| ≤ 2^(e-1),
 * x + cut stays between 2^e and 2^(e+1), so q = (x + cut) - cut is x rounded to a multiple of the quantum 2^(e-52), and
 * x - q is exact. |q| ≤ 2^M, so every partial sum of the q is at most 2^(M+L): all are exact where that is at most 2^53
 * quanta, 2^(e+1). The least such e is M + L - 1, and at least M + 1. What is left of a term is at most 2^(e-53) and goes
 * into the next bin the same way, with M' = e - 53. After the last bin N · 2^(e-53) is lost at most. */
static double make_cuts(int exponent, int64_t cells, double cut[GMG_SUM_BINS])
{
  int length = 2;
  while (length < 62 && (int64_t)1 << length < cells)
    length++;
  int e = exponent + length - 1;
  for (int b = 0; b < GMG_SUM_BINS; b++) {
    e = e > 1000 ? 1000 : e < -1000 ? -1000 : e;
    cut[b] = ldexp(1.5, e);
    e += length - 54;
  }
  return (double)cells * ldexp(1.0, e + 54 - length - 53);
}

/* What a pass left: bins and maximum over all ranks. */
static double finish(struct gmg_call *call, double *most)
{
  struct gmg_reduction total;
  struct gmg_context *context = call->level->context;
  gmg_call_reduce_end(call, &total);
  const int error =
    gmg_comm_sum(&context->comm, total.bin, GMG_SUM_BINS) + gmg_comm_max(&context->comm, &total.most, 1);
  if (error)
    context->mpi_error = error;
  *most = total.most;
  double sum = 0;
  for (int b = GMG_SUM_BINS - 1; b >= 0; b--)
    sum += total.bin[b];
  return sum;
}

static double run(struct gmg_call *call, const double cut[GMG_SUM_BINS], double *most)
{
  gmg_call_reduce_begin(call, cut);
  return finish(call, most);
}

void gmg_reducer_forget(struct gmg_reducer *reducer)
{
  reducer->known = 0;
}

static int exponent_of(double bound, int power)
{
  int exponent = 0;
  if (bound > 0 && isfinite(bound))
    frexp(bound, &exponent);
  else
    exponent = bound > 0 ? 1000 : -1000;
  return power * exponent;
}

void gmg_reduce_begin(struct gmg_reducer *reducer)
{
  double cut[GMG_SUM_BINS];
  make_cuts(reducer->exponent, reducer->sum->level->cells, cut);
  gmg_call_reduce_begin(reducer->sum, cut);
  reducer->begun = 1;
}

double gmg_reduce(struct gmg_reducer *reducer, double *most)
{
  enum { SLACK = 4, LOOSE = 36 };
  double cut[GMG_SUM_BINS], bound = 0;
  const int64_t cells = reducer->sum->level->cells;
  const enum gmg_kernel_role role = reducer->sum->kernel->role;
  const int power = role == GMG_RESIDUAL_NORM || role == GMG_RESIDUAL_SINGLE ? 2 : 1;
  /* The bound of the terms is a guess, from the last time, that is checked afterwards. */
  const double lost = make_cuts(reducer->exponent, cells, cut);
  double sum = reducer->begun ? finish(reducer->sum, &bound) : run(reducer->sum, cut, &bound);
  reducer->begun = 0;
  const int tight = exponent_of(bound, power);
  const int exceeded = !reducer->known || tight > reducer->exponent;
  if (exceeded || (tight + SLACK < reducer->exponent && lost > ldexp(fabs(sum), -LOOSE))) {
    make_cuts(tight, cells, cut);
    sum = run(reducer->sum, cut, &bound);
  }
  reducer->exponent = tight + SLACK;
  reducer->known = 1;
  if (isnan(sum) && isinf(bound)) /* an infinite term makes NaN of the bins */
    sum = bound;
  if (most)
    *most = isnan(sum) ? sum : bound;
  return sum;
}

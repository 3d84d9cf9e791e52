#include "reduce.h"

#include "sample.h"
#include "system/threads.h"

#include <math.h>

/* Where clamped cuts stay far from overflow and from subnormal numbers; and the most that a square
 * may have. */
enum { MOST_EXPONENT = 900, MOST_EXPONENT_SINGLE = 127 };
/* How far terms may grow, and sink, between two sums before the second is found anew, in powers of
 * two. */
enum { SLACK = 4, LOOSE = 36, LOOSE_SINGLE = 8 };

/* How the sum is made independent of order. Let |x| ≤ 2^M for each of N ≤ 2^L terms. With cut = 1.5
 * · 2^e and |x| ≤ 2^(e-1), x + cut stays between 2^e and 2^(e+1), whose numbers are the multiples
 * of the quantum 2^(e-52): it is x, rounded to one of them, and the cut, and the bits of both
 * differ by that multiple. It is at most 2^P for e = M - P + 52, P ≤ 51, so that with P + L ≤ 62
 * sums of N of them fit a signed integer of 64 bits. What is left of a term, exactly x - ((x + cut)
 * - cut), is at most 2^(e-53), and goes into the next bin the same way, with M' = e - 53. After the
 * last bin N · 2^(e-53) is lost at most: each of `bins` that the kernel has (gen/emit/sums.c). */
static double make_cuts(int exponent, int64_t cells, int bins, double cut[GMG_SUM_BINS])
{
  int length = 2;
  while (length < 62 && (int64_t)1 << length < cells)
    length++;
  const int bits = length < 11 ? 51 : 62 - length;
  int e = exponent;
  double lost = 0;
  for (int b = 0; b < GMG_SUM_BINS; b++) {
    e += 52 - bits;
    e = e > 1000 ? 1000 : e < -1000 ? -1000 : e;
    cut[b] = ldexp(1.5, e);
    e -= 53;
    lost = b < bins ? (double)cells * ldexp(1.0, e) : lost;
  }
  return lost;
}

/* What a pass left: bins and maximum over all ranks. */
static double finish(struct gmg_call *call, double *most)
{
  struct gmg_reduction total;
  struct gmg_context *context = call->level->context;
  gmg_call_reduce_end(call, &total);
  const double begin = gmg_seconds();
  const int error = gmg_comm_reduce(&context->comm, total.bin, GMG_SUM_BINS, &total.most);
  context->waited += gmg_seconds() - begin;
  if (error)
    context->mpi_error = error;
  *most = gmg_sized(total.most);
  double sum = 0;
  for (int b = GMG_SUM_BINS - 1; b >= 0; b--)
    sum += ldexp(total.cut[b] / 1.5, -52) * (double)(int64_t)total.bin[b];
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

static int power_of(const struct gmg_reducer *reducer)
{
  const enum gmg_kernel_role role = reducer->sum->kernel->role;
  return role == GMG_RESIDUAL_NORM || role == GMG_RESIDUAL_SINGLE || role == GMG_TERMS_NORM ? 2 : 1;
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

/* Whether it is the norm of a residual in single precision, an estimate of the true one: a kernel
 * has one bin for it. */
static int is_estimate(const struct gmg_reducer *reducer)
{
  return reducer->sum->kernel->precision == GMG_F32 && power_of(reducer) == 2;
}

static int bins_of(const struct gmg_reducer *reducer)
{
  return is_estimate(reducer) ? 1 : GMG_SUM_BINS;
}

void gmg_reducer_expect(struct gmg_reducer *reducer, double most)
{
  reducer->exponent = exponent_of(most, power_of(reducer));
  reducer->known = 1;
}

double gmg_reduce_most(struct gmg_reducer *reducer)
{
  const double cut[GMG_SUM_BINS] = {0};
  double most;
  run(reducer->sum, cut, &most);
  return most;
}

void gmg_reduce_begin(struct gmg_reducer *reducer, struct gmg_call *call)
{
  double cut[GMG_SUM_BINS];
  make_cuts(reducer->exponent, reducer->sum->level->cells, bins_of(reducer), cut);
  gmg_call_reduce_begin(call, cut);
  reducer->begun = call;
}

/* Before the first sum of its kind: a guess from some of the terms. */
static void look(struct gmg_reducer *reducer)
{
  const double cut[GMG_SUM_BINS] = {0};
  double most;
  if (!gmg_call_reduce_sample(reducer->sum, cut))
    return;
  finish(reducer->sum, &most);
  gmg_reducer_expect(reducer, most);
  reducer->exponent += SLACK;
}

double gmg_reduce(struct gmg_reducer *reducer, double *most)
{
  double cut[GMG_SUM_BINS], bound = 0;
  const int64_t cells = reducer->sum->level->cells;
  const int power = power_of(reducer), bins = bins_of(reducer),
            loose = is_estimate(reducer) ? LOOSE_SINGLE : LOOSE,
            most_exponent = is_estimate(reducer) ? MOST_EXPONENT_SINGLE : MOST_EXPONENT;
  if (!reducer->known && !reducer->begun)
    look(reducer);
  /* The bound of the terms is a guess, from the last time, that is checked afterwards. */
  const double lost = make_cuts(reducer->exponent, cells, bins, cut);
  double sum = reducer->begun ? finish(reducer->begun, &bound) : run(reducer->sum, cut, &bound);
  reducer->begun = NULL;
  const int tight = exponent_of(bound, power);
  const int exceeded = !reducer->known || tight > reducer->exponent;
  if (exceeded || (tight + SLACK < reducer->exponent && lost > ldexp(fabs(sum), -loose))) {
    make_cuts(tight, cells, bins, cut);
    sum = run(reducer->sum, cut, &bound);
  }
  reducer->exponent = tight + SLACK;
  reducer->known = 1;
  if (most)
    *most = bound;
  if (!isfinite(bound))
    return bound;
  return tight > most_exponent ? INFINITY : sum; /* terms overflow before the maximum does */
}

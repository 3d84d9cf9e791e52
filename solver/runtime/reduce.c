#include "reduce.h"

#include "binned.h"
#include "system/threads.h"

#include <math.h>

#include "sample.h"

/* Of norms in single precision: the most that a square may have, and how much smaller than what is
 * lost of it one may be. */
enum { MOST_EXPONENT_SINGLE = 127, LOOSE_SINGLE = 8 };

/* What a pass left: bins and maximum over all ranks. */
static void finish(struct gmg_call *call, struct gmg_reduction *total)
{
  struct gmg_context *context = call->level->context;
  gmg_call_reduce_end(call, total);
  const double begin = gmg_seconds();
  const int error = gmg_comm_reduce(&context->comm, total->bin, GMG_SUM_BINS, &total->most);
  context->waited += gmg_seconds() - begin;
  if (error)
    context->mpi_error = error;
}

/* A gmg_binned_pass: by the call that was begun, or the reducer's own. */
static void pass(void *work, const double cut[GMG_SUM_BINS], struct gmg_reduction *total)
{
  struct gmg_reducer *reducer = work;
  struct gmg_call *call = reducer->begun ? reducer->begun : reducer->sum;
  if (!reducer->begun)
    gmg_call_reduce_begin(call, cut);
  finish(call, total);
  reducer->begun = NULL;
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

/* Whether it is the norm of a residual in single precision, an estimate of the true one: a kernel
 * has one bin for it. */
static int is_estimate(const struct gmg_reducer *reducer)
{
  return reducer->sum->kernel->precision == GMG_F32 && power_of(reducer) == 2;
}

static struct gmg_binned binned_of(const struct gmg_reducer *reducer)
{
  struct gmg_binned binned = gmg_binned_of(reducer->sum->level->cells);
  binned.power = power_of(reducer);
  binned.exponent = reducer->exponent;
  binned.known = reducer->known;
  if (is_estimate(reducer)) {
    binned.bins = 1;
    binned.loose = LOOSE_SINGLE;
    binned.most_exponent = MOST_EXPONENT_SINGLE;
  }
  return binned;
}

void gmg_reducer_expect(struct gmg_reducer *reducer, double most)
{
  reducer->exponent = gmg_binned_exponent(most, power_of(reducer));
  reducer->known = 1;
}

double gmg_reduce_most(struct gmg_reducer *reducer)
{
  const double cut[GMG_SUM_BINS] = {0};
  struct gmg_reduction total;
  gmg_call_reduce_begin(reducer->sum, cut);
  finish(reducer->sum, &total);
  return gmg_sized(total.most);
}

void gmg_reduce_begin(struct gmg_reducer *reducer, struct gmg_call *call)
{
  const struct gmg_binned binned = binned_of(reducer);
  double cut[GMG_SUM_BINS];
  gmg_binned_cuts(&binned, cut);
  gmg_call_reduce_begin(call, cut);
  reducer->begun = call;
}

/* Before the first sum of its kind: a guess from some of the terms. */
static void look(struct gmg_reducer *reducer)
{
  const double cut[GMG_SUM_BINS] = {0};
  struct gmg_reduction total;
  if (!gmg_call_reduce_sample(reducer->sum, cut))
    return;
  finish(reducer->sum, &total);
  gmg_reducer_expect(reducer, gmg_sized(total.most));
  reducer->exponent += GMG_BINNED_SLACK;
}

double gmg_reduce(struct gmg_reducer *reducer, double *most)
{
  double bound;
  if (!reducer->known && !reducer->begun)
    look(reducer);
  struct gmg_binned binned = binned_of(reducer);
  const double sum = gmg_binned_sum(&binned, pass, reducer, &bound);
  reducer->exponent = binned.exponent;
  reducer->known = binned.known;
  if (most)
    *most = bound;
  return sum;
}

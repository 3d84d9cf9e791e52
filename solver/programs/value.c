/* Numbers that a program finds from its arrays between two steps. Sums do not depend on the order
 * of their terms (runtime/binned.h); the least and the largest value are found as integers that are
 * ordered as numbers are, NaN above all others (gmg_order). */
#include "extended.h"
#include "ghosts.h"
#include "place.h"

#include "problem/hash.h"
#include "problem/same.h"
#include "runtime/binned.h"
#include "system/order.h"

#include <math.h>
#include <string.h>

/* A reduction under way, and the first MPI error of its passes. */
struct reducing {
  struct gmg_program *program;
  const struct gmg_program_reduction *reduction;
  int64_t least; /* what the maximum begins with */
  int error;
};

/* One pass over this rank's cells. total: the cuts, and what the maximum begins with. */
static void pass_here(struct gmg_program *program, const struct gmg_program_kernel *bound,
                      struct gmg_reduction *total)
{
  struct gmg_reduction *part = program->context->reduction;
  struct gmg_kernel_args args = {.threads = program->threads, .reduction = part};
  gmg_extended_point(program, bound, 0, &args);
  for (int s = 0; s < bound->kernel->scalars; s++)
    args.scalar[s] = program->parameter[bound->parameter[s]];
  for (int t = 0; t < program->threads; t++)
    part[t] = *total;
  if (args.tiles)
    bound->kernel->run(&args);
  for (int t = 0; t < program->threads; t++) {
    for (int b = 0; b < GMG_SUM_BINS; b++)
      total->bin[b] += part[t].bin[b];
    total->most = part[t].most > total->most ? part[t].most : total->most;
  }
}

/* Then over all ranks. */
static void pass(void *work, const double cut[GMG_SUM_BINS], struct gmg_reduction *total)
{
  struct reducing *reducing = work;
  struct gmg_program *program = reducing->program;
  *total = (struct gmg_reduction){.most = reducing->least};
  memcpy(total->cut, cut, sizeof total->cut);
  if (program->placed)
    gmg_launches_reduce(program, (int)(reducing->reduction - program->made->reduction), total);
  else
    pass_here(program, &reducing->reduction->kernel, total);
  const int error =
    gmg_comm_reduce(&program->context->comm, total->bin, GMG_SUM_BINS, &total->most);
  if (!reducing->error)
    reducing->error = error;
}

static double find(struct reducing *reducing)
{
  const enum gmg_program_reduction_kind kind = reducing->reduction->kind;
  const int *cells = reducing->program->cells;
  const double none[GMG_SUM_BINS] = {0};
  struct gmg_reduction total;
  double most;
  if (kind == GMG_REDUCTION_SUM) {
    /* Nothing is known of the terms from the last time, so that a restart finds the same bits. */
    struct gmg_binned binned = gmg_binned_of((int64_t)cells[0] * cells[1] * cells[2]);
    return gmg_binned_sum(&binned, pass, reducing, &most);
  }
  reducing->least = INT64_MIN;
  pass(reducing, none, &total);
  return kind == GMG_REDUCTION_MIN ? -gmg_ordered(total.most) : gmg_ordered(total.most);
}

/* The ghosts that a reduction reads. Returns 0, or an MPI error code. */
static int fill_ghosts(struct gmg_program *program, const struct gmg_program_kernel *bound)
{
  int error = 0;
  for (int f = 0; f < bound->kernel->fields && !error; f++)
    if (gmg_block_reach(&bound->kernel->field[f]))
      error = gmg_program_fill_ghosts(program, bound->array[f]);
  return error;
}

/* Says what is wrong with a call; n: the reduction. */
static gmg_status check(const struct gmg_program *program, const char *name, const double *value,
                        int n)
{
  static const char call[] = "gmg_program_value";
  const struct gmg_program_descriptor *made = program->made;
  char known[300] = "";
  for (int r = 0; r < made->reductions; r++) {
    strncat(known, r ? ", " : "", sizeof known - strlen(known) - 1);
    strncat(known, made->reduction[r].name, sizeof known - strlen(known) - 1);
  }
  if (n < 0 || !value)
    return gmg_fail(program->context, GMG_ERR_ARGUMENT,
                    n < 0 ? "%s: program %s reduces nothing to '%s'; it has %s"
                          : "%s: program %s, '%s': value is NULL",
                    call, made->name, name ? name : "(NULL)", *known ? known : "no reductions");
  const struct gmg_program_kernel *bound = &made->reduction[n].kernel;
  for (int s = 0; s < bound->kernel->scalars; s++)
    if (!program->has_value[bound->parameter[s]])
      return gmg_fail(program->context, GMG_ERR_ORDER,
                      "%s: parameter '%s' of program %s has no value: it was given none", call,
                      made->parameter[bound->parameter[s]].name, made->name);
  return GMG_OK;
}

gmg_status gmg_program_value(gmg_program *program, const char *name, double *value)
{
  if (!program)
    return GMG_ERR_ARGUMENT;
  const struct gmg_program_descriptor *made = program->made;
  int n = made->reductions - 1;
  while (n >= 0 && (!name || strcmp(made->reduction[n].name, name) != 0))
    n--;
  const uint64_t hash = gmg_hash(0, program->parameter, sizeof program->parameter);
  const struct gmg_same same = {.call = "gmg_program_value",
                                .number = {{"value", n}, {"parameters", (double)(hash >> 12)}}};
  gmg_status status = gmg_same(program->context, check(program, name, value, n), &same);
  if (status)
    return status;
  struct reducing reducing = {.program = program, .reduction = &made->reduction[n]};
  struct gmg_memory *outer = gmg_account(&program->memory);
  int error = fill_ghosts(program, &reducing.reduction->kernel);
  *value = find(&reducing);
  error |= gmg_placed_wait(program);
  gmg_account(outer);
  if (error || reducing.error)
    status = gmg_fail(program->context, GMG_ERR_MPI, "'%s' of program %s could not be found",
                      made->reduction[n].name, made->name);
  else if (program->placed)
    status = gmg_device_status(program->context);
  return gmg_agree(program->context, status);
}

const char *gmg_program_value_name(const gmg_program *program, int n)
{
  return n >= 0 && n < program->made->reductions ? program->made->reduction[n].name : NULL;
}

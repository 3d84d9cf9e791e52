#include "owned_choice.h"

#include "across.h"
#include "intake.h"
#include "there.h"

/* Measured on 64³ cells: bodies, layers, checkerboards and log-normal fields of many sizes, each
 * with plain levels and with owners (docs/performance/owners.md). */
#define FEW_STEPS 0.01       /* parts of the pairs of neighbours: fewer, and no plan is made */
#define MANY_STEPS 0.2       /* more, and the plan is taken, whatever it is */
#define MANY_GIVEN_AWAY 0.03 /* parts of the finest level's cells, and of coarser ones' */
#define MANY_COARSE_GIVEN_AWAY 0.25
enum { FINE_STEPS = 3, UNEVEN_STEPS = 2, ALL_PLANES = 32, ONE_OF_PLANES = 4 };

/* Pairs of neighbours that were looked at, and those whose β differs by more than GMG_STEP_RATIO.
 */
struct tally {
  double pairs, steps;
};

static int is_step(double a, double b)
{
  return a > GMG_STEP_RATIO * b || b > GMG_STEP_RATIO * a;
}

/* Planes are looked at by their numbers in the grid: all of few, else some without a period. */
static int is_looked_at(const struct gmg_problem *p, int plane)
{
  const uint32_t hash = (uint32_t)plane * 2654435761u;
  return p->grid->cells[2] <= ALL_PLANES || (hash >> 16) % ONE_OF_PLANES == 0;
}

static struct tally look_at_plane(const gmg_array *values, const double *data, const int extent[3],
                                  int k, int axes)
{
  struct tally tally = {0, 0};
  for (int j = 0; j < extent[1]; j++) {
    const double *row = data + j * values->stride[1] + k * values->stride[2];
    const int inside[3] = {1, j + 1 < extent[1], k + 1 < extent[2]};
    for (int d = 0; d < 3; d++) {
      const int count = axes >> d & 1 && inside[d] ? extent[0] - (d == 0) : 0;
      long steps = 0;
      for (int i = 0; i < count; i++)
        steps +=
          is_step(row[i * values->stride[0]], row[i * values->stride[0] + values->stride[d]]);
      tally.pairs += count;
      tally.steps += (double)steps;
    }
  }
  return tally;
}

/* The pairs of one coefficient, in planes that begin with number `lower` of the grid. */
static struct tally look_at(const struct gmg_problem *p, int c, const gmg_array *values,
                            const double *data, const int extent[3], int lower)
{
  const int axes = c == GMG_BETA ? 7 : 1 << (c - GMG_BETA_X);
  double pairs = 0, steps = 0;
#pragma omp parallel for num_threads(p->grid->context->threads) reduction(+ : pairs, steps)
  for (int k = 0; k < extent[2]; k++) {
    if (!is_looked_at(p, lower + k))
      continue;
    const struct tally tally = look_at_plane(values, data, extent, k, axes);
    pairs += tally.pairs;
    steps += tally.steps;
  }
  return (struct tally){pairs, steps};
}

/* The pairs along an axis of cells of this rank's part and of those just beyond it. */
static struct tally look_across(const struct gmg_problem *p, int axis,
                                const struct gmg_across *across)
{
  const gmg_array *values = &p->given[GMG_BETA].values;
  const int *part = p->grid->part_lower, last = p->grid->part_upper[axis] - 1 - part[axis];
  struct tally tally = {0, 0};
  for (int k = 0; k < across->extent[2]; k++)
    for (int j = 0; j < across->extent[1]; j++) {
      const int at[3] = {axis == 0 ? last : 0, axis == 1 ? last : j, axis == 2 ? last : k};
      const ptrdiff_t size[2] = {across->extent[0], across->extent[1]};
      const double *row = gmg_given_data(&p->given[GMG_BETA]) + at[0] * values->stride[0]
        + at[1] * values->stride[1] + at[2] * values->stride[2],
                   *beyond = across->value + (j + k * size[1]) * size[0];
      if (!is_looked_at(p, part[2] + at[2]))
        continue;
      for (int i = 0; i < across->extent[0]; i++)
        tally.steps += is_step(row[i * values->stride[0]], beyond[i]);
      tally.pairs += across->extent[0];
    }
  return tally;
}

/* Adds the pairs of cells of two ranks' parts. */
static gmg_status add_across(gmg_solver *s, struct tally *sum)
{
  gmg_status status = gmg_there_bring_all(s, "looks at them for steps");
  for (int d = 0; d < 3 && !status; d++) {
    struct gmg_across across = {.value = NULL};
    status = gmg_across_take(s, GMG_BETA, d, &across);
    if (!status) {
      const struct tally tally = look_across(&s->problem, d, &across);
      sum->pairs += tally.pairs;
      sum->steps += tally.steps;
    }
    gmg_across_drop(&across);
  }
  return status;
}

/* Adds the pairs of cells of this rank's part. */
static gmg_status add_inside(gmg_solver *s, struct tally *sum)
{
  const struct gmg_problem *p = &s->problem;
  const gmg_status status = gmg_there_bring_all(s, "looks at them for steps");
  for (int c = GMG_BETA; c <= GMG_BETA_Z && !status; c++) {
    int extent[3];
    if (!p->has[c] || !gmg_given_data(&p->given[c]) || !gmg_given_extent(p, c, extent))
      continue;
    const struct tally tally = look_at(p, c, &p->given[c].values, gmg_given_data(&p->given[c]),
                                       extent, p->grid->part_lower[2]);
    sum->pairs += tally.pairs;
    sum->steps += tally.steps;
  }
  return status;
}

gmg_status gmg_owned_many_steps(gmg_solver *s, int *many)
{
  struct gmg_comm *comm = &s->context->comm;
  const int between_ranks = comm->ranks > 1 && s->problem.has[GMG_BETA];
  struct tally tally = {0, 0};
  gmg_status status = between_ranks ? add_across(s, &tally) : GMG_OK;
  double sum[2] = {0, tally.steps};
  if (!status && gmg_comm_sum(comm, sum, 2))
    status = gmg_mpi_failed(s->context);
  /* No pair inside a part is a step where the jump is small, which all ranks know. */
  const int some = sum[1] > 0 || s->problem.jump > GMG_STEP_RATIO / 2;
  if (!status && some)
    status = add_inside(s, &tally);
  sum[0] = tally.pairs;
  sum[1] = tally.steps;
  if (!status && some && gmg_comm_sum(comm, sum, 2))
    status = gmg_mpi_failed(s->context);
  *many = some && sum[1] >= FEW_STEPS * sum[0] && sum[1] > 0;
  return gmg_agree(s->context, status);
}

/* The part of a level's cells that are given away. */
static double given_away(const struct gmg_owner_step *step)
{
  double cells = 1;
  for (int d = 0; d < 3; d++)
    cells *= step->fine_cells[d];
  return (double)step->election.given_cells / cells;
}

int gmg_owned_pay(const struct gmg_owner_plan *plan)
{
  int pay = plan->rough >= MANY_STEPS;
  for (int n = 0; n < FINE_STEPS && n < plan->steps; n++) {
    pay |= n < UNEVEN_STEPS && plan->step[n].pairs.uneven;
    pay |= given_away(&plan->step[n]) >= (n == 0 ? MANY_GIVEN_AWAY : MANY_COARSE_GIVEN_AWAY);
  }
  return pay;
}

#include "owned_choice.h"

#include "intake.h"

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

gmg_status gmg_owned_many_steps(const struct gmg_problem *p, int *many)
{
  double pairs = 0, steps = 0;
  for (int c = GMG_BETA; c <= GMG_BETA_Z; c++) {
    int extent[3];
    const gmg_array *values = &p->given[c].values;
    const double *data = gmg_given_data(&p->given[c]);
    const int axes = c == GMG_BETA ? 7 : 1 << (c - GMG_BETA_X);
    if (!p->has[c] || !data || !gmg_given_extent(p, c, extent))
      continue;
    const int lower = p->grid->part_lower[2];
#pragma omp parallel for num_threads(p->grid->context->threads) reduction(+ : pairs, steps)
    for (int k = 0; k < extent[2]; k++) {
      if (!is_looked_at(p, lower + k))
        continue;
      const struct tally tally = look_at_plane(values, data, extent, k, axes);
      pairs += tally.pairs;
      steps += tally.steps;
    }
  }
  double sum[2] = {pairs, steps};
  if (gmg_comm_sum(&p->grid->context->comm, sum, 2))
    return gmg_mpi_failed(p->grid->context);
  *many = sum[1] >= FEW_STEPS * sum[0] && sum[1] > 0;
  return GMG_OK;
}

/* The part of a level's cells that are given away. */
static double given_away(const struct gmg_owner_step *step)
{
  double cells = 1;
  for (int d = 0; d < 3; d++)
    cells *= step->fine_cells[d];
  return (double)step->election.given_cells / cells;
}

/* Whether a step pairs cells along some axes alone that have several. */
static int is_uneven(const struct gmg_owner_step *step)
{
  int uneven = 0;
  for (int d = 0; d < 3; d++)
    uneven |= !step->coarsened[d] && step->fine_cells[d] > 1;
  return uneven;
}

int gmg_owned_pay(const struct gmg_owner_plan *plan)
{
  int pay = plan->rough >= MANY_STEPS;
  for (int n = 0; n < FINE_STEPS && n < plan->steps; n++) {
    pay |= n < UNEVEN_STEPS && is_uneven(&plan->step[n]);
    pay |= given_away(&plan->step[n]) >= (n == 0 ? MANY_GIVEN_AWAY : MANY_COARSE_GIVEN_AWAY);
  }
  return pay;
}

#include "owned_choice.h"

#include "intake.h"
#include "whole.h"

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

/* The pairs of one coefficient of all cells, on rank 0, so that those of two ranks' cells are among
 * them. */
static gmg_status look_at_whole(gmg_solver *s, int c, const struct gmg_whole *whole,
                                struct tally *tally)
{
  const struct gmg_problem *p = &s->problem;
  const enum gmg_place place = gmg_given_place(p, c);
  struct gmg_storage *view = gmg_storage_view(s->arrays.bricks, p->given[c].values.stride);
  double *copy = NULL;
  gmg_status status =
    gmg_agree(s->context, view ? GMG_OK : gmg_no_memory(s->context, "while beta was looked at"));
  if (!status)
    status = gmg_whole_gather(s, whole, view, gmg_given_data(&p->given[c]), place, &copy);
  if (!status && gmg_whole_is_here(whole)) {
    const ptrdiff_t *stride = whole->storage->stride[0];
    const gmg_array values = {.stride = {1, stride[0], stride[1]}};
    int extent[3];
    for (int d = 0; d < 3; d++)
      extent[d] = p->grid->cells[d] + (place == gmg_face(d));
    *tally = look_at(p, c, &values, copy + whole->storage->origin[0], extent, 0);
  }
  gmg_free(copy);
  gmg_storage_destroy(&view);
  return status;
}

gmg_status gmg_owned_many_steps(gmg_solver *s, int *many)
{
  const struct gmg_problem *p = &s->problem;
  const int alone = s->context->comm.ranks == 1;
  double sum[2] = {0, 0};
  struct gmg_whole whole = {.layout = NULL};
  gmg_status status = alone ? GMG_OK : gmg_whole_begin(s, &whole);
  for (int c = GMG_BETA; c <= GMG_BETA_Z && !status; c++) {
    int extent[3];
    struct tally tally = {0, 0};
    if (!p->has[c])
      continue;
    if (!alone)
      status = look_at_whole(s, c, &whole, &tally);
    else if (gmg_given_data(&p->given[c]) && gmg_given_extent(p, c, extent))
      tally = look_at(p, c, &p->given[c].values, gmg_given_data(&p->given[c]), extent, 0);
    sum[0] += tally.pairs;
    sum[1] += tally.steps;
  }
  gmg_whole_end(&whole);
  if (!status && gmg_comm_sum(&s->context->comm, sum, 2))
    status = gmg_mpi_failed(s->context);
  *many = sum[1] >= FEW_STEPS * sum[0] && sum[1] > 0;
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

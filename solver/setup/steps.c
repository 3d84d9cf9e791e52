#include "steps.h"

#include "intake.h"
#include "jump.h"
#include "there.h"

#include <math.h>
#include <string.h>

/* Less than the ratio of a step, by more than rounding. */
static const double nearly_a_step = GMG_STEP_RATIO * (1 - 1e-9);

/* The largest ratio of neighbours, and how many along x, y, z are a step. */
struct found {
  double most, steps[3];
};

/* The steps from rows of values to those across from them; *most: the largest ratio so far. */
static double look_at_row(const double *low, const double *high, ptrdiff_t stride, int count,
                          double *most)
{
  double steps = 0;
  if (*most > nearly_a_step
      && gmg_ratio_in_row(low, high, stride, count, nearly_a_step) <= nearly_a_step)
    return 0;
  *most = gmg_ratio_in_row(low, high, stride, count, *most);
  for (int i = 0; i<count && * most> nearly_a_step; i++)
    steps += gmg_is_step(low[i * stride], high[i * stride]);
  return steps;
}

/* By the host, along one axis. */
static void look_along(const struct gmg_problem *p, int which, int d, struct found *all)
{
  int extent[3];
  const gmg_array *values = &p->given[which].values;
  const double *data = gmg_given_data(&p->given[which]);
  const long rows = gmg_given_extent(p, which, extent) ? (long)extent[1] * extent[2] : 0;
  const ptrdiff_t step = values->stride[d];
  double most = all->most, steps = 0;
#pragma omp parallel for num_threads(p->grid->context->threads) \
  reduction(max : most) reduction(+ : steps)
  for (long r = 0; r < rows; r++) {
    const long j = r % extent[1], k = r / extent[1];
    const double *row = data + j * values->stride[1] + k * values->stride[2];
    if ((d == 1 && j + 1 == extent[1]) || (d == 2 && k + 1 == extent[2]))
      continue;
    double largest = most;
    steps += look_at_row(row, row + step, values->stride[0], extent[0] - (d == 0), &largest);
    most = fmax(most, largest);
  }
  all->most = most;
  all->steps[d] += steps;
}

/* Where the values are; else the host gets them. */
static gmg_status look_there(gmg_solver *s, int which, int d, struct found *all)
{
  double most, steps;
  if (gmg_there_ratio(&s->problem, which, d, &most, &steps)) {
    all->most = fmax(all->most, most);
    all->steps[d] += steps;
    return GMG_OK;
  }
  const gmg_status status = gmg_there_bring(&s->problem, which);
  gmg_report_fallback(&s->report,
                      "beta in the memory of a GPU was copied to the host, which looks for jumps");
  if (!status)
    look_along(&s->problem, which, d, all);
  return status;
}

static gmg_status look_at(gmg_solver *s, int which, struct found *all)
{
  gmg_status status = GMG_OK;
  for (int d = 0; d < 3 && !status; d++) {
    if (which >= GMG_BETA_X && d != which - GMG_BETA_X)
      continue;
    if (gmg_given_data(&s->problem.given[which]))
      look_along(&s->problem, which, d, all);
    else
      status = look_there(s, which, d, all);
  }
  return status;
}

gmg_status gmg_steps_count(gmg_solver *s)
{
  struct gmg_problem *p = &s->problem;
  struct gmg_comm *comm = &s->context->comm;
  struct found found = {1, {0}};
  gmg_status status = GMG_OK;
  p->jump = 1;
  memset(p->steps, 0, sizeof p->steps);
  if (p->given[GMG_BETA]
        .values.data) /* a cell next to one of q times its β: (1 + q) / 2 between its faces */
    status = look_at(s, GMG_BETA, &found);
  p->jump = 0.5 * (1 + found.most);
  for (int c = GMG_BETA_X; c <= GMG_BETA_Z && !status; c++) {
    found.most = 1;
    if (p->given[c].values.data)
      status = look_at(s, c, &found);
    p->jump = fmax(p->jump, found.most);
  }
  status = gmg_agree(s->context, status);
  if (!status && gmg_comm_max(comm, &p->jump, 1))
    return gmg_mpi_failed(s->context);
  /* there are none where the jump is small, which all ranks know */
  if (!status && p->jump > GMG_STEP_RATIO / 2 && gmg_comm_sum(comm, found.steps, 3))
    return gmg_mpi_failed(s->context);
  memcpy(p->steps, found.steps, sizeof p->steps);
  return status;
}

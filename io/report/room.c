#include "room.h"

#include <math.h>

#include "common/parallel.h"

/* β on two faces of a cell: beyond this ratio the solver makes room for conjugate gradients.
 */
static const double faces_jump = 2;

struct look {
  enum problem_field field;
  double least, most; /* of α */
  double limit;       /* ratio of neighbours in β that is a jump */
  int jumps;
};

static int differ(double a, double b, double limit)
{
  return a > limit * b || b > limit * a;
}

/* Neighbours along an axis, as far as both are in the block. */
static void look_along(struct look *look, int axis, const size_t n[3], const double *block)
{
  const size_t step = axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1];
  const size_t end[3] = {n[0] - (axis == 0), n[1] - (axis == 1), n[2] - (axis == 2)};
  for (size_t k = 0; k < end[2]; k++)
    for (size_t j = 0; j < end[1]; j++) {
      const double *row = block + (k * n[1] + j) * n[0];
      for (size_t i = 0; i < end[0]; i++)
        look->jumps |= differ(row[i], row[i + step], look->limit);
    }
}

static void look_at(void *user, const int from[3], const int to[3], const double *block)
{
  struct look *look = user;
  size_t n[3];
  for (int d = 0; d < 3; d++)
    n[d] = (size_t)(to[d] - from[d]);
  if (look->field == FIELD_ALPHA)
    for (size_t c = 0; c < n[0] * n[1] * n[2]; c++) {
      look->least = fmin(look->least, block[c]);
      look->most = fmax(look->most, block[c]);
    }
  else
    for (int d = 0; d < 3; d++)
      if (look->field == FIELD_BETA || d == problem_field_axis(look->field))
        look_along(look, d, n, block);
}

int room_look(struct values *values, struct room_found *found, struct failure *failure)
{
  double all[3] = {-INFINITY, -INFINITY, 0}; /* the most, of -α and of α; whether β jumps */
  for (enum problem_field field = 0; field < FIELD_COUNT && !failure->status; field++) {
    if (!values->problem->has[field])
      continue;
    /* A cell next to one of q times its β has faces of ratio (1 + q) / 2. */
    struct look look = {.field = field,
                        .least = INFINITY,
                        .most = -INFINITY,
                        .limit = field == FIELD_BETA ? 2 * faces_jump - 1 : faces_jump};
    const int coefficient = field >= FIELD_ALPHA && field <= FIELD_BETA_Z;
    progress_begin(values->progress, "reading", problem_field_name(field));
    values_read(values, field, NULL, coefficient ? look_at : NULL, &look, failure);
    progress_end(values->progress);
    if (field == FIELD_ALPHA) {
      all[0] = -look.least;
      all[1] = look.most;
    }
    all[2] = fmax(all[2], look.jumps);
  }
  parallel_max_values(all, 3);
  *found =
    (struct room_found){.alpha_varies = values->problem->has[FIELD_ALPHA] && all[1] != -all[0],
                        .beta_jumps = all[2] > 0};
  return failure->status;
}

/* others: bytes of this rank that the caller takes besides its arrays. */
static int check(gmg_context *context, gmg_solver *solver, const struct values *values,
                 const struct room_found *found, int64_t others, int64_t *bytes,
                 struct failure *failure)
{
  const struct problem *problem = values->problem;
  int expected = problem->has[FIELD_BETA] ? GMG_EXPECT_BETA
    : problem->has[FIELD_BETA_X]          ? GMG_EXPECT_BETA_FACES
                                          : 0;
  if (found && found->alpha_varies)
    expected |= GMG_EXPECT_ALPHA;
  if (found && found->beta_jumps)
    expected |= GMG_EXPECT_JUMPS;
  const int64_t arrays = (1 + problem->has[FIELD_GUESS])
    * (int64_t)(values_elements(values, FIELD_RHS) * sizeof(double));
  gmg_memory_info memory;
  const gmg_status status = gmg_solver_predict(solver, expected, arrays + others, &memory);
  if (status == GMG_ERR_MPI)
    parallel_lose(gmg_context_message(context));
  if (status)
    return failure_set(failure, status > 0 ? STATUS_INPUT : STATUS_MACHINE, "%s",
                       gmg_context_message(context));
  *bytes = memory.predicted + arrays;
  return 0;
}

int room_check(gmg_context *context, gmg_solver *solver, const struct values *values,
               const struct room_found *found, double *bytes, struct failure *failure)
{
  int64_t own = 0;
  if (check(context, solver, values, found, 0, &own, failure))
    return failure->status;
  *bytes = (double)own;
  parallel_sum(bytes, 1);
  return 0;
}

int room_check_two(gmg_context *context, gmg_solver *solver, const struct values *values,
                   struct failure *failure)
{
  int64_t one = 0, both = 0;
  return check(context, solver, values, NULL, 0, &one, failure)
      || check(context, solver, values, NULL, one, &both, failure)
    ? failure->status
    : 0;
}

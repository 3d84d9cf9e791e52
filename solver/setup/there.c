#include "there.h"

#include "intake.h"
#include "steps.h"
#include "system/memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

int gmg_there_holds(gmg_solver *s, const gmg_array *values)
{
  struct gmg_device_info info;
  if (!s->context->backend && s->problem.options.backend != GMG_BACKEND_OPENMP
      && gmg_backend_used())
    (void)gmg_backend_open(s->context, &info);
  return values && gmg_device_holds(s->context, values->data);
}

size_t gmg_there_span(const struct gmg_problem *p, int which, const ptrdiff_t stride[3])
{
  int extent[3];
  size_t last = 0;
  if (!gmg_given_extent(p, which, extent))
    return 0;
  for (int d = 0; d < 3; d++)
    last += (size_t)(extent[d] - 1) * (size_t)stride[d];
  return last + 1;
}

static gmg_status copy(const struct gmg_problem *p, const double *from, double *to, size_t count)
{
  gmg_context *context = p->grid->context;
  struct gmg_placement callers = {.context = context, .stream = p->stream};
  context->backend->copy(&callers, from, to, count * sizeof *to);
  return gmg_device_status(context);
}

gmg_status gmg_there_copy(struct gmg_problem *p, int which, struct gmg_given *given)
{
  gmg_context *context = p->grid->context;
  const size_t span = gmg_there_span(p, which, given->values.stride);
  given->d_copy = context->backend->allocate(context, (span + 1) * sizeof(double));
  given->context = context;
  if (!given->d_copy)
    return gmg_no_memory(context, "on the device for %s", gmg_given_name(p, which));
  const gmg_status status = copy(p, given->values.data, given->d_copy, span);
  given->values.data = given->d_copy;
  return status;
}

gmg_status gmg_there_bring(struct gmg_problem *p, int which)
{
  struct gmg_given *given = &p->given[which];
  const size_t span = gmg_there_span(p, which, given->values.stride);
  if (!given->there || given->copy)
    return GMG_OK;
  given->copy = gmg_malloc((span + 1) * sizeof *given->copy);
  if (!given->copy)
    return gmg_no_memory(p->grid->context, "for %s", gmg_given_name(p, which));
  return copy(p, given->values.data, given->copy, span);
}

gmg_status gmg_there_bring_all(gmg_solver *s, const char *what)
{
  struct gmg_problem *p = &s->problem;
  gmg_status status = GMG_OK;
  int some = 0;
  for (int c = 0; c < p->givens && !status; c++)
    if (p->given[c].present && p->given[c].there && !p->given[c].copy) {
      status = gmg_there_bring(p, c);
      some = 1;
    }
  if (some)
    gmg_report_fallback(
      &s->report, "coefficients in the memory of a GPU were copied to the host, which %s", what);
  return gmg_agree(s->context, status);
}

/* The axis along which values lie next to each other, which a look takes for x: it is for the
 * largest term of a sum, whose place does not matter. */
static int next_to_each_other(const gmg_array *values)
{
  for (int d = 1; d < 3; d++)
    if (values->stride[d] == 1 && values->stride[0] != 1)
      return d;
  return 0;
}

static int taken_for(int axis, int x)
{
  return axis == x ? 0 : axis == 0 ? x : axis;
}

/* A look at values there, from the first on. *count: the sum of terms, if they are 0 or 1. */
static int look_for(const struct gmg_problem *p, int which, struct gmg_look *look, double *most,
                    double *count)
{
  gmg_context *context = p->grid->context;
  const gmg_array *values = &p->given[which].values;
  const int x = next_to_each_other(values), along_x = look->cells[x];
  look->values = values->data;
  look->cells[x] = look->cells[0];
  look->cells[0] = along_x;
  for (int d = 0; d < 3; d++)
    look->stride[taken_for(d, x)] = values->stride[d];
  look->stream = p->stream;
  look->cache_kernels = p->options.kernel_cache == GMG_CACHE_ON;
  const int done = context->backend->look(context, look, most, count);
  if (!done)
    (void)gmg_device_status(context); /* the host looks, and nothing is lost */
  return done;
}

static int look(const struct gmg_problem *p, int which, struct gmg_look *look, double *most)
{
  double count;
  return look_for(p, which, look, most, &count);
}

int gmg_there_check(const struct gmg_problem *p, int which, double factor, double least,
                    double range[2])
{
  const int alpha = which == GMG_ALPHA;
  struct gmg_look all = {.kernel = alpha     ? "look_not_negative"
                           : isfinite(least) ? "look_positive"
                                             : "look_finite",
                         .scalar = {factor}};
  double most, first = 0;
  const size_t count = gmg_given_extent(p, which, all.cells);
  range[0] = range[1] = -DBL_MAX;
  if (count == 0)
    return 1;
  if (!look(p, which, &all, &most) || !isfinite(most))
    return 0;
  if (!alpha)
    return 1;
  if (copy(p, p->given[which].values.data, &first, 1))
    return 0;
  struct gmg_look same = {.kernel = "look_difference", .scalar = {factor, factor * first}};
  (void)gmg_given_extent(p, which, same.cells);
  if (!look(p, which, &same, &most))
    return 0;
  range[0] = most == 0 ? factor * first : DBL_MAX; /* else they vary: no range of one value */
  range[1] = most == 0 ? -(factor * first) : DBL_MAX;
  return 1;
}

int gmg_there_ratio(const struct gmg_problem *p, int which, int axis, double *most, double *steps)
{
  static const char *const ratio[] = {"face_ratio_i", "face_ratio_j", "face_ratio_k"},
                           *const step[] = {"look_steps_i", "look_steps_j", "look_steps_k"};
  const int taken = taken_for(axis, next_to_each_other(&p->given[which].values));
  struct gmg_look pairs = {.kernel = ratio[taken]},
                  count = {.kernel = step[taken], .scalar = {GMG_STEP_RATIO}};
  double one;
  *most = 1;
  *steps = 0;
  if (gmg_given_extent(p, which, pairs.cells) == 0)
    return 1;
  pairs.cells[axis]--;
  memcpy(count.cells, pairs.cells, sizeof count.cells);
  return look(p, which, &pairs, most)
    && (*most <= GMG_STEP_RATIO || look_for(p, which, &count, &one, steps));
}

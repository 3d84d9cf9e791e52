#include "dense.h"

#include "problem/kernels.h"
#include "runtime/line.h"

#include <math.h>

struct gmg_dense {
  struct gmg_products *products; /* the back end's */
  struct gmg_call *divide;       /* of r */
  double most; /* eigenvalue of the sum of second differences over squared widths */
  double volume;
};

/* The lines that `divide` reads: eigenvalues of second differences over squared widths, so scaled
 * that their largest sum is 1, and what they are averaged by. */
static gmg_status make_lines(struct gmg_level *level, const struct gmg_lines *lines, int axis,
                             int averaged, double most)
{
  const int n = level->axis[axis].cells;
  const size_t length = (size_t)n + 1 + 2 * GMG_LINE_PAD;
  const double width = level->axis[axis].width[0];
  double *values = gmg_calloc(2 * length, sizeof *values);
  if (!values)
    return gmg_no_memory(level->context, "for the eigenvalues of a level");
  double *lambda = values + GMG_LINE_PAD, *mean = lambda + length;
  for (int k = 0; k < n; k++) {
    const double eigenvalue = lines->basis[axis].eigenvalue[k];
    lambda[k] = eigenvalue / (width * width) / most;
    mean[k] = averaged ? 1 - eigenvalue / 12 : 1;
  }
  gmg_status status = gmg_level_line(level, "lambda", axis, values);
  if (!status)
    status = gmg_level_line(level, "mean", axis, values + length);
  gmg_free(values);
  return status;
}

gmg_status gmg_dense_plan(gmg_solver *s, const struct gmg_lines *lines, struct gmg_dense **dense)
{
  struct gmg_level *finest = s->hierarchy.finest;
  const int averaged = strcmp(s->problem.op->name, "constant27") == 0;
  struct gmg_dense *d = *dense = gmg_calloc(1, sizeof *d);
  if (!d)
    return gmg_no_memory(s->context, "for transforms on a device");
  d->volume = 1;
  for (int axis = 0; axis < 3; axis++) {
    const double width = finest->axis[axis].width[0];
    d->volume *= width;
    d->most += 4 / (width * width);
  }
  gmg_status status = GMG_OK;
  for (int axis = 0; axis < 3 && !status; axis++)
    status = make_lines(finest, lines, axis, averaged, d->most);
  const struct gmg_binding list[] = {{&d->divide, "divide_spectrum", {{"y", "r"}}}};
  return status ? status : gmg_bind_all(&s->problem, finest, list, GMG_LENGTH(list));
}

gmg_status gmg_dense_take(gmg_solver *s, const struct gmg_lines *lines, struct gmg_dense *dense)
{
  double *matrix[3] = {NULL};
  int missing = 0;
  for (int axis = 0; axis < 3 && !missing; axis++) {
    const size_t n = (size_t)lines->basis[axis].n;
    matrix[axis] = gmg_malloc(n * n * sizeof **matrix);
    missing = !matrix[axis];
    if (!missing)
      gmg_basis_matrix(&lines->basis[axis], matrix[axis]);
  }
  if (!missing)
    dense->products =
      s->context->backend->products(s->context, s->hierarchy.finest, (const double *const *)matrix);
  for (int axis = 0; axis < 3; axis++)
    gmg_free(matrix[axis]);
  gmg_status status = gmg_device_status(s->context);
  if (!status && !dense->products)
    status = gmg_no_memory(s->context, "for the matrices of transforms");
  if (status)
    return status;
  gmg_dense_solve(s, dense, GMG_NAME_W, GMG_NAME_W); /* of zeros */
  gmg_call_wait(s->context);
  return gmg_device_status(s->context);
}

void gmg_dense_destroy(gmg_solver *s, struct gmg_dense **dense)
{
  if (!*dense)
    return;
  if ((*dense)->products)
    s->context->backend->forget_products(s->context, &(*dense)->products);
  gmg_free(*dense);
  *dense = NULL;
}

/* a α + b λ, the eigenvalues, are counted in the largest of them. */
static void divide(gmg_solver *s, const struct gmg_dense *dense)
{
  const double alpha = s->problem.alpha, b = s->problem.b * dense->most;
  const double all = fabs(alpha) + fabs(b);
  gmg_call_set(dense->divide, GMG_SCALAR_S, alpha / all);
  gmg_call_set(dense->divide, GMG_SCALAR_C1, 1 / (dense->volume * all));
  gmg_call_set(dense->divide, GMG_SCALAR_C2, b / all);
  gmg_call_run(dense->divide);
}

void gmg_dense_solve(gmg_solver *s, const struct gmg_dense *dense, int from, int to)
{
  struct gmg_level *finest = s->hierarchy.finest;
  struct gmg_level_array *x = gmg_level_find(finest, from), *y = gmg_level_find(finest, to),
                         *r = gmg_level_find(finest, GMG_NAME_R);
  struct gmg_level_array *const way[] = {x, r, y, r, y, r, y};
  for (int step = 0; step < 6; step++) {
    if (step == 3)
      divide(s, dense);
    s->context->backend->multiply(dense->products, step < 3 ? step : 5 - step, step >= 3, way[step],
                                  way[step + 1]);
  }
}

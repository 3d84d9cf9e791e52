#include "dense.h"

#include "device_pencils.h"
#include "problem/kernels.h"
#include "runtime/bind.h"
#include "runtime/line.h"

#include <math.h>

enum { LEGS = 6 }; /* x, y, z, and back */

/* Lines along an axis times its matrix, the first three times; its transpose, afterwards. */
struct leg {
  struct gmg_move before; /* the way there; no exchange: the values are there */
  struct gmg_level_array *from, *to;
};

/* There and back; `last` takes the values back to the finest level. */
struct way {
  struct leg leg[LEGS];
  struct gmg_move last;
};

struct gmg_dense {
  struct gmg_device_pencils pencils;
  struct gmg_products *products[3]; /* the back end's, by axis; those of a level are the same */
  struct way way[GMG_DENSE_WAYS];
  struct gmg_call *divide; /* what the first leg back reads */
  double most;             /* eigenvalue of the sum of second differences over squared widths */
  double volume;
};

static int axis_of(int leg)
{
  return leg < 3 ? leg : LEGS - 1 - leg;
}

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

static gmg_status bind_division(gmg_solver *s, const struct gmg_lines *lines, struct gmg_dense *d)
{
  struct gmg_level *level = d->pencils.level[2];
  const int averaged = strcmp(s->problem.op->name, "constant27") == 0;
  d->volume = 1;
  for (int axis = 0; axis < 3; axis++) {
    const double width = level->axis[axis].width[0];
    d->volume *= width;
    d->most += 4 / (width * width);
  }
  gmg_status status = GMG_OK;
  for (int axis = 0; axis < 3 && !status; axis++)
    status = make_lines(level, lines, axis, averaged, d->most);
  const char *name = d->way[0].leg[3].from->number == GMG_NAME_R ? "r" : "u";
  const struct gmg_binding list[] = {{&d->divide, "divide_spectrum", {{"y", name}}}};
  return status ? status : gmg_bind_all(&s->problem, level, list, GMG_LENGTH(list));
}

/* Products go from one of two fields to the other: r and, on the finest level, that of the result;
 * on levels of their own, u. Returns -1 out of memory. */
static int make_way(gmg_solver *s, struct gmg_dense *d, int from, int to, struct way *way)
{
  struct gmg_level *finest = s->hierarchy.finest, *level = finest;
  struct gmg_level_array *at = gmg_level_find(finest, from),
                         *const result = gmg_level_find(finest, to);
  struct gmg_kernel_stat *stat = gmg_exchange_stat(finest);
  for (int n = 0; n < LEGS; n++) {
    struct leg *leg = &way->leg[n];
    struct gmg_level *next = d->pencils.level[axis_of(n)];
    struct gmg_level_array *r = gmg_level_field(next, GMG_NAME_R),
                           *other = d->pencils.levels ? gmg_level_find(next, GMG_NAME_U) : result;
    if (!r || !other)
      return -1;
    if (next != level) {
      /* Nothing moves before the first leg back. */
      leg->before =
        (struct gmg_move){d->pencils.exchange[n < 3 ? n : n - 1], stat, at, other, NULL};
      at = other;
    }
    leg->from = at;
    leg->to = at = at == r ? other : r;
    level = next;
  }
  if (level != finest)
    way->last =
      (struct gmg_move){d->pencils.exchange[GMG_DEVICE_MOVES - 1], stat, at, result, NULL};
  return 0;
}

gmg_status gmg_dense_plan(gmg_solver *s, const struct gmg_lines *lines,
                          const struct gmg_pencils *pencils, struct gmg_dense **dense)
{
  struct gmg_dense *d = *dense = gmg_calloc(1, sizeof *d);
  gmg_status status =
    gmg_agree(s->context, d ? GMG_OK : gmg_no_memory(s->context, "for transforms on a device"));
  if (!status)
    status = gmg_device_pencils_create(s, pencils, &d->pencils);
  if (status)
    return status;
  if (make_way(s, d, GMG_NAME_F, GMG_NAME_U, &d->way[GMG_DENSE_U_OF_F])
      || make_way(s, d, GMG_NAME_W, GMG_NAME_W, &d->way[GMG_DENSE_W_OF_W]))
    status = gmg_no_memory(s->context, "for the fields of transforms");
  return gmg_agree(s->context, status ? status : bind_division(s, lines, d));
}

static void list_move(struct gmg_dense *d, struct gmg_placement *p, struct gmg_move *move)
{
  if (move->exchange)
    p->transfer[p->transfers++] = (struct gmg_transfer){.move = move, .level = d->pencils.level[0]};
}

void gmg_dense_list(struct gmg_dense *d, struct gmg_placement *p)
{
  gmg_device_pencils_list(&d->pencils, p);
  for (int w = 0; w < GMG_DENSE_WAYS; w++) {
    for (int n = 0; n < LEGS; n++)
      list_move(d, p, &d->way[w].leg[n].before);
    list_move(d, p, &d->way[w].last);
  }
}

/* Of a level, for those axes whose lines are whole there. NULL where that fails. */
static struct gmg_products *make_products(gmg_solver *s, const struct gmg_dense *d,
                                          const struct gmg_level *level,
                                          const double *const matrix[3])
{
  const double *wanted[3] = {NULL};
  for (int axis = 0; axis < 3; axis++)
    if (d->pencils.level[axis] == level)
      wanted[axis] = matrix[axis];
  return s->context->backend->products(s->context, level, wanted);
}

static gmg_status take_products(gmg_solver *s, const struct gmg_lines *lines, struct gmg_dense *d)
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
  for (int axis = 0; axis < 3 && !missing; axis++) {
    const struct gmg_level *level = d->pencils.level[axis];
    const int known = axis > 0 && d->pencils.level[axis - 1] == level;
    d->products[axis] =
      known ? d->products[axis - 1] : make_products(s, d, level, (const double *const *)matrix);
    missing = !d->products[axis];
  }
  for (int axis = 0; axis < 3; axis++)
    gmg_free(matrix[axis]);
  const gmg_status status = gmg_device_status(s->context);
  return status || !missing ? status : gmg_no_memory(s->context, "for the matrices of transforms");
}

gmg_status gmg_dense_take(gmg_solver *s, const struct gmg_lines *lines, struct gmg_dense *dense)
{
  const gmg_status status = gmg_agree(s->context, take_products(s, lines, dense));
  if (status)
    return status;
  gmg_dense_solve(s, dense, GMG_DENSE_W_OF_W); /* of zeros */
  gmg_call_wait(s->context);
  return gmg_agree(s->context, gmg_device_status(s->context));
}

void gmg_dense_destroy(gmg_solver *s, struct gmg_dense **dense)
{
  struct gmg_dense *d = *dense;
  if (!d)
    return;
  for (int axis = 2; axis >= 0; axis--)
    if (d->products[axis] && (axis == 0 || d->products[axis] != d->products[axis - 1]))
      s->context->backend->forget_products(s->context, &d->products[axis]);
  gmg_device_pencils_destroy(&d->pencils);
  gmg_free(d);
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

void gmg_dense_solve(gmg_solver *s, const struct gmg_dense *dense, enum gmg_dense_fields fields)
{
  const struct way *way = &dense->way[fields];
  for (int n = 0; n < LEGS; n++) {
    const struct leg *leg = &way->leg[n];
    if (n == 3)
      divide(s, dense);
    gmg_move_run(s->context, &leg->before);
    s->context->backend->multiply(dense->products[axis_of(n)], axis_of(n), n >= 3, leg->from,
                                  leg->to);
  }
  gmg_move_run(s->context, &way->last);
}

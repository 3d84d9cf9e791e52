#include "krylov.h"

#include "bicgstab.h"
#include "cycle/choose.h"
#include "runtime/bind.h"
#include "cycle/precision.h"
#include "precondition.h"
#include "cycle/rounding.h"

#include <math.h>

/* `auto`: the cycles of a solve that are run before their factors are judged. The first one from
 * zero says little: next to a jump the residual may grow in it, whatever follows. */
enum { FIRST_CYCLES = 2 };
/* What an iteration of conjugate gradients costs more than a cycle of four sweeps, in such cycles:
 * this much on large grids, half of it at so many cells, where coarse levels take their share of
 * the cycle; in double a part of it, as the cycle takes longer there; but some on the smallest, for
 * sums that all threads wait for. Measured on 2 cores, 24^3 to 128^3, and rounded: where the choice
 * matters little it is rough. */
#define MORE_ON_LARGE 2.1
#define MORE_ON_SMALL 0.6
#define HALF_AT_CELLS_V 60e3
#define HALF_AT_CELLS_W 350e3
#define MORE_IN_DOUBLE 0.75
/* Sweeps that the rest of a cycle costs as much as. */
#define REST_OF_CYCLE 4.0
/* Iterations before conjugate gradients have their rate. */
#define START_UP 1.0
/* No tolerance is taken to be below this part of the residual at the start. */
#define NOTHING 1e-16

static int is_bicgstab(const struct gmg_solver *s)
{
  return s->options.krylov == GMG_KRYLOV_BICGSTAB;
}

static int may_run(const struct gmg_solver *s)
{
  return s->options.krylov == GMG_KRYLOV_CG || is_bicgstab(s)
    || (s->options.krylov == GMG_KRYLOV_AUTO && gmg_beta_jumps(s));
}

static const char *const p_name[GMG_DIRECTIONS] = {"krylov_p", "krylov_p_1"};
static const char *const q_name[GMG_DIRECTIONS] = {"krylov_q", "krylov_q_1"};

static gmg_status bind_dots(struct gmg_solver *s, int n)
{
  struct gmg_direction *d = &s->krylov.direction[n];
  const struct {
    struct gmg_rename rename[3];
    struct gmg_reducer *reducer;
  } list[] = {{{{"x", "u"}, {"y", q_name[n]}, {NULL, NULL}}, &d->zq},
              {{{"x", p_name[n]}, {"y", q_name[n]}, {NULL, NULL}}, &d->pq},
              {{{"x", p_name[n]}, {"y", "f"}, {NULL, NULL}}, &d->pr}};
  gmg_status status = GMG_OK;
  for (size_t l = 0; l < sizeof list / sizeof *list && !status; l++)
    status = gmg_call_keep(gmg_written_kernel(s, "dot"), s->finest, NULL, list[l].rename,
                           &list[l].reducer->sum);
  return status;
}

static gmg_status bind_direction(struct gmg_solver *s, int n)
{
  struct gmg_direction *d = &s->krylov.direction[n];
  const char *p = p_name[n];
  const struct {
    const struct gmg_kernel_descriptor *kernel;
    struct gmg_rename rename[3];
    struct gmg_call **call;
  } list[] = {
    {gmg_written_kernel(s, "copy"), {{"y", p}, {"x", "u"}, {NULL, NULL}}, &d->p_from_z},
    {gmg_operator_kernel(s, GMG_APPLY), {{"u", p}, {"w", q_name[n]}, {NULL, NULL}}, &d->apply},
    {gmg_written_kernel(s, "xpay"), {{"y", p}, {"x", "u"}, {NULL, NULL}}, &d->p_plus_z},
    {gmg_written_kernel(s, "axpy"), {{"y", "krylov_x"}, {"x", p}, {NULL, NULL}}, &d->x_plus_p},
  };
  gmg_status status = GMG_OK;
  for (size_t l = 0; l < sizeof list / sizeof *list && !status; l++)
    status = gmg_call_keep(list[l].kernel, s->finest, NULL, list[l].rename, list[l].call);
  for (int m = 0; m < GMG_DIRECTIONS && !status; m++)
    if (m != n) {
      const struct gmg_rename rename[] = {{"y", p}, {"x", p_name[m]}, {NULL, NULL}};
      status =
        gmg_call_keep(gmg_written_kernel(s, "axpy"), s->finest, NULL, rename, &d->p_plus_p[m]);
    }
  return status ? status : bind_dots(s, n);
}

static gmg_status bind_cg(struct gmg_solver *s)
{
  const struct gmg_rename rename[] = {
    {"u", "krylov_x"}, {"f", "krylov_b"}, {"r", "f"}, {NULL, NULL}};
  gmg_status status = gmg_call_keep(gmg_operator_kernel(s, GMG_RESIDUAL), s->finest, NULL, rename,
                                    &s->krylov.residual);
  for (int n = 0; n < GMG_DIRECTIONS && !status; n++)
    status = bind_direction(s, n);
  return status;
}

gmg_status gmg_krylov_bind(struct gmg_solver *s)
{
  struct gmg_krylov *k = &s->krylov;
  const int bound = k->x_from_u != NULL;
  k->ready = bound && may_run(s);
  if (bound || !may_run(s))
    return GMG_OK;
  const struct gmg_kernel_descriptor *copy = gmg_written_kernel(s, "copy");
  const struct {
    const struct gmg_kernel_descriptor *kernel;
    struct gmg_rename rename[3];
    struct gmg_call **call;
  } list[] = {
    {copy, {{"y", "krylov_x"}, {"x", "u"}, {NULL, NULL}}, &k->x_from_u},
    {copy, {{"y", "u"}, {"x", "krylov_x"}, {NULL, NULL}}, &k->u_from_x},
    {copy, {{"y", "krylov_b"}, {"x", "f"}, {NULL, NULL}}, &k->b_from_f},
    {copy, {{"y", "f"}, {"x", "krylov_b"}, {NULL, NULL}}, &k->f_from_b},
    {gmg_operator_kernel(s, GMG_RESIDUAL_NORM),
     {{"u", "krylov_x"}, {"f", "krylov_b"}, {NULL, NULL}},
     &k->norm.sum},
  };
  gmg_status status = GMG_OK;
  for (size_t n = 0; n < sizeof list / sizeof *list && !status; n++)
    status = gmg_call_keep(list[n].kernel, s->finest, NULL, list[n].rename, list[n].call);
  if (!status)
    status = gmg_rounding_bind_krylov(s);
  if (!status)
    status = is_bicgstab(s) ? gmg_bicgstab_bind(s) : bind_cg(s);
  k->ready = !status;
  return status;
}

/* Of an iteration, in plain cycles. */
static double cost_of_iteration(const struct gmg_solver *s)
{
  const struct gmg_options *o = &s->options;
  const double cells = (double)s->cells[0][0] * s->cells[0][1] * s->cells[0][2];
  const double sweeps = (o->pre + o->post) * (o->smoother == GMG_SMOOTH_CHEBYSHEV ? o->degree : 1);
  const double half_at = s->cycle == GMG_CYCLE_V ? HALF_AT_CELLS_V : HALF_AT_CELLS_W;
  const double more =
    fmax(MORE_ON_SMALL,
         MORE_ON_LARGE * cells / (cells + half_at) * (gmg_refines(s) ? 1 : MORE_IN_DOUBLE));
  return 1 + more * (4 + REST_OF_CYCLE) / (sweeps + REST_OF_CYCLE);
}

int gmg_krylov_pays(const struct gmg_solver *s, const double *history, int cycles, double tolerance)
{
  if (!s->krylov.ready || s->options.krylov != GMG_KRYLOV_AUTO || cycles < FIRST_CYCLES)
    return 0;
  /* The smaller of the last two: one may be off, where an estimate in single precision became a
   * true norm. */
  double factor = history[cycles] / history[cycles - 1];
  if (cycles > FIRST_CYCLES)
    factor = fmin(factor, history[cycles - 1] / history[cycles - 2]);
  if (factor >= 1)
    return 1;
  /* Cycles whose errors shrink by 0 to `factor` leave a matrix of this condition, to its root. */
  const double root = sqrt(1 / (1 - factor)), rate = (root - 1) / (root + 1),
               depth = log(history[cycles] / fmax(tolerance, NOTHING * history[0]));
  return cost_of_iteration(s) * (START_UP + depth / -log(rate)) < depth / -log(factor);
}

/* x += the multiple of p that leaves the least error in the energy norm. Returns 0 where p is no
 * direction. */
static int minimise(struct gmg_direction *d)
{
  gmg_call_run(d->apply);
  d->energy = gmg_reduce(&d->pq, NULL);
  const double step = gmg_reduce(&d->pr, NULL) / d->energy;
  if (d->energy <= 0)
    return 0; /* not positive definite: x stays, and the next direction is z */
  gmg_call_set(d->x_plus_p, GMG_SCALAR_S, step);
  gmg_call_run(d->x_plus_p);
  return isfinite(step);
}

/* p = z, orthogonal to the directions that there are in the energy product. */
static void find_direction(struct gmg_krylov *k)
{
  struct gmg_direction *d = &k->direction[k->next];
  double part[GMG_DIRECTIONS];
  for (int n = 0; n < k->directions; n++)
    part[n] = -gmg_reduce(&k->direction[n].zq, NULL) / k->direction[n].energy;
  if (k->directions == GMG_DIRECTIONS) {
    gmg_call_set(d->p_plus_z, GMG_SCALAR_S, part[k->next]);
    gmg_call_run(d->p_plus_z);
  } else {
    gmg_call_run(d->p_from_z);
  }
  for (int n = 0; n < k->directions; n++)
    if (n != k->next) {
      gmg_call_set(d->p_plus_p[n], GMG_SCALAR_S, part[n]);
      gmg_call_run(d->p_plus_p[n]);
    }
}

void gmg_krylov_begin(struct gmg_solver *s)
{
  struct gmg_krylov *k = &s->krylov;
  k->on = 1;
  k->breakdown = NULL;
  k->directions = 0;
  k->next = 0;
  gmg_reducer_forget(&k->norm);
  for (int n = 0; n < GMG_DIRECTIONS; n++) {
    gmg_reducer_forget(&k->direction[n].zq);
    gmg_reducer_forget(&k->direction[n].pq);
    gmg_reducer_forget(&k->direction[n].pr);
  }
  k->norm.exponent = s->norm.exponent; /* of the same residual */
  k->norm.known = s->norm.known;
  gmg_call_run(k->b_from_f);
  gmg_call_run(k->x_from_u);
  if (is_bicgstab(s))
    gmg_bicgstab_begin(s);
}

void gmg_krylov_step(struct gmg_solver *s, double size)
{
  struct gmg_krylov *k = &s->krylov;
  if (is_bicgstab(s)) {
    gmg_bicgstab_step(s, size);
    return;
  }
  gmg_call_run(k->residual); /* r = b - A x, in f */
  gmg_precondition(s, size); /* A z = r, roughly; z in u */
  find_direction(k);
  if (minimise(&k->direction[k->next])) {
    k->directions = k->directions < GMG_DIRECTIONS ? k->directions + 1 : GMG_DIRECTIONS;
    k->next = (k->next + 1) % GMG_DIRECTIONS;
  } else {
    k->directions = k->next = 0;
  }
}

void gmg_krylov_end(struct gmg_solver *s)
{
  if (s->krylov.on)
    gmg_call_run(s->krylov.u_from_x);
}

void gmg_krylov_drop(struct gmg_solver *s)
{
  if (s->krylov.on)
    gmg_call_run(s->krylov.f_from_b);
  s->krylov.on = 0;
}

#include "krylov.h"

#include "bicgstab.h"
#include "cycle/choose.h"
#include "problem/kernels.h"
#include "cycle/precision.h"
#include "cycle/cycle.h"
#include "refine.h"

#include <math.h>

/* `auto`: the cycles of a solve that are run before their factors are judged, and the factors of
 * which the least counts. The first cycle from zero says little: next to a jump the residual may
 * grow in it, and of a rough right side it takes most, whatever follows. Later ones alternate next
 * to hard bodies: a cycle that gains nothing follows or precedes one that gains two digits. */
enum { FIRST_CYCLES = 3, FACTORS = 3 };
/* What an iteration of conjugate gradients costs more than a cycle of four sweeps, in such cycles:
 * this much on large grids, half of it at so many cells, where coarse levels take their share of
 * the cycle, but some on the smallest, for sums that all threads wait for. Measured on 2 cores of
 * several kinds, 24^3 to 128^3, beside cycles that gain more than half a digit, and rounded. */
#define MORE_ON_LARGE 0.75
#define MORE_ON_SMALL 0.5
#define MORE_ON_LARGE_IN_SINGLE 0.8
#define MORE_ON_SMALL_IN_SINGLE 0.4
#define HALF_AT_CELLS_V 130e3
#define HALF_AT_CELLS_W 350e3
/* Sweeps that the rest of a cycle costs as much as. */
#define REST_OF_CYCLE 4.0
/* Iterations before conjugate gradients have their rate. */
#define START_UP 0.5
/* No tolerance is taken to be below this part of the residual at the start. */
#define NOTHING 1e-16

static int is_bicgstab(const struct gmg_problem *p)
{
  return p->options.krylov == GMG_KRYLOV_BICGSTAB;
}

static int may_run(const gmg_solver *s)
{
  if (gmg_by_transforms(&s->problem))
    return 0;
  return s->problem.options.krylov == GMG_KRYLOV_CG || is_bicgstab(&s->problem)
    || (s->problem.options.krylov == GMG_KRYLOV_AUTO
        && (gmg_beta_jumps(&s->hierarchy) || s->hierarchy.owners));
}

/* Whether directions are in single precision, and x and b in the finest level's u and f. */
static int in_single(const struct gmg_krylov *k)
{
  return k->direction == k->in_single;
}

int gmg_krylov_apart(const gmg_solver *s)
{
  return s->krylov.on && !in_single(&s->krylov);
}

/* How many directions are kept in double. With owners a cycle is nearly symmetric, and one does. */
static int most_in_double(const gmg_solver *s)
{
  return s->hierarchy.owners ? 1 : GMG_DIRECTIONS;
}

static const char *const p_name[GMG_DIRECTIONS] = {"krylov_p", "krylov_p_1"};
static const char *const q_name[GMG_DIRECTIONS] = {"krylov_q", "krylov_q_1"};

/* Direction n of a list of so many, on the level that z and the residual are on; x_plus_p is
 * missing yet. */
static gmg_status bind_direction(gmg_solver *s, struct gmg_level *level, struct gmg_direction *list,
                                 int most, int n)
{
  struct gmg_direction *d = &list[n];
  const char *p = p_name[n], *q = q_name[n];
  const struct gmg_binding calls[] = {
    {&d->p_from_z, "copy", {{"y", p}, {"x", "u"}}}, {&d->apply, "apply", {{"u", p}, {"w", q}}},
    {&d->zq.sum, "dot", {{"x", "u"}, {"y", q}}},    {&d->pq.sum, "dot", {{"x", p}, {"y", q}}},
    {&d->pr.sum, "dot", {{"x", p}, {"y", "f"}}},
  };
  gmg_status status = gmg_bind_all(&s->problem, level, calls, GMG_LENGTH(calls));
  for (int m = 0; m < most && !status; m++) {
    const struct gmg_binding plus[] = {
      {&d->p_plus_p[m], "axpy", {{"y", p}, {"x", p_name[m]}}},
      {&d->p_plus_z_p[m], "xpay_add", {{"y", p}, {"x", "u"}, {"w", p_name[m]}}}};
    if (m != n)
      status = gmg_bind_all(&s->problem, level, plus, GMG_LENGTH(plus));
  }
  const struct gmg_binding renew[] = {{&d->p_from_z_p, "xpay", {{"y", p}, {"x", "u"}}}};
  if (!status && most == 1)
    status = gmg_bind_all(&s->problem, level, renew, GMG_LENGTH(renew));
  return status;
}

static gmg_status bind_in_single(gmg_solver *s)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  gmg_status status = GMG_OK;
  for (int n = 0; n < GMG_DIRECTIONS && !status; n++) {
    struct gmg_direction *d = &s->krylov.in_single[n];
    const struct gmg_binding step[] = {
      {&d->x_plus_p, "add_single", {{"single", p_name[n]}, {"wide", "u"}}}};
    status = bind_direction(s, h->level[0].level, s->krylov.in_single, GMG_DIRECTIONS, n);
    if (!status)
      status = gmg_bind_all(&s->problem, h->finest, step, GMG_LENGTH(step));
  }
  return status;
}

static gmg_status bind_in_double(gmg_solver *s)
{
  struct gmg_level *finest = s->hierarchy.finest;
  const struct gmg_binding list[] = {
    {&s->krylov.residual, "residual", {{"u", "krylov_x"}, {"f", "krylov_b"}, {"r", "f"}}},
    {&s->krylov.norm.sum, "density_squares", {{"x", "f"}}}};
  const int most = most_in_double(s);
  gmg_status status = gmg_bind_all(&s->problem, finest, list, GMG_LENGTH(list));
  for (int n = 0; n < most && !status; n++) {
    struct gmg_direction *d = &s->krylov.in_double[n];
    const struct gmg_binding step[] = {
      {&d->x_plus_p, "axpy", {{"y", "krylov_x"}, {"x", p_name[n]}}}};
    status = bind_direction(s, finest, s->krylov.in_double, most, n);
    if (!status)
      status = gmg_bind_all(&s->problem, finest, step, GMG_LENGTH(step));
  }
  return status;
}

static gmg_status bind_iterate(gmg_solver *s)
{
  struct gmg_krylov *k = &s->krylov;
  const struct gmg_binding list[] = {
    {&k->x_from_u, "copy", {{"y", "krylov_x"}, {"x", "u"}}},
    {&k->u_from_x, "copy", {{"y", "u"}, {"x", "krylov_x"}}},
    {&k->b_from_f, "copy", {{"y", "krylov_b"}, {"x", "f"}}},
    {&k->f_from_b, "copy", {{"y", "f"}, {"x", "krylov_b"}}},
    {&k->terms.sum, "terms_norm", {{"u", "krylov_x"}}},
  };
  return gmg_bind_all(&s->problem, s->hierarchy.finest, list, GMG_LENGTH(list));
}

/* Of both precisions: what is in double shares memory with what is in single. */
static gmg_status bind_cg(gmg_solver *s)
{
  const int refines = gmg_refines(&s->hierarchy);
  const enum gmg_share plans = s->memory.plans;
  gmg_status status = refines ? bind_in_single(s) : GMG_OK;
  s->memory.plans = refines ? GMG_SECOND : plans;
  if (!status)
    status = bind_iterate(s);
  if (!status)
    status = bind_in_double(s);
  s->memory.plans = plans;
  return status;
}

gmg_status gmg_krylov_bind(gmg_solver *s)
{
  struct gmg_krylov *k = &s->krylov;
  const int exist = k->x_from_u != NULL;
  k->bound = exist && may_run(s);
  if (exist || !may_run(s))
    return GMG_OK;
  const int bicgstab = is_bicgstab(&s->problem);
  gmg_status status = bicgstab ? bind_iterate(s) : bind_cg(s);
  if (!status && bicgstab)
    status = gmg_bicgstab_bind(s);
  k->bound = !status;
  return status;
}

/* Of an iteration, in plain cycles. */
static double cost_of_iteration(const struct gmg_hierarchy *h)
{
  const struct gmg_options *o = &h->problem->options;
  const double cells = (double)h->cells[0][0] * h->cells[0][1] * h->cells[0][2];
  const double sweeps = (o->pre + o->post) * (o->smoother == GMG_SMOOTH_CHEBYSHEV ? o->degree : 1);
  const double half_at = h->cycle == GMG_CYCLE_V ? HALF_AT_CELLS_V : HALF_AT_CELLS_W;
  const int single = gmg_refines(h);
  const double large = single ? MORE_ON_LARGE_IN_SINGLE : MORE_ON_LARGE,
               small = single ? MORE_ON_SMALL_IN_SINGLE : MORE_ON_SMALL,
               more = fmax(small, large * cells / (cells + half_at));
  return 1 + more * (4 + REST_OF_CYCLE) / (sweeps + REST_OF_CYCLE);
}

int gmg_krylov_pays(const gmg_solver *s, const double *history, int cycles, double tolerance)
{
  if (!s->krylov.bound || s->problem.options.krylov != GMG_KRYLOV_AUTO || cycles < FIRST_CYCLES)
    return 0;
  double factor = INFINITY;
  for (int n = cycles; n > 1 && n > cycles - FACTORS; n--)
    factor = fmin(factor, history[n] / history[n - 1]);
  if (factor >= 1)
    return 1;
  /* Cycles whose errors shrink by 0 to `factor` leave a matrix of this condition, to its root. */
  const double root = sqrt(1 / (1 - factor)), rate = (root - 1) / (root + 1),
               depth = log(history[cycles] / fmax(tolerance, NOTHING * history[0]));
  return cost_of_iteration(&s->hierarchy) * (START_UP + depth / -log(rate)) < depth / -log(factor);
}

/* x += the multiple of p that leaves the least error in the energy norm. Returns 0 where p is no
 * direction. */
static int minimise(const gmg_solver *s, struct gmg_direction *d)
{
  const struct gmg_refinement *r = &s->hierarchy.refinement;
  gmg_call_run(d->apply);
  d->energy = gmg_reduce(&d->pq, NULL);
  const double step = gmg_reduce(&d->pr, NULL) / d->energy;
  if (d->energy <= 0)
    return 0; /* not positive definite: x stays, and the next direction is z */
  gmg_run_scaled(d->x_plus_p, in_single(&s->krylov) ? step * (r->scale / r->residual_scale) : step);
  return isfinite(step);
}

_Static_assert(GMG_DIRECTIONS == 2, "a direction loses its share of itself and of one other");

/* p = z, orthogonal to the directions that there are in the energy product. */
static void find_direction(struct gmg_krylov *k)
{
  struct gmg_direction *d = &k->direction[k->next];
  double part[GMG_DIRECTIONS];
  for (int n = 0; n < k->directions; n++)
    part[n] = -gmg_reduce(&k->direction[n].zq, NULL) / k->direction[n].energy;
  if (k->directions == GMG_DIRECTIONS) { /* both are kept */
    const int other = 1 - k->next;
    gmg_call_set(d->p_plus_z_p[other], GMG_SCALAR_C1, part[other]);
    gmg_run_scaled(d->p_plus_z_p[other], part[k->next]);
    return;
  }
  if (k->directions > 0 && k->most == 1) { /* in its own place */
    gmg_run_scaled(d->p_from_z_p, part[0]);
    return;
  }
  gmg_call_run(d->p_from_z);
  for (int n = 0; n < k->directions; n++)
    gmg_run_scaled(d->p_plus_p[n], part[n]);
}

static void begin_directions(gmg_solver *s, int at_residual)
{
  struct gmg_krylov *k = &s->krylov;
  k->direction = gmg_refines(&s->hierarchy) ? k->in_single : k->in_double;
  k->at_residual = at_residual && in_single(k);
  k->directions = 0;
  k->most = in_single(k) ? GMG_DIRECTIONS : most_in_double(s);
  k->next = 0;
  for (int n = 0; n < GMG_DIRECTIONS; n++) {
    gmg_reducer_forget(&k->direction[n].zq);
    gmg_reducer_forget(&k->direction[n].pq);
    gmg_reducer_forget(&k->direction[n].pr);
  }
}

void gmg_krylov_begin(gmg_solver *s, int at_residual)
{
  struct gmg_krylov *k = &s->krylov;
  k->on = 1;
  k->breakdown = NULL;
  k->direction = NULL;
  if (!is_bicgstab(&s->problem))
    begin_directions(s, at_residual);
  if (in_single(k))
    return;
  gmg_reducer_forget(&k->norm);
  k->norm.exponent = s->hierarchy.norm.exponent; /* of the same residual */
  k->norm.known = s->hierarchy.norm.known;
  gmg_call_run(k->b_from_f);
  gmg_call_run(k->x_from_u);
  if (is_bicgstab(&s->problem))
    gmg_bicgstab_begin(s);
}

void gmg_krylov_raise(gmg_solver *s)
{
  if (s->krylov.on && in_single(&s->krylov))
    gmg_krylov_begin(s, 0);
}

/* z with A z = r, roughly, in the cycle's u. */
static void precondition(gmg_solver *s, double size)
{
  struct gmg_krylov *k = &s->krylov;
  struct gmg_hierarchy *h = &s->hierarchy;
  if (in_single(k)) {
    if (!k->at_residual)
      gmg_refine_residual(h, size);
    gmg_cycle_from_zero(h, 0, h->cycle);
  } else {
    if (!k->at_residual)
      gmg_call_run(k->residual); /* r = b - A x, in f */
    gmg_cycle_precondition(h, size);
  }
  k->at_residual = 0;
}

void gmg_krylov_step(gmg_solver *s, double size)
{
  struct gmg_krylov *k = &s->krylov;
  k->size = size;
  if (is_bicgstab(&s->problem)) {
    gmg_bicgstab_step(s, size);
    return;
  }
  precondition(s, size);
  find_direction(k);
  if (minimise(s, &k->direction[k->next])) {
    k->directions = k->directions < k->most ? k->directions + 1 : k->most;
    k->next = (k->next + 1) % k->most;
  } else {
    k->directions = k->next = 0;
  }
}

double gmg_krylov_norm(gmg_solver *s)
{
  struct gmg_krylov *k = &s->krylov;
  double most;
  if (is_bicgstab(&s->problem))
    return gmg_refine_norm(&s->hierarchy, &k->norm);
  k->at_residual = 1; /* which the next step begins with */
  if (in_single(k))
    return gmg_refine_residual(&s->hierarchy, k->size);
  gmg_call_run(k->residual);
  const double sum = gmg_reduce(&k->norm, &most);
  return sqrt(s->problem.options.norm == GMG_NORM_MAX ? most : sum);
}

void gmg_krylov_end(gmg_solver *s)
{
  if (gmg_krylov_apart(s))
    gmg_call_run(s->krylov.u_from_x);
}

void gmg_krylov_drop(gmg_solver *s)
{
  if (gmg_krylov_apart(s))
    gmg_call_run(s->krylov.f_from_b);
  s->krylov.on = 0;
}

#include "stability.h"

#include "harmonics.h"
#include "steps.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { STATES = GEN_HARMONICS, SQUARINGS = 24, FREQUENCIES = 12 };

/* What one round of steps adds to an array's values: weight times those that another one had. */
struct term {
  int to, from; /* states */
  int offset[3];
  const struct gen_product *weight; /* its atoms, but for the value itself */
  int skip;                         /* which one of them that is */
};

struct analysis {
  const struct gen_program *program;
  struct gen_steps steps;
  int states, state_of[GEN_MAX_PROGRAM_ARRAYS];
  int terms;
  struct term *term;
  double scalar[GEN_MAX_PROGRAM_SCALARS]; /* the program's parameters */
};

/* ---- terms ---- */

static int scalar_of(const struct analysis *a, const char *name)
{
  for (int s = 0; s < a->program->scalars; s++)
    if (strcmp(a->program->scalar[s].name, name) == 0)
      return s;
  return -1;
}

/* A value without arrays; NAN if it has some, or a parameter without a value. */
static double evaluate(const struct analysis *a, const struct gen_expr *expr)
{
  double v[3] = {0, 0, 0};
  if (expr->kind == GEN_NUMBER)
    return expr->number;
  if (expr->kind == GEN_ACCESS)
    return NAN;
  if (expr->kind == GEN_SCALAR) {
    const int s = scalar_of(a, a->steps.kernel->scalar[expr->scalar].name);
    return s < 0 ? NAN : a->scalar[s];
  }
  for (int n = 0; n < gen_arity(expr); n++)
    v[n] = evaluate(a, expr->argument[n]);
  return gen_compute(expr->kind, v);
}

/* Whether an atom is a value that steps change. */
static bool is_state(const struct analysis *a, const struct gen_expr *value)
{
  return value->kind == GEN_ACCESS && a->steps.changes[value->access.array];
}

static double weight_of(const struct analysis *a, const struct term *term)
{
  double weight = term->weight->factor;
  for (int n = 0; n < term->weight->degree; n++)
    if (n != term->skip)
      weight *= evaluate(a, a->steps.atoms.atom[term->weight->atom[n]].value);
  return weight;
}

/* The product's value that steps change, which is at most one; -1: it has none. */
static int state_in(const struct analysis *a, const struct gen_product *product)
{
  for (int n = 0; n < product->degree; n++)
    if (is_state(a, a->steps.atoms.atom[product->atom[n]].value))
      return n;
  return -1;
}

static const char *add_terms(struct analysis *a, int array)
{
  const struct gen_polynomial *form = a->steps.form[array];
  for (int p = 0; p < form->products; p++) {
    const struct gen_product *product = &form->product[p];
    const int at = state_in(a, product);
    if (at < 0) /* a source: it adds to values, but not to their errors */
      continue;
    const struct gen_access *access = &a->steps.atoms.atom[product->atom[at]].value->access;
    struct term term = {a->state_of[array], a->state_of[access->array], {0}, product, at};
    for (int axis = 0; axis < 3; axis++)
      term.offset[axis] = access->subscript[axis].affine.constant;
    if (term.from < 0)
      return "values are read that no step keeps";
    if (isnan(weight_of(a, &term)))
      return "weights depend on arrays, or on parameters that have no value yet";
    a->term[a->terms++] = term;
  }
  return NULL;
}

/* Leaves out states whose values no step reads: they pass no error on. */
static void drop_unread(struct analysis *a)
{
  int number[GEN_MAX_PROGRAM_ARRAYS] = {0}, kept = 0, states = 0;
  for (int t = 0; t < a->terms; t++)
    number[a->term[t].from] = 1;
  for (int n = 0; n < a->states; n++)
    number[n] = number[n] ? states++ : -1;
  for (int t = 0; t < a->terms; t++)
    if (number[a->term[t].to] >= 0) {
      a->term[kept] = a->term[t];
      a->term[kept].to = number[a->term[t].to];
      a->term[kept++].from = number[a->term[t].from];
    }
  a->terms = kept;
  a->states = states;
}

static const char *find_terms(struct analysis *a)
{
  const struct gen_program *program = a->program;
  const char *said = gen_diagnostics();
  struct gen_kernel *kernel = gen_allocate(sizeof *kernel);
  int most = 0;
  gen_program_make_loops(kernel, 1);
  gen_steps_begin(&a->steps, program, kernel);
  if (!gen_steps_take(&a->steps, "stability")) {
    gen_forget_diagnostics(said);
    return "the steps are not linear in the arrays that they change";
  }
  for (int n = 0; n < program->arrays; n++) {
    const bool kept = a->steps.changes[n] && program->array[n].age != GEN_AGE_NEXT;
    a->state_of[n] = kept ? a->states++ : -1;
    most += kept ? a->steps.form[n]->products : 0;
  }
  a->term = gen_allocate((size_t)(most + 1) * sizeof *a->term);
  for (int n = 0; n < program->arrays; n++) {
    const char *reason = a->state_of[n] < 0 ? NULL : add_terms(a, n);
    if (reason)
      return reason;
  }
  drop_unread(a);
  if (a->states > STATES)
    return gen_text("more than %d arrays pass values on", STATES);
  return a->terms ? NULL : "no step passes an array's values on";
}

/* ---- growth ---- */

/* The largest eigenvalue's size; of two states by the quadratic formula. */
static double radius_of(const struct analysis *a, const struct gen_matrix *m)
{
  if (a->states == 1)
    return hypot(m->real[0][0], m->imaginary[0][0]);
  if (a->states > 2)
    return gen_spectral_radius(*m, SQUARINGS, 0);
  double complex x[2][2];
  for (int n = 0; n < 4; n++)
    x[n / 2][n % 2] = m->real[n / 2][n % 2] + I * m->imaginary[n / 2][n % 2];
  const double complex half = (x[0][0] + x[1][1]) / 2, apart = (x[0][0] - x[1][1]) / 2,
                       root = csqrt(apart * apart + x[0][1] * x[1][0]);
  return fmax(cabs(half + root), cabs(half - root));
}

/* What growth counts as none: rounding, of more states also what repeated squaring makes of
 * eigenvalues that are equal. */
static double none(const struct analysis *a)
{
  return a->states <= 2 ? 1 + 1e-7 : 1 + 1e-5;
}

static double growth_at(const struct analysis *a, const double weight[], const double theta[3])
{
  struct gen_matrix m = {0};
  for (int t = 0; t < a->terms; t++) {
    const struct term *term = &a->term[t];
    const double phase =
      theta[0] * term->offset[0] + theta[1] * term->offset[1] + theta[2] * term->offset[2];
    m.real[term->to][term->from] += weight[t] * cos(phase);
    m.imaginary[term->to][term->from] += weight[t] * sin(phase);
  }
  return radius_of(a, &m);
}

/* The largest growth; or some growth above `enough`, if there is one. */
static double find_growth(const struct analysis *a, double enough)
{
  const double pi = 3.14159265358979323846;
  const int side = 2 * FREQUENCIES, planes = a->program->dimensions == 2 ? 1 : side;
  double *weight = gen_allocate((size_t)a->terms * sizeof *weight), most = 0;
  for (int t = 0; t < a->terms; t++)
    weight[t] = weight_of(a, &a->term[t]);
  /* From the highest down, which are the first to grow; of theta and -theta one is enough. */
  for (int i = FREQUENCIES; i >= 0; i--)
    for (int j = 0; j < side; j++)
      for (int k = 0; k < planes && most <= enough; k++) {
        const double theta[3] = {pi * i / FREQUENCIES, pi * (FREQUENCIES - j) / FREQUENCIES,
                                 planes == 1 ? 0 : pi * (FREQUENCIES - k) / FREQUENCIES};
        most = fmax(most, growth_at(a, weight, theta));
      }
  return most;
}

/* ---- ranges ---- */

/* The last stable value from the parameter's own towards that side, which is -1 or 1. */
static double find_end(struct analysis *a, int scalar, int side)
{
  enum { DOUBLINGS = 16, HALVINGS = 30 };
  const double own = a->scalar[scalar];
  double good = 0, bad = own == 0 ? 1e-3 : fabs(own) / 16;
  bool found = false;
  for (int n = 0; n < DOUBLINGS && !found; n++) {
    a->scalar[scalar] = own + side * bad;
    found = !(find_growth(a, none(a)) <= none(a));
    if (!found) {
      good = bad;
      bad *= 2;
    }
  }
  for (int n = 0; n < HALVINGS && found; n++) {
    const double middle = (good + bad) / 2;
    a->scalar[scalar] = own + side * middle;
    *(find_growth(a, none(a)) <= none(a) ? &good : &bad) = middle;
  }
  a->scalar[scalar] = own;
  const double end = own + side * good;
  return !found ? side * INFINITY : fabs(end) < 1e-6 * fabs(own) ? 0 : end;
}

static bool reads(const struct analysis *a, const struct gen_expr *expr, const char *name)
{
  if (expr->kind == GEN_SCALAR)
    return strcmp(a->steps.kernel->scalar[expr->scalar].name, name) == 0;
  for (int n = 0; n < gen_arity(expr); n++)
    if (reads(a, expr->argument[n], name))
      return true;
  return false;
}

/* Whether the parameter is in a weight. */
static bool matters(const struct analysis *a, const char *name)
{
  for (int t = 0; t < a->terms; t++)
    for (int n = 0; n < a->term[t].weight->degree; n++)
      if (n != a->term[t].skip
          && reads(a, a->steps.atoms.atom[a->term[t].weight->atom[n]].value, name))
        return true;
  return false;
}

struct gen_stability gen_find_stability(const struct gen_program *program)
{
  struct gen_stability result = {0};
  struct analysis *a = gen_allocate(sizeof *a);
  a->program = program;
  for (int s = 0; s < program->scalars; s++)
    a->scalar[s] = program->scalar[s].has_value ? program->scalar[s].value : NAN;
  result.reason = find_terms(a);
  if (result.reason)
    return result;
  result.growth = find_growth(a, INFINITY);
  result.stable = result.growth <= none(a);
  for (int s = 0; s < program->scalars && result.stable; s++)
    if (matters(a, program->scalar[s].name))
      result.range[result.ranges++] =
        (struct gen_stable_range){s, find_end(a, s, -1), find_end(a, s, 1)};
  return result;
}

/* What coefficients and boundary decide of the equation: uniform α or not, singular or not, the
 * operator. */
#include "coefficients.h"
#include "problem/kernels.h"

#include <stdio.h>
#include <string.h>

/* Borrowed values may have changed since they were looked at. */
static gmg_status check_borrowed(struct gmg_solver *s)
{
  struct gmg_scan scan;
  gmg_status status = GMG_OK;
  for (int c = GMG_BETA; c < GMG_COEFFICIENTS && !status; c++)
    if (s->problem.given[c].borrowed)
      status = gmg_given_check(s, c, 1, &scan);
  return status;
}

/* Whether a α has one value everywhere; which goes to s->problem.alpha. Calls: collective. */
static gmg_status inspect_alpha(struct gmg_solver *s)
{
  const int uniform = s->problem.uniform_alpha;
  const double alpha = s->problem.alpha;
  s->problem.uniform_alpha = 1;
  s->problem.alpha = s->problem.a;
  if (!s->problem.has[GMG_ALPHA]) {
    if (s->problem.a < 0)
      return gmg_fail(s->context, GMG_ERR_COEFFICIENT, "a = %g: expected a >= 0 where alpha is 1",
                      s->problem.a);
    return GMG_OK;
  }
  if (!s->problem.given[GMG_ALPHA].present) { /* set up before, and not replaced */
    s->problem.uniform_alpha = uniform;
    s->problem.alpha = alpha;
    return GMG_OK;
  }
  struct gmg_scan scan;
  const gmg_status status = gmg_given_check(s, GMG_ALPHA, s->problem.a, &scan);
  if (status)
    return status;
  double range[2] = {scan.most, scan.less};
  if (gmg_comm_max(&s->context->comm, range, 2))
    return gmg_fail(s->context, GMG_ERR_MPI, "MPI_Allreduce failed");
  s->problem.uniform_alpha = range[0] == -range[1];
  s->problem.alpha = s->problem.uniform_alpha ? range[0] + 0.0 : 0;
  return GMG_OK;
}

static void list_operators(const gmg_context *context, char *known, size_t room)
{
  known[0] = 0;
  for (int a = -1; a < GMG_ADDED; a++) {
    const struct gmg_kernel_library *library = a < 0 ? context->library : context->added[a];
    for (int n = 0; library && n < library->operators; n++)
      snprintf(known + strlen(known), room - strlen(known), "%s%s", known[0] ? ", " : "",
               library->operator_[n]->name);
  }
}

/* Whether a field that an operator reads is the application's to set. */
static int is_own(struct gmg_solver *s, const struct gmg_field_descriptor *field)
{
  return field->kind == GMG_FIELD && gmg_name(&s->context->names, field->name) >= GMG_FIXED_NAMES;
}

/* The fields that the operator reads besides the library's are those that were set. */
static gmg_status check_own_fields(struct gmg_solver *s)
{
  static const char *const where[] = {"cells", "faces along x", "faces along y", "faces along z"};
  const struct gmg_kernel_descriptor *apply = gmg_operator_kernel(&s->problem, GMG_APPLY);
  int used = 0;
  for (int f = 0; f < apply->fields; f++) {
    const struct gmg_field_descriptor *field = &apply->field[f];
    if (!is_own(s, field))
      continue;
    int c = GMG_COEFFICIENTS;
    while (c < s->problem.givens && strcmp(s->problem.given[c].name, field->name) != 0)
      c++;
    if (c == s->problem.givens || !s->problem.has[c])
      return gmg_fail(s->context, GMG_ERR_COEFFICIENT,
                      "operator '%s' reads the field '%s' on %s, which was not set: call "
                      "gmg_solver_set_field before gmg_solver_setup",
                      s->problem.op->name, field->name, where[field->place]);
    if (gmg_given_place(s, c) != field->place)
      return gmg_fail(s->context, GMG_ERR_COEFFICIENT,
                      "operator '%s' reads the field '%s' on %s, but it was set on %s",
                      s->problem.op->name, field->name, where[field->place],
                      where[gmg_given_place(s, c)]);
    used++;
  }
  for (int c = GMG_COEFFICIENTS;
       c < s->problem.givens && used < s->problem.givens - GMG_COEFFICIENTS; c++)
    if (!gmg_operator_has(s->problem.op, s->problem.given[c].name))
      return gmg_fail(s->context, GMG_ERR_COEFFICIENT,
                      "the field '%s' was set, which operator '%s' does not read",
                      s->problem.given[c].name, s->problem.op->name);
  return GMG_OK;
}

static gmg_status find_operator(struct gmg_solver *s, int beta_given)
{
  const char *name = s->problem.options.operator_;
  s->problem.rows = s->problem.options.rows == GMG_ROWS_PLAIN ? GMG_PLAIN : GMG_SPLIT;
  if (strcmp(name, "auto") == 0)
    name = beta_given ? "variable7" : "constant7";
  s->problem.op = gmg_context_operator(s->context, name);
  if (!s->problem.op) {
    char known[300];
    list_operators(s->context, known, sizeof known);
    return gmg_fail(s->context, GMG_ERR_OPTION, "operator: there is no '%s'; known: %s", name,
                    known);
  }
  if (s->problem.op->boundary == GMG_GHOST_FORMULAS && s->problem.op->ghost > 1)
    return gmg_fail(s->context, GMG_ERR_UNSUPPORTED,
                    "operator '%s' reads %d cells far; this version has boundary formulas for 1",
                    name, s->problem.op->ghost);
  const int takes_beta = gmg_operator_has(s->problem.op, "beta_i")
    || gmg_operator_has(s->problem.op, "beta_j") || gmg_operator_has(s->problem.op, "beta_k");
  if (beta_given && !takes_beta)
    return gmg_fail(s->context, GMG_ERR_OPTION,
                    "operator '%s' has constant coefficients, but beta was given", name);
  if ((!s->problem.uniform_alpha || s->problem.alpha != 0)
      && !gmg_operator_has(s->problem.op, "alpha"))
    return gmg_fail(s->context, GMG_ERR_OPTION, "operator '%s' has no alpha, but a alpha is not 0",
                    name);
  return check_own_fields(s);
}

gmg_status gmg_coefficients_choose(struct gmg_solver *s, int take)
{
  int faces = 0, replaced = 0;
  for (int d = 0; d < 3; d++) {
    faces += s->problem.has[GMG_BETA_X + d];
    replaced += s->problem.given[GMG_BETA_X + d].present;
  }
  if (faces && faces < 3)
    return gmg_fail(s->context, GMG_ERR_COEFFICIENT,
                    "beta on faces must be given for all three axes, not for %d", faces);
  if (replaced % 3)
    return gmg_fail(s->context, GMG_ERR_COEFFICIENT,
                    "beta on faces must be replaced for all three axes, not for %d", replaced);
  if (faces && s->problem.has[GMG_BETA])
    return gmg_fail(s->context, GMG_ERR_COEFFICIENT, "beta was given both on cells and on faces");
  gmg_status status = take & GMG_TAKE_BETA ? check_borrowed(s) : GMG_OK;
  if (!status && take & GMG_TAKE_ALPHA)
    status = inspect_alpha(s);
  if (status)
    return status;
  int fixed = 0;
  for (int side = 0; side < 6; side++)
    fixed |=
      s->problem.grid->side[side].kind != GMG_PERIODIC && s->problem.grid->side[side].c0 != 0;
  s->problem.singular = !fixed && s->problem.uniform_alpha && s->problem.alpha == 0;
  return find_operator(s, faces || s->problem.has[GMG_BETA]);
}

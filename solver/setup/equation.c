/* What coefficients and boundary decide of the equation: uniform α or not, singular or not, the
 * operator. */
#include "coefficients.h"

#include "fourier/fourier.h"
#include "intake.h"
#include "problem/kernels.h"

#include <stdio.h>
#include <string.h>

/* Borrowed values may have changed since they were looked at. */
static gmg_status check_borrowed(struct gmg_problem *p)
{
  struct gmg_scan scan;
  gmg_status status = GMG_OK;
  for (int c = GMG_BETA; c < GMG_COEFFICIENTS && !status; c++)
    if (p->given[c].borrowed)
      status = gmg_given_check(p, c, 1, &scan);
  return status;
}

/* Whether a α has one value everywhere; which goes to p->alpha. Calls: collective. */
static gmg_status inspect_alpha(struct gmg_problem *p)
{
  const int uniform = p->uniform_alpha;
  const double alpha = p->alpha;
  p->uniform_alpha = 1;
  p->alpha = p->a;
  if (!p->has[GMG_ALPHA]) {
    if (p->a < 0)
      return gmg_fail(p->grid->context, GMG_ERR_COEFFICIENT,
                      "a = %g: expected a >= 0 where alpha is 1", p->a);
    return GMG_OK;
  }
  if (!p->given[GMG_ALPHA].present) { /* set up before, and not replaced */
    p->uniform_alpha = uniform;
    p->alpha = alpha;
    return GMG_OK;
  }
  struct gmg_scan scan;
  const gmg_status status = gmg_given_check(p, GMG_ALPHA, p->a, &scan);
  if (status)
    return status;
  double range[2] = {scan.most, scan.less};
  if (gmg_comm_max(&p->grid->context->comm, range, 2))
    return gmg_mpi_failed(p->grid->context);
  p->uniform_alpha = range[0] == -range[1];
  p->alpha = p->uniform_alpha ? range[0] + 0.0 : 0;
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
static int is_own(struct gmg_problem *p, const struct gmg_field_descriptor *field)
{
  return field->kind == GMG_FIELD
    && gmg_name(&p->grid->context->names, field->name) >= GMG_FIXED_NAMES;
}

/* The fields that the operator reads besides the library's are those that were set. */
static gmg_status check_own_fields(struct gmg_problem *p)
{
  static const char *const where[] = {"cells", "faces along x", "faces along y", "faces along z"};
  const struct gmg_kernel_descriptor *apply = gmg_operator_kernel(p, GMG_APPLY);
  int used = 0;
  for (int f = 0; f < apply->fields; f++) {
    const struct gmg_field_descriptor *field = &apply->field[f];
    if (!is_own(p, field))
      continue;
    int c = GMG_COEFFICIENTS;
    while (c < p->givens && strcmp(p->given[c].name, field->name) != 0)
      c++;
    if (c == p->givens || !p->has[c])
      return gmg_fail(p->grid->context, GMG_ERR_COEFFICIENT,
                      "operator '%s' reads the field '%s' on %s, which was not set: call "
                      "gmg_solver_set_field before gmg_solver_setup",
                      p->op->name, field->name, where[field->place]);
    if (gmg_given_place(p, c) != field->place)
      return gmg_fail(p->grid->context, GMG_ERR_COEFFICIENT,
                      "operator '%s' reads the field '%s' on %s, but it was set on %s", p->op->name,
                      field->name, where[field->place], where[gmg_given_place(p, c)]);
    used++;
  }
  for (int c = GMG_COEFFICIENTS; c < p->givens && used < p->givens - GMG_COEFFICIENTS; c++)
    if (!gmg_operator_has(p->op, p->given[c].name))
      return gmg_fail(p->grid->context, GMG_ERR_COEFFICIENT,
                      "the field '%s' was set, which operator '%s' does not read", p->given[c].name,
                      p->op->name);
  return GMG_OK;
}

static gmg_status find_operator(struct gmg_problem *p, int beta_given)
{
  const char *name = p->options.operator_;
  p->rows = p->options.rows == GMG_ROWS_PLAIN || gmg_by_transforms(p) ? GMG_PLAIN : GMG_SPLIT;
  if (strcmp(name, "auto") == 0)
    name = beta_given ? "variable7" : "constant7";
  p->op = gmg_context_operator(p->grid->context, name);
  if (p->op && gmg_operator_has(p->op, "anchor"))
    return gmg_fail(p->grid->context, GMG_ERR_OPTION,
                    "operator: '%s' is that of coarse grids alone (coarsening)", name);
  if (!p->op) {
    char known[300];
    list_operators(p->grid->context, known, sizeof known);
    return gmg_fail(p->grid->context, GMG_ERR_OPTION, "operator: there is no '%s'; known: %s", name,
                    known);
  }
  if (p->op->boundary == GMG_GHOST_FORMULAS && p->op->ghost > 1)
    return gmg_fail(p->grid->context, GMG_ERR_UNSUPPORTED,
                    "operator '%s' reads %d cells far; this version has boundary formulas for 1",
                    name, p->op->ghost);
  const int takes_beta = gmg_operator_has(p->op, "beta_i") || gmg_operator_has(p->op, "beta_j")
    || gmg_operator_has(p->op, "beta_k");
  if (beta_given && !takes_beta)
    return gmg_fail(p->grid->context, GMG_ERR_OPTION,
                    "operator '%s' has constant coefficients, but beta was given", name);
  if ((!p->uniform_alpha || p->alpha != 0) && !gmg_operator_has(p->op, "alpha"))
    return gmg_fail(p->grid->context, GMG_ERR_OPTION,
                    "operator '%s' has no alpha, but a alpha is not 0", name);
  return check_own_fields(p);
}

gmg_status gmg_coefficients_choose(struct gmg_problem *p, int take)
{
  int faces = 0, replaced = 0;
  for (int d = 0; d < 3; d++) {
    faces += p->has[GMG_BETA_X + d];
    replaced += p->given[GMG_BETA_X + d].present;
  }
  if (faces && faces < 3)
    return gmg_fail(p->grid->context, GMG_ERR_COEFFICIENT,
                    "beta on faces must be given for all three axes, not for %d", faces);
  if (replaced % 3)
    return gmg_fail(p->grid->context, GMG_ERR_COEFFICIENT,
                    "beta on faces must be replaced for all three axes, not for %d", replaced);
  if (faces && p->has[GMG_BETA])
    return gmg_fail(p->grid->context, GMG_ERR_COEFFICIENT,
                    "beta was given both on cells and on faces");
  gmg_status status = take & GMG_TAKE_BETA ? check_borrowed(p) : GMG_OK;
  if (!status && take & GMG_TAKE_ALPHA)
    status = inspect_alpha(p);
  if (status)
    return status;
  int fixed = 0;
  for (int side = 0; side < 6; side++)
    fixed |= p->grid->side[side].kind != GMG_PERIODIC && p->grid->side[side].c0 != 0;
  p->singular = !fixed && p->uniform_alpha && p->alpha == 0;
  status = find_operator(p, faces || p->has[GMG_BETA]);
  return status ? status : gmg_fourier_check(p);
}

#include "derive.h"
#include "rows.h"
#include "supplied.h"
#include "uniform.h"
#include "ir/canonical.h"

#include <stddef.h>
#include <string.h>

/* One derivation in progress: a copy of the operator whose last statement, the store to w, is to be
 * replaced. */
struct work {
  struct gen_operator *op;
  struct gen_kernel *kernel;
};

static struct gen_kernel *begin(struct work *work, const char *role)
{
  work->kernel = gen_clone(work->op->with_lines, gen_text("%s_%s", work->op->source->name, role));
  return work->kernel;
}

static const struct gen_expr *here(struct work *work, const char *array)
{
  return gen_access_ref(gen_here(work->kernel, gen_need_array(work->kernel, array)));
}

static const struct gen_expr *scalar(struct work *work, const char *name)
{
  return gen_scalar_ref(gen_need_scalar(work->kernel, name, GEN_PARAMETER));
}

static struct gen_statement *store(struct gen_kernel *kernel)
{
  for (int n = 0; n < kernel->statements; n++)
    if (kernel->statement[n].kind == GEN_STORE)
      return &kernel->statement[n];
  return NULL;
}

static const struct gen_expr *residual(struct work *work)
{
  return gen_binary(GEN_SUBTRACT, here(work, "f"), store(work->kernel)->value);
}

/* The residual in the cells of one of two colours, where the caller wishes so: a sweep that ended
 * with the other colour, solved exactly, leaves none in its cells. */
static const struct gen_expr *counted_residual(struct work *work)
{
  struct gen_expr *only =
    gen_operation(GEN_ONLY, residual(work), scalar(work, "only"), here(work, "f"));
  only->number = work->op->colouring.remainder;
  return only;
}

static const struct gen_expr *plus(const struct gen_expr *a, const struct gen_expr *b)
{
  return gen_binary(GEN_ADD, a, b);
}

static const struct gen_expr *times(const struct gen_expr *a, const struct gen_expr *b)
{
  return gen_binary(GEN_MULTIPLY, a, b);
}

static void store_to(struct work *work, const char *array, const struct gen_expr *value)
{
  const int index = gen_need_array(work->kernel, array);
  struct gen_statement *statement = store(work->kernel);
  statement->target = gen_here(work->kernel, index);
  statement->value = value;
  work->kernel->array[index].constant = false;
  work->kernel->array[index].restricted = true;
}

static void drop(struct gen_kernel *kernel, struct gen_statement *statement)
{
  const struct gen_statement *end = &kernel->statement[kernel->statements--];
  memmove(statement, statement + 1, (size_t)(end - statement - 1) * sizeof *statement);
}

/* Drops private scalars that no later statement reads. */
static void drop_unused(struct gen_kernel *kernel)
{
  for (int n = kernel->statements - 1; n >= 0; n--) {
    bool used = kernel->statement[n].kind != GEN_SET;
    for (int later = n + 1; later < kernel->statements && !used; later++)
      used = gen_reads_scalar(kernel->statement[later].value, kernel->statement[n].scalar);
    if (!used)
      drop(kernel, &kernel->statement[n]);
  }
}

static void record(struct work *work, enum gen_role role)
{
  drop_unused(work->kernel);
  gen_mark_accesses(work->kernel);
  work->op->derived[work->op->count++] =
    (struct gen_derived){.role = role, .variant = "", .kernel = work->kernel};
}

static void finish(struct work *work, enum gen_role role)
{
  gen_canonical(work->kernel);
  record(work, role);
}

static const struct gen_expr *inverse_volume(struct work *work)
{
  static const char *const widths[] = {"h_i", "h_j", "h_k"};
  const struct gen_expr *volume = NULL;
  for (int axis = GEN_K; axis >= GEN_I; axis--) {
    const int line = gen_need_line(work->kernel, widths[axis], axis);
    const struct gen_expr *width = gen_access_ref(gen_here(work->kernel, line));
    volume = volume ? times(volume, width) : width;
  }
  return gen_binary(GEN_DIVIDE, gen_number(1), volume);
}

static void append(struct gen_kernel *kernel, enum gen_statement_kind kind, int scalar,
                   const struct gen_expr *value)
{
  kernel->statement[kernel->statements++] =
    (struct gen_statement){.kind = kind, .where = kernel->where, .scalar = scalar, .value = value};
}

/* Statements after those that there are: a private scalar and what it is; sums of its squares and
 * its maximum. */
static const struct gen_expr *set_private(struct work *work, const char *name,
                                          const struct gen_expr *value)
{
  const int scalar = gen_need_scalar(work->kernel, name, GEN_PRIVATE);
  append(work->kernel, GEN_SET, scalar, value);
  return gen_scalar_ref(scalar);
}

static void reduce(struct work *work, const struct gen_expr *of)
{
  struct gen_kernel *kernel = work->kernel;
  const int sum = gen_need_scalar(kernel, "sum", GEN_SUM),
            most = gen_need_scalar(kernel, "most", GEN_MAX);
  append(kernel, GEN_REDUCE, sum, times(of, of));
  append(kernel, GEN_REDUCE, most, gen_unary(GEN_ABS, of));
}

static void derive_norm(struct work *work, bool part)
{
  struct gen_kernel *kernel = begin(work, part ? "residual_norm_part" : "residual_norm");
  const struct gen_expr *value =
    times(part ? counted_residual(work) : residual(work), inverse_volume(work));
  drop(kernel, store(kernel));
  reduce(work, set_private(work, "r", value));
  finish(work, part ? GEN_ROLE_NORM_PART : GEN_ROLE_RESIDUAL_NORM);
}

/* The sum of the sizes of all terms that a value is summed from. */
static const struct gen_expr *size_of(const struct gen_expr *expr)
{
  const struct gen_expr *size[3] = {NULL, NULL, NULL};
  if (gen_arity(expr) == 0 || expr->kind > GEN_FMA) {
    const bool positive = expr->kind == GEN_ABS || (expr->kind == GEN_NUMBER && expr->number >= 0);
    return positive ? expr : gen_unary(GEN_ABS, expr);
  }
  for (int n = 0; n < gen_arity(expr); n++)
    size[n] = size_of(expr->argument[n]);
  switch (expr->kind) {
  case GEN_NEGATE:
    return size[0];
  case GEN_ADD:
  case GEN_SUBTRACT:
    return plus(size[0], size[1]);
  case GEN_FMA:
    return plus(times(size[0], size[1]), size[2]);
  case GEN_DIVIDE:
    return gen_binary(GEN_DIVIDE, size[0], gen_unary(GEN_ABS, expr->argument[1]));
  default:
    return times(size[0], size[1]);
  }
}

/* What rounding of u can leave of the residual follows from it. */
static void derive_terms(struct work *work)
{
  struct gen_kernel *kernel = begin(work, "terms_norm");
  for (int n = 0; n < kernel->statements; n++)
    kernel->statement[n].value = size_of(kernel->statement[n].value);
  const struct gen_expr *value = times(store(kernel)->value, inverse_volume(work));
  drop(kernel, store(kernel));
  reduce(work, set_private(work, "t", value));
  finish(work, GEN_ROLE_TERMS_NORM);
}

static bool has_parts(const struct gen_operator *op)
{
  return op->colouring.kind == GEN_PARITY && op->colouring.global;
}

static void derive_parts(struct work *work)
{
  begin(work, "residual_part");
  store_to(work, "r", counted_residual(work));
  finish(work, GEN_ROLE_RESIDUAL_PART);
  derive_norm(work, true);
}

/* For refinement: what the cycles in single precision start from, and the norm that decides. */
static void derive_single(struct work *work)
{
  struct gen_kernel *kernel = begin(work, "residual_single");
  const struct gen_expr *value = residual(work), *per_volume = inverse_volume(work);
  drop(kernel, store(kernel));
  const struct gen_expr *r = set_private(work, "r", value);
  append(kernel, GEN_STORE, 0, NULL);
  store_to(work, "single", times(scalar(work, "s"), r));
  reduce(work, set_private(work, "q", times(r, per_volume)));
  finish(work, GEN_ROLE_RESIDUAL_SINGLE);
}

/* Whether a value changes along a row, and how many operations do. */
static bool changes_along_row(const struct gen_kernel *kernel, const struct gen_expr *expr,
                              int *operations)
{
  if (expr->kind == GEN_ACCESS) {
    const struct gen_array *array = &kernel->array[expr->access.array];
    return array->rank != 1 || array->axis == GEN_I;
  }
  bool changes = false;
  for (int n = 0; n < gen_arity(expr); n++)
    changes |= changes_along_row(kernel, expr->argument[n], operations);
  *operations += changes;
  return changes;
}

/* A diagonal that a few operations sum from what the residual reads anyway costs less than the
 * field that would hold its inverse. */
static bool sums_diagonal(const struct gen_operator *op)
{
  enum { MOST_OPERATIONS = 16 };
  int operations = 0;
  changes_along_row(op->with_lines, op->diagonal, &operations);
  return operations <= MOST_OPERATIONS;
}

/* What the residual is multiplied with: omega / the diagonal. */
static const struct gen_expr *relaxation(struct work *work)
{
  const struct gen_expr *omega = scalar(work, "omega");
  return sums_diagonal(work->op) ? gen_binary(GEN_DIVIDE, omega, work->op->diagonal)
                                 : times(omega, here(work, "dinv"));
}

/* By differences to u: the form by sums rounds more (docs/performance/relaxation.md). */
static void derive_gauss_seidel(struct work *work)
{
  struct gen_kernel *kernel = begin(work, "gauss_seidel");
  const struct gen_expr *r = residual(work), *change = times(relaxation(work), r);
  store_to(work, "u", plus(here(work, "u"), change));
  kernel->guard = work->op->colouring;
  finish(work, GEN_ROLE_GAUSS_SEIDEL);
}

/* first + sum, added from the left: every product of the sum joins it in one operation. */
static const struct gen_expr *begin_with(const struct gen_expr *first, const struct gen_expr *sum)
{
  if (sum->kind != GEN_ADD && sum->kind != GEN_SUBTRACT)
    return plus(first, sum);
  return gen_binary(sum->kind, begin_with(first, sum->argument[0]), sum->argument[1]);
}

static void derive_gauss_seidel_sums(struct work *work)
{
  struct gen_kernel *kernel = begin(work, "gauss_seidel_sums");
  const struct gen_expr *omega = scalar(work, "omega"), *u = here(work, "u"),
                        *rest = gen_off_diagonal(kernel, gen_find_array(kernel, "u"));
  const struct gen_expr *factor = relaxation(work);
  const struct gen_expr *sum = rest->kind == GEN_NEGATE
    ? begin_with(here(work, "f"), rest->argument[0])
    : gen_binary(GEN_SUBTRACT, here(work, "f"), rest);
  const struct gen_expr *kept = gen_binary(GEN_SUBTRACT, gen_number(1), omega);
  store_to(work, "u", plus(times(factor, sum), times(kept, u)));
  kernel->guard = work->op->colouring;
  finish(work, GEN_ROLE_GAUSS_SEIDEL_SUMS);
}

/* The first sweep's two colours where u is 0 and need not have been set to it: A u is 0 then, and
 * beside the first colour's new values the second's own old one falls out. So u is read where it is
 * new, and nowhere else. */
static void derive_from_zero(struct work *work, bool second)
{
  struct gen_kernel *kernel =
    begin(work, second ? "gauss_seidel_zero_second" : "gauss_seidel_zero_first");
  const struct gen_expr *f = here(work, "f"), *factor = relaxation(work), *left = f;
  if (second) {
    const struct gen_expr *rest = gen_off_diagonal(kernel, gen_find_array(kernel, "u"));
    left =
      rest->kind == GEN_NEGATE ? plus(f, rest->argument[0]) : gen_binary(GEN_SUBTRACT, f, rest);
  }
  store_to(work, "u", times(factor, left));
  kernel->guard = work->op->colouring;
  finish(work, second ? GEN_ROLE_ZERO_SECOND : GEN_ROLE_ZERO_FIRST);
}

static void derive_smoothers(struct work *work)
{
  derive_gauss_seidel(work);
  if (sums_diagonal(work->op) && work->op->folded && has_parts(work->op))
    derive_gauss_seidel_sums(work);
  /* Ghosts that follow a formula would be made of u where nothing was stored. */
  for (int second = 0; second < 2 && has_parts(work->op) && work->op->folded; second++)
    derive_from_zero(work, second);
  begin(work, "jacobi");
  const struct gen_expr *change =
    times(times(scalar(work, "omega"), here(work, "dinv")), residual(work));
  store_to(work, "w", plus(here(work, "u"), change));
  finish(work, GEN_ROLE_JACOBI);

  begin(work, "chebyshev");
  const struct gen_expr *u = here(work, "u");
  const struct gen_expr *step =
    times(scalar(work, "c1"), gen_binary(GEN_SUBTRACT, u, here(work, "w")));
  change = times(times(scalar(work, "c2"), here(work, "dinv")), residual(work));
  store_to(work, "w", plus(plus(u, step), change));
  finish(work, GEN_ROLE_CHEBYSHEV);
}

static void derive_plain(struct work *work)
{
  begin(work, "apply");
  finish(work, GEN_ROLE_APPLY);
  begin(work, "residual");
  store_to(work, "r", residual(work));
  finish(work, GEN_ROLE_RESIDUAL);
  begin(work, "inverse_diagonal");
  store_to(work, "dinv", gen_binary(GEN_DIVIDE, gen_number(1), work->op->diagonal));
  finish(work, GEN_ROLE_INVERSE_DIAGONAL);
}

static const struct gen_kernel *find(const struct gen_operator *op, enum gen_role role)
{
  int n = 0;
  while (op->derived[n].role != role)
    n++;
  return op->derived[n].kernel;
}

/* Coarse levels with links restrict by owners, which reads residuals around the fine cells that a
 * coarse one covers: they are stored. */
static bool has_links(const struct gen_kernel *source)
{
  bool any = false;
  for (int n = 0; n < source->arrays; n++)
    any = any || gen_is_link(&source->array[n]);
  return any;
}

bool gen_derive(struct gen_operator *op, const struct gen_kernel *restriction)
{
  struct work work = {.op = op};
  derive_plain(&work);
  derive_smoothers(&work);
  gen_derive_rows(op);
  derive_norm(&work, false);
  derive_single(&work);
  derive_terms(&work);
  if (has_parts(op))
    derive_parts(&work);
  if (restriction && !has_links(op->source)) {
    const struct gen_kernel *r =
      find(op, has_parts(op) ? GEN_ROLE_RESIDUAL_PART : GEN_ROLE_RESIDUAL);
    const struct gen_kernel *norm =
      find(op, has_parts(op) ? GEN_ROLE_NORM_PART : GEN_ROLE_RESIDUAL_NORM);
    for (int with = 0; with < 2; with++) {
      work.kernel = gen_fuse_restriction(
        r, restriction, with ? norm : NULL,
        gen_text("%s_residual_restrict%s", op->source->name, with ? "_norm" : ""));
      if (!work.kernel)
        return false;
      /* Made of canonical parts: the same bits as one after the other. */
      record(&work, with ? GEN_ROLE_RESTRICT_NORM : GEN_ROLE_RESIDUAL_RESTRICT);
    }
  }
  if (gen_find_array(op->source, "alpha") >= 0)
    gen_derive_uniform(op, "alpha");
  return true;
}

#include "lower_values.h"

#include <string.h>

bool gen_refuse(const struct gen_syntax *syntax, const char *why)
{
  return gen_reject(syntax->where, "'%s' %s", syntax->text, why);
}

struct gen_name *gen_name_of(struct gen_lowering *lowering, const struct gen_syntax *syntax)
{
  if (syntax->kind == GEN_SYNTAX_NAME && syntax->declared)
    for (int n = 0; n < lowering->names; n++)
      if (lowering->name[n].declaration == syntax->declared)
        return &lowering->name[n];
  return NULL;
}

/* ---- integers ---- */

static bool affine_binary(struct gen_lowering *lowering, const struct gen_syntax *syntax,
                          struct gen_affine *out)
{
  struct gen_affine a, b;
  if (syntax->count != 2 || !gen_lower_affine(lowering, syntax->part[0], &a)
      || !gen_lower_affine(lowering, syntax->part[1], &b))
    return false;
  const bool a_fixed = gen_affine_is_constant(&a), b_fixed = gen_affine_is_constant(&b);
  switch (syntax->operation) {
  case GEN_SYNTAX_ADD:
  case GEN_SYNTAX_SUBTRACT:
    *out = a;
    gen_affine_add(out, syntax->operation == GEN_SYNTAX_ADD ? 1 : -1, &b);
    return true;
  case GEN_SYNTAX_MULTIPLY:
    *out = gen_affine_constant(0);
    gen_affine_add(out, a_fixed ? a.constant : b.constant, a_fixed ? &b : &a);
    return a_fixed || b_fixed;
  case GEN_SYNTAX_DIVIDE:
  case GEN_SYNTAX_REMAINDER:
    if (!a_fixed || !b_fixed || !b.constant)
      return false;
    *out = gen_affine_constant(syntax->operation == GEN_SYNTAX_DIVIDE ? a.constant / b.constant
                                                                      : a.constant % b.constant);
    return true;
  default:
    return false;
  }
}

bool gen_lower_affine(struct gen_lowering *lowering, const struct gen_syntax *syntax,
                      struct gen_affine *out)
{
  const struct gen_name *name;
  struct gen_affine operand;
  switch (syntax->kind) {
  case GEN_SYNTAX_WHOLE:
    *out = gen_affine_constant((int)syntax->whole);
    return syntax->whole == (int)syntax->whole;
  case GEN_SYNTAX_NAME:
    name = gen_name_of(lowering, syntax);
    if (!name || name->meaning != GEN_NAME_AFFINE)
      return false;
    *out = name->value;
    return true;
  case GEN_SYNTAX_UNARY:
    if ((syntax->operation != GEN_SYNTAX_ADD && syntax->operation != GEN_SYNTAX_SUBTRACT)
        || syntax->count != 1 || !gen_lower_affine(lowering, syntax->part[0], &operand))
      return false;
    *out = gen_affine_constant(0);
    gen_affine_add(out, syntax->operation == GEN_SYNTAX_ADD ? 1 : -1, &operand);
    return true;
  case GEN_SYNTAX_BINARY:
    return affine_binary(lowering, syntax, out);
  default:
    return false;
  }
}

bool gen_lower_constant(struct gen_lowering *lowering, const struct gen_syntax *syntax, int *out)
{
  struct gen_affine affine;
  if (!gen_lower_affine(lowering, syntax, &affine) || !gen_affine_is_constant(&affine))
    return false;
  *out = affine.constant;
  return true;
}

bool gen_uses_loops(const struct gen_affine *affine)
{
  for (int axis = 0; axis < GEN_AXES; axis++)
    if (affine->coefficient[axis])
      return true;
  return false;
}

/* ---- accesses ---- */

/* table[affine], or that plus a constant. False, and nothing said, if it is neither. */
static bool table_subscript(struct gen_lowering *lowering, const struct gen_syntax *syntax,
                            struct gen_subscript *out)
{
  if (syntax->count != 2)
    return false;
  if (syntax->kind == GEN_SYNTAX_ELEMENT) {
    const struct gen_name *name = gen_name_of(lowering, syntax->part[0]);
    if (!name || name->meaning != GEN_NAME_ARRAY || !lowering->kernel->array[name->index].table)
      return false;
    out->table = name->index;
    return gen_lower_affine(lowering, syntax->part[1], &out->affine);
  }
  const bool add = syntax->operation == GEN_SYNTAX_ADD;
  int offset, table = 0;
  if (syntax->kind != GEN_SYNTAX_BINARY || (!add && syntax->operation != GEN_SYNTAX_SUBTRACT))
    return false;
  if (add && gen_lower_constant(lowering, syntax->part[0], &offset))
    table = 1;
  else if (!gen_lower_constant(lowering, syntax->part[1], &offset))
    return false;
  if (!table_subscript(lowering, syntax->part[table], out))
    return false;
  out->offset += add ? offset : -offset;
  return true;
}

static bool lower_subscript(struct gen_lowering *lowering, const struct gen_syntax *syntax,
                            const struct gen_array *array, struct gen_subscript *out)
{
  *out = (struct gen_subscript){.table = -1};
  if (gen_lower_affine(lowering, syntax, &out->affine))
    return true;
  *out = (struct gen_subscript){.table = -1};
  if (table_subscript(lowering, syntax, out))
    return true;
  return gen_reject(syntax->where,
                    "subscript '%s' of '%s' is not affine: write sums of loop variables and "
                    "integer arguments times constants, or an element of a TABLE plus a constant",
                    syntax->text, array->name);
}

bool gen_lower_access(struct gen_lowering *lowering, const struct gen_syntax *syntax,
                      struct gen_access *access)
{
  const struct gen_syntax *index[GEN_AXES], *inner = syntax; /* the last subscript first */
  int count = 0;
  while (inner->kind == GEN_SYNTAX_ELEMENT && inner->count == 2 && count < GEN_AXES) {
    index[count++] = inner->part[1];
    inner = inner->part[0];
  }
  const struct gen_name *name = gen_name_of(lowering, inner);
  if (!name || name->meaning != GEN_NAME_ARRAY)
    return gen_refuse(syntax,
                      "is no element of an array that this function declares with its centring");
  const struct gen_array *array = &lowering->kernel->array[name->index];
  if (count != array->rank)
    return gen_reject(syntax->where, "'%s' has %d subscripts where '%s' has %d dimensions",
                      syntax->text, count, array->name, array->rank);
  if (array->table)
    return gen_refuse(syntax, "is an element of a table; tables serve as subscripts only");
  *access = (struct gen_access){.array = name->index};
  for (int axis = 0; axis < GEN_AXES; axis++)
    access->subscript[axis].table = -1;
  for (int d = 0; d < count; d++)
    if (!lower_subscript(lowering, index[d], array,
                         &access->subscript[array->rank == 1 ? (int)array->axis : d]))
      return false;
  return true;
}

/* ---- floating-point values; NULL after a rejection ---- */

static const struct gen_expr *refuse(const struct gen_syntax *syntax, const char *why)
{
  gen_refuse(syntax, why);
  return NULL;
}

enum gen_expr_kind gen_arithmetic(const struct gen_syntax *syntax)
{
  static const enum gen_expr_kind kinds[GEN_SYNTAX_INCREMENT + 1] = {
    [GEN_SYNTAX_ADD] = GEN_ADD,
    [GEN_SYNTAX_SUBTRACT] = GEN_SUBTRACT,
    [GEN_SYNTAX_MULTIPLY] = GEN_MULTIPLY,
    [GEN_SYNTAX_DIVIDE] = GEN_DIVIDE};
  return kinds[syntax->operation];
}

static const struct gen_expr *lower_binary(struct gen_lowering *lowering,
                                           const struct gen_syntax *syntax)
{
  const enum gen_expr_kind kind = gen_arithmetic(syntax);
  if (!kind || syntax->count != 2)
    return refuse(syntax, "uses an operator other than + - * / in a value");
  const struct gen_expr *a = gen_lower_value(lowering, syntax->part[0]);
  const struct gen_expr *b = a ? gen_lower_value(lowering, syntax->part[1]) : NULL;
  if (!b)
    return NULL;
  const struct gen_expr *folded = gen_folded(kind, a, b);
  return folded ? folded : gen_binary(kind, a, b);
}

static const struct gen_expr *lower_unary(struct gen_lowering *lowering,
                                          const struct gen_syntax *syntax)
{
  if ((syntax->operation != GEN_SYNTAX_ADD && syntax->operation != GEN_SYNTAX_SUBTRACT)
      || syntax->count != 1)
    return refuse(syntax, "uses an operator other than + - * / in a value");
  const struct gen_expr *a = gen_lower_value(lowering, syntax->part[0]);
  if (!a || syntax->operation == GEN_SYNTAX_ADD)
    return a;
  return a->kind == GEN_NUMBER ? gen_number(-a->number) : gen_unary(GEN_NEGATE, a);
}

static const struct gen_expr *lower_call(struct gen_lowering *lowering,
                                         const struct gen_syntax *syntax)
{
  const struct gen_intrinsic *function = gen_find_intrinsic(syntax->name);
  const struct gen_expr *a[3] = {NULL};
  if (function && syntax->count == function->arity) {
    for (int n = 0; n < syntax->count; n++)
      if (!(a[n] = gen_lower_value(lowering, syntax->part[n])))
        return NULL;
    return gen_operation(function->kind, a[0], a[1], a[2]);
  }
  return refuse(syntax, "calls a function other than fma, fabs, fmax, fmin and sqrt");
}

static const struct gen_expr *lower_any(struct gen_lowering *lowering,
                                        const struct gen_syntax *syntax)
{
  struct gen_access access = {.array = -1};
  const struct gen_name *name;
  int whole;
  if (syntax->integer)
    return gen_lower_constant(lowering, syntax, &whole)
      ? gen_number(whole)
      : refuse(syntax, "is an integer that is not constant; values are floating-point");
  switch (syntax->kind) {
  case GEN_SYNTAX_REAL:
    return gen_number(syntax->real);
  case GEN_SYNTAX_NAME:
    name = gen_name_of(lowering, syntax);
    return name && name->meaning == GEN_NAME_SCALAR
      ? gen_scalar_ref(name->index)
      : refuse(syntax, "is no floating-point argument or local variable of this function");
  case GEN_SYNTAX_ELEMENT:
    return gen_lower_access(lowering, syntax, &access) ? gen_access_ref(access) : NULL;
  case GEN_SYNTAX_UNARY:
    return lower_unary(lowering, syntax);
  case GEN_SYNTAX_BINARY:
    return lower_binary(lowering, syntax);
  case GEN_SYNTAX_CALL:
    return lower_call(lowering, syntax);
  default:
    return refuse(syntax, "is an expression of a kind that kernels do not have");
  }
}

const struct gen_expr *gen_lower_value(struct gen_lowering *lowering,
                                       const struct gen_syntax *syntax)
{
  const struct gen_expr *made = lower_any(lowering, syntax);
  if (!made)
    return NULL;
  struct gen_expr *placed = gen_copy(made);
  placed->where = syntax->where;
  return placed;
}

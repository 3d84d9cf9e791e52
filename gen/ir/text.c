/* The tree in the words of C, for messages and dumps. */
#include "tree.h"

#include <stdlib.h>

static const char *plus(const char *text, int constant)
{
  return constant ? gen_text("%s %c %d", text, constant < 0 ? '-' : '+', abs(constant)) : text;
}

const char *gen_affine_text(const struct gen_kernel *kernel, const struct gen_affine *affine)
{
  const char *text = "";
  for (int s = 0; s < GEN_MAX_SYMBOLS; s++) {
    const int c = affine->coefficient[s];
    if (!c)
      continue;
    const char *name = s < kernel->symbols ? kernel->symbol[s].name : "?";
    const char *sign = c < 0 ? (*text ? " - " : "-") : (*text ? " + " : "");
    text = abs(c) == 1 ? gen_text("%s%s%s", text, sign, name)
                       : gen_text("%s%s%d * %s", text, sign, abs(c), name);
  }
  return *text ? plus(text, affine->constant) : gen_text("%d", affine->constant);
}

static const char *subscript_text(const struct gen_kernel *kernel,
                                  const struct gen_subscript *subscript)
{
  const char *affine = gen_affine_text(kernel, &subscript->affine);
  if (subscript->table < 0)
    return affine;
  return plus(gen_text("%s[%s]", kernel->array[subscript->table].name, affine), subscript->offset);
}

const char *gen_access_text(const struct gen_kernel *kernel, const struct gen_access *access)
{
  const struct gen_array *array = &kernel->array[access->array];
  const char *text = array->name;
  for (int axis = GEN_BOX; axis >= GEN_I; axis--)
    if (array->rank == 4 || axis == (int)array->axis)
      text = gen_text("%s[%s]", text, subscript_text(kernel, &access->subscript[axis]));
  return text;
}

static int precedence(enum gen_expr_kind kind)
{
  return kind >= GEN_LESS && kind <= GEN_CHOOSE  ? 0
    : kind == GEN_ADD || kind == GEN_SUBTRACT    ? 1
    : kind == GEN_MULTIPLY || kind == GEN_DIVIDE ? 2
    : kind == GEN_NEGATE                         ? 3
                                                 : 4;
}

/* x < y ? a : b */
static const char *choice_words(const struct gen_style *style, const struct gen_expr *expr)
{
  const struct gen_expr *first = expr->argument[0];
  const char *condition = gen_words(style, first, first->kind == GEN_CHOOSE); /* in parentheses */
  return gen_text("%s ? %s : %s", condition, gen_words(style, expr->argument[1], 1),
                  gen_words(style, expr->argument[2], 1));
}

const char *gen_words(const struct gen_style *style, const struct gen_expr *expr, int least)
{
  static const char *const infix[] = {
    [GEN_ADD] = "+",  [GEN_SUBTRACT] = "-",    [GEN_MULTIPLY] = "*", [GEN_DIVIDE] = "/",
    [GEN_LESS] = "<", [GEN_LESS_EQUAL] = "<=", [GEN_EQUAL] = "=="};
  static const char *const call[] = {
    [GEN_FMA] = "fma",      [GEN_ABS] = "fabs",  [GEN_MAXIMUM] = "fmax",
    [GEN_MINIMUM] = "fmin", [GEN_SQRT] = "sqrt", [GEN_ONLY] = "only"};
  const int level = precedence(expr->kind);
  const char *text = style->special(style, expr, least), *list = "";
  if (text)
    return text;
  if (expr->kind == GEN_CHOOSE) {
    text = choice_words(style, expr);
  } else if (expr->kind == GEN_NEGATE) {
    text = gen_text("-%s", gen_words(style, expr->argument[0], 4));
  } else if (level < 4) {
    text = gen_text("%s %s %s", gen_words(style, expr->argument[0], level ? level : 1),
                    infix[expr->kind], gen_words(style, expr->argument[1], level + 1));
  } else {
    for (int n = 0; n < gen_arity(expr); n++)
      list = gen_listed(list, gen_words(style, expr->argument[n], GEN_AS_ARGUMENT));
    text = gen_text("%s%s(%s)", call[expr->kind], style->suffix, list);
  }
  return level < least ? gen_text("(%s)", text) : text;
}

static const char *special(const struct gen_style *style, const struct gen_expr *expr, int least)
{
  const struct gen_kernel *kernel = style->data;
  (void)least;
  switch (expr->kind) {
  case GEN_NUMBER:
    return gen_text("%.17g", expr->number);
  case GEN_SCALAR:
    return kernel->scalar[expr->scalar].name;
  case GEN_ACCESS:
    return gen_access_text(kernel, &expr->access);
  default:
    return NULL;
  }
}

const char *gen_expr_text(const struct gen_kernel *kernel, const struct gen_expr *expr)
{
  return gen_words(&(struct gen_style){special, kernel, ""}, expr, 0);
}

static const char *guard_text(const struct gen_kernel *kernel)
{
  const struct gen_guard *guard = &kernel->guard;
  if (guard->kind == GEN_PARITY && guard->global)
    return gen_text("if global (i + j + k + colour) mod 2 = %d\n", guard->remainder);
  if (guard->kind == GEN_PARITY)
    return gen_text("if (%s) mod 2 = %d\n", gen_affine_text(kernel, &guard->sum), guard->remainder);
  return gen_text("if global (i, j, k) mod (%d, %d, %d) = digits of colour%s\n", guard->modulus[0],
                  guard->modulus[1], guard->modulus[2],
                  guard->both ? ", then of the other one in the row" : "");
}

const char *gen_kernel_text(const struct gen_kernel *kernel)
{
  static const char *const place[] = {"cell", "face i", "face j", "face k"};
  static const char *const level[] = {"", "fine ", "coarse "};
  const char *text = gen_text("kernel %s\n", kernel->name);
  for (int n = 0; n < kernel->arrays; n++) {
    const struct gen_array *a = &kernel->array[n];
    const char *kind = a->rank == 4 ? "" : a->table ? " table" : " line";
    text =
      gen_text("%s  %s:%s %s%s, interior from %d%s%s\n", text, a->name, kind, level[a->level],
               place[a->place], a->first, a->read ? ", read" : "", a->written ? ", written" : "");
  }
  const char *indent = "  ";
  for (int axis = GEN_BOX; axis >= GEN_I; axis--) {
    const struct gen_loop *loop = &kernel->loop[axis];
    text = gen_text("%s%sfor %s = %s .. %s\n", text, indent, kernel->symbol[axis].name,
                    gen_affine_text(kernel, &loop->lower), gen_affine_text(kernel, &loop->upper));
    indent = gen_text("%s  ", indent);
  }
  if (kernel->guard.kind != GEN_EVERYWHERE)
    text = gen_text("%s%s%s", text, indent, guard_text(kernel));
  for (int n = 0; n < kernel->statements; n++) {
    const struct gen_statement *s = &kernel->statement[n];
    const char *value = gen_expr_text(kernel, s->value);
    if (s->kind == GEN_NORM)
      text =
        gen_text("%s%ssum of squares, and maximum, along the finer row: %s\n", text, indent, value);
    else if (s->kind == GEN_STORE)
      text = gen_text("%s%s%s = %s\n", text, indent, gen_access_text(kernel, &s->target), value);
    else
      text = gen_text("%s%s%s %s %s\n", text, indent, kernel->scalar[s->scalar].name,
                      s->kind == GEN_SET                            ? "="
                        : kernel->scalar[s->scalar].role == GEN_SUM ? "+="
                                                                    : "max=",
                      value);
  }
  return text;
}

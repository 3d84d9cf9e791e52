#include "linear.h"

#include <string.h>

/* An expression as linear form plus a part free of the unknown. */
struct form {
  struct gen_linear linear;
  const struct gen_expr *rest; /* NULL: none */
};

struct builder {
  const struct gen_kernel *kernel;
  int unknown;
  struct form *private_form[GEN_MAX_SCALARS];
};

static const struct gen_expr *times(const struct gen_expr *a, const struct gen_expr *b)
{
  if (gen_is_number(a, 1))
    return b;
  if (gen_is_number(b, 1))
    return a;
  return gen_binary(GEN_MULTIPLY, a, b);
}

/* The first part that is added, or 0 if all are taken off. */
static int first_added(const struct gen_weight *weight)
{
  for (int n = 0; n < weight->parts; n++)
    if (weight->part[n].sign > 0)
      return n;
  return 0;
}

const struct gen_expr *gen_weight_expr(const struct gen_weight *weight)
{
  /* A positive part first, so that no sum opens with a negation that it does not need. */
  const int first = first_added(weight);
  const struct gen_expr *sum = weight->part[first].value;
  if (!weight->parts)
    return gen_number(0);
  if (weight->part[first].sign < 0)
    sum = gen_unary(GEN_NEGATE, sum);
  for (int n = 0; n < weight->parts; n++)
    if (n != first)
      sum =
        gen_binary(weight->part[n].sign < 0 ? GEN_SUBTRACT : GEN_ADD, sum, weight->part[n].value);
  return sum;
}

/* weight := factor * weight, or weight / factor; the common sign stays outside. */
static void scale(struct gen_weight *weight, const struct gen_expr *factor, bool divide,
                  bool factor_first)
{
  const int sign = weight->parts && weight->part[first_added(weight)].sign < 0 ? -1 : 1;
  for (int n = 0; n < weight->parts; n++)
    weight->part[n].sign *= sign;
  const struct gen_expr *sum = gen_weight_expr(weight);
  weight->parts = 1;
  weight->part[0].sign = sign;
  if (divide)
    weight->part[0].value = gen_binary(GEN_DIVIDE, sum, factor);
  else
    weight->part[0].value = factor_first ? times(factor, sum) : times(sum, factor);
}

static struct form *new_form(void)
{
  return gen_allocate(sizeof(struct form));
}

static struct form *build(struct builder *builder, const struct gen_expr *expr);

static struct form *reject(struct builder *builder, const struct gen_expr *expr, const char *why)
{
  gen_reject(expr->where, "the operator is not linear in '%s': %s in '%s'",
             builder->kernel->array[builder->unknown].name, why,
             gen_expr_text(builder->kernel, expr));
  return NULL;
}

static struct form *build_unknown(struct builder *builder, const struct gen_expr *expr)
{
  struct form *form = new_form();
  struct gen_term *term = &form->linear.term[0];
  for (int axis = 0; axis < GEN_BOX; axis++) {
    if (!gen_is_shift(&expr->access.subscript[axis], axis))
      return reject(builder, expr, "a subscript that is not the loop variable plus a constant");
    term->offset[axis] = gen_offset(builder->kernel, &expr->access, axis);
  }
  form->linear.terms = 1;
  term->weight.parts = 1;
  term->weight.part[0].sign = 1;
  term->weight.part[0].value = gen_number(1);
  return form;
}

/* a + sign b */
static struct form *add(struct builder *builder, const struct gen_expr *at, const struct form *a,
                        const struct form *b, int sign)
{
  struct form *sum = new_form();
  *sum = *a;
  for (int n = 0; n < b->linear.terms; n++) {
    const struct gen_term *from = &b->linear.term[n];
    int to = 0;
    while (to < sum->linear.terms
           && memcmp(sum->linear.term[to].offset, from->offset, sizeof from->offset) != 0)
      to++;
    if (to == GEN_MAX_TERMS)
      return reject(builder, at, "more neighbours than the compiler handles");
    if (to == sum->linear.terms) {
      memset(&sum->linear.term[to], 0, sizeof sum->linear.term[to]);
      memcpy(sum->linear.term[to].offset, from->offset, sizeof from->offset);
      sum->linear.terms++;
    }
    struct gen_weight *weight = &sum->linear.term[to].weight;
    if (weight->parts + from->weight.parts > GEN_MAX_PARTS)
      return reject(builder, at, "more terms than the compiler handles");
    for (int p = 0; p < from->weight.parts; p++) {
      weight->part[weight->parts] = from->weight.part[p];
      weight->part[weight->parts++].sign *= sign;
    }
  }
  if (b->rest) {
    if (!sum->rest)
      sum->rest = sign > 0 ? b->rest : gen_unary(GEN_NEGATE, b->rest);
    else
      sum->rest = gen_binary(sign > 0 ? GEN_ADD : GEN_SUBTRACT, sum->rest, b->rest);
  }
  return sum;
}

static struct form *multiply(struct builder *builder, const struct gen_expr *at,
                             const struct form *a, const struct form *b)
{
  if (a->linear.terms && b->linear.terms)
    return reject(builder, at, "a product of two values of it");
  const struct form *with = a->linear.terms ? a : b, *without = a->linear.terms ? b : a;
  const struct gen_expr *factor = without->rest ? without->rest : gen_number(0);
  struct form *product = new_form();
  *product = *with;
  for (int n = 0; n < product->linear.terms; n++)
    scale(&product->linear.term[n].weight, factor, false, without == a);
  if (with->rest)
    product->rest = with == a ? times(with->rest, factor) : times(factor, with->rest);
  return product;
}

static struct form *divide(struct builder *builder, const struct gen_expr *at, const struct form *a,
                           const struct form *b)
{
  if (b->linear.terms)
    return reject(builder, at, "a division by a value of it");
  struct form *quotient = new_form();
  *quotient = *a;
  for (int n = 0; n < quotient->linear.terms; n++)
    scale(&quotient->linear.term[n].weight, b->rest, true, false);
  if (a->rest)
    quotient->rest = gen_binary(GEN_DIVIDE, a->rest, b->rest);
  return quotient;
}

static struct form *build_free(const struct gen_expr *expr)
{
  struct form *form = new_form();
  form->rest = expr;
  return form;
}

static struct form *build_function(struct builder *builder, const struct gen_expr *expr)
{
  const struct gen_expr *free_argument[3] = {NULL};
  for (int n = 0; n < gen_arity(expr); n++) {
    const struct form *argument = build(builder, expr->argument[n]);
    if (!argument)
      return NULL;
    if (argument->linear.terms)
      return reject(builder, expr, "a function of it");
    free_argument[n] = argument->rest;
  }
  struct gen_expr *copy = gen_copy(expr);
  for (int n = 0; n < 3; n++)
    copy->argument[n] = free_argument[n];
  return build_free(copy);
}

static struct form *build(struct builder *builder, const struct gen_expr *expr)
{
  struct form *part[3] = {NULL}, *product;
  for (int n = 0; n < gen_arity(expr) && expr->kind <= GEN_FMA; n++)
    if (!(part[n] = build(builder, expr->argument[n])))
      return NULL;
  switch (expr->kind) {
  case GEN_NUMBER:
    return build_free(expr);
  case GEN_SCALAR:
    return builder->private_form[expr->scalar] ? builder->private_form[expr->scalar]
                                               : build_free(expr);
  case GEN_ACCESS:
    return expr->access.array == builder->unknown ? build_unknown(builder, expr) : build_free(expr);
  case GEN_NEGATE:
    return add(builder, expr, new_form(), part[0], -1);
  case GEN_ADD:
    return add(builder, expr, part[0], part[1], 1);
  case GEN_SUBTRACT:
    return add(builder, expr, part[0], part[1], -1);
  case GEN_MULTIPLY:
    return multiply(builder, expr, part[0], part[1]);
  case GEN_DIVIDE:
    return divide(builder, expr, part[0], part[1]);
  case GEN_FMA:
    product = multiply(builder, expr, part[0], part[1]);
    return product ? add(builder, expr, product, part[2], 1) : NULL;
  default:
    return build_function(builder, expr);
  }
}

bool gen_linear_form(const struct gen_kernel *kernel, int unknown, struct gen_linear *linear)
{
  struct builder builder = {.kernel = kernel, .unknown = unknown};
  const struct form *result = NULL;
  for (int n = 0; n < kernel->statements; n++) {
    const struct gen_statement *statement = &kernel->statement[n];
    struct form *form = build(&builder, statement->value);
    if (!form)
      return false;
    if (statement->kind == GEN_SET)
      builder.private_form[statement->scalar] = form;
    else if (result)
      return gen_reject(statement->where, "an operator has one output; '%s' stores a second",
                        kernel->name);
    else
      result = form;
  }
  if (!result)
    return gen_reject(kernel->where, "operator '%s' stores nothing", kernel->name);
  if (result->rest && !gen_is_number(result->rest, 0))
    return gen_reject(kernel->where,
                      "the operator is not linear in '%s': the part '%s' does not depend on it",
                      kernel->array[unknown].name, gen_expr_text(kernel, result->rest));
  *linear = result->linear;
  return true;
}

const struct gen_term *gen_linear_centre(const struct gen_linear *linear)
{
  for (int n = 0; n < linear->terms; n++) {
    const int *offset = linear->term[n].offset;
    if (!offset[0] && !offset[1] && !offset[2])
      return &linear->term[n];
  }
  return NULL;
}

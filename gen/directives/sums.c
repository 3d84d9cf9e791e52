#include "sums.h"

#include "precision.h"

/* ---- what a sum needs, and what the kernel does of a nest with sums ---- */

static const struct gen_sum *sum_of(const struct gen_nest *nest, const struct gen_syntax *statement)
{
  for (int s = 0; s < nest->sums; s++)
    if (nest->sum[s].statement == statement)
      return &nest->sum[s];
  return NULL;
}

static bool is_needed(const struct gen_making *making, const struct gen_syntax *variable)
{
  bool found = false;
  for (int n = 0; n < making->needs; n++)
    found = found || making->needed[n] == variable;
  return found || making->needs == GEN_MAX_NEEDED; /* then all are */
}

static void add_names(struct gen_making *making, const struct gen_syntax *value)
{
  const struct gen_syntax *variable = gen_variable_of(value);
  if (variable && !is_needed(making, variable))
    making->needed[making->needs++] = variable;
  for (int p = 0; p < value->count; p++)
    add_names(making, value->part[p]);
}

/* Adds what a statement reads that does something for the sum, or stores something for the kernel.
 * Returns whether it does. */
static bool add_statement(struct gen_making *making, const struct gen_syntax *syntax)
{
  const bool assigns = syntax->kind == GEN_SYNTAX_ASSIGN,
             declares = syntax->kind == GEN_SYNTAX_VARIABLE,
             branches = syntax->kind == GEN_SYNTAX_IF;
  const struct gen_syntax *set = assigns ? gen_variable_of(syntax->part[0])
    : declares                           ? syntax
                                         : NULL;
  const struct gen_syntax *value = assigns ? syntax->part[1]
    : declares                             ? syntax->variable.initial
                                           : NULL;
  const struct gen_sum *sum = sum_of(making->nest, syntax);
  bool does = false;
  if (sum && sum == making->sum)
    add_names(making, sum->value);
  if (sum)
    return sum == making->sum;
  if (assigns || declares) {
    does = set ? is_needed(making, set) : !making->sum;
    if (does && value)
      add_names(making, value);
    return does;
  }
  for (int p = branches; p < syntax->count; p++)
    does = add_statement(making, syntax->part[p]) || does;
  if (does && branches)
    add_names(making, syntax->part[0]);
  return does;
}

void gen_find_needed(struct gen_making *making)
{
  int before;
  making->needs = 0;
  do {
    before = making->needs;
    add_statement(making, making->nest->body);
  } while (making->needs > before);
}

/* Notes what a statement that is left out stores. */
static void note_stores(struct gen_making *making, const struct gen_syntax *syntax)
{
  if (syntax->kind == GEN_SYNTAX_ASSIGN && syntax->part[0]->kind == GEN_SYNTAX_ELEMENT) {
    const struct gen_syntax *array = syntax->part[0];
    while (array->kind == GEN_SYNTAX_ELEMENT)
      array = array->part[0];
    for (int a = 0; a < making->translation->arrays; a++)
      if (making->translation->array[a].variable == gen_variable_of(array))
        making->stored[a] = true;
  }
  for (int p = 0; p < syntax->count; p++)
    note_stores(making, syntax->part[p]);
}

bool gen_sum_skips(struct gen_making *making, const struct gen_syntax *syntax)
{
  if (syntax->kind == GEN_SYNTAX_BLOCK || !making->nest->sums || add_statement(making, syntax))
    return false;
  note_stores(making, syntax);
  return true;
}

bool gen_make_gathered(struct gen_making *making)
{
  struct gen_kernel *kernel = making->translation->formula.kernel;
  const struct gen_sum *sum = making->sum;
  const struct gen_location where = sum->statement->where;
  const struct gen_expr *value =
    gen_converted(making->translation, sum->value, gen_make_value(making, sum->value));
  if (!value)
    return false;
  if (making->condition && sum->kind != GEN_REDUCTION_SUM)
    return gen_reject(where, "a largest or least value under a condition is not supported yet");
  if (making->condition)
    value = gen_operation(GEN_CHOOSE, making->condition, value, gen_number(0));
  if (kernel->scalars == GEN_MAX_SCALARS)
    return gen_reject(where, "more than %d variables in one nest", GEN_MAX_SCALARS);
  kernel->scalar[kernel->scalars] =
    (struct gen_scalar){.name = sum->name,
                        .where = where,
                        .role = sum->kind == GEN_REDUCTION_SUM ? GEN_SUM : GEN_LARGEST};
  return gen_add_statement(making,
                           (struct gen_statement){.kind = GEN_REDUCE,
                                                  .where = where,
                                                  .scalar = kernel->scalars++,
                                                  .value = sum->kind == GEN_REDUCTION_MIN
                                                    ? gen_unary(GEN_NEGATE, value)
                                                    : value});
}

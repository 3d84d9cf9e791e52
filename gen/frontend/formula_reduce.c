#include "formula_reduce.h"

#include <string.h>

#include "formula_head.h"
#include "formula_kernel.h"

int gen_formula_reduction(const struct gen_program *program, const char *name)
{
  for (int r = 0; r < program->reductions; r++)
    if (strcmp(program->reduction[r].name, name) == 0)
      return r;
  return -1;
}

bool gen_formula_note_reduction(struct gen_formula *formula)
{
  struct gen_scanner *scanner = &formula->scanner;
  if (formula->reductions == GEN_MAX_REDUCTIONS)
    return gen_reject(scanner->token.where, "more than %d reductions", GEN_MAX_REDUCTIONS);
  formula->reduction[formula->reductions++] = *scanner;
  while (!gen_scan_is(scanner, ";"))
    if (scanner->token.kind == GEN_TOKEN_END)
      return gen_scan_wrong(scanner, "';' after 'reduce'");
    else if (!gen_scan_next(scanner))
      return false;
  return true;
}

/* NAME = sum: what comes before the value. */
static bool read_left(struct gen_formula *formula, struct gen_reduction *reduction)
{
  struct gen_scanner *scanner = &formula->scanner;
  const struct gen_token name = scanner->token;
  int kind = 0;
  if (name.kind != GEN_TOKEN_NAME)
    return gen_scan_wrong(scanner, "the name of a reduction");
  if (!gen_formula_free_name(formula, &name) || !gen_scan_next(scanner)
      || !gen_scan_expect(scanner, "=", " (reduce NAME = sum VALUE;)"))
    return false;
  while (kind <= GEN_REDUCTION_MAX && !gen_scan_is(scanner, gen_reduction_words[kind]))
    kind++;
  if (kind > GEN_REDUCTION_MAX)
    return gen_scan_wrong(scanner, "sum, min or max, and a value,");
  if (strcmp(name.text, "step") == 0 || gen_formula_array(formula->program, "values") >= 0)
    return gen_reject(name.where,
                      "with reductions files have a group 'values' with a list 'step': "
                      "no array and no reduction can have these names");
  *reduction = (struct gen_reduction){
    .name = name.text, .where = name.where, .kind = (enum gen_reduction_kind)kind};
  return gen_scan_next(scanner);
}

/* The kernel that reduces a value. */
static bool make_kernel(struct gen_formula *formula, struct gen_reduction *reduction,
                        const struct gen_expr *value)
{
  struct gen_kernel *kernel = formula->kernel;
  if (kernel->scalars == GEN_MAX_SCALARS)
    return gen_reject(reduction->where, "more than %d parameters in one value", GEN_MAX_SCALARS);
  kernel->scalar[kernel->scalars] =
    (struct gen_scalar){.name = reduction->name,
                        .where = reduction->where,
                        .role = reduction->kind == GEN_REDUCTION_SUM ? GEN_SUM : GEN_LARGEST};
  kernel->statement[kernel->statements++] = (struct gen_statement){
    .kind = GEN_REDUCE,
    .where = reduction->where,
    .scalar = kernel->scalars++,
    .value = reduction->kind == GEN_REDUCTION_MIN ? gen_unary(GEN_NEGATE, value) : value};
  return gen_formula_bind(formula, &reduction->kernel);
}

static bool read_reduction(struct gen_formula *formula)
{
  struct gen_program *program = formula->program;
  struct gen_reduction *reduction = &program->reduction[program->reductions];
  if (!read_left(formula, reduction))
    return false;
  gen_formula_clear_kernel(formula, reduction->name, reduction->where);
  const struct gen_location where = formula->scanner.token.where;
  const struct gen_expr *value = gen_formula_value(formula);
  if (!value || !gen_scan_expect(&formula->scanner, ";", " after a reduction"))
    return false;
  if (!formula->uses)
    return gen_reject(where, "'%s' reads no array", reduction->name);
  if (!make_kernel(formula, reduction, value))
    return false;
  program->reductions++;
  return true;
}

bool gen_formula_reductions(struct gen_formula *formula)
{
  const struct gen_scanner body = formula->scanner;
  bool fine = true;
  for (int r = 0; r < formula->reductions && fine; r++) {
    formula->scanner = formula->reduction[r];
    fine = read_reduction(formula);
  }
  if (fine)
    formula->scanner = body;
  return fine;
}

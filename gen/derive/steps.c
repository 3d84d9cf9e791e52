#include "steps.h"

#include "derive.h"

#include <string.h>

struct builder {
  struct gen_steps *steps;
  const char *purpose;
  const struct gen_kernel *kernel;
  const int *array; /* the program's, by the kernel's */
  struct gen_polynomial *scalar_form[GEN_MAX_SCALARS];
  const struct gen_expr *scalar_value[GEN_MAX_SCALARS]; /* of private ones that do not change */
  struct gen_polynomial *stored[GEN_MAX_PROGRAM_ARRAYS];
};

static const int here[3] = {0, 0, 0};

struct gen_access gen_steps_access(int array, const int offset[3])
{
  struct gen_access access = {.array = array};
  for (int axis = 0; axis < GEN_AXES; axis++) {
    access.subscript[axis].table = -1;
    access.subscript[axis].affine.coefficient[axis] = 1;
    access.subscript[axis].affine.constant = axis == GEN_BOX ? 0 : offset[axis];
  }
  return access;
}

/* ---- values ---- */

static struct gen_polynomial *reject(const struct builder *builder, const struct gen_expr *expr,
                                     const char *why)
{
  gen_reject(expr->where.file ? expr->where : builder->kernel->where, "%s: kernel '%s' %s: '%s'",
             builder->purpose, builder->kernel->name, why, gen_expr_text(builder->kernel, expr));
  return NULL;
}

static struct gen_polynomial *sized(const struct builder *builder, enum gen_size size,
                                    struct gen_polynomial *result)
{
  if (size == GEN_FITS)
    return result;
  gen_reject(builder->kernel->where,
             size == GEN_TOO_MANY ? "%s: kernel '%s' makes more than %d products"
                                  : "%s: kernel '%s' makes products of more than %d factors",
             builder->purpose, builder->kernel->name,
             size == GEN_TOO_MANY ? GEN_MOST_PRODUCTS : GEN_MOST_DEGREE);
  return NULL;
}

static bool expr_changes(const struct gen_steps *steps, const struct gen_expr *expr)
{
  bool changes = expr->kind == GEN_ACCESS && steps->changes[expr->access.array];
  for (int n = 0; n < gen_arity(expr) && !changes; n++)
    changes = expr_changes(steps, expr->argument[n]);
  return changes;
}

/* Whether values of arrays that steps change occur. */
static bool changes(const struct gen_steps *steps, const struct gen_polynomial *form)
{
  for (int n = 0; n < form->products; n++)
    for (int f = 0; f < form->product[n].degree; f++)
      if (expr_changes(steps, steps->atoms.atom[form->product[n].atom[f]].value))
        return true;
  return false;
}

/* The access as one of the program's array. False: its subscripts are not point plus constant. */
static bool translate_access(const struct builder *builder, const struct gen_access *access,
                             struct gen_access *result)
{
  int offset[3];
  for (int axis = 0; axis < GEN_BOX; axis++) {
    if (!gen_is_shift(&access->subscript[axis], axis))
      return false;
    offset[axis] = gen_offset(builder->kernel, access, axis);
  }
  *result = gen_steps_access(builder->array[access->array], offset);
  return builder->kernel->array[access->array].rank == 4;
}

static const struct gen_expr *parameter(const struct builder *builder, int scalar)
{
  return gen_scalar_ref(
    gen_need_scalar(builder->steps->kernel, builder->kernel->scalar[scalar].name, GEN_PARAMETER));
}

/* A value without arrays that change, as an atom has it. NULL: it has one, or other subscripts. */
static const struct gen_expr *unchanging(const struct builder *builder, const struct gen_expr *expr)
{
  struct gen_expr *copy = gen_copy(expr);
  if (expr->kind == GEN_ONLY)
    return NULL;
  if (expr->kind == GEN_SCALAR)
    return builder->kernel->scalar[expr->scalar].role == GEN_PARAMETER
      ? parameter(builder, expr->scalar)
      : builder->scalar_value[expr->scalar];
  if (expr->kind == GEN_ACCESS)
    return !builder->steps->changes[builder->array[expr->access.array]]
        && translate_access(builder, &expr->access, &copy->access)
      ? copy
      : NULL;
  for (int n = 0; n < gen_arity(expr); n++)
    if (!(copy->argument[n] = unchanging(builder, expr->argument[n])))
      return NULL;
  return copy;
}

static struct gen_polynomial *atom(const struct builder *builder, const struct gen_expr *value)
{
  return gen_polynomial_atom(gen_atom_of(&builder->steps->atoms, value));
}

static struct gen_polynomial *build_access(const struct builder *builder,
                                           const struct gen_expr *expr)
{
  struct gen_steps *steps = builder->steps;
  struct gen_access access;
  int offset[3];
  if (!translate_access(builder, &expr->access, &access))
    return reject(builder, expr, "has a subscript that is not the point plus a constant");
  for (int axis = 0; axis < GEN_BOX; axis++)
    offset[axis] = access.subscript[axis].affine.constant;
  if (builder->stored[access.array] && memcmp(offset, here, sizeof here) == 0)
    return builder->stored[access.array];
  if (!steps->form[access.array])
    return reject(builder, expr, "reads values that nothing has stored");
  return gen_polynomial_shift(&steps->atoms, steps->form[access.array], offset);
}

static struct gen_polynomial *add(const struct builder *builder, double factor,
                                  const struct gen_polynomial *a, double other_factor,
                                  const struct gen_polynomial *b)
{
  struct gen_polynomial *sum = gen_polynomial_new();
  enum gen_size size = gen_polynomial_add(sum, factor, a);
  if (size == GEN_FITS && b)
    size = gen_polynomial_add(sum, other_factor, b);
  return sized(builder, size, sum);
}

static struct gen_polynomial *multiply(const struct builder *builder, const struct gen_expr *expr,
                                       const struct gen_polynomial *a,
                                       const struct gen_polynomial *b)
{
  struct gen_polynomial *product = gen_polynomial_new();
  if (changes(builder->steps, a) && changes(builder->steps, b))
    return reject(builder, expr, "is not linear: it multiplies two values that change");
  return sized(builder, gen_polynomial_multiply(product, a, b), product);
}

static struct gen_polynomial *divide(const struct builder *builder, const struct gen_expr *expr,
                                     const struct gen_polynomial *a, const struct gen_polynomial *b)
{
  if (b->products == 1 && b->product[0].degree == 0)
    return add(builder, 1 / b->product[0].factor, a, 0, NULL);
  const struct gen_expr *divisor = unchanging(builder, expr->argument[1]);
  if (!divisor)
    return reject(builder, expr, "is not linear: it divides by a value that changes");
  return multiply(builder, expr, a, atom(builder, gen_binary(GEN_DIVIDE, gen_number(1), divisor)));
}

static struct gen_polynomial *build(const struct builder *builder, const struct gen_expr *expr)
{
  struct gen_polynomial *part[3] = {NULL}, *product;
  for (int n = 0; n < gen_arity(expr) && expr->kind <= GEN_FMA; n++)
    if (!(part[n] = build(builder, expr->argument[n])))
      return NULL;
  switch (expr->kind) {
  case GEN_NUMBER:
    return gen_polynomial_number(expr->number);
  case GEN_SCALAR:
    return builder->scalar_form[expr->scalar] ? builder->scalar_form[expr->scalar]
                                              : atom(builder, parameter(builder, expr->scalar));
  case GEN_ACCESS:
    return build_access(builder, expr);
  case GEN_NEGATE:
    return add(builder, -1, part[0], 0, NULL);
  case GEN_ADD:
  case GEN_SUBTRACT:
    return add(builder, 1, part[0], expr->kind == GEN_ADD ? 1 : -1, part[1]);
  case GEN_MULTIPLY:
    return multiply(builder, expr, part[0], part[1]);
  case GEN_DIVIDE:
    return divide(builder, expr, part[0], part[1]);
  case GEN_FMA:
    product = multiply(builder, expr, part[0], part[1]);
    return product ? add(builder, 1, product, 1, part[2]) : NULL;
  default:
    break;
  }
  const struct gen_expr *value = unchanging(builder, expr);
  return value
    ? atom(builder, value)
    : reject(builder, expr, "is not linear: it takes a function of a value that changes");
}

/* ---- steps ---- */

static bool run_kernel(struct gen_steps *steps, const struct gen_program_kernel *bound,
                       const char *purpose)
{
  const struct gen_kernel *kernel = bound->kernel;
  struct builder *builder = gen_allocate(sizeof *builder);
  *builder = (struct builder){steps, purpose, kernel, bound->array, {NULL}, {NULL}, {NULL}};
  if (kernel->guard.kind != GEN_EVERYWHERE)
    return gen_reject(kernel->where, "%s: kernel '%s' leaves out cells", purpose, kernel->name);
  for (int s = 0; s < kernel->statements; s++) {
    const struct gen_statement *statement = &kernel->statement[s];
    struct gen_polynomial *form = build(builder, statement->value);
    if (!form)
      return false;
    if (statement->kind == GEN_SET) {
      builder->scalar_value[statement->scalar] = unchanging(builder, statement->value);
      builder->scalar_form[statement->scalar] = form;
    } else if (statement->kind == GEN_STORE) {
      builder->stored[bound->array[statement->target.array]] = form;
    } else {
      return gen_reject(kernel->where, "%s: kernel '%s' reduces", purpose, kernel->name);
    }
  }
  for (int a = 0; a < steps->program->arrays; a++)
    if (builder->stored[a])
      steps->form[a] = builder->stored[a];
  return true;
}

static void permute(struct gen_steps *steps, const struct gen_step *step)
{
  struct gen_polynomial *first = steps->form[step->cycle[0]];
  for (int n = 0; n + 1 < step->count; n++)
    steps->form[step->cycle[n]] = steps->form[step->cycle[n + 1]];
  steps->form[step->cycle[step->count - 1]] = first;
}

void gen_steps_begin(struct gen_steps *steps, const struct gen_program *program,
                     struct gen_kernel *kernel)
{
  *steps = (struct gen_steps){.program = program, .kernel = kernel};
  for (int k = 0; k < program->kernels; k++)
    for (int a = 0; a < program->kernel[k].kernel->arrays; a++)
      steps->changes[program->kernel[k].array[a]] |= program->kernel[k].kernel->array[a].written;
  for (int s = 0; s < program->steps; s++)
    for (int n = 0; n < program->step[s].count; n++)
      steps->changes[program->step[s].cycle[n]] = true;
  for (int a = 0; a < program->arrays; a++)
    if (program->array[a].age != GEN_AGE_NEXT)
      steps->form[a] =
        gen_polynomial_atom(gen_atom_of(&steps->atoms, gen_access_ref(gen_steps_access(a, here))));
}

bool gen_steps_run(struct gen_steps *steps, int kernel, const char *purpose)
{
  return run_kernel(steps, &steps->program->kernel[kernel], purpose);
}

bool gen_steps_take(struct gen_steps *steps, const char *purpose)
{
  const struct gen_program *program = steps->program;
  for (int s = program->once; s < program->steps; s++) {
    const struct gen_step *step = &program->step[s];
    if (step->kind == GEN_STEP_RUN && !run_kernel(steps, &program->kernel[step->kernel], purpose))
      return false;
    if (step->kind == GEN_STEP_PERMUTE)
      permute(steps, step);
    if (step->kind == GEN_STEP_SOLVE)
      return gen_reject(step->where, "%s: 'solve %s' is no sum of values that can be composed",
                        purpose, program->solve[step->solve].name);
  }
  return true;
}

#include "step_terms.h"

#include <string.h>

static const char purpose[] = "linear steps";

/* The first rejection since `said`, without its place and the purpose, on one line. */
static const char *first_rejection(const char *said)
{
  const char *text = gen_diagnostics() + strlen(said), *found = strstr(text, purpose);
  if (found)
    text = found + strlen(purpose) + 2;
  return gen_text("%.*s", (int)strcspn(text, "\n"), text);
}

/* Where the product's weight goes: the term of the same arrays and offset, which may be new. NULL:
 * there are too many. */
static struct gen_step_term *term_for(struct gen_step_terms *all, const struct gen_step_term *like)
{
  for (int n = 0; n < all->terms; n++) {
    struct gen_step_term *term = &all->term[n];
    if (term->kernel == like->kernel && term->to == like->to && term->from == like->from
        && memcmp(term->offset, like->offset, sizeof like->offset) == 0)
      return term;
  }
  if (all->terms == GEN_MOST_STEP_TERMS)
    return NULL;
  struct gen_step_term *term = &all->term[all->terms++];
  *term = *like;
  term->weight = gen_polynomial_new();
  return term;
}

/* Returns why the product is no weight, times one value at most; NULL: it is. */
static const char *add_product(struct gen_step_terms *all, int kernel, int to,
                               const struct gen_product *product)
{
  const struct gen_atoms *atoms = &all->steps.atoms;
  const char *name = all->steps.program->kernel[kernel].kernel->name;
  struct gen_product weight = {.factor = product->factor};
  struct gen_step_term like = {.kernel = kernel, .to = to, .from = -1};
  int unused;
  for (int n = 0; n < product->degree; n++) {
    const struct gen_expr *value = atoms->atom[product->atom[n]].value;
    if (!atoms->atom[product->atom[n]].shifts) {
      weight.atom[weight.degree++] = product->atom[n];
      continue;
    }
    if (value->kind != GEN_ACCESS)
      return gen_text("kernel '%s' computes more than sums of products of an array's values", name);
    if (like.from >= 0)
      return gen_text("kernel '%s' has weights that vary in space: it multiplies values of '%s' "
                      "and '%s'",
                      name, all->steps.program->array[like.from].shown,
                      all->steps.program->array[value->access.array].shown);
    like.from = value->access.array;
    for (int axis = 0; axis < 3; axis++)
      like.offset[axis] = value->access.subscript[axis].affine.constant;
  }
  struct gen_step_term *term = term_for(all, &like);
  if (!term)
    return gen_text("there are more than %d terms", GEN_MOST_STEP_TERMS);
  return gen_polynomial_put(term->weight, &weight, &unused) == GEN_FITS
    ? NULL
    : "weights are sums of too many products";
}

/* Returns why the kernel is not linear with constant weights; NULL: it is. */
static const char *add_kernel(struct gen_step_terms *all, int which)
{
  const struct gen_program_kernel *bound = &all->steps.program->kernel[which];
  const char *said = gen_diagnostics(), *reason = NULL;
  struct gen_polynomial *before[GEN_MAX_PROGRAM_ARRAYS];
  memcpy(before, all->steps.form, sizeof before);
  if (!gen_steps_run(&all->steps, which, purpose)) {
    reason = first_rejection(said);
    gen_forget_diagnostics(said);
  }
  for (int a = 0; a < bound->kernel->arrays && !reason; a++) {
    const int to = bound->array[a];
    const struct gen_polynomial *form = all->steps.form[to];
    for (int n = 0; bound->kernel->array[a].written && n < form->products && !reason; n++)
      if (form->product[n].factor != 0)
        reason = add_product(all, which, to, &form->product[n]);
  }
  memcpy(all->steps.form, before, sizeof before);
  return reason;
}

const struct gen_step_terms *gen_find_step_terms(const struct gen_program *program)
{
  struct gen_step_terms *all = gen_allocate(sizeof *all);
  struct gen_kernel *kernel = gen_allocate(sizeof *kernel);
  gen_program_make_loops(kernel, 1);
  gen_steps_begin(&all->steps, program, kernel);
  if (program->solves)
    all->reason = gen_text("the steps have a solve, '%s'", program->solve[0].name);
  for (int k = 0; k < program->kernels && !all->reason; k++)
    all->reason = add_kernel(all, k);
  return all;
}

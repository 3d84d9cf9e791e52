#include "weighted.h"

#include "derive.h"

#include <string.h>

enum {
  MOST_WEIGHT = 200,   /* products of parameters in a weight: they nest as deep */
  MOST_NAMED = 20,     /* weights that have a scalar of their own */
  GROUPS_AT_ONCE = 64, /* in a statement: they nest as deep */
};

/* Terms, products of values of arrays, each with what it is multiplied by. */
struct weighted {
  const struct gen_atoms *atoms;
  struct gen_polynomial *term, **weight;
  int *order, *group, groups; /* terms by place; each one's group of the same weight */
};

static bool split_product(const struct gen_atoms *atoms, const struct gen_product *product,
                          struct gen_product *term, struct gen_product *weight)
{
  *term = (struct gen_product){.factor = 0};
  *weight = (struct gen_product){.factor = product->factor};
  for (int n = 0; n < product->degree; n++) {
    struct gen_product *to = atoms->atom[product->atom[n]].shifts ? term : weight;
    to->atom[to->degree++] = product->atom[n];
  }
  return product->factor != 0;
}

static void find_terms(const struct gen_polynomial *form, struct weighted *w)
{
  struct gen_product term, weight;
  int index, unused;
  w->term = gen_polynomial_new();
  w->weight = gen_allocate(((size_t)form->products + 1) * sizeof(struct gen_polynomial *));
  for (int n = 0; n < form->products; n++) {
    if (!split_product(w->atoms, &form->product[n], &term, &weight))
      continue;
    gen_polynomial_put(w->term, &term, &index);
    if (!w->weight[index])
      w->weight[index] = gen_polynomial_new();
    gen_polynomial_put(w->weight[index], &weight, &unused);
  }
}

int gen_weighted_terms(const struct gen_atoms *atoms, const struct gen_polynomial *form)
{
  struct weighted w = {.atoms = atoms};
  find_terms(form, &w);
  return w.term->products;
}

/* ---- order and groups ---- */

/* Below 0 where an atom is read before another: planes, then rows, then cells. */
static int compare_atoms(const struct weighted *w, int a, int b)
{
  const struct gen_expr *one = w->atoms->atom[a].value, *other = w->atoms->atom[b].value;
  if (one->kind != GEN_ACCESS || other->kind != GEN_ACCESS)
    return a - b;
  for (int axis = GEN_K; axis >= GEN_I; axis--) {
    const int from = one->access.subscript[axis].affine.constant,
              to = other->access.subscript[axis].affine.constant;
    if (from != to)
      return from - to;
  }
  return one->access.array - other->access.array;
}

static int compare_terms(const struct weighted *w, int a, int b)
{
  const struct gen_product *one = &w->term->product[a], *other = &w->term->product[b];
  int found = one->degree - other->degree;
  for (int n = 0; n < one->degree && !found; n++)
    found = compare_atoms(w, one->atom[n], other->atom[n]);
  return found;
}

static void sort_terms(struct weighted *w)
{
  for (int n = 0; n < w->term->products; n++) {
    int at = n;
    for (; at > 0 && compare_terms(w, w->order[at - 1], n) > 0; at--)
      w->order[at] = w->order[at - 1];
    w->order[at] = n;
  }
}

/* Numbers the groups by their first terms. */
static void find_groups(struct weighted *w)
{
  int *first = gen_allocate(((size_t)w->term->products + 1) * sizeof *first);
  for (int n = 0; n < w->term->products; n++) {
    const int term = w->order[n];
    int group = 0;
    while (group < w->groups
           && ((w->term->product[term].degree == 0) != (w->term->product[first[group]].degree == 0)
               || !gen_polynomial_alike(w->weight[first[group]], w->weight[term])))
      group++;
    if (group == w->groups)
      first[w->groups++] = term;
    w->group[term] = group;
  }
}

/* ---- values ---- */

static const struct gen_expr *times(const struct gen_expr *a, const struct gen_expr *b)
{
  return !a ? b : !b ? a : gen_binary(GEN_MULTIPLY, a, b);
}

static const struct gen_expr *plus(const struct gen_expr *a, const struct gen_expr *b)
{
  return a ? gen_binary(GEN_ADD, a, b) : b;
}

/* A product with its factor; NULL: it is 1. */
static const struct gen_expr *product_value(const struct weighted *w,
                                            const struct gen_product *product, double factor)
{
  const struct gen_expr *value = factor == 1 ? NULL : gen_number(factor);
  for (int n = 0; n < product->degree; n++)
    value = times(value, w->atoms->atom[product->atom[n]].value);
  return value;
}

/* NULL: it is 1. */
static const struct gen_expr *weight_value(const struct weighted *w,
                                           const struct gen_polynomial *weight)
{
  const struct gen_expr *sum = NULL;
  if (weight->products == 1)
    return product_value(w, &weight->product[0], weight->product[0].factor);
  for (int n = 0; n < weight->products; n++) {
    const struct gen_expr *value = product_value(w, &weight->product[n], weight->product[n].factor);
    sum = plus(sum, value ? value : gen_number(1));
  }
  return sum;
}

/* A scalar of the kernel that no parameter is called like. */
static int add_scalar(struct gen_kernel *kernel, const struct gen_program *program,
                      const char *what)
{
  const char *name = gen_text("%s%d", what, kernel->scalars);
  for (int s = 0; s < program->scalars; s++)
    if (strcmp(program->scalar[s].name, name) == 0) {
      name = gen_text("%s_", name);
      s = -1;
    }
  return gen_need_scalar(kernel, name, GEN_PRIVATE);
}

static bool add_statement(struct gen_kernel *kernel, struct gen_statement statement)
{
  statement.where = kernel->where;
  if (kernel->statements == GEN_MAX_STATEMENTS)
    return gen_reject(kernel->where, "'%s' has more than %d statements", kernel->name,
                      GEN_MAX_STATEMENTS);
  kernel->statement[kernel->statements++] = statement;
  return true;
}

/* Gives a value a name, while there are names. NULL after a rejection. */
static const struct gen_expr *named(struct gen_kernel *kernel, const struct gen_program *program,
                                    const struct gen_expr *value, const char *what)
{
  const int scalar = add_scalar(kernel, program, what);
  return add_statement(kernel,
                       (struct gen_statement){.kind = GEN_SET, .scalar = scalar, .value = value})
    ? gen_scalar_ref(scalar)
    : NULL;
}

/* The sum of a group's terms, times their weight. NULL after a rejection. */
static const struct gen_expr *group_value(struct gen_kernel *kernel,
                                          const struct gen_program *program,
                                          const struct weighted *w, int group)
{
  const struct gen_expr *sum = NULL, *weight = NULL;
  const struct gen_polynomial *by = w->weight[w->order[0]];
  for (int n = 0; n < w->term->products; n++) {
    const int term = w->order[n];
    if (w->group[term] != group)
      continue;
    by = w->weight[term];
    if (w->term->product[term].degree)
      sum = plus(sum, product_value(w, &w->term->product[term], 1));
  }
  if (by->products > MOST_WEIGHT) {
    gen_reject(kernel->where,
               "'%s': a weight is a sum of %d products of parameters, and there may "
               "be %d: expected fewer steps",
               kernel->name, by->products, MOST_WEIGHT);
    return NULL;
  }
  weight = weight_value(w, by);
  if (weight && gen_arity(weight) && kernel->statements < MOST_NAMED
      && !(weight = named(kernel, program, weight, "weight")))
    return NULL;
  return !weight && !sum ? gen_number(1) : times(weight, sum);
}

static int parameters(const struct gen_kernel *kernel)
{
  int count = 0;
  for (int s = 0; s < kernel->scalars; s++)
    count += kernel->scalar[s].role == GEN_PARAMETER;
  return count;
}

bool gen_weighted_store(struct gen_kernel *kernel, const struct gen_program *program,
                        const struct gen_atoms *atoms, const struct gen_polynomial *form,
                        const struct gen_access *target)
{
  struct weighted w = {.atoms = atoms};
  const struct gen_expr *sum = NULL;
  if (parameters(kernel) > GEN_MAX_PARAMETERS)
    return gen_reject(kernel->where, "'%s' reads %d parameters, and a kernel may read %d",
                      kernel->name, parameters(kernel), GEN_MAX_PARAMETERS);
  find_terms(form, &w);
  w.order = gen_allocate(((size_t)w.term->products + 1) * sizeof *w.order);
  w.group = gen_allocate(((size_t)w.term->products + 1) * sizeof *w.group);
  sort_terms(&w);
  find_groups(&w);
  for (int g = 0; g < w.groups; g++) {
    const struct gen_expr *value = group_value(kernel, program, &w, g);
    if (!value)
      return false;
    sum = plus(sum, value);
    if (g % GROUPS_AT_ONCE == GROUPS_AT_ONCE - 1 && g + 1 < w.groups
        && !(sum = named(kernel, program, sum, "part")))
      return false;
  }
  return add_statement(kernel,
                       (struct gen_statement){
                         .kind = GEN_STORE, .target = *target, .value = sum ? sum : gen_number(0)});
}

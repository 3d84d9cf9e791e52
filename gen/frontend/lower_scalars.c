#include "lower_scalars.h"

static bool sets(const struct gen_statement *statement, int scalar)
{
  return statement->kind == GEN_SET && statement->scalar == scalar;
}

static const struct gen_expr *initial_value(const struct gen_prelude *prelude, int scalar)
{
  for (int s = 0; s < prelude->initials; s++)
    if (prelude->initial[s].scalar == scalar)
      return prelude->initial[s].value;
  return NULL;
}

/* e of `s = s + e` or `s = fmax(s, e)`; NULL if the statement is neither. */
static const struct gen_expr *reduced(const struct gen_statement *statement, int scalar,
                                      enum gen_scalar_role *role)
{
  const struct gen_expr *value = statement->value;
  if (value->kind != GEN_ADD && value->kind != GEN_MAXIMUM)
    return NULL;
  *role = value->kind == GEN_ADD ? GEN_SUM : GEN_MAX;
  for (int a = 0; a < 2; a++)
    if (value->argument[a]->kind == GEN_SCALAR && value->argument[a]->scalar == scalar
        && !gen_reads_scalar(value->argument[1 - a], scalar))
      return value->argument[1 - a];
  return NULL;
}

/* Read in the loops before a statement of the same iteration writes it? */
static bool read_first(const struct gen_kernel *kernel, int scalar, struct gen_location *where)
{
  for (int s = 0; s < kernel->statements; s++) {
    *where = kernel->statement[s].where;
    if (gen_reads_scalar(kernel->statement[s].value, scalar))
      return true;
    if (sets(&kernel->statement[s], scalar))
      return false;
  }
  return false;
}

static int times_set(const struct gen_kernel *kernel, int scalar)
{
  int times = 0;
  for (int s = 0; s < kernel->statements; s++)
    times += sets(&kernel->statement[s], scalar);
  return times;
}

/* A scalar that carries a value from one iteration to the next: a sum or a maximum, or refused. */
static bool settle_carried(struct gen_kernel *kernel, const struct gen_prelude *prelude, int scalar,
                           struct gen_location where)
{
  struct gen_scalar *carried = &kernel->scalar[scalar];
  const struct gen_expr *initial = initial_value(prelude, scalar);
  if (!initial)
    return gen_reject(where, "scalar '%s' is read before it is written", carried->name);
  for (int s = 0; s < kernel->statements; s++) {
    struct gen_statement *statement = &kernel->statement[s];
    enum gen_scalar_role role = GEN_SUM;
    const struct gen_expr *value =
      sets(statement, scalar) ? reduced(statement, scalar, &role) : NULL;
    if (!value && !sets(statement, scalar) && !gen_reads_scalar(statement->value, scalar))
      continue;
    if (!value || (carried->role != GEN_PRIVATE && carried->role != role))
      return gen_reject(statement->where,
                        "scalar '%s' is read before it is written in an iteration, so that "
                        "iterations depend on each other; the only such forms are a sum, '%s += "
                        "value', and a maximum, '%s = fmax(%s, value)'",
                        carried->name, carried->name, carried->name, carried->name);
    carried->role = role;
    statement->kind = GEN_REDUCE;
    statement->value = value;
  }
  if (initial->kind != GEN_NUMBER || initial->number != 0)
    return gen_reject(carried->where,
                      "'%s' must start from 0: it is a sum or a maximum over all iterations",
                      carried->name);
  if (prelude->returned != scalar)
    return gen_reject(carried->where,
                      "'%s' is a sum or a maximum over all iterations, but is not returned",
                      carried->name);
  return true;
}

/* Values given before the loops become statements of every iteration, if anything uses them. */
static bool insert_initials(struct gen_kernel *kernel, const struct gen_prelude *prelude,
                            const bool *wanted)
{
  int used = 0;
  for (int s = 0; s < prelude->initials; s++)
    used += wanted[prelude->initial[s].scalar];
  if (kernel->statements + used > GEN_MAX_STATEMENTS)
    return gen_reject(kernel->where, "more than %d statements", GEN_MAX_STATEMENTS);
  for (int s = kernel->statements - 1; s >= 0; s--)
    kernel->statement[s + used] = kernel->statement[s];
  kernel->statements += used;
  for (int s = prelude->initials - 1; s >= 0; s--) {
    const int scalar = prelude->initial[s].scalar;
    if (!wanted[scalar])
      continue;
    kernel->statement[--used] = (struct gen_statement){.kind = GEN_SET,
                                                       .where = kernel->scalar[scalar].where,
                                                       .scalar = scalar,
                                                       .value = prelude->initial[s].value};
  }
  return true;
}

bool gen_settle_scalars(struct gen_kernel *kernel, const struct gen_prelude *prelude)
{
  bool wanted[GEN_MAX_SCALARS] = {false};
  for (int scalar = 0; scalar < kernel->scalars; scalar++) {
    struct gen_location where;
    if (kernel->scalar[scalar].role == GEN_PARAMETER || !read_first(kernel, scalar, &where))
      continue;
    if (times_set(kernel, scalar)) {
      if (!settle_carried(kernel, prelude, scalar, where))
        return false;
    } else if (initial_value(prelude, scalar)) {
      wanted[scalar] = true;
    } else {
      return gen_reject(where, "scalar '%s' is read before it is written",
                        kernel->scalar[scalar].name);
    }
  }
  for (int s = prelude->initials - 1; s >= 0; s--) /* what the wanted ones read, backwards */
    for (int scalar = 0; scalar < kernel->scalars && wanted[prelude->initial[s].scalar]; scalar++) {
      if (kernel->scalar[scalar].role == GEN_PARAMETER
          || !gen_reads_scalar(prelude->initial[s].value, scalar))
        continue;
      bool before = false;
      for (int earlier = 0; earlier < s; earlier++)
        before = before || prelude->initial[earlier].scalar == scalar;
      if (!before || kernel->scalar[scalar].role != GEN_PRIVATE || times_set(kernel, scalar))
        return gen_reject(kernel->scalar[prelude->initial[s].scalar].where,
                          "scalar '%s' is read before it is written, or changes in the loops",
                          kernel->scalar[scalar].name);
      wanted[scalar] = true;
    }
  const struct gen_scalar *returned =
    prelude->returned < 0 ? NULL : &kernel->scalar[prelude->returned];
  if (returned && returned->role != GEN_SUM && returned->role != GEN_MAX)
    return gen_reject(
      prelude->return_where,
      "'%s' is returned, but is no sum ('%s += value') or maximum ('%s = fmax(%s, value)') over "
      "all iterations",
      returned->name, returned->name, returned->name, returned->name);
  return insert_initials(kernel, prelude, wanted);
}

static bool settle_access(const struct gen_kernel *kernel, const struct gen_access *access,
                          struct gen_location where)
{
  const struct gen_array *array = &kernel->array[access->array];
  for (int axis = 0; axis < GEN_AXES; axis++) {
    const struct gen_subscript *subscript = &access->subscript[axis];
    if (array->rank == 1 && axis != (int)array->axis)
      continue;
    const struct gen_array *table = subscript->table < 0 ? NULL : &kernel->array[subscript->table];
    if (table && array->written)
      return gen_reject(where,
                        "table '%s' serves as a subscript of '%s' in '%s', which the kernel "
                        "writes: nothing shows that two iterations touch different elements",
                        table->name, array->name, gen_access_text(kernel, access));
    if (table && (axis == GEN_BOX || (int)table->axis != axis))
      return gen_reject(where, "table '%s' runs along %s and cannot be subscript %s of '%s'",
                        table->name, gen_axis_names[table->axis], gen_axis_names[axis],
                        gen_access_text(kernel, access));
    for (int other = 0; other < GEN_AXES; other++)
      if (other != axis && subscript->affine.coefficient[other])
        return gen_reject(
          where,
          "wrong loop order: subscript %s of '%s' uses the loop variable '%s'; arrays are "
          "[box][k][j][i] and each loop variable belongs to its own dimension",
          gen_axis_names[axis], gen_access_text(kernel, access), kernel->symbol[other].name);
  }
  return true;
}

static bool settle_reads(const struct gen_kernel *kernel, const struct gen_expr *expr)
{
  if (expr->kind == GEN_ACCESS)
    return settle_access(kernel, &expr->access, expr->where);
  for (int a = 0; a < gen_arity(expr); a++)
    if (!settle_reads(kernel, expr->argument[a]))
      return false;
  return true;
}

bool gen_settle_accesses(struct gen_kernel *kernel)
{
  gen_mark_accesses(kernel);
  for (int s = 0; s < kernel->statements; s++) {
    const struct gen_statement *statement = &kernel->statement[s];
    if (statement->kind == GEN_STORE) {
      const struct gen_array *array = &kernel->array[statement->target.array];
      if (array->rank != 4)
        return gen_reject(
          statement->where,
          "'%s' is written, but has one dimension: many iterations would write one element",
          gen_access_text(kernel, &statement->target));
      if (!settle_access(kernel, &statement->target, statement->where))
        return false;
    }
    if (!settle_reads(kernel, statement->value))
      return false;
  }
  return true;
}

#include "conflict.h"

static void add(const struct gen_access *access, int array, struct gen_accesses *accesses)
{
  if (access->array != array || accesses->count == GEN_MAX_ACCESSES)
    return;
  for (int a = 0; a < accesses->count; a++)
    if (gen_access_equal(accesses->access[a], access))
      return;
  accesses->access[accesses->count++] = access;
}

static void collect(const struct gen_expr *expr, int array, struct gen_accesses *accesses)
{
  for (int a = 0; a < gen_arity(expr); a++)
    collect(expr->argument[a], array, accesses);
  if (expr->kind == GEN_ACCESS)
    add(&expr->access, array, accesses);
}

struct gen_accesses *gen_reads_of(const struct gen_kernel *kernel, int array)
{
  struct gen_accesses *reads = gen_allocate(sizeof *reads);
  for (int s = 0; s < kernel->statements; s++)
    collect(kernel->statement[s].value, array, reads);
  return reads;
}

struct gen_accesses *gen_writes_of(const struct gen_kernel *kernel, int array)
{
  struct gen_accesses *writes = gen_allocate(sizeof *writes);
  for (int s = 0; s < kernel->statements; s++)
    if (kernel->statement[s].kind == GEN_STORE)
      add(&kernel->statement[s].target, array, writes);
  return writes;
}

static bool conflict_of(const struct gen_polyhedra *polyhedra, struct gen_conflict *conflict)
{
  isl_map *pairs =
    gen_polyhedra_conflicts(polyhedra, polyhedra->visited, conflict->write, conflict->other);
  const bool found = gen_polyhedra_sample(pairs, conflict->from, conflict->to);
  isl_map_free(pairs);
  return found;
}

bool gen_find_conflict_in(const struct gen_polyhedra *polyhedra, struct gen_conflict *conflict)
{
  const struct gen_kernel *kernel = polyhedra->kernel;
  for (int s = 0; s < kernel->statements; s++) {
    if (kernel->statement[s].kind != GEN_STORE)
      continue;
    conflict->write = &kernel->statement[s].target;
    conflict->where = kernel->statement[s].where;
    for (int writes = 0; writes < 2; writes++) {
      const struct gen_accesses *others = writes ? gen_writes_of(kernel, conflict->write->array)
                                                 : gen_reads_of(kernel, conflict->write->array);
      conflict->other_writes = writes;
      for (int o = 0; o < others->count; o++) {
        conflict->other = others->access[o];
        if (conflict_of(polyhedra, conflict))
          return true;
      }
    }
  }
  return false;
}

bool gen_find_conflict(const struct gen_kernel *kernel, const struct gen_guard *guard,
                       struct gen_conflict *conflict)
{
  struct gen_polyhedra *polyhedra = gen_polyhedra_create(kernel, guard);
  const bool found = gen_find_conflict_in(polyhedra, conflict);
  gen_polyhedra_destroy(&polyhedra);
  return found;
}

static const char *point_text(const struct gen_kernel *kernel, const int *point)
{
  const char *text = "";
  for (int axis = GEN_BOX; axis >= GEN_I; axis--)
    text = gen_listed(text, gen_text("%s %d", kernel->symbol[axis].name, point[axis]));
  return gen_text("(%s)", text);
}

const char *gen_conflict_text(const struct gen_kernel *kernel, const struct gen_conflict *conflict)
{
  const char *element = kernel->array[conflict->write->array].name;
  /* Subscripts use one loop variable each, and no argument where they conflict. */
  for (int axis = GEN_BOX; axis >= GEN_I; axis--) {
    const struct gen_affine *affine = &conflict->write->subscript[axis].affine;
    element = gen_text("%s[%d]", element,
                       affine->constant + affine->coefficient[axis] * conflict->from[axis]);
  }
  return gen_text("iteration %s writes %s, which iteration %s %s as %s",
                  point_text(kernel, conflict->from), element, point_text(kernel, conflict->to),
                  conflict->other_writes ? "writes, too," : "reads",
                  gen_access_text(kernel, conflict->other));
}

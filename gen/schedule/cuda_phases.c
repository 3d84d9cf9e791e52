/* Kernels that divide, in two phases: a division is many instructions with a branch among them, and
 * what is read after it waits for it. So a thread first works out the parts of its values that have
 * no division in them, for UNROLL planes, whose loads are all under way at once; then it divides
 * and stores. */
#include "cuda_choices.h"

#include <string.h>

/* Whether it can be worked out in the first phase: no division is in it, nor a value that the
 * second one sets. */
static bool comes_first(const struct gen_kernel *kernel, const struct gen_expr *expr)
{
  if (expr->kind == GEN_SCALAR && kernel->scalar[expr->scalar].role != GEN_PARAMETER)
    return false;
  if (expr->kind == GEN_DIVIDE || expr->kind == GEN_SQRT)
    return false;
  for (int n = 0; n < gen_arity(expr); n++)
    if (!comes_first(kernel, expr->argument[n]))
      return false;
  return true;
}

/* How many parts there are at most. */
static int count_parts(const struct gen_kernel *kernel, const struct gen_expr *expr)
{
  int count = 0;
  if (comes_first(kernel, expr))
    return gen_cuda_reads(expr);
  for (int n = 0; n < gen_arity(expr); n++)
    count += count_parts(kernel, expr->argument[n]);
  return count;
}

static bool in_phases(const struct gen_schedule *schedule)
{
  const struct gen_kernel *kernel = schedule->kernel;
  bool divided = false;
  int parts = 0;
  if (schedule->rows || kernel->guard.kind == GEN_LATTICE)
    return false;
  for (int n = 0; n < kernel->arrays; n++)
    if (kernel->array[n].table
        || (kernel->array[n].read && kernel->array[n].written
            && !gen_cuda_reads_before(schedule, n)))
      return false;
  for (int n = 0; n < kernel->statements; n++) {
    divided = divided || gen_cuda_divides(kernel->statement[n].value);
    parts += count_parts(kernel, kernel->statement[n].value);
  }
  return divided && parts <= GEN_MAX_CUT / 2;
}

/* The largest parts that come first and read anything. */
static void find_parts(const struct gen_kernel *kernel, const struct gen_expr *expr,
                       const char *name, struct gen_parts *parts)
{
  if (!gen_cuda_reads(expr) || gen_part_of(parts, expr))
    return;
  if (comes_first(kernel, expr)) {
    int alike = 0;
    const char *called =
      expr->kind == GEN_ACCESS ? gen_text("%s_at", kernel->array[expr->access.array].name) : name;
    for (int n = 0; n < parts->count; n++)
      alike += strncmp(parts->name[n], called, strlen(called)) == 0;
    gen_add_part(parts, expr, alike ? gen_text("%s_%d", called, alike + 1) : called);
    return;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    find_parts(kernel, expr->argument[n], expr->kind == GEN_DIVIDE && n == 1 ? "divisor" : "term",
               parts);
}

void gen_choose_phases(const struct gen_schedule *schedule, struct gen_cuda_schedule *cuda)
{
  const struct gen_kernel *kernel = schedule->kernel;
  const bool placed = schedule->layout == GEN_SPLIT || gen_cuda_by_parity(schedule);
  const char *cell = placed ? "int at, int j, int k, int parity" : "int i, int j, int k";
  struct gen_cuda_stage *const first = &cuda->phase[0], *const second = &cuda->phase[1],
                               *const ahead = &cuda->phase[2];
  if (!in_phases(schedule))
    return;
  *first = (struct gen_cuda_stage){.name = "prepare",
                                   .given = cell,
                                   .keep = GEN_KEEP_STRUCT,
                                   .holder = "parts",
                                   .place = placed ? GEN_AT_PARITY : GEN_AT_I,
                                   .scalars = true,
                                   .use = GEN_READS};
  *second = (struct gen_cuda_stage){
    .name = "finish",
    .given = gen_text("%s, const struct %s_parts &in", cell, cuda->work.symbol),
    .scalars = true};
  for (int n = 0; n < kernel->statements; n++) {
    find_parts(kernel, kernel->statement[n].value, "term", &first->gives);
    if (kernel->statement[n].kind != GEN_STORE)
      continue;
    second->use = GEN_STORES;
    second->place = first->place;
  }
  second->takes = first->gives;
  second->takes.prefix = "in.";
  *ahead = (struct gen_cuda_stage){.name = "ahead",
                                   .given = cell,
                                   .keep = GEN_KEEP_CACHE,
                                   .place = first->place,
                                   .use = GEN_READS};
  /* Where a cell moves few bytes, too few would be under way otherwise. */
  cuda->phases = gen_is_gauss_seidel(cuda->work.role) && cuda->work.reals <= 3 ? 3 : 2;
}

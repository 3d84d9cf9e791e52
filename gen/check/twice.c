#include "twice.h"

/* ---- the steps of a round ---- */

/* Finds the one kernel of a round. Returns why there is none, or NULL. */
static const char *find_kernel(const struct gen_program *program, struct gen_twice *twice)
{
  int runs = 0, turned = 0;
  for (int s = program->once; s < program->steps; s++) {
    const struct gen_step *step = &program->step[s];
    if (step->kind == GEN_STEP_SOLVE)
      return "a step has a solve";
    if (step->kind == GEN_STEP_RUN && turned)
      return "arrays take turns before the kernel of a step";
    if (step->kind == GEN_STEP_RUN)
      twice->kernel = step->kernel;
    runs += step->kind == GEN_STEP_RUN;
    turned += step->kind == GEN_STEP_PERMUTE;
  }
  return runs == 1 ? NULL : gen_text("a step is %d kernels, not one", runs);
}

/* Finds what the kernel writes, and what takes turns with that. */
static const char *find_turn(const struct gen_program *program, struct gen_twice *twice)
{
  const struct gen_program_kernel *bound = &program->kernel[twice->kernel];
  int holds[GEN_MAX_PROGRAM_ARRAYS] = {0}, stored = 0, others = 0;
  for (int a = 0; a < bound->kernel->arrays; a++)
    if (bound->kernel->array[a].written) {
      twice->target = a;
      stored++;
    }
  if (stored != 1)
    return gen_text("its kernel writes %d arrays, not one", stored);
  for (int a = 0; a < program->arrays; a++)
    holds[a] = a;
  for (int s = program->once; s < program->steps; s++) {
    const struct gen_step *step = &program->step[s];
    const int first = step->kind == GEN_STEP_PERMUTE ? holds[step->cycle[0]] : 0;
    for (int n = 0; step->kind == GEN_STEP_PERMUTE && n < step->count; n++)
      holds[step->cycle[n]] = n + 1 < step->count ? holds[step->cycle[n + 1]] : first;
  }
  const int target = bound->array[twice->target], partner = holds[target];
  for (int a = 0; a < program->arrays; a++)
    others += holds[a] != a && a != target && a != partner;
  if (partner == target || holds[partner] != target || others)
    return gen_text("'%s', which its kernel writes, does not take turns with one array alone",
                    program->array[target].shown);
  twice->array = -1;
  for (int a = 0; a < bound->kernel->arrays; a++)
    if (bound->array[a] == partner)
      twice->array = a;
  return twice->array < 0 ? gen_text("its kernel does not read '%s'", program->array[partner].shown)
                          : NULL;
}

/* ---- what the kernel reads ---- */

/* How far the expression reads the array, along any axis. */
static int reach_of(const struct gen_kernel *kernel, const struct gen_expr *expr, int array)
{
  int most = 0;
  if (expr->kind == GEN_ACCESS && expr->access.array == array)
    for (enum gen_axis axis = GEN_I; axis <= GEN_K; axis++) {
      const int offset = gen_offset(kernel, &expr->access, axis);
      most = offset > most ? offset : -offset > most ? -offset : most;
    }
  for (int n = 0; n < gen_arity(expr); n++) {
    const int other = reach_of(kernel, expr->argument[n], array);
    most = other > most ? other : most;
  }
  return most;
}

static const char *check_reads(const struct gen_program *program, const struct gen_twice *twice)
{
  const struct gen_program_kernel *bound = &program->kernel[twice->kernel];
  const struct gen_kernel *kernel = bound->kernel;
  int most = 0;
  for (int n = 0; n < kernel->statements; n++) {
    const struct gen_expr *value = kernel->statement[n].value;
    const int reach = reach_of(kernel, value, twice->array);
    most = reach > most ? reach : most;
    if (gen_reads_array(value, twice->target))
      return gen_text("its kernel reads '%s', which it writes",
                      program->array[bound->array[twice->target]].shown);
  }
  return most == 1 ? NULL
                   : gen_text("its kernel reads '%s' up to %d cells away, not one",
                              program->array[bound->array[twice->array]].shown, most);
}

/* ---- walls ---- */

static bool has_walls(const struct gen_program *program, const struct gen_program_array *array,
                      enum gen_wall_kind kind)
{
  bool any = false;
  for (int side = 0; side < 2 * program->dimensions; side++)
    any = any || array->wall[side / 2][side % 2].kind == kind;
  return any;
}

static bool has_data(const struct gen_program *program, const struct gen_program_array *array)
{
  return has_walls(program, array, GEN_WALL_FIXED) || has_walls(program, array, GEN_WALL_UNSET);
}

/* Between a periodic axis and values that are data an edge has values that are no images. */
static const char *check_walls(const struct gen_program *program, struct gen_twice *twice)
{
  const struct gen_program_kernel *bound = &program->kernel[twice->kernel];
  const struct gen_program_array *target = &program->array[bound->array[twice->target]];
  twice->of = &program->array[bound->array[twice->array]];
  const bool kept = has_data(program, twice->of);
  twice->data = kept || has_data(program, target);
  twice->seen = twice->data || target->age != GEN_AGE_NEXT;
  return kept && twice->of->corners && has_walls(program, twice->of, GEN_WALL_PERIODIC)
    ? gen_text("its kernel reads edges of '%s' between walls that are data and a periodic axis",
               twice->of->shown)
    : NULL;
}

struct gen_twice gen_find_twice(const struct gen_program *program)
{
  struct gen_twice twice = {.reason = NULL, .deep = program->dimensions == 3};
  twice.reason = find_kernel(program, &twice);
  if (!twice.reason)
    twice.reason = find_turn(program, &twice);
  if (!twice.reason)
    twice.reason = check_reads(program, &twice);
  if (!twice.reason)
    twice.reason = check_walls(program, &twice);
  return twice;
}

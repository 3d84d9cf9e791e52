#include "ghosts.h"

#include <string.h>

static bool same_walls(const struct gen_program_array *a, const struct gen_program_array *b)
{
  for (int d = 0; d < 3; d++)
    for (int s = 0; s < 2; s++) {
      const struct gen_wall_rule *x = &a->wall[d][s], *y = &b->wall[d][s];
      if (x->kind != y->kind || x->skip != y->skip || x->factor != y->factor
          || x->constant != y->constant)
        return false;
    }
  return true;
}

/* Whether any step changes the array's values. */
static bool changes(const struct gen_program *program, int array)
{
  if (program->array[array].written)
    return true;
  for (int s = 0; s < program->steps; s++)
    for (int n = 0; n < program->step[s].count; n++)
      if (program->step[s].cycle[n] == array)
        return true;
  return false;
}

/* Ghosts travel with the values, and are right where they are as deep and made by the same rules.
 */
static void permute(const struct gen_program *program, const struct gen_step *step, bool *filled)
{
  const bool first = filled[step->cycle[0]];
  for (int n = 0; n < step->count; n++) {
    const int to = step->cycle[n], from = step->cycle[(n + 1) % step->count];
    const struct gen_program_array *a = &program->array[to], *b = &program->array[from];
    const bool known = n + 1 < step->count ? filled[from] : first;
    filled[to] = known && same_walls(a, b) && b->ghosts >= a->ghosts && b->corners >= a->corners;
  }
}

/* Adds what step *at, a kernel, needs, before it. */
static bool fill_for(struct gen_program *program, int *at, bool *filled)
{
  const struct gen_program_kernel *run = &program->kernel[program->step[*at].kernel];
  for (int a = 0; a < run->kernel->arrays; a++) {
    const int array = run->array[a];
    const struct gen_step fill = {
      .kind = GEN_STEP_GHOSTS, .where = program->step[*at].where, .array = array};
    if (!gen_reads_neighbours(run->kernel, a) || filled[array])
      continue;
    if (!gen_add_step(program, (*at)++, fill))
      return false;
    filled[array] = true;
  }
  for (int a = 0; a < run->kernel->arrays; a++)
    if (run->kernel->array[a].written)
      filled[run->array[a]] = false;
  return true;
}

/* Adds what step *at, a solve, needs before it: of arrays on faces the ghosts, the first of which
 * are the last faces. */
static bool fill_for_solve(struct gen_program *program, int *at, bool *filled)
{
  const struct gen_solve *solve = &program->solve[program->step[*at].solve];
  for (int w = 0; w < GEN_SOLVE_WORDS; w++) {
    const int array = solve->array[w];
    const struct gen_step fill = {.kind = GEN_STEP_GHOSTS, .where = solve->where, .array = array};
    if (array < 0 || gen_solve_axis(w) < 0 || filled[array])
      continue;
    if (!gen_add_step(program, (*at)++, fill))
      return false;
    filled[array] = true;
  }
  filled[solve->array[GEN_SOLVE_SOLUTION]] = false;
  return true;
}

/* ---- ghosts that values read between steps ---- */

/* Which arrays take turns with one, at first or second hand. */
static void find_turns(const struct gen_program *program, int array, bool *turns)
{
  memset(turns, 0, GEN_MAX_PROGRAM_ARRAYS * sizeof *turns);
  turns[array] = true;
  for (int round = 0; round < program->arrays; round++)
    for (int s = 0; s < program->steps; s++) {
      const struct gen_step *step = &program->step[s];
      bool any = false;
      for (int n = 0; n < step->count; n++)
        any = any || turns[step->cycle[n]];
      for (int n = 0; n < step->count && any; n++)
        turns[step->cycle[n]] = true;
    }
}

static bool has_fixed(const struct gen_program_array *array, int side)
{
  return array->wall[side / 2][side % 2].kind == GEN_WALL_FIXED;
}

/* To fill the ghosts of an array between steps must not change what other arrays keep beyond walls
 * as data. */
static bool check_turns(const struct gen_program *program, const struct gen_reduction *reduction,
                        int array)
{
  bool turns[GEN_MAX_PROGRAM_ARRAYS];
  find_turns(program, array, turns);
  for (int a = 0; a < program->arrays; a++)
    for (int side = 0; turns[a] && side < 2 * program->dimensions; side++)
      if (has_fixed(&program->array[a], side) != has_fixed(&program->array[array], side))
        return gen_reject(reduction->where,
                          "'%s' reads neighbours of '%s', which takes turns with '%s': of the two "
                          "one alone is fixed along %c, so that ghosts cannot be filled between "
                          "steps",
                          reduction->name, program->array[array].shown, program->array[a].shown,
                          "xyz"[side / 2]);
  return true;
}

static bool check_reductions(const struct gen_program *program)
{
  for (int r = 0; r < program->reductions; r++) {
    const struct gen_program_kernel *kernel = &program->reduction[r].kernel;
    for (int a = 0; a < kernel->kernel->arrays; a++)
      if (gen_reads_neighbours(kernel->kernel, a)
          && !check_turns(program, &program->reduction[r], kernel->array[a]))
        return false;
  }
  return true;
}

bool gen_place_ghosts(struct gen_program *program)
{
  bool filled[GEN_MAX_PROGRAM_ARRAYS] = {false};
  for (int a = 0; a < program->arrays; a++)
    if (program->array[a].ghosts && !changes(program, a)) {
      const struct gen_step fill = {
        .kind = GEN_STEP_GHOSTS, .where = program->array[a].where, .array = a};
      if (!gen_add_step(program, program->once++, fill))
        return false;
      filled[a] = true;
    }
  for (int s = program->once; s < program->steps; s++) {
    const struct gen_step step = program->step[s];
    if (step.kind == GEN_STEP_PERMUTE)
      permute(program, &step, filled);
    else if (step.kind == GEN_STEP_RUN && !fill_for(program, &s, filled))
      return false;
    else if (step.kind == GEN_STEP_SOLVE && !fill_for_solve(program, &s, filled))
      return false;
  }
  return check_reductions(program);
}

#include "reductions.h"

#include "frontend/formula_kernel.h"
#include "frontend/formula_reduce.h"
#include "kernels.h"
#include "nests.h"
#include "precision.h"
#include "sums.h"

#include <string.h>

/* Where what each array holds now is at the end of the step; false after a rejection, where loops
 * store one that the sum reads. */
static bool follow(const struct gen_making *making, int e, int *held_by)
{
  const struct gen_translation *translation = making->translation;
  for (int a = 0; a < translation->arrays; a++)
    held_by[a] = a;
  for (int later = e + 1; later < translation->events; later++) {
    const struct gen_event *event = &translation->event[later];
    for (int a = 0; a < translation->arrays; a++) {
      if (event->kind == GEN_EVENT_KERNEL && event->reach[held_by[a]].written && making->summed[a])
        return gen_reject(making->sum->statement->where,
                          "'%s' is found at the end of a step, and these loops of line %d store "
                          "'%s', which it reads: put the loops that sum after them",
                          making->sum->variable->name, event->where.line,
                          translation->array[held_by[a]].name);
      for (int n = 0; event->kind == GEN_EVENT_SWAP && n < translation->arrays; n++)
        if (event->from[n] == held_by[a]) {
          held_by[a] = n;
          break;
        }
    }
  }
  return true;
}

static const char *free_name(const struct gen_program *program, const char *name)
{
  const char *free = name;
  for (int n = 2; gen_formula_array(program, free) >= 0 || gen_formula_scalar(program, free) >= 0
       || gen_formula_reduction(program, free) >= 0;
       n++)
    free = gen_text("%s_%d", name, n);
  return strcmp(free, "step") == 0 ? gen_text("%s_", free) : free;
}

static bool check_type(const struct gen_translation *translation, const struct gen_sum *sum)
{
  return sum->variable->variable.type == translation->formula.program->type
    || gen_reject(sum->statement->where,
                  "'%s' is a '%s', and values are %ss: sums of other types are not supported yet",
                  sum->variable->name, sum->variable->variable.type_text,
                  gen_values_name(translation));
}

static bool make_sum(struct gen_translation *translation, int e, struct gen_sum *sum,
                     const int *program_array)
{
  struct gen_formula *formula = &translation->formula;
  struct gen_program *program = formula->program;
  const struct gen_event *event = &translation->event[e];
  struct gen_making *making = gen_allocate(sizeof *making);
  int held_by[GEN_MAX_PROGRAM_ARRAYS], mapped[GEN_MAX_PROGRAM_ARRAYS];
  if (program->reductions == GEN_MAX_REDUCTIONS)
    return gen_reject(sum->statement->where, "more than %d sums", GEN_MAX_REDUCTIONS);
  *making = (struct gen_making){.translation = translation,
                                .nest = event->nest,
                                .sum = sum,
                                .reach = event->reach,
                                .program_array = mapped};
  if (!check_type(translation, sum) || !follow(making, e, held_by))
    return false;
  for (int a = 0; a < translation->arrays; a++)
    mapped[a] = program_array[held_by[a]];
  sum->name = free_name(program, sum->variable->name);
  gen_enter_nest(translation, event->nest);
  gen_formula_clear_kernel(formula, sum->name, sum->statement->where);
  struct gen_reduction *reduction = &program->reduction[program->reductions];
  *reduction =
    (struct gen_reduction){.name = sum->name, .where = sum->statement->where, .kind = sum->kind};
  gen_find_needed(making);
  if (!gen_make_statement(making, event->nest->body) || !follow(making, e, held_by))
    return false;
  if (!formula->uses)
    return gen_reject(sum->statement->where, "'%s' sums no element of an array",
                      sum->variable->name);
  program->reductions++;
  return gen_formula_bind(formula, &reduction->kernel);
}

bool gen_make_sums(struct gen_translation *translation, int e, const int *program_array)
{
  struct gen_nest *nest = translation->event[e].nest;
  for (int s = 0; s < nest->sums; s++)
    if (!make_sum(translation, e, &nest->sum[s], program_array))
      return false;
  return true;
}

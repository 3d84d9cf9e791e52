#include "steps.h"

#include "kernels.h"
#include "reductions.h"

/* The cycles of a swap. */
static bool make_turns(struct gen_program *program, const struct gen_translation *translation,
                       const struct gen_event *event, const int *program_array)
{
  bool done[GEN_MAX_PROGRAM_ARRAYS] = {false};
  for (int n = -1; n < translation->arrays; n++) {
    const int start = n < 0 ? event->first : n;
    struct gen_step turn = {.kind = GEN_STEP_PERMUTE, .where = event->where};
    if (start < 0 || done[start] || event->from[start] == start)
      continue;
    for (int a = start; !done[a]; a = event->from[a]) {
      done[a] = true;
      if (turn.count == GEN_MAX_CYCLE)
        return gen_reject(event->where, "more than %d arrays take turns", GEN_MAX_CYCLE);
      turn.cycle[turn.count++] = program_array[a];
    }
    if (!gen_add_step(program, -1, turn))
      return false;
  }
  return true;
}

/* Arrays that nests or swaps have, in the order of copies and declarations. */
static void make_arrays(struct gen_translation *translation, int *program_array)
{
  struct gen_program *program = translation->formula.program;
  for (int e = 0; e < translation->events; e++)
    for (int a = 0; translation->event[e].kind == GEN_EVENT_SWAP && a < translation->arrays; a++)
      translation->array[a].used = translation->array[a].used || translation->event[e].from[a] != a;
  for (int a = 0; a < translation->arrays; a++) {
    const struct gen_data *data = &translation->array[a];
    program_array[a] = program->arrays;
    if (!data->used)
      continue;
    struct gen_program_array *array = &program->array[program->arrays];
    *array = (struct gen_program_array){
      .name = data->name, .shown = data->name, .where = data->where, .of = program->arrays};
    for (int side = 0; side < 2 * GEN_MOST_SPACE; side++)
      array->wall[side / 2][side % 2] = translation->wall[a][side / 2][side % 2];
    program->arrays++;
  }
}

/* How many cells and steps, where the file says it. */
static void make_hints(const struct gen_translation *translation, struct gen_program *program)
{
  long long cells[GEN_MOST_SPACE] = {1, 1, 1};
  bool known = true;
  program->dimensions = translation->dimensions;
  for (int d = 0; d < translation->dimensions; d++)
    known = gen_integer_known(&translation->cells[d], &cells[d]) && known;
  for (int d = 0; known && d < GEN_MOST_SPACE; d++)
    program->cells[d] = (int)cells[d];
  program->times = translation->times;
}

bool gen_make_steps(struct gen_translation *translation)
{
  int program_array[GEN_MAX_PROGRAM_ARRAYS];
  make_arrays(translation, program_array);
  make_hints(translation, translation->formula.program);
  for (int e = translation->before; e < translation->events; e++) {
    const struct gen_event *event = &translation->event[e];
    if (event->kind == GEN_EVENT_KERNEL && !gen_make_kernel(translation, event, program_array))
      return false;
    if (event->kind == GEN_EVENT_SWAP
        && !make_turns(translation->formula.program, translation, event, program_array))
      return false;
  }
  for (int e = translation->before; e < translation->events; e++)
    if (translation->event[e].nest && !gen_make_sums(translation, e, program_array))
      return false;
  return true;
}

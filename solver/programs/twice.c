#include "twice.h"

#include "launches.h"
#include "place.h"

#include <stdio.h>

/* Why the program takes its steps one by one; NULL: it need not. */
static const char *find_reason(const struct gmg_program *program)
{
  const struct gmg_program_twice *twice = &program->made->twice;
  if (program->steps_per_pass == 1)
    return "the option steps-per-pass is 1";
  if (program->steps_per_pass > 2)
    return "a GPU takes two steps in a pass at most";
  if (!twice->kernel)
    return twice->reason;
  if (program->work > 1)
    return "the option work is above 1";
  if (program->block.rounds > 1)
    return "ghosts are exchanged once in several steps";
  if (program->layout->count > 1)
    return "the grid is cut into several boxes";
  if (program->steps_per_pass != 2)
    return "single steps are faster; no steps-per-pass 2 is asked for";
  return NULL;
}

/* The box, with its walls. Returns NULL out of memory. */
static struct gmg_kernel_box *make_boxes(const struct gmg_program *program, int other)
{
  const int boxes = program->layout->local_count;
  struct gmg_kernel_box *box = gmg_calloc((size_t)boxes + 1, sizeof *box);
  for (int b = 0; b < boxes && box; b++) {
    box[b] = program->box[b];
    box[b].paired = other;
    for (int d = 0; d < 3; d++)
      box[b].other_lower[d] = box[b].other_cells[d] = d < program->made->dimensions;
  }
  return box;
}

int gmg_twice_plan(struct gmg_program *program)
{
  const struct gmg_program_descriptor *made = program->made;
  struct gmg_placed_twice *twice = &program->placed->twice;
  const char *reason = find_reason(program);
  program->info.steps_per_pass = reason ? 1 : 2;
  program->info.single_steps = reason ? reason : "";
  if (reason)
    return 0;
  twice->kernel = *made->kernel[made->twice.which].kernel;
  twice->kernel.cuda = made->twice.kernel;
  twice->bound = made->kernel[made->twice.which];
  twice->bound.kernel = &twice->kernel;
  for (int other = 0; other < 2; other++) {
    twice->box[other] = make_boxes(program, other);
    if (!twice->box[other])
      return -1;
  }
  twice->on = 1;
  return 0;
}

void gmg_twice_free(struct gmg_program *program)
{
  struct gmg_placed_twice *twice = &program->placed->twice;
  for (int other = 0; other < 2; other++)
    gmg_free(twice->box[other]);
  program->info.steps_per_pass = 1;
  program->info.single_steps = "";
}

/* What two steps compute, and what a pass moves. */
static void count(struct gmg_program *program)
{
  const struct gmg_kernel_descriptor *kernel = &program->placed->twice.kernel;
  const int *cells = program->cells;
  const double boxes = program->layout->local_count, all = boxes * cells[0] * cells[1] * cells[2];
  program->info.flops += 2 * kernel->flops * all;
  program->info.bytes += kernel->bytes * all;
  program->info.steps += 2;
}

int64_t gmg_twice_take(struct gmg_program *program, int64_t steps)
{
  if (!program->placed || !program->placed->twice.on)
    return 0;
  const struct gmg_program_twice *twice = &program->made->twice;
  const struct gmg_program_step turn = {
    .kind = GMG_STEP_PERMUTE, .count = 2, .cycle = {twice->turn[0], twice->turn[1]}};
  /* The last step by itself leaves the step before it in the array that is written; the last two
   * fill the ghosts of both. Values beyond walls stay where they are, so that arrays must, too. */
  const int single = twice->data ? 2 : twice->seen;
  int64_t passes = steps > single ? (steps - single) / 2 : 0;
  passes -= twice->data ? passes % 2 : 0;
  if (!passes)
    return 0;
  gmg_placed_begin(program, passes);
  for (int64_t n = 0; n < passes; n++) {
    gmg_launches_twice(program, twice->data && n % 2);
    gmg_program_permute(program, &turn);
    count(program);
    gmg_placed_step(program, passes - 1 - n);
  }
  return 2 * passes;
}

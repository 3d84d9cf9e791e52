/* How many steps' launches are collected before a device starts them: lists that are alike are one
 * graph there. */
#include "launches.h"

/* Lists begin where the arrays are as they were taken, or have one step: so few differ. */
static void choose_chunk(struct gmg_program *program, int64_t steps)
{
  struct gmg_placed_program *placed = program->placed;
  int home = 1;
  for (int a = 0; a < program->made->arrays; a++)
    home &= program->holder[a] == a;
  placed->pending = 0;
  placed->chunk = !home                ? 1
    : steps >= placed->together        ? placed->together
    : steps >= placed->period && steps ? placed->period
                                       : 1;
}

void gmg_launches_begin(struct gmg_program *program, int64_t steps)
{
  gmg_launches_flush(program);
  choose_chunk(program, steps);
}

void gmg_launches_step(struct gmg_program *program, int64_t left)
{
  if (++program->placed->pending < program->placed->chunk)
    return;
  gmg_launches_flush(program);
  choose_chunk(program, left);
}

#include "pass.h"

#include "ghosts.h"
#include "system/team.h"

struct pass {
  const struct gmg_program *program;
  int rounds;
};

/* One box, on its way through the steps. */
struct visit {
  const struct gmg_program *program;
  int box, thread;
  int holder[GMG_PROGRAM_ARRAYS]; /* by array: which one of the program's has its values */
};

static void *element_of(const struct visit *visit, int array)
{
  return visit->program->element[visit->holder[array]][visit->box];
}

static void run_kernel(const struct visit *visit, int which, int extent)
{
  const struct gmg_program *program = visit->program;
  const struct gmg_program_kernel *bound = &program->made->kernel[which];
  const struct gmg_extended *extended = &program->extended[extent];
  const struct gmg_kernel_box *box = &extended->box[visit->box];
  const ptrdiff_t shift = extended->shift[visit->box] * (ptrdiff_t)program->storage->element_bytes;
  const struct gmg_tile tile = {0, 0, box->cells[1], 0, box->cells[2], NULL};
  void *pointer[GMG_MAX_FIELDS];
  struct gmg_kernel_args args = {.tiles = 1, .tile = &tile, .box = box, .threads = 1};
  for (int f = 0; f < bound->kernel->fields; f++) {
    pointer[f] = (char *)element_of(visit, bound->array[f]) + shift;
    args.field[f] = &pointer[f];
  }
  for (int s = 0; s < bound->kernel->scalars; s++)
    args.scalar[s] = program->parameter[bound->parameter[s]];
  bound->kernel->run_tile(&args, &tile, visit->thread);
}

static void run_box(struct visit *visit, int rounds)
{
  const struct gmg_program *program = visit->program;
  const struct gmg_program_descriptor *made = program->made;
  for (int a = 0; a < made->arrays; a++)
    visit->holder[a] = a;
  for (int round = program->block.rounds - rounds; round < program->block.rounds; round++)
    for (int s = made->once; s < made->steps; s++) {
      const struct gmg_program_step *step = &made->step[s];
      if (step->kind == GMG_STEP_RUN)
        run_kernel(visit, step->which, program->block.extent[round * made->steps + s]);
      else if (step->kind == GMG_STEP_GHOSTS)
        gmg_program_fill_box_walls(program, step->which, visit->box,
                                   element_of(visit, step->which));
      else
        gmg_program_turn(visit->holder, step);
    }
}

static void run_boxes(void *work, int thread, int of)
{
  const struct pass *pass = work;
  struct visit visit = {.program = pass->program, .thread = thread};
  int from, to;
  gmg_part(pass->program->layout->local_count, thread, of, &from, &to);
  for (visit.box = from; visit.box < to; visit.box++)
    run_box(&visit, pass->rounds);
}

int gmg_pass_suits(const struct gmg_program *program)
{
  return !program->placed && program->work == 1
    && program->layout->local_count >= 2 * program->threads;
}

void gmg_pass_boxes(struct gmg_program *program, int rounds)
{
  struct pass pass = {program, rounds};
  gmg_team_share(program->context->team, program->threads, run_boxes, &pass);
}

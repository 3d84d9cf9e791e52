/* Initial values, and steps. */
#include "composed.h"
#include "extended.h"
#include "ghosts.h"
#include "pass.h"
#include "place.h"
#include "skew.h"
#include "solves.h"
#include "stores.h"
#include "twice.h"

#include "problem/hash.h"
#include "problem/same.h"
#include "system/team.h"
#include "system/threads.h"

#include <string.h>

/* Says which parameter has no value. */
static gmg_status check_values(const struct gmg_program *program, const char *call)
{
  const struct gmg_program_descriptor *made = program->made;
  for (int n = 0; n < made->parameters; n++)
    if (!program->has_value[n])
      return gmg_fail(program->context, GMG_ERR_ORDER,
                      "%s: parameter '%s' of program %s has no value: it was given none", call,
                      made->parameter[n].name, made->name);
  return GMG_OK;
}

/* What all ranks give alike. */
static gmg_status agree(const struct gmg_program *program, gmg_status status, const char *call,
                        double steps)
{
  const uint64_t hash = gmg_hash(0, program->parameter, sizeof program->parameter);
  const struct gmg_same same = {.call = call,
                                .choice = {{"compose", program->composing.on, NULL}},
                                .number = {{"steps", steps}, {"parameters", (double)(hash >> 12)}}};
  return gmg_same(program->context, status, &same);
}

/* ---- initial values ---- */

struct filling {
  struct gmg_program *program;
  int array, box;
};

static void fill_rows(void *work, int thread, int of)
{
  const struct filling *filling = work;
  const struct gmg_program *program = filling->program;
  const struct gmg_kernel_box *box = &program->box[filling->box];
  gmg_program_initial *initial = program->made->array[filling->array].initial;
  void *element = program->element[filling->array][filling->box];
  int deep[3], first, end;
  for (int d = 0; d < 3; d++)
    deep[d] = gmg_program_deep(program, d);
  const int rows = box->cells[1] + 2 * deep[1], planes = box->cells[2] + 2 * deep[2];
  gmg_part(rows * planes, thread, of, &first, &end);
  for (int n = first; n < end; n++) {
    const int j = n % rows - deep[1], k = n / rows - deep[2];
    for (int i = -deep[0]; i < box->cells[0] + deep[0]; i++) {
      const int at[3] = {box->lower[0] + i, box->lower[1] + j, box->lower[2] + k};
      const double value = initial ? initial(program->cells, at, program->parameter) : 0;
      const ptrdiff_t place = gmg_offset(box, i, j, k);
      if (program->made->precision == GMG_F64)
        ((double *)element)[place] = value;
      else
        ((float *)element)[place] = (float)value;
    }
  }
}

gmg_status gmg_program_begin(gmg_program *program)
{
  static const char call[] = "gmg_program_begin";
  if (!program)
    return GMG_ERR_ARGUMENT;
  const gmg_status status = agree(program, check_values(program, call), call, 0);
  if (status)
    return status;
  for (int a = 0; a < program->made->arrays; a++) {
    gmg_placed_open(program, a, GMG_REPLACE);
    for (int b = 0; b < program->layout->local_count; b++) {
      struct filling filling = {program, a, b};
      gmg_team_share(program->context->team, program->threads, fill_rows, &filling);
    }
  }
  return GMG_OK;
}

/* ---- steps ---- */

/* moves: 0: the kernel finds its values in cache, where the one of an earlier step left them. */
static void count(struct gmg_program *program, const struct gmg_kernel_descriptor *kernel,
                  int moves)
{
  double cells = 0;
  for (int b = 0; b < program->layout->local_count; b++)
    cells += (double)program->box[b].cells[0] * program->box[b].cells[1] * program->box[b].cells[2];
  program->info.flops += kernel->flops * cells;
  program->info.bytes += moves ? kernel->bytes * cells : 0;
}

static void run_kernel(struct gmg_program *program, int which, int extent)
{
  const struct gmg_program_kernel *bound = &program->made->kernel[which];
  const struct gmg_kernel_descriptor *kernel = bound->kernel;
  struct gmg_kernel_args args = {.threads = program->threads};
  count(program, kernel, 1);
  if (program->placed) {
    for (int n = 0; n < program->work; n++)
      gmg_launches_kernel(program, which, extent);
    return;
  }
  gmg_extended_point(program, bound, extent, &args);
  for (int s = 0; s < kernel->scalars; s++)
    args.scalar[s] = program->parameter[bound->parameter[s]];
  args.stream = extent == 0 && gmg_stores_stream(program, kernel);
  for (int n = 0; n < program->work && args.tiles; n++)
    kernel->run(&args);
}

/* One step of a round. round: of the block, where ghosts inside the grid are not exchanged; -1:
 * none.
 */
static int take_step(struct gmg_program *program, int s, int round)
{
  const struct gmg_program_step *step = &program->made->step[s];
  const double begin = gmg_seconds();
  int error = 0;
  if (step->kind == GMG_STEP_PERMUTE) {
    gmg_program_permute(program, step);
  } else if (step->kind == GMG_STEP_RUN) {
    run_kernel(program, step->which,
               round < 0 ? 0 : program->block.extent[round * program->made->steps + s]);
    program->info.kernel_seconds += gmg_seconds() - begin;
  } else if (step->kind == GMG_STEP_SOLVE) {
    program->failed = gmg_program_solve(program, step->which);
    error = program->failed != GMG_OK;
  } else {
    if (round < 0)
      error = gmg_program_fill_ghosts(program, step->which);
    else
      gmg_program_fill_walls(program, step->which);
    program->info.ghost_seconds += gmg_seconds() - begin;
  }
  return error;
}

/* As many steps as a block has rounds, or fewer, in one sweep over each box. */
static void pass_block(struct gmg_program *program, int steps,
                       void (*run)(struct gmg_program *program, int steps))
{
  const struct gmg_program_descriptor *made = program->made;
  const double begin = gmg_seconds();
  run(program, steps);
  for (int n = 0; n < steps; n++)
    for (int s = made->once; s < made->steps; s++)
      if (made->step[s].kind == GMG_STEP_PERMUTE)
        gmg_program_permute(program, &made->step[s]);
      else if (made->step[s].kind == GMG_STEP_RUN)
        count(program, made->kernel[made->step[s].which].kernel, n == 0);
  program->info.kernel_seconds += gmg_seconds() - begin;
  program->info.steps += steps;
}

/* Runs a program's last rounds, so many, kernel by kernel or, where that suits, box by box. */
static int take_block(struct gmg_program *program, int steps)
{
  const struct gmg_program_descriptor *made = program->made;
  int error = gmg_program_exchange_all(program, 1);
  if (!error && (gmg_pass_suits(program) || gmg_skew_steps(program) > 1)) {
    pass_block(program, steps, gmg_pass_suits(program) ? gmg_pass_boxes : gmg_skew_run);
    return 0;
  }
  for (int round = program->block.rounds - steps; round < program->block.rounds; round++) {
    for (int s = made->once; s < made->steps && !error; s++)
      error = take_step(program, s, round);
    program->info.steps += !error;
  }
  return error;
}

static int take_steps(struct gmg_program *program, int64_t steps)
{
  enum { AT_ONCE = 8 }; /* composed steps that a device is given together */
  const struct gmg_program_descriptor *made = program->made;
  const int together = program->block.rounds;
  int error = together > 1 && steps ? gmg_program_exchange_all(program, 0) : 0;
  for (int s = 0; s < made->once && steps && !error; s++)
    error = take_step(program, s, together > 1 ? 0 : -1);
  for (int n = 1; program->composing.on && steps && !error; n++, steps -= together) {
    error = gmg_composed_take(program);
    if (n % AT_ONCE == 0)
      gmg_placed_begin(program, 0);
  }
  if (!error)
    steps -= gmg_twice_take(program, steps);
  gmg_placed_begin(program, together > 1 ? 0 : steps);
  while (together > 1 && steps && !error) {
    const int now = steps < together ? (int)steps : together;
    error = take_block(program, now);
    gmg_placed_begin(program, 0);
    steps -= now;
  }
  for (const int most = gmg_skew_steps(program); most > 1 && steps > 1 && !error;) {
    const int now = (int)(steps < most ? steps : most);
    pass_block(program, now, gmg_skew_run);
    steps -= now;
  }
  for (; steps && !error; steps--) {
    for (int s = made->once; s < made->steps && !error; s++)
      error = take_step(program, s, -1);
    program->info.steps += !error;
    gmg_placed_step(program, steps - 1);
  }
  return error;
}

gmg_status gmg_program_run(gmg_program *program, int64_t steps)
{
  static const char call[] = "gmg_program_run";
  if (!program)
    return GMG_ERR_ARGUMENT;
  gmg_context *context = program->context;
  gmg_status status = check_values(program, call);
  if (!status)
    status = gmg_program_check_solves(program, call);
  if (!status && steps < 0)
    status = gmg_fail(context, GMG_ERR_ARGUMENT, "%s: found %lld steps, expected 0 or more", call,
                      (long long)steps);
  if (!status && program->composing.on && steps % program->block.rounds)
    status = gmg_fail(context, GMG_ERR_ARGUMENT,
                      "%s: found %lld steps of program %s, which composes %d at a time: expected a "
                      "multiple of %d",
                      call, (long long)steps, program->made->name, program->block.rounds,
                      program->block.rounds);
  status = agree(program, status, call, (double)steps);
  if (status)
    return status;
  struct gmg_memory *outer = gmg_account(&program->memory);
  const double begin = gmg_seconds(), waited = context->comm.waited;
  program->failed = GMG_OK;
  int error = take_steps(program, steps);
  error |= gmg_placed_wait(program);
  program->info.seconds += gmg_seconds() - begin;
  program->info.wait_seconds += context->comm.waited - waited;
  gmg_account(outer);
  if (program->failed)
    return program->failed; /* of the solver, on all ranks */
  if (error)
    status = gmg_fail(context, GMG_ERR_MPI, "an exchange of ghosts failed after %lld steps",
                      (long long)program->info.steps);
  else if (program->placed)
    status = gmg_device_status(context);
  return gmg_agree(context, status);
}

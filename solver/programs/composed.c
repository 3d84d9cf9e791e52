#include "composed.h"

#include "extended.h"
#include "ghosts.h"
#include "launches.h"
#include "linear/extension.h"
#include "patch.h"
#include "system/order.h"
#include "system/team.h"
#include "system/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- plan ---- */

/* The cells of every box that are so far from walls that the composed kernel is right there. */
static int find_inner(struct gmg_program *program)
{
  struct gmg_composing *composing = &program->composing;
  const int boxes = program->layout->local_count;
  composing->inner.box = gmg_calloc((size_t)boxes + 1, sizeof *composing->inner.box);
  composing->inner.shift = gmg_calloc((size_t)boxes + 1, sizeof *composing->inner.shift);
  if (!composing->inner.box || !composing->inner.shift)
    return -1;
  for (int b = 0; b < boxes; b++) {
    const struct gmg_kernel_box *box = &program->box[b];
    struct gmg_kernel_box *inner = &composing->inner.box[b];
    int empty = 0;
    *inner = *box;
    for (int d = 0; d < program->made->dimensions; d++) {
      if (program->periodic[d])
        continue;
      const int lower = gmg_larger(box->lower[d], composing->layer),
                upper =
                  gmg_smaller(box->lower[d] + box->cells[d], program->cells[d] - composing->layer);
      inner->lower[d] = lower;
      inner->cells[d] = upper - lower;
      empty |= upper <= lower;
    }
    if (empty)
      memset(inner->cells, 0, sizeof inner->cells);
    else
      composing->inner.shift[b] =
        gmg_offset(box, inner->lower[0] - box->lower[0], inner->lower[1] - box->lower[1],
                   inner->lower[2] - box->lower[2]);
    const double cells = (double)inner->cells[0] * inner->cells[1] * inner->cells[2];
    composing->inner_cells += cells;
    composing->outer_cells += (double)box->cells[0] * box->cells[1] * box->cells[2] - cells;
  }
  return gmg_extended_tiles(program, &program->made->composed->kernel, &composing->inner) ? 0 : -1;
}

/* Whose values beyond walls each array has after as many single steps, as seen after the targets
 * have taken their turn. */
static void find_sources(struct gmg_program *program)
{
  const struct gmg_program_descriptor *made = program->made;
  struct gmg_composing *composing = &program->composing;
  int target[GMG_PROGRAM_ARRAYS], fixed = 0;
  for (int a = 0; a < made->arrays; a++) {
    target[a] = composing->source[a] = a;
    for (int d = 0; d < made->dimensions; d++)
      fixed |= made->array[a].wall[d][0].kind == GMG_WALL_FIXED
        || made->array[a].wall[d][1].kind == GMG_WALL_FIXED;
  }
  for (int round = 0; round < program->block.rounds; round++)
    for (int s = made->once; s < made->steps; s++)
      if (made->step[s].kind == GMG_STEP_PERMUTE)
        gmg_program_turn(composing->source, &made->step[s]);
  for (int n = 0; n < made->composed->targets; n++) {
    target[made->composed->target[n][0]] = made->composed->target[n][1];
    target[made->composed->target[n][1]] = made->composed->target[n][0];
  }
  for (int a = 0; a < made->arrays; a++) {
    composing->source[a] = target[composing->source[a]];
    composing->turns |= fixed && composing->source[a] != a;
  }
}

int gmg_composed_plan(struct gmg_program *program)
{
  const struct gmg_program_composed *composed = program->made->composed;
  if (!composed || program->block.rounds != composed->steps)
    return 0;
  program->composing.whole = gmg_extension_holds(program);
  program->composing.layer = program->composing.whole ? 0 : program->block.extents;
  find_sources(program);
  return find_inner(program) || gmg_patches_plan(program) ? -1 : 0;
}

void gmg_composed_free(struct gmg_program *program)
{
  gmg_patches_free(program);
  gmg_extended_clear(&program->composing.inner);
}

gmg_status gmg_composed_set(struct gmg_program *program, const char *value)
{
  const struct gmg_program_descriptor *made = program->made;
  const int steps = made->composed ? made->composed->steps : 0;
  char expected[200] = "off: gmg-gen has composed none of its steps (--compose M)", number[20];
  snprintf(number, sizeof number, "%d", steps);
  if (value && strcmp(value, "off") == 0) {
    program->composing.on = 0;
    program->info.composed = 1;
    return GMG_OK;
  }
  if (steps)
    snprintf(expected, sizeof expected, "off, or %d, the steps that gmg-gen has composed", steps);
  if (!value || !steps || strcmp(value, number) != 0)
    return gmg_fail(program->context, GMG_ERR_OPTION,
                    "compose: found '%s' for program %s, expected %s", value ? value : "(NULL)",
                    made->name, expected);
  if (program->block.rounds != steps)
    return gmg_fail(program->context, GMG_ERR_OPTION,
                    "compose: program %s was created with %d steps per exchange: expected %d, as "
                    "many as are composed",
                    made->name, gmg_larger(program->block.rounds, 1), steps);
  if (program->placed)
    return gmg_fail(program->context, GMG_ERR_OPTION,
                    "compose: program %s is on a GPU, where steps are not composed: expected "
                    "backend openmp",
                    made->name);
  program->composing.on = 1;
  program->info.composed = steps;
  return GMG_OK;
}

/* ---- values beyond walls that are data ---- */

/* Elements of a row that lie beyond walls take their turn. */
static void turn_row(const struct gmg_program *program, int b, int j, int k, int from, int to)
{
  const struct gmg_program_descriptor *made = program->made;
  const size_t bytes = program->storage->element_bytes;
  const int *source = program->composing.source;
  char old[GMG_PROGRAM_ARRAYS][sizeof(double)];
  for (int i = from; i < to; i++) {
    const ptrdiff_t at = gmg_offset(&program->box[b], i, j, k) * (ptrdiff_t)bytes;
    for (int a = 0; a < made->arrays; a++)
      if (source[a] != a)
        memcpy(old[a], (char *)program->element[a][b] + at, bytes);
    for (int a = 0; a < made->arrays; a++)
      if (source[a] != a)
        memcpy((char *)program->element[a][b] + at, old[source[a]], bytes);
  }
}

static int is_beyond(const struct gmg_program *program, int d, int cell)
{
  return !program->periodic[d] && d < program->made->dimensions
    && (cell < 0 || cell >= program->cells[d]);
}

static void turn_box(const struct gmg_program *program, int b)
{
  const struct gmg_kernel_box *box = &program->box[b];
  int deep[3];
  for (int d = 0; d < 3; d++)
    deep[d] = gmg_program_deep(program, d);
  const int first = -deep[0], end = box->cells[0] + deep[0];
  /* where cells inside the grid begin and end */
  const int inside = gmg_larger(first, program->periodic[0] ? first : -box->lower[0]),
            outside =
              program->periodic[0] ? end : gmg_smaller(end, program->cells[0] - box->lower[0]);
  for (int k = -deep[2]; k < box->cells[2] + deep[2]; k++)
    for (int j = -deep[1]; j < box->cells[1] + deep[1]; j++) {
      const int whole =
        is_beyond(program, 1, box->lower[1] + j) || is_beyond(program, 2, box->lower[2] + k);
      turn_row(program, b, j, k, first, whole ? end : inside);
      if (!whole)
        turn_row(program, b, j, k, outside, end);
    }
}

static void turn_boxes(void *work, int thread, int of)
{
  const struct gmg_program *program = work;
  int from, to;
  gmg_part(program->layout->local_count, thread, of, &from, &to);
  for (int b = from; b < to; b++)
    turn_box(program, b);
}

/* ---- steps ---- */

static void count(struct gmg_program *program)
{
  const struct gmg_program_descriptor *made = program->made;
  const struct gmg_composing *composing = &program->composing;
  const struct gmg_kernel_descriptor *kernel = made->composed->kernel.kernel;
  program->info.flops += kernel->flops * composing->inner_cells;
  program->info.bytes += kernel->bytes * composing->inner_cells;
  for (int s = made->once; s < made->steps; s++)
    if (made->step[s].kind == GMG_STEP_RUN) {
      const double visits = composing->outer_cells * program->block.rounds;
      program->info.flops += made->kernel[made->step[s].which].kernel->flops * visits;
      program->info.bytes += made->kernel[made->step[s].which].kernel->bytes * visits;
    }
  program->info.steps += program->block.rounds;
}

/* All ghosts that the composed kernel reads. Returns 0, or an MPI error code. */
static int fill_ghosts(struct gmg_program *program)
{
  const struct gmg_program_kernel *bound = &program->made->composed->kernel;
  const int error = gmg_program_exchange_all(program, 1);
  const double begin = gmg_seconds();
  for (int f = 0; f < bound->kernel->fields && !error; f++)
    if (bound->kernel->field[f].read)
      gmg_program_fill_walls(program, bound->array[f]);
  program->info.ghost_seconds += gmg_seconds() - begin;
  return error;
}

static void run_here(struct gmg_program *program)
{
  const struct gmg_program_kernel *bound = &program->made->composed->kernel;
  struct gmg_kernel_args args = {.threads = program->threads};
  gmg_extended_point_parts(program, bound, &program->composing.inner, &args);
  for (int s = 0; s < bound->kernel->scalars; s++)
    args.scalar[s] = program->parameter[bound->parameter[s]];
  if (args.tiles)
    bound->kernel->run(&args);
  gmg_patches_run(program);
}

int gmg_composed_take(struct gmg_program *program)
{
  const int error = fill_ghosts(program);
  const double begin = gmg_seconds();
  if (error)
    return error;
  if (program->placed)
    gmg_launches_composed(program);
  else
    run_here(program);
  for (int n = 0; n < program->made->composed->targets; n++) {
    const struct gmg_program_step turn = gmg_program_composed_turn(program->made->composed, n);
    gmg_program_permute(program, &turn);
  }
  if (program->composing.turns)
    gmg_team_share(program->context->team, program->threads, turn_boxes, program);
  count(program);
  program->info.kernel_seconds += gmg_seconds() - begin;
  return 0;
}

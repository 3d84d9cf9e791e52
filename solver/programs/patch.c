#include "patch.h"

#include "ghosts.h"
#include "system/order.h"
#include "system/team.h"

#include <string.h>

static const int most[3] = {128, 32, 32}; /* cells of a patch */

/* ---- cutting ---- */

struct range {
  int lower[3], upper[3];
};

/* Adds the patches of a range of a box's cells; without room, only counts them. */
static void cut(struct gmg_program *program, int box, const struct range *range)
{
  struct gmg_composing *composing = &program->composing;
  int at[3];
  for (at[2] = range->lower[2]; at[2] < range->upper[2]; at[2] += most[2])
    for (at[1] = range->lower[1]; at[1] < range->upper[1]; at[1] += most[1])
      for (at[0] = range->lower[0]; at[0] < range->upper[0]; at[0] += most[0]) {
        struct gmg_patch *patch = composing->patch ? &composing->patch[composing->patches] : NULL;
        composing->patches++;
        if (!patch)
          continue;
        patch->box = box;
        for (int d = 0; d < 3; d++) {
          patch->lower[d] = at[d];
          patch->upper[d] = gmg_smaller(at[d] + most[d], range->upper[d]);
        }
      }
}

/* Cuts a box but for its inner cells: slabs along z, then y, then x. */
static void cut_box(struct gmg_program *program, int b)
{
  const struct gmg_kernel_box *box = &program->box[b], *inner = &program->composing.inner.box[b];
  struct range rest;
  for (int d = 0; d < 3; d++) {
    rest.lower[d] = box->lower[d];
    rest.upper[d] = box->lower[d] + box->cells[d];
  }
  if (!inner->cells[0]) {
    cut(program, b, &rest);
    return;
  }
  for (int d = 2; d >= 0; d--) {
    struct range low = rest, high = rest;
    low.upper[d] = rest.lower[d] = inner->lower[d];
    high.lower[d] = rest.upper[d] = inner->lower[d] + inner->cells[d];
    cut(program, b, &low);
    cut(program, b, &high);
  }
}

/* What a patch copies: as many cells around its own as the block's steps read, but beyond walls no
 * more than kernels read there. */
static void find_part(const struct gmg_program *program, struct gmg_patch *patch)
{
  struct gmg_kernel_box *part = &patch->part;
  memset(part, 0, sizeof *part);
  for (int d = 0; d < 3; d++) {
    const int along = d < program->made->dimensions, deep = along ? program->block.deepest : 0,
              beyond = along ? program->made->ghosts : 0;
    int lower = patch->lower[d] - deep, upper = patch->upper[d] + deep;
    if (!program->periodic[d]) {
      lower = gmg_larger(lower, -beyond);
      upper = gmg_smaller(upper, program->cells[d] + beyond);
    }
    part->lower[d] = lower;
    part->cells[d] = upper - lower;
  }
  part->stride[0] = (part->cells[0] + 7) / 8 * 8;
  part->stride[1] = part->stride[0] * part->cells[1];
}

int gmg_patches_plan(struct gmg_program *program)
{
  struct gmg_composing *composing = &program->composing;
  const int boxes = program->layout->local_count;
  for (int b = 0; b < boxes; b++)
    cut_box(program, b);
  composing->patch = gmg_calloc((size_t)composing->patches + 1, sizeof *composing->patch);
  if (!composing->patch)
    return -1;
  composing->patches = 0;
  for (int b = 0; b < boxes; b++)
    cut_box(program, b);
  for (int n = 0; n < composing->patches; n++) {
    struct gmg_patch *patch = &composing->patch[n];
    find_part(program, patch);
    const size_t bytes = (size_t)patch->part.stride[1] * (size_t)patch->part.cells[2]
      * program->storage->element_bytes;
    composing->bytes = bytes > composing->bytes ? bytes : composing->bytes;
  }
  composing->bytes = (composing->bytes + 63) / 64 * 64;
  composing->scratch =
    gmg_calloc((size_t)program->threads * (size_t)program->made->arrays * composing->bytes + 1, 1);
  return composing->scratch ? 0 : -1;
}

void gmg_patches_free(struct gmg_program *program)
{
  gmg_free(program->composing.patch);
  gmg_free(program->composing.scratch);
}

/* ---- steps ---- */

/* A patch on its way through the steps. */
struct visit {
  const struct gmg_program *program;
  const struct gmg_patch *patch;
  int thread;
  int holder[GMG_PROGRAM_ARRAYS]; /* by array: which copy has its values */
};

static char *copy_of(const struct visit *visit, int array)
{
  const struct gmg_composing *composing = &visit->program->composing;
  const int arrays = visit->program->made->arrays;
  return composing->scratch
    + (size_t)(visit->thread * arrays + visit->holder[array]) * composing->bytes;
}

/* Where a cell of the grid lies in a copy, or in a box: in bytes from its element (0, 0, 0). */
static ptrdiff_t place_of(const struct visit *visit, const struct gmg_kernel_box *box,
                          const int cell[3])
{
  return gmg_offset(box, cell[0] - box->lower[0], cell[1] - box->lower[1], cell[2] - box->lower[2])
    * (ptrdiff_t)visit->program->storage->element_bytes;
}

/* Copies the cells [from, to) of an array from the box to the patch's copy of another, or back. */
static void copy(const struct visit *visit, int in_box, int in_patch, const int from[3],
                 const int to[3], int back)
{
  const struct gmg_program *program = visit->program;
  const struct gmg_patch *patch = visit->patch;
  const struct gmg_kernel_box *box = &program->box[patch->box];
  const size_t bytes = (size_t)(to[0] - from[0]) * program->storage->element_bytes;
  char *const own = copy_of(visit, in_patch), *const all = program->element[in_box][patch->box];
  for (int k = from[2]; k < to[2]; k++)
    for (int j = from[1]; j < to[1]; j++) {
      const int cell[3] = {from[0], j, k};
      char *const here = own + place_of(visit, &patch->part, cell),
                  *const there = all + place_of(visit, box, cell);
      memcpy(back ? there : here, back ? here : there, bytes);
    }
}

static int has_fixed(const struct gmg_program_array *array)
{
  int fixed = 0;
  for (int d = 0; d < 3; d++)
    fixed |= array->wall[d][0].kind == GMG_WALL_FIXED || array->wall[d][1].kind == GMG_WALL_FIXED;
  return fixed;
}

static void copy_in(const struct visit *visit)
{
  const struct gmg_program_descriptor *made = visit->program->made;
  const struct gmg_kernel_box *part = &visit->patch->part;
  int to[3];
  for (int d = 0; d < 3; d++)
    to[d] = part->lower[d] + part->cells[d];
  /* Of values to come only those beyond walls are anything, where they are data. */
  for (int a = 0; a < made->arrays; a++)
    if (made->array[a].age != GMG_AGE_NEXT || has_fixed(&made->array[a]))
      copy(visit, a, a, part->lower, to, 0);
}

static void run_kernel(const struct visit *visit, int which, int extent)
{
  const struct gmg_program *program = visit->program;
  const struct gmg_program_kernel *bound = &program->made->kernel[which];
  struct gmg_kernel_box box = visit->patch->part;
  void *pointer[GMG_MAX_FIELDS];
  for (int d = 0; d < 3; d++) {
    const int more = d < program->made->dimensions ? extent : 0;
    int lower = visit->patch->lower[d] - more, upper = visit->patch->upper[d] + more;
    if (!program->periodic[d]) {
      lower = gmg_larger(lower, 0);
      upper = gmg_smaller(upper, program->cells[d]);
    }
    box.lower[d] = lower;
    box.cells[d] = upper - lower;
  }
  const struct gmg_tile tile = {0, 0, box.cells[1], 0, box.cells[2], NULL};
  struct gmg_kernel_args args = {.tiles = 1, .tile = &tile, .box = &box, .threads = 1};
  for (int f = 0; f < bound->kernel->fields; f++) {
    pointer[f] = copy_of(visit, bound->array[f]) + place_of(visit, &visit->patch->part, box.lower);
    args.field[f] = &pointer[f];
  }
  for (int s = 0; s < bound->kernel->scalars; s++)
    args.scalar[s] = program->parameter[bound->parameter[s]];
  bound->kernel->run_tile(&args, &tile, visit->thread);
}

static void run_patch(struct visit *visit)
{
  static const int none[3] = {0, 0, 0};
  const struct gmg_program *program = visit->program;
  const struct gmg_program_descriptor *made = program->made;
  for (int a = 0; a < made->arrays; a++)
    visit->holder[a] = a;
  copy_in(visit);
  for (int round = 0; round < program->block.rounds; round++)
    for (int s = made->once; s < made->steps; s++) {
      const struct gmg_program_step *step = &made->step[s];
      if (step->kind == GMG_STEP_RUN)
        run_kernel(visit, step->which, program->block.extent[round * made->steps + s]);
      else if (step->kind == GMG_STEP_GHOSTS)
        gmg_program_fill_part_walls(program, step->which, &visit->patch->part, none,
                                    copy_of(visit, step->which));
      else
        gmg_program_turn(visit->holder, step);
    }
  for (int n = 0; n < made->composed->targets; n++)
    copy(visit, made->composed->target[n][1], made->composed->target[n][0], visit->patch->lower,
         visit->patch->upper, 1);
}

static void run_patches(void *work, int thread, int of)
{
  struct visit visit = {.program = work, .thread = thread};
  int from, to;
  gmg_part(visit.program->composing.patches, thread, of, &from, &to);
  for (int n = from; n < to; n++) {
    visit.patch = &visit.program->composing.patch[n];
    run_patch(&visit);
  }
}

void gmg_patches_run(struct gmg_program *program)
{
  if (program->composing.patches)
    gmg_team_share(program->context->team, program->threads, run_patches, program);
}

#include "skew.h"

#include "ghosts.h"
#include "skew_stages.h"
#include "stores.h"
#include "system/gate.h"
#include "system/order.h"
#include "system/team.h"

#include <limits.h>
#include <math.h>

enum { PLANES = 4 /* from one wait of a strip for the one before it to the next */ };
enum { LEAST_ROWS = 8 };

/* How many planes of a strip are done. */
struct progress {
  atomic_uint front;
  char apart[64 - sizeof(atomic_uint)]; /* from the next one's cache line */
};

struct gmg_skew {
  int steps, stages; /* steps: that the stages are for */
  int most_strips;   /* of any box */
  /* Of the box that is swept: its strips, rows of each, and the rows and planes where the first
   * stage is while others still work, [first, last). */
  int box, strips, rows, first[2], last[2];
  struct gmg_skew_stage *stage;
  struct progress *progress;
};

static void find_stages(const struct gmg_program *program, struct gmg_skew *skew, int steps)
{
  skew->stages = gmg_skew_find_stages(program, steps, skew->stage);
  skew->steps = steps;
}

/* ---- a box ---- */

/* Rows or planes [from, to), counted from the box's first. */
struct range {
  int from, to;
};

/* The cells of the grid in a box and as far beyond it as its arrays reach. */
static struct range inside(const struct gmg_program *program, int box, int d)
{
  const struct gmg_kernel_box *own = &program->box[box];
  const int deep = gmg_program_deep(program, d), from = -deep, to = own->cells[d] + deep;
  if (program->periodic[d])
    return (struct range){from, to};
  return (struct range){gmg_larger(from, -own->lower[d]),
                        gmg_smaller(to, program->cells[d] - own->lower[d])};
}

static void point_kernel(const struct gmg_program *program, struct gmg_skew_stage *stage, int box)
{
  const struct gmg_program_kernel *bound = stage->bound;
  const struct gmg_extended *extended = &program->extended[stage->extent];
  const struct gmg_kernel_box *own = &program->box[box], *visited = &extended->box[box];
  const ptrdiff_t shift = extended->shift[box] * (ptrdiff_t)program->storage->element_bytes;
  stage->args = (struct gmg_kernel_args){.tiles = 1, .box = visited, .threads = 1};
  for (int f = 0; f < bound->kernel->fields; f++) {
    const int holder = stage->holder[bound->array[f]];
    stage->pointer[f] = (char *)program->element[holder][box] + shift;
    stage->args.field[f] = &stage->pointer[f];
  }
  for (int s = 0; s < bound->kernel->scalars; s++)
    stage->args.scalar[s] = program->parameter[bound->parameter[s]];
  for (int d = 1; d < 3; d++) {
    stage->shift[d - 1] = own->lower[d] - visited->lower[d];
    stage->from[d - 1] = -stage->shift[d - 1];
    stage->to[d - 1] = stage->from[d - 1] + visited->cells[d];
  }
}

static void point(const struct gmg_program *program, struct gmg_skew *skew, int box)
{
  skew->box = box;
  for (int d = 0; d < 2; d++) {
    skew->first[d] = INT_MAX;
    skew->last[d] = INT_MIN;
  }
  for (int n = 0; n < skew->stages; n++) {
    struct gmg_skew_stage *stage = &skew->stage[n];
    if (stage->bound)
      point_kernel(program, stage, box);
    for (int d = 1; d < 3; d++) {
      const struct range all = inside(program, box, d);
      if (!stage->bound) {
        stage->from[d - 1] = all.from;
        stage->to[d - 1] = all.to;
      }
      skew->first[d - 1] = gmg_smaller(skew->first[d - 1], stage->from[d - 1] + stage->lag[d - 1]);
      skew->last[d - 1] = gmg_larger(skew->last[d - 1], stage->to[d - 1] + stage->lag[d - 1]);
    }
  }
}

/* Cuts the box in strips, all of whose values between two visits of a plane stay in a cache, the
 * second level or a near third one: as many for every thread. */
static void cut(const struct gmg_program *program, struct gmg_skew *skew)
{
  const int threads = program->threads;
  int lag = 0;
  for (int n = 0; n < skew->stages; n++)
    lag = gmg_larger(lag, skew->stage[n].lag[1]);
  const double window = (double)program->box[skew->box].stride[0]
    * (double)program->storage->element_bytes * program->made->arrays * (lag + 3);
  const int all = skew->last[0] - skew->first[0],
            fit = gmg_larger(LEAST_ROWS, (int)fmin(gmg_stores_room(threads) / window, all)),
            strips = ((all + fit - 1) / fit + threads - 1) / threads * threads;
  skew->rows = gmg_larger(LEAST_ROWS, (all + strips - 1) / strips);
  skew->strips = (all + skew->rows - 1) / skew->rows;
}

/* ---- the sweep ---- */

/* What of rows or planes [from, to) a stage that fills ghosts takes: those cells, the ghosts beyond
 * the lower wall, those beyond the upper one. */
static void find_ranges(const struct gmg_program *program, const struct gmg_skew_stage *stage,
                        int box, int d, struct range cells, struct range range[3])
{
  const struct range all = inside(program, box, d);
  const int deep = gmg_program_deep(program, d), end = program->box[box].cells[d] + deep;
  const int last = gmg_smaller(all.from + stage->behind[d - 1], all.to - 1);
  range[0] = cells;
  range[1] = range[2] = (struct range){0, 0};
  if (cells.from <= last && last < cells.to)
    range[1] = (struct range){-deep, all.from};
  if (cells.from < all.to && all.to <= cells.to)
    range[2] = (struct range){all.to, end};
}

static void fill_ghosts(const struct gmg_program *program, const struct gmg_skew_stage *stage,
                        int box, struct range rows, int plane)
{
  struct range row[3], planes[3];
  void *element = program->element[stage->holder[stage->array]][box];
  const int deep = gmg_program_deep(program, 0), cells = program->box[box].cells[0];
  find_ranges(program, stage, box, 1, rows, row);
  find_ranges(program, stage, box, 2, (struct range){plane, plane + 1}, planes);
  for (int p = 0; p < 3; p++)
    for (int r = 0; r < 3; r++) {
      const int from[3] = {-deep, row[r].from, planes[p].from},
                to[3] = {cells + deep, row[r].to, planes[p].to};
      if (from[1] < to[1] && from[2] < to[2])
        gmg_program_fill_piece_walls(program, stage->array, box, from, to, element);
    }
}

/* All stages of a strip on the planes where the first one is at `front`. */
static void run_front(const struct gmg_program *program, struct range strip, int front, int thread)
{
  const struct gmg_skew *skew = program->skew;
  for (int n = 0; n < skew->stages; n++) {
    const struct gmg_skew_stage *stage = &skew->stage[n];
    const int plane = front - stage->lag[1];
    const struct range rows = {gmg_larger(strip.from - stage->lag[0], stage->from[0]),
                               gmg_smaller(strip.to - stage->lag[0], stage->to[0])};
    if (plane < stage->from[1] || plane >= stage->to[1] || rows.from >= rows.to)
      continue;
    if (!stage->bound) {
      fill_ghosts(program, stage, skew->box, rows, plane);
      continue;
    }
    const int j = stage->shift[0], k = plane + stage->shift[1];
    const struct gmg_tile tile = {0, rows.from + j, rows.to + j, k, k + 1, NULL};
    stage->bound->kernel->run_tile(&stage->args, &tile, thread);
  }
}

static void run_strips(void *work, int thread, int of)
{
  const struct gmg_program *program = work;
  struct gmg_skew *skew = program->skew;
  struct gmg_gate *gate = gmg_team_gate(program->context->team);
  const int fronts = skew->last[1] - skew->first[1];
  for (int n = thread; n < skew->strips; n += of) {
    const int from = skew->first[0] + n * skew->rows;
    const struct range strip = {from, from + skew->rows};
    for (int front = 0; front < fronts; front++) {
      const int ahead = gmg_smaller(front + PLANES, fronts);
      if (front % PLANES == 0 && n > 0 && of > 1)
        gmg_gate_wait(gate, &skew->progress[n - 1].front, (unsigned)ahead);
      run_front(program, strip, skew->first[1] + front, thread);
      if (front + 1 == ahead || (front + 1) % PLANES == 0)
        gmg_gate_set(gate, &skew->progress[n].front, (unsigned)front + 1);
    }
  }
}

void gmg_skew_run(struct gmg_program *program, int steps)
{
  struct gmg_skew *skew = program->skew;
  if (skew->steps != steps)
    find_stages(program, skew, steps);
  for (int box = 0; box < program->layout->local_count; box++) {
    point(program, skew, box);
    cut(program, skew);
    for (int n = 0; n < skew->strips; n++)
      atomic_store_explicit(&skew->progress[n].front, 0, memory_order_relaxed);
    gmg_team_share(program->context->team, program->threads, run_strips, program);
  }
}

/* ---- plan ---- */

/* Whether all ghosts lie beyond walls. */
static int is_walled(const struct gmg_program *program)
{
  const struct gmg_program_descriptor *made = program->made;
  int walled = program->layout->count == 1;
  for (int a = 0; a < made->arrays; a++)
    for (int d = 0; d < 3 && made->array[a].ghosts; d++)
      for (int side = 0; side < 2; side++)
        walled = walled && made->array[a].wall[d][side].kind != GMG_WALL_PERIODIC;
  return walled;
}

const char *gmg_skew_reason(const struct gmg_program *program)
{
  if (program->made->dimensions < 3)
    return "it has two dimensions";
  if (program->made->solves)
    return "its steps have a solve";
  if (program->composing.on)
    return "it composes steps";
  if (program->work > 1)
    return "the option work is above 1";
  if (program->block.rounds <= 1 && !is_walled(program))
    return "the grid is periodic, or cut into several boxes: expected several steps per exchange";
  return NULL;
}

int gmg_skew_steps(const struct gmg_program *program)
{
  enum { USUAL = 8 };
  const int asked = program->steps_per_pass;
  if (!program->skew || program->placed || asked == 1 || gmg_skew_reason(program))
    return 1;
  if (program->block.rounds > 1)
    return program->block.rounds;
  return asked ? asked : program->large ? USUAL : 1;
}

int gmg_skew_plan(struct gmg_program *program)
{
  const int most = program->block.rounds > 1 ? program->block.rounds : GMG_BLOCK_ROUNDS;
  if (gmg_skew_reason(program))
    return 0;
  struct gmg_skew *skew = gmg_calloc(1, sizeof *skew);
  program->skew = skew;
  if (!skew)
    return -1;
  skew->stage = gmg_calloc((size_t)most * (size_t)program->made->steps + 1, sizeof *skew->stage);
  if (!skew->stage)
    return -1;
  find_stages(program, skew, most);
  for (int box = 0; box < program->layout->local_count; box++) {
    point(program, skew, box);
    skew->most_strips =
      gmg_larger(skew->most_strips, (skew->last[0] - skew->first[0]) / LEAST_ROWS + 1);
  }
  skew->progress = gmg_calloc((size_t)skew->most_strips + 1, sizeof *skew->progress);
  return skew->progress ? 0 : -1;
}

void gmg_skew_free(struct gmg_program *program)
{
  struct gmg_skew *skew = program->skew;
  if (skew) {
    gmg_free(skew->stage);
    gmg_free(skew->progress);
  }
  gmg_free(skew);
  program->skew = NULL;
}

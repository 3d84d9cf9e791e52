#include "overlap.h"

#include "cycle/relaxation.h"
#include "owners/links.h"
#include "runtime/bind.h"
#include "system/order.h"

#include <math.h>

/* A level whose u, f and coefficients stay in cache gains nothing from a pass. Ghosts are at most
 * MOST_DEPTH deep, as tables and lines are (GMG_LINE_PAD), and no less than LEAST_DEPTH, or a pass
 * has too few kernels to gain. */
enum { LEAST_CELLS = 40 * 40 * 40, MOST_DEPTH = 12, LEAST_DEPTH = 4, MOST_BOXES = 256 };
/* What a pass may compute more than the cells: it takes half the time of its kernels one by one, or
 * less. */
#define MOST_WORK 1.5

static int has_neighbours(const struct gmg_hierarchy *h, int l, int d)
{
  return h->layout[l]->blocks[d] > 1 || h->axis[l][d].kind[0] == GMG_PERIODIC;
}

static const struct gmg_operator_descriptor *op_of(const struct gmg_hierarchy *h, int l)
{
  return l == 0 ? h->problem->op : h->coarse_op;
}

/* Whether a cell and the ghost that stands for it are of one colour. */
static int colours_meet(const struct gmg_hierarchy *h, int l, int d)
{
  const struct gmg_operator_descriptor *op = op_of(h, l);
  const int modulus = op->parity ? 2 : op->modulus[d];
  return h->problem->options.smoother == GMG_SMOOTH_GSRB && h->axis[l][d].kind[0] == GMG_PERIODIC
    && modulus > 0 && h->cells[l][d] % modulus;
}

/* How far the kernels between two visits of other levels reach: interpolation, sweeps, residual. On
 * the finest level, the sweeps of a cycle and those of the next are between two such visits. */
static int whole_reach(const struct gmg_hierarchy *h, int l)
{
  const struct gmg_problem *p = h->problem;
  const struct gmg_operator_descriptor *op = op_of(h, l);
  const int steps = p->options.smoother == GMG_SMOOTH_GSRB ? op->colours
    : p->options.smoother == GMG_SMOOTH_CHEBYSHEV          ? p->options.degree
                                                           : 1;
  const int times = gmg_relaxation_times(h, l), pre = times * p->options.pre,
            post = times * p->options.post;
  return op->ghost * ((l == 0 ? pre + post : gmg_larger(pre, post)) * steps + 2);
}

/* What the kernels of a pass compute, over the cells, in the thinnest boxes, where the ghosts have
 * that depth. */
static double work(const gmg_solver *s, int l, int depth)
{
  const struct gmg_layout *layout = s->hierarchy.layout[l];
  double work = 1;
  for (int d = 1; d < 3; d++) {
    double most = 1;
    for (int b = 0; b < layout->blocks[d] && has_neighbours(&s->hierarchy, l, d); b++) {
      const int periodic = s->hierarchy.axis[l][d].kind[0] == GMG_PERIODIC;
      const int sides = (periodic || b > 0) + (periodic || b + 1 < layout->blocks[d]);
      most = fmax(most, 1 + 0.5 * sides * depth / (layout->cut[d][b + 1] - layout->cut[d][b]));
    }
    work *= most;
  }
  return work;
}

/* On devices ghosts are swept, too, one layer less by each half-sweep, where ranks are cut along z
 * alone: one exchange does for all sweeps between two visits of other levels, and for what reads u
 * after them. */
static int depth_on_device(const gmg_solver *s, int l)
{
  enum { THICK = 4 };
  const struct gmg_hierarchy *h = &s->hierarchy;
  const struct gmg_options *o = &s->problem.options;
  const struct gmg_operator_descriptor *op = op_of(h, l);
  const struct gmg_layout *layout = h->layout[l];
  const int depth = 2 * gmg_relaxation_times(h, l) * gmg_larger(o->pre, o->post) + 1;
  if (o->passes == GMG_PASSES_NONE || o->smoother != GMG_SMOOTH_GSRB || h->owners || op->ghost != 1
      || !op->parity || op->boundary != GMG_FOLDED_CONDUCTANCES || depth > MOST_DEPTH
      || layout->blocks[0] != 1 || layout->blocks[1] != 1 || layout->blocks[2] < 2
      || layout->count != layout->owners
      || (int64_t)h->cells[l][0] * h->cells[l][1] * h->cells[l][2]
        <= s->placement.options.coarse_cells)
    return 0;
  for (int d = 0; d < 3; d++)
    if (h->axis[l][d].kind[0] == GMG_PERIODIC)
      return 0;
  for (int b = 0; b < layout->blocks[2]; b++)
    if (layout->cut[2][b + 1] - layout->cut[2][b] < THICK * depth)
      return 0;
  return depth;
}

/* Depth, and the reason against passes, whatever they would gain. */
static struct gmg_overlap find_depth(const gmg_solver *s, int l, int across)
{
  const struct gmg_hierarchy *h = &s->hierarchy;
  const struct gmg_problem *p = &s->problem;
  const struct gmg_layout *layout = h->layout[l];
  if (s->placement.device)
    return (struct gmg_overlap){.depth = depth_on_device(s, l),
                                .unfused_reason = "a GPU computes, by passes of its own"};
  if (p->options.passes == GMG_PASSES_NONE)
    return (struct gmg_overlap){.unfused_reason = "passes are turned off"};
  if (layout->blocks[0] > 1)
    return (struct gmg_overlap){.unfused_reason = "its boxes are cut along x"};
  for (int d = 1; d < 3; d++)
    if (colours_meet(h, l, d))
      return (struct gmg_overlap){
        .unfused_reason =
          "cells of one colour meet where it is periodic: an odd number of cells along y or z"};
  if (layout->count > MOST_BOXES)
    return (struct gmg_overlap){.unfused_reason = "it has too many boxes"};
  const int whole = whole_reach(h, l);
  int pieces = 1;
  while (across && pieces < whole) {
    const int depth = (whole + pieces - 1) / pieces;
    if (depth < LEAST_DEPTH * op_of(h, l)->ghost && pieces > 1)
      break;
    if (depth <= MOST_DEPTH && work(s, l, depth) <= MOST_WORK)
      return (struct gmg_overlap){.depth = depth, .may_pass = 1};
    pieces++;
  }
  if (across)
    return (struct gmg_overlap){.unfused_reason =
                                  "its boxes are too thin for ghosts as deep as a pass needs"};
  return (struct gmg_overlap){.may_pass = 1};
}

/* Whether u, f and coefficients of a level stay in the caches of the ranks that have it. */
static int is_near(const gmg_solver *s, int l)
{
  const struct gmg_hierarchy *h = &s->hierarchy;
  const double cells = (double)h->cells[l][0] * h->cells[l][1] * h->cells[l][2],
               owners = h->layout[l]->owners;
  enum { CONSTANT = 3, VARIABLE = 7, LINKED = GMG_LINKS + 1 }; /* the last in single precision */
  const int single = h->precision != GMG_F64, linked = h->owners && l > 0,
            varies =
              s->problem.has[GMG_BETA] || s->problem.has[GMG_BETA_X] || !s->problem.uniform_alpha,
            fields = varies && !linked ? VARIABLE : CONSTANT;
  double bytes = fields * (double)(single ? sizeof(float) : sizeof(double));
  if (linked)
    bytes += LINKED * sizeof(float);
  else if (single && l == 0)
    bytes += 2 * sizeof(double); /* u and f of refinement */
  return cells < LEAST_CELLS * owners || cells * bytes < s->context->cache * owners;
}

static struct gmg_overlap choose(const gmg_solver *s, int l)
{
  const struct gmg_hierarchy *h = &s->hierarchy;
  const int across = has_neighbours(h, l, 1) || has_neighbours(h, l, 2),
            chosen = h->level[l].choice.passes;
  struct gmg_overlap overlap = find_depth(s, l, across);
  if (!overlap.may_pass || s->problem.options.passes != GMG_PASSES_AUTO)
    return overlap;
  if (chosen == GMG_ALONE)
    overlap = (struct gmg_overlap){.unfused_reason = "tuning found that to be faster"};
  else if (!chosen && is_near(s, l))
    overlap = (struct gmg_overlap){.unfused_reason = "it is small enough for the cache"};
  overlap.may_pass = overlap.depth > 0 || !across;
  return overlap;
}

/* How deep interpolation to the ghosts of level l reads those of level l + 1. */
static int coarse_depth(const gmg_solver *s, int l)
{
  const int depth = choose(s, l).depth;
  for (int d = 1; d < 3; d++)
    if (has_neighbours(&s->hierarchy, l, d)
        && s->hierarchy.pairing[l][d].fine != 2 * s->hierarchy.pairing[l][d].coarse)
      return depth;
  return depth > 0 ? depth / 2 + 1 : 0;
}

struct gmg_overlap gmg_overlap_plan(const gmg_solver *s, int l)
{
  struct gmg_overlap overlap = choose(s, l);
  if (l == 0 || s->placement.device || s->hierarchy.staging_layout[l - 1])
    return overlap;
  const int finer = coarse_depth(s, l - 1);
  overlap.depth = gmg_larger(overlap.depth, finer);
  return overlap;
}

static int bind_level(struct gmg_level *level)
{
  const int names[GMG_DEEP] = {[GMG_DEEP_U] = GMG_NAME_U, [GMG_DEEP_F] = GMG_NAME_F};
  if (!level || level->storage->overlap == 0 || !level->overlap || level->deep[0].exchange)
    return 0;
  const struct gmg_move move = {.exchange = level->overlap, .stat = gmg_exchange_stat(level)};
  level->share_moves = gmg_calloc((size_t)level->arrays + 1, sizeof *level->share_moves);
  if (!level->share_moves)
    return -1;
  for (int n = 0; n < level->arrays; n++) {
    struct gmg_level_array *array = level->array[n];
    if (array->kind != GMG_FIELD || !array->coefficient)
      continue;
    struct gmg_move *to = &level->share_moves[level->shares++];
    *to = move;
    to->from = to->to = array;
  }
  for (int n = 0; n < GMG_DEEP; n++) {
    level->deep[n] = move;
    level->deep[n].from = level->deep[n].to = gmg_level_find(level, names[n]);
  }
  return 0;
}

gmg_status gmg_overlap_bind(gmg_solver *s)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  int failed = 0;
  for (int l = 0; l < h->levels && s->placement.device && !failed; l++)
    failed =
      bind_level(h->level[l].level) || (h->other.level && bind_level(h->other.level[l].level));
  if (!failed && s->placement.device)
    failed = bind_level(h->finest);
  return gmg_agree(s->context,
                   failed ? gmg_no_memory(s->context, "for the ghosts of levels") : GMG_OK);
}

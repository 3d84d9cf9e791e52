#include "plan.h"

#include "mesh/merge.h"

#include "blocks.h"
#include "system/memory.h"

#include <string.h>

/* The axes of a level, while levels are planned. */
struct walk {
  struct gmg_axis axis[3];
  int owned; /* 1: the widths are the walk's own */
};

static int64_t count_cells(const struct gmg_axis axis[3])
{
  return (int64_t)axis[0].cells * axis[1].cells * axis[2].cells;
}

static void move_on(struct walk *walk, struct gmg_axis coarse[3])
{
  for (int d = 0; d < 3; d++) {
    if (walk->owned)
      gmg_axis_clear(&walk->axis[d]);
    walk->axis[d] = coarse[d];
  }
  walk->owned = 1;
}

static void end_walk(struct walk *walk)
{
  for (int d = 0; d < 3 && walk->owned; d++)
    gmg_axis_clear(&walk->axis[d]);
}

static struct gmg_owner_step *add_step(struct gmg_owner_plan *plan, const struct gmg_axis axis[3])
{
  const size_t steps = (size_t)plan->steps + 1;
  struct gmg_owner_step *step = gmg_realloc(plan->step, steps * sizeof *step);
  if (!step)
    return NULL;
  plan->step = step;
  step = &plan->step[plan->steps++];
  memset(step, 0, sizeof *step);
  for (int d = 0; d < 3; d++)
    step->fine_cells[d] = axis[d].cells;
  return step;
}

/* Elects the owners of a level's cells, from `seen`, and sums up the next level's operator. Returns
 * -1 out of memory. */
static int fill_step(struct gmg_owner_step *step, const struct gmg_links *links,
                     const struct gmg_links *seen, const struct gmg_pairing pairing[3],
                     const struct gmg_reach *reach, int threads)
{
  struct gmg_blocks blocks;
  for (int d = 0; d < 3; d++) {
    blocks.cells[d] = pairing[d].coarse;
    blocks.periodic[d] = links->periodic[d];
    blocks.parent[d] = pairing[d].parent;
    blocks.first[d] = pairing[d].lo;
    blocks.last[d] = pairing[d].hi;
  }
  step->owner = gmg_malloc(gmg_links_count(links));
  if (!step->owner || gmg_links_allocate(&step->coarse, 1)
      || gmg_elect_owners(seen, &blocks, threads, step->owner, &step->election))
    return -1;
  gmg_links_coarsen(links, &blocks, reach, step->owner, threads, &step->coarse);
  return 0;
}

/* As fill_step, between a level and the next coarser one of these axes. */
static int take_owners(struct gmg_owner_step *step, const struct gmg_links *links,
                       const struct gmg_axis fine[3], const struct gmg_axis coarse[3],
                       const struct gmg_pairing pairing[3], const struct gmg_owner_plan *plan,
                       int threads)
{
  struct gmg_links equal;
  struct gmg_reach reach;
  if (gmg_reach_find(fine, coarse, pairing, &step->pairs, plan->stretched, &reach))
    return -1;
  int failed = plan->stretched && gmg_links_equalise(links, fine, threads, &equal);
  failed =
    failed || fill_step(step, links, plan->stretched ? &equal : links, pairing, &reach, threads);
  if (plan->stretched)
    gmg_links_clear(&equal);
  gmg_reach_clear(&reach);
  return failed ? -1 : 0;
}

/* One level more. `finest`: the operator of the finest level, or NULL. Returns 1, 0 where nothing
 * is left to coarsen, or -1 out of memory. */
static int take_step(struct gmg_owner_plan *plan, struct walk *walk, const struct gmg_links *finest,
                     const struct gmg_owner_plan *fixed, int threads)
{
  struct gmg_axis coarse[3];
  struct gmg_pairing pairing[3];
  struct gmg_owner_step *step = add_step(plan, walk->axis);
  if (!step)
    return -1;
  const int level = plan->steps - 1;
  const struct gmg_links *links = finest && level > 0 ? &step[-1].coarse : finest;
  if (fixed)
    step->pairs = fixed->step[level].pairs;
  else if (!links)
    gmg_links_expect_pairs(walk->axis, level, plan->merge, &step->pairs);
  else if (gmg_links_pairs(links, walk->axis, level, plan->merge, threads, &step->pairs))
    return -1;
  if (count_cells(walk->axis) == 1) {
    plan->steps--;
    return 0;
  }
  if (gmg_coarsen_up_to(walk->axis, level, step->pairs.width, coarse, pairing))
    return -1;
  for (int d = 0; d < 3; d++) {
    step->coarse.cells[d] = coarse[d].cells;
    step->coarse.periodic[d] = coarse[d].kind[0] == GMG_PERIODIC;
  }
  const int failed = links && take_owners(step, links, walk->axis, coarse, pairing, plan, threads);
  for (int d = 0; d < 3; d++)
    gmg_pairing_clear(&pairing[d]);
  move_on(walk, coarse);
  return failed ? -1 : 1;
}

static struct gmg_owner_plan *make(struct gmg_links *finest, const struct gmg_axis axis[3],
                                   int64_t least, const struct gmg_owner_plan *fixed, int threads)
{
  struct gmg_owner_plan *plan = gmg_calloc(1, sizeof *plan);
  if (plan)
    plan->stretched = gmg_axes_stretched(axis);
  struct walk walk = {.axis = {axis[0], axis[1], axis[2]}};
  int more = plan && !gmg_links_merge_width(axis, &plan->merge) ? 1 : -1;
  while (more > 0 && count_cells(walk.axis) > least && (!fixed || plan->steps < fixed->steps)) {
    more = take_step(plan, &walk, finest, fixed, threads);
    if (finest && plan->steps == 1)
      gmg_links_clear(finest);
  }
  end_walk(&walk);
  if (more < 0)
    gmg_owners_destroy(&plan);
  return plan;
}

struct gmg_owner_plan *gmg_owners_plan(struct gmg_links *finest, const struct gmg_axis axis[3],
                                       int64_t least, const struct gmg_owner_plan *fixed,
                                       int threads)
{
  struct gmg_owner_plan *plan = make(finest, axis, least, fixed, threads);
  gmg_links_clear(finest);
  return plan;
}

struct gmg_owner_plan *gmg_owners_expect(const struct gmg_axis axis[3], int64_t least,
                                         const struct gmg_owner_plan *fixed)
{
  return make(NULL, axis, least, fixed, 1);
}

void gmg_owners_forget_step(struct gmg_owner_step *step)
{
  gmg_free(step->owner);
  step->owner = NULL;
  gmg_links_clear(&step->coarse);
}

void gmg_owners_destroy(struct gmg_owner_plan **plan)
{
  if (!plan || !*plan)
    return;
  for (int n = 0; n < (*plan)->steps; n++)
    gmg_owners_forget_step(&(*plan)->step[n]);
  gmg_free((*plan)->step);
  gmg_free(*plan);
  *plan = NULL;
}

#include "walls.h"

#include "mesh/exchange_plan.h"

enum { MOST_FACTORS = 6 }; /* one for each face of the domain */

/* Ghosts beyond a wall from the layer that they mirror. */
static struct gmg_device_block block_of_wall(const struct gmg_exchange *e,
                                             const struct gmg_wall *wall)
{
  const struct gmg_storage *storage = e->to;
  const struct gmg_box *box = &storage->layout->box[storage->layout->local[wall->box]];
  const int around = e->shape == GMG_FULL ? e->depth[0] : 0;
  int first[3], mirror[3];
  struct gmg_device_block block = {.to_box = wall->box, .from_box = wall->box};
  for (int d = 0; d < 3; d++) {
    first[d] = mirror[d] = -around;
    block.extent[d] = box->upper[d] - box->lower[d] + 2 * around;
  }
  first[wall->axis] = wall->ghost;
  mirror[wall->axis] = wall->mirror;
  block.extent[wall->axis] = 1;
  block.to_i = first[0];
  block.from_i = mirror[0];
  block.to = block.from = storage->origin[wall->box];
  for (int d = 1; d < 3; d++) {
    block.to += first[d] * storage->stride[wall->box][d - 1];
    block.from += mirror[d] * storage->stride[wall->box][d - 1];
  }
  return block;
}

static int is_empty(const struct gmg_device_block *block)
{
  return block->extent[0] <= 0 || block->extent[1] <= 0 || block->extent[2] <= 0;
}

/* How many layers of ghosts lie between a wall's and the cells. */
static int layer_of(const struct gmg_exchange *e, const struct gmg_wall *wall)
{
  const struct gmg_layout *layout = e->to->layout;
  const int ghost = layout->box[layout->local[wall->box]].lower[wall->axis] + wall->ghost;
  return ghost < 0 ? -1 - ghost : ghost - layout->cells[wall->axis];
}

/* Walls that one launch fills: of a layer, a factor and one way to store rows; where edges and
 * corners are filled, too, of one axis, as the next one reads what they have filled. */
struct wall_set {
  int axis, layer, split; /* axis: 3 for all */
  double factor;
};

static int is_in_set(const struct gmg_exchange *e, const struct gmg_wall *wall,
                     const struct wall_set *set)
{
  return (set->axis == 3 || wall->axis == set->axis) && layer_of(e, wall) == set->layer
    && (gmg_block_odd(e->to, wall->box) != 0) == set->split && wall->factor == set->factor;
}

static int add_wall_set(struct gmg_device *device, struct gmg_level *level,
                        struct gmg_prepared_move *move, const struct wall_set *set, void *to,
                        struct gmg_block_tables *tables)
{
  const struct gmg_exchange *e = move->exchange;
  struct gmg_prepared *step = NULL;
  int count = 0;
  for (int w = 0; w < e->walls; w++)
    count += is_in_set(e, &e->wall[w], set);
  for (int w = 0; w < e->walls; w++) {
    const struct gmg_device_block block = block_of_wall(e, &e->wall[w]);
    if (!is_in_set(e, &e->wall[w], set) || is_empty(&block))
      continue;
    if (!step)
      step = gmg_block_step(device, level, gmg_block_mover(e, block.to_box), count, set->factor);
    if (!step)
      return -1;
    gmg_block_add(step, e, &block, to, to, tables);
  }
  if (step)
    move->step[move->steps++] = step;
  return 0;
}

/* The different factors of all walls. */
static int list_factors(const struct gmg_exchange *e, double factor[MOST_FACTORS])
{
  int count = 0;
  for (int w = 0; w < e->walls; w++) {
    int known = 0;
    while (known < count && factor[known] != e->wall[w].factor)
      known++;
    if (known == count)
      factor[count++] = e->wall[w].factor;
  }
  return count;
}

/* Layers from the cells on: a thin box mirrors those that are filled already. */
int gmg_walls_add(struct gmg_device *device, struct gmg_level *level,
                  struct gmg_prepared_move *move, void *to, struct gmg_block_tables *tables)
{
  const struct gmg_exchange *e = move->exchange;
  double factor[MOST_FACTORS];
  const int factors = list_factors(e, factor), apart = e->shape == GMG_FULL;
  for (int axis = apart ? 0 : 3; factors > 0 && axis < (apart ? 3 : 4); axis++)
    for (int layer = 0; layer < e->depth[0]; layer++)
      for (int n = 0; n < 2 * factors; n++) {
        const struct wall_set set = {axis, layer, n % 2, factor[n / 2]};
        if (add_wall_set(device, level, move, &set, to, tables))
          return -1;
      }
  return 0;
}

size_t gmg_walls_most(const struct gmg_exchange *e)
{
  return 3 * (size_t)e->depth[0] * 2 * MOST_FACTORS;
}

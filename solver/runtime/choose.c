/* How a call's cells are cut up among threads: when it is bound, and when its level's choice
 * changes.
 */
#include "bind.h"

#include "tiles.h"

int gmg_call_cut(struct gmg_call *call)
{
  struct gmg_level *level = call->level;
  const struct gmg_tile_shape shape = {level->choice.tile_rows, level->choice.tile_planes};
  const struct gmg_tiles *tiles =
    gmg_tiles_find(&level->tiles, level->box, level->layout->local_count, call->kernel->extra,
                   level->threads, shape);
  if (!tiles)
    return -1;
  call->args.tiles = tiles->count;
  call->args.tile = tiles->tile;
  call->args.threads = level->threads;
  return 0;
}

int gmg_level_choose(struct gmg_level *level, const struct gmg_choice *choice)
{
  gmg_call_wait(level->context);
  level->choice = *choice;
  level->threads = gmg_level_threads(level);
  int failed = 0;
  for (int n = 0; n < level->calls; n++)
    failed |= gmg_call_cut(level->call[n]);
  return failed ? -1 : 0;
}

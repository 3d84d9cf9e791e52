#include "blocks.h"

#include <stdlib.h>

int gmg_step_between(const struct gmg_blocks *blocks, const int from[3], const int to[3],
                     int step[3])
{
  int near = 1;
  for (int d = 0; d < 3; d++) {
    const int cells = blocks->cells[d];
    step[d] = to[d] - from[d];
    if (blocks->periodic[d] && cells > 1 && abs(step[d]) > 1 && abs(step[d]) == cells - 1)
      step[d] = step[d] > 0 ? -1 : 1;
    near &= abs(step[d]) <= 1;
  }
  return near;
}

int gmg_block_near(const struct gmg_blocks *blocks, const int from[3], const int to[3])
{
  int step[3];
  return gmg_step_between(blocks, from, to, step);
}

void gmg_block_owner(const struct gmg_blocks *blocks, const int cell[3], int code, int owner[3])
{
  for (int d = 0; d < 3; d++) {
    const int cells = blocks->cells[d], step = code >> d & 1 ? gmg_side_of(blocks, cell, d) : 0;
    const int at = blocks->parent[d][cell[d]] + step;
    owner[d] = at < 0 ? cells - 1 : at < cells ? at : 0;
  }
}

int gmg_owner_code(const struct gmg_blocks *blocks, const int cell[3], const int step[3])
{
  int code = 0;
  for (int d = 0; d < 3; d++) {
    if (!step[d])
      continue;
    /* of two blocks around a periodic axis each is on both sides of the other */
    const int either = blocks->periodic[d] && blocks->cells[d] == 2,
              side = gmg_side_of(blocks, cell, d);
    if (!side || (side != step[d] && !either))
      return -1;
    code |= 1 << d;
  }
  return code;
}

#include "random_layout.h"

#include <stdlib.h>

unsigned next_random(unsigned *state)
{
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

struct gmg_layout *random_layout(const struct gmg_comm *comm, const int cells[3], int most,
                                 unsigned *seed)
{
  int blocks[3], *cut[3];
  for (int d = 0; d < 3; d++) {
    const int limit = cells[d] < most ? cells[d] : most;
    blocks[d] = 1 + (int)(next_random(seed) % (unsigned)limit);
    cut[d] = malloc(((size_t)blocks[d] + 1) * sizeof *cut[d]);
    if (!cut[d])
      abort();
    cut[d][0] = 0;
    for (int b = 1; b <= blocks[d]; b++) { /* leaves a cell for each block after it */
      const int room = cells[d] - (blocks[d] - b) - cut[d][b - 1];
      cut[d][b] =
        b == blocks[d] ? cells[d] : cut[d][b - 1] + 1 + (int)(next_random(seed) % (unsigned)room);
      cut[d][b] = cut[d][b] > cells[d] - (blocks[d] - b) ? cells[d] - (blocks[d] - b) : cut[d][b];
    }
  }
  const int count = blocks[0] * blocks[1] * blocks[2];
  int *owner = malloc((size_t)count * sizeof *owner);
  if (!owner)
    abort();
  for (int b = 0; b < count; b++)
    owner[b] = (int)(next_random(seed) % (unsigned)comm->ranks);
  struct gmg_layout *layout = gmg_layout_tensor(cells, blocks, cut, comm->rank, comm->ranks, owner);
  free(owner);
  for (int d = 0; d < 3; d++)
    free(cut[d]);
  return layout;
}

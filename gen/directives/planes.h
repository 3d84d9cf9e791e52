/* Loops that fill ghosts: the rules that their assignments follow. */
#ifndef GEN_PLANES_H
#define GEN_PLANES_H

#include "translation.h"

enum { GEN_MAX_PLANES = 48 };

/* One assignment: the layer-th ghosts (0: next to the cells) of an array beyond a wall. */
struct gen_plane {
  int data, d, side, layer;
  struct gen_wall_rule rule;
  int beyond[GEN_MOST_SPACE]; /* how far the loops go on over ghosts of the other directions */
  struct gen_location where;
};

struct gen_planes {
  int count;
  struct gen_plane plane[GEN_MAX_PLANES];
};

/* Reads a nest that fills ghosts; rejects what is no mirror, value or periodic image of cells. */
bool gen_read_planes(struct gen_translation *translation, const struct gen_nest *nest,
                     struct gen_planes *planes);

#endif

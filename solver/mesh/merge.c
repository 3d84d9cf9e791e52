#include "merge.h"

#include <math.h>

int gmg_axes_stretched(const struct gmg_axis axis[3])
{
  const double about_equal = 2;
  int stretched = 0;
  for (int d = 0; d < 3; d++) {
    double least = INFINITY, most = 0;
    for (int i = 0; i < axis[d].cells; i++) {
      least = fmin(least, axis[d].width[i]);
      most = fmax(most, axis[d].width[i]);
    }
    stretched |= most > about_equal * least;
  }
  return stretched;
}

/* The cells of all levels, if pairs up to so many times the least one merge. 0 out of memory. */
static double cells_of_levels(const struct gmg_axis finest[3], double merge)
{
  struct gmg_axis axis[3] = {finest[0], finest[1], finest[2]};
  double cells = 0;
  for (int level = 0, more = 1; more > 0; level++) {
    struct gmg_axis coarse[3];
    struct gmg_pairing pairing[3];
    cells += (double)axis[0].cells * axis[1].cells * axis[2].cells;
    more = gmg_coarsen(axis, level, merge, coarse, pairing);
    cells = more < 0 ? 0 : cells;
    for (int d = 0; d < 3; d++) {
      if (level > 0)
        gmg_axis_clear(&axis[d]);
      gmg_pairing_clear(&pairing[d]);
      axis[d] = coarse[d];
    }
  }
  return cells;
}

int gmg_merge_width(const struct gmg_axis axis[3], double *merge)
{
  const double many_more = 1.3;
  *merge = GMG_MERGE_WIDTH;
  if (!gmg_axes_stretched(axis))
    return 0;
  const double usual = cells_of_levels(axis, GMG_MERGE_WIDTH),
               stretched = cells_of_levels(axis, GMG_STRETCHED_MERGE_WIDTH);
  if (usual > many_more * stretched)
    *merge = GMG_STRETCHED_MERGE_WIDTH;
  return usual > 0 && stretched > 0 ? 0 : -1;
}

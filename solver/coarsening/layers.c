#include "layers.h"

#include <math.h>

/* Measured on layers of 1 to 16 cells, 64³ to 256³, ratios 10 to 1e6 (docs/performance/owners.md):
 * those of at most six cells gain, thicker ones lose a fifth; two levels that leave the direction
 * across alone suffice, however large the ratio is. */
#define THIN 0.15   /* of the pairs across, as many are steps at least */
#define FEW 0.125   /* steps along, of those across, at most */
#define ACROSS 0.05 /* the strength across */

void gmg_layers_strength(const struct gmg_coarsening_look *look, double strength[3])
{
  const double *part = look->part, most = fmax(part[0], fmax(part[1], part[2]));
  int along = 0, between = 0;
  for (int d = 0; d < 3; d++) {
    along += part[d] <= FEW * most;
    between += part[d] > FEW * most && 2 * part[d] < most;
  }
  for (int d = 0; d < 3; d++)
    if (look->many && most >= THIN && along && !between && part[d] > FEW * most)
      strength[d] *= ACROSS;
}

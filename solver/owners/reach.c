/* How far couplings of coarse cells reach, beside those of the finer ones that they are sums of. */
#include "coarse_links.h"

#include "system/memory.h"

/* Where a coupling reaches 1/part times as far. Twice as far: GMG_COARSE_FACTOR. */
static double factor_of(double part)
{
  return 1 - 2 * (1 - GMG_COARSE_FACTOR) * (1 - part);
}

/* Of an axis whose cells differ in width. */
static void measure_axis(const struct gmg_axis *fine, const struct gmg_axis *coarse,
                         const struct gmg_pairing *pairing, double *between, double wall[2])
{
  const int blocks = coarse->cells, last = fine->cells - 1;
  for (int b = 0; b < blocks; b++) {
    const int next = b + 1 < blocks ? b + 1 : 0;
    const double near = fine->width[pairing->hi[b]] + fine->width[pairing->lo[next]];
    between[b] = factor_of(near / (coarse->width[b] + coarse->width[next]));
  }
  wall[0] = factor_of(fine->width[0] / coarse->width[0]);
  wall[1] = factor_of(fine->width[last] / coarse->width[blocks - 1]);
}

int gmg_reach_find(const struct gmg_axis fine[3], const struct gmg_axis coarse[3],
                   const struct gmg_pairing pairing[3], const struct gmg_pairs *pairs,
                   int stretched, struct gmg_reach *reach)
{
  int failed = 0;
  for (int d = 0; d < 3; d++)
    failed |= !(reach->between[d] = gmg_malloc((size_t)coarse[d].cells * sizeof(double)));
  for (int d = 0; d < 3 && !failed; d++) {
    const double factor = pairs->width[d] > 0 ? GMG_COARSE_FACTOR : 1;
    for (int b = 0; b < coarse[d].cells; b++)
      reach->between[d][b] = factor;
    reach->wall[d][0] = reach->wall[d][1] = factor;
    if (stretched)
      measure_axis(&fine[d], &coarse[d], &pairing[d], reach->between[d], reach->wall[d]);
  }
  if (failed)
    gmg_reach_clear(reach);
  return failed ? -1 : 0;
}

void gmg_reach_clear(struct gmg_reach *reach)
{
  for (int d = 0; d < 3; d++) {
    gmg_free(reach->between[d]);
    reach->between[d] = NULL;
  }
}

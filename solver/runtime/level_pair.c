#include "level_pair.h"

#include "line.h"
#include "system/memory.h"

#include <string.h>

/* The lines of the transfers along one axis. On the coarse side: low and high, 1 or 0, for sums of
 * integrals, share_low and share_high, fractions of the width, for averages of densities; scale,
 * from the sum of fine conductances to the coarse one. On the fine side: own and other, the weights
 * of linear interpolation. */
static gmg_status pair_lines(struct gmg_level *fine, struct gmg_level *coarse, int d,
                             const struct gmg_pairing *p)
{
  const int longest = p->fine + 1 + 2 * GMG_LINE_PAD;
  double *values = gmg_calloc(5 * (size_t)longest, sizeof *values);
  if (!values)
    return gmg_no_memory(fine->context, "for the transfers of level %d", fine->index);
  double *line[5];
  for (int n = 0; n < 5; n++)
    line[n] = values + n * longest + GMG_LINE_PAD;
  const double *fine_g = gmg_level_named(fine, "g", d)->data,
               *coarse_g = gmg_level_named(coarse, "g", d)->data;
  for (int c = 0; c < p->coarse; c++) {
    const int pair = p->hi[c] != p->lo[c];
    const double width = coarse->axis[d].width[c];
    line[0][c] = 1.0;
    line[1][c] = pair;
    line[2][c] = fine->axis[d].width[p->lo[c]] / width;
    line[3][c] = pair ? fine->axis[d].width[p->hi[c]] / width : 0.0;
  }
  for (int c = 0; c <= p->coarse; c++) {
    const double on_face = fine_g[c < p->coarse ? p->lo[c] : p->fine];
    line[4][c] = on_face > 0 ? coarse_g[c] / on_face : 0.0;
  }
  const char *const coarse_stem[5] = {"low", "high", "share_low", "share_high", "scale"};
  gmg_status status = GMG_OK;
  for (int n = 0; n < 5 && !status; n++)
    status = gmg_level_line(coarse, coarse_stem[n], d, values + n * longest);
  memset(values, 0, 5 * (size_t)longest * sizeof *values);
  memcpy(line[0], p->own, (size_t)p->fine * sizeof *values);
  memcpy(line[1], p->other, (size_t)p->fine * sizeof *values);
  for (int n = 0; n < 2; n++)
    gmg_level_continue(fine, d, line[n]);
  for (int n = 0; n < 2 && !status; n++)
    status = gmg_level_line(fine, n ? "other" : "own", d, values + n * longest);
  gmg_free(values);
  return status;
}

gmg_status gmg_level_pair(struct gmg_level *fine, struct gmg_level *coarse,
                          const struct gmg_pairing pairing[3])
{
  for (int d = 0; d < 3; d++) {
    const struct gmg_pairing *p = &pairing[d];
    int *at = gmg_malloc(((size_t)p->coarse + 1) * sizeof *at);
    if (!at)
      return gmg_no_memory(fine->context, "for the transfers of level %d", fine->index);
    for (int c = 0; c < p->coarse; c++)
      at[c] = p->lo[c];
    at[p->coarse] = p->fine;
    gmg_status status = gmg_level_table(coarse, fine, "lo", d, p->lo, p->coarse);
    if (!status)
      status = gmg_level_table(coarse, fine, "hi", d, p->hi, p->coarse);
    if (!status)
      status = gmg_level_table(coarse, fine, "at", d, at, p->coarse + 1);
    if (!status)
      status = gmg_level_table(fine, coarse, "parent", d, p->parent, p->fine);
    if (!status)
      status = gmg_level_table(fine, coarse, "near", d, p->near, p->fine);
    if (!status)
      status = pair_lines(fine, coarse, d, p);
    gmg_free(at);
    if (status)
      return status;
  }
  return GMG_OK;
}

gmg_status gmg_level_pair_around(struct gmg_level *fine, struct gmg_level *coarse,
                                 const struct gmg_pairing *pairing)
{
  int *at = gmg_malloc((size_t)pairing->coarse * sizeof *at);
  if (!at)
    return gmg_no_memory(fine->context, "for the transfers of level %d", fine->index);
  for (int c = 0; c < pairing->coarse; c++)
    at[c] = pairing->lo[c] - 1;
  gmg_status status = gmg_level_table(coarse, fine, "before", 0, at, pairing->coarse);
  for (int c = 0; c < pairing->coarse; c++)
    at[c] = pairing->hi[c] + 1;
  if (!status)
    status = gmg_level_table(coarse, fine, "after", 0, at, pairing->coarse);
  gmg_free(at);
  return status;
}

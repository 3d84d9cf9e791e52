#include <math.h>

#include "stencil.h"

/* 1 where a cell's owner is the one with that code, 0 elsewhere, as a hat function, which compilers
 * compute for several cells at once. The codes are 0 to 7: bit 0 is set where the owner is not the
 * coarse cell that covers the cell but the next one on its side along i, bits 1 and 2 likewise
 * along j and k. */
#define IS(owner, code) \
  (0.5 * (fabs((owner) - ((code)-1)) + fabs((owner) - ((code) + 1))) - fabs((owner) - (code)))

#define OWN(code) IS(owner[box][k][j][i], code)

/* Interpolation of the correction with the increment: each fine cell takes s times the value of the
 * coarse cell that owns it. parent is the coarse cell that covers it, near the next one on its
 * side. */
GMG_KERNEL
void interpolate_owned(int boxes, int nk, int nj, int ni, int mk, int mj, int mi, double s,
                       double fine[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                       const double owner[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                       const double coarse[boxes][mk + 2][mj + 2][mi + 2] COARSE_CELL(1),
                       const int parent_i[ni + 2] PARENT_I(1), const int near_i[ni + 2] BESIDE_I(1),
                       const int parent_j[nj + 2] TABLE_J(1, 0),
                       const int near_j[nj + 2] TABLE_J(1, 1),
                       const int parent_k[nk + 2] TABLE_K(1, 0),
                       const int near_k[nk + 2] TABLE_K(1, 1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          fine[box][k][j][i] += OWN(0) * (s * coarse[box][parent_k[k]][parent_j[j]][parent_i[i]])
            + OWN(1) * (s * coarse[box][parent_k[k]][parent_j[j]][near_i[i]])
            + OWN(2) * (s * coarse[box][parent_k[k]][near_j[j]][parent_i[i]])
            + OWN(3) * (s * coarse[box][parent_k[k]][near_j[j]][near_i[i]])
            + OWN(4) * (s * coarse[box][near_k[k]][parent_j[j]][parent_i[i]])
            + OWN(5) * (s * coarse[box][near_k[k]][parent_j[j]][near_i[i]])
            + OWN(6) * (s * coarse[box][near_k[k]][near_j[j]][parent_i[i]])
            + OWN(7) * (s * coarse[box][near_k[k]][near_j[j]][near_i[i]]);
}

/* The fine cell at a place, where the owner has that code. */
#define FINE(fk, fj, fi, code) (IS(owner[box][fk][fj][fi], code) * fine[box][fk][fj][fi])
/* The four fine cells, or three, that a coarse one may own in a row along j of plane fk. */
#define ROW(fk, fi, code) \
  (FINE(fk, lo_j[j] - 1, fi, code + 2) + FINE(fk, lo_j[j], fi, code) \
   + high_j[j] * FINE(fk, hi_j[j], fi, code) + FINE(fk, hi_j[j] + 1, fi, code + 2))
/* The fine cells of a plane: before, lo, hi and after are the places along i. */
#define PLANE(fk, code) \
  (ROW(fk, before_i[i], code + 1) + ROW(fk, lo_i[i], code) + high_i[i] * ROW(fk, hi_i[i], code) \
   + ROW(fk, after_i[i], code + 1))

/* Restriction of integrated residuals, the transpose of interpolate_owned: each coarse cell takes
 * the sum of the fine cells that it owns. lo and hi are the fine cells that it covers (equal where
 * there is one, then high is 0), before and after those next to them. */
GMG_KERNEL
void restrict_owned(int boxes, int nk, int nj, int ni, int mk, int mj, int mi,
                    double coarse[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                    const double fine[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
                    const double owner[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
                    const int lo_i[ni + 2] EVEN_CHILD_I(1), const int hi_i[ni + 2] ODD_CHILD_I(1),
                    const int before_i[ni + 2] TABLE_I(1, 1),
                    const int after_i[ni + 2] TABLE_I(1, 1), const int lo_j[nj + 2] TABLE_J(1, 0),
                    const int hi_j[nj + 2] TABLE_J(1, 0), const int lo_k[nk + 2] TABLE_K(1, 0),
                    const int hi_k[nk + 2] TABLE_K(1, 0), const double high_i[ni + 2] LINE_I(1),
                    const double high_j[nj + 2] LINE_J(1), const double high_k[nk + 2] LINE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          coarse[box][k][j][i] = PLANE(lo_k[k] - 1, 4) + PLANE(lo_k[k], 0)
            + high_k[k] * PLANE(hi_k[k], 0) + PLANE(hi_k[k] + 1, 4);
}

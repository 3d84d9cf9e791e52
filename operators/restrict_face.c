#include "stencil.h"

/* Face-average restriction of conductances, faces normal to i: a coarse face takes the sum of the
 * one to four fine faces that lie in it, scaled by l / L, the distances of centres across the fine
 * and the coarse face (so that β itself is averaged). at is the fine face on the coarse one; a
 * second fine face counts only where high is 1. */
GMG_KERNEL
void restrict_face_i(int boxes, int nk, int nj, int ni, int mk, int mj, int mi,
                     double coarse[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_I(1),
                     const double fine[boxes][mk + 2][mj + 2][mi + 2] FINE_FACE_I(1),
                     const int at_i[ni + 2] TABLE_I(1, 1), const int lo_k[nk + 2] TABLE_K(1, 0),
                     const int hi_k[nk + 2] TABLE_K(1, 0), const int lo_j[nj + 2] TABLE_J(1, 0),
                     const int hi_j[nj + 2] TABLE_J(1, 0),
                     const double scale_i[ni + 2] LINE_FACE_I(1),
                     const double high_k[nk + 2] LINE_K(1), const double high_j[nj + 2] LINE_J(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni + 1; i++)
          coarse[box][k][j][i] = scale_i[i]
            * (fine[box][lo_k[k]][lo_j[j]][at_i[i]]
               + high_j[j] * fine[box][lo_k[k]][hi_j[j]][at_i[i]]
               + high_k[k]
                 * (fine[box][hi_k[k]][lo_j[j]][at_i[i]]
                    + high_j[j] * fine[box][hi_k[k]][hi_j[j]][at_i[i]]));
}

/* Face-average restriction of conductances, faces normal to j: a coarse face takes the sum of the
 * one to four fine faces that lie in it, scaled by l / L, the distances of centres across the fine
 * and the coarse face (so that β itself is averaged). at is the fine face on the coarse one; a
 * second fine face counts only where high is 1. */
GMG_KERNEL
void restrict_face_j(int boxes, int nk, int nj, int ni, int mk, int mj, int mi,
                     double coarse[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_J(1),
                     const double fine[boxes][mk + 2][mj + 2][mi + 2] FINE_FACE_J(1),
                     const int at_j[nj + 2] TABLE_J(1, 1), const int lo_k[nk + 2] TABLE_K(1, 0),
                     const int hi_k[nk + 2] TABLE_K(1, 0), const int lo_i[ni + 2] EVEN_CHILD_I(1),
                     const int hi_i[ni + 2] ODD_CHILD_I(1),
                     const double scale_j[nj + 2] LINE_FACE_J(1),
                     const double high_k[nk + 2] LINE_K(1), const double high_i[ni + 2] LINE_I(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj + 1; j++)
        for (int i = 1; i <= ni; i++)
          coarse[box][k][j][i] = scale_j[j]
            * (fine[box][lo_k[k]][at_j[j]][lo_i[i]]
               + high_i[i] * fine[box][lo_k[k]][at_j[j]][hi_i[i]]
               + high_k[k]
                 * (fine[box][hi_k[k]][at_j[j]][lo_i[i]]
                    + high_i[i] * fine[box][hi_k[k]][at_j[j]][hi_i[i]]));
}

/* Face-average restriction of conductances, faces normal to k: a coarse face takes the sum of the
 * one to four fine faces that lie in it, scaled by l / L, the distances of centres across the fine
 * and the coarse face (so that β itself is averaged). at is the fine face on the coarse one; a
 * second fine face counts only where high is 1. */
GMG_KERNEL
void restrict_face_k(int boxes, int nk, int nj, int ni, int mk, int mj, int mi,
                     double coarse[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_K(1),
                     const double fine[boxes][mk + 2][mj + 2][mi + 2] FINE_FACE_K(1),
                     const int at_k[nk + 2] TABLE_K(1, 1), const int lo_j[nj + 2] TABLE_J(1, 0),
                     const int hi_j[nj + 2] TABLE_J(1, 0), const int lo_i[ni + 2] EVEN_CHILD_I(1),
                     const int hi_i[ni + 2] ODD_CHILD_I(1),
                     const double scale_k[nk + 2] LINE_FACE_K(1),
                     const double high_j[nj + 2] LINE_J(1), const double high_i[ni + 2] LINE_I(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk + 1; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          coarse[box][k][j][i] = scale_k[k]
            * (fine[box][at_k[k]][lo_j[j]][lo_i[i]]
               + high_i[i] * fine[box][at_k[k]][lo_j[j]][hi_i[i]]
               + high_j[j]
                 * (fine[box][at_k[k]][hi_j[j]][lo_i[i]]
                    + high_i[i] * fine[box][at_k[k]][hi_j[j]][hi_i[i]]));
}

#include "stencil.h"

/* Between the two precisions: `single` is held in float, `wide` and the arithmetic are in double.
 */

/* single = s wide: s, a power of two, keeps it in range */
GMG_KERNEL
void narrow(int boxes, int nk, int nj, int ni, double s,
            double single[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
            const double wide[boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          single[box][k][j][i] = s * wide[box][k][j][i];
}

/* single = s wide, on faces normal to i */
GMG_KERNEL
void narrow_i(int boxes, int nk, int nj, int ni, double s,
              double single[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_I(1),
              const double wide[boxes][nk + 2][nj + 2][ni + 2] FACE_I(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni + 1; i++)
          single[box][k][j][i] = s * wide[box][k][j][i];
}

/* single = s wide, on faces normal to j */
GMG_KERNEL
void narrow_j(int boxes, int nk, int nj, int ni, double s,
              double single[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_J(1),
              const double wide[boxes][nk + 2][nj + 2][ni + 2] FACE_J(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj + 1; j++)
        for (int i = 1; i <= ni; i++)
          single[box][k][j][i] = s * wide[box][k][j][i];
}

/* single = s wide, on faces normal to k */
GMG_KERNEL
void narrow_k(int boxes, int nk, int nj, int ni, double s,
              double single[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_K(1),
              const double wide[boxes][nk + 2][nj + 2][ni + 2] FACE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk + 1; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          single[box][k][j][i] = s * wide[box][k][j][i];
}

/* wide = s single */
GMG_KERNEL
void widen(int boxes, int nk, int nj, int ni, double s,
           const double single[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
           double wide[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          wide[box][k][j][i] = s * single[box][k][j][i];
}

/* wide += s single */
GMG_KERNEL
void add_single(int boxes, int nk, int nj, int ni, double s,
                const double single[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                double wide[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          wide[box][k][j][i] += s * single[box][k][j][i];
}

#include <math.h>

#include "stencil.h"

/* y = c1 y / (|s| + |c2| times the sum over the axes of lambda, averaged by mean along the two
 * other ones): what a solve does to the coefficients of a field in the operator's eigenvectors.
 * Where that is a division by 0, of a constant that nothing fixes, y becomes 0. The sum is to be 1
 * at most. */
GMG_KERNEL
void divide_spectrum(int boxes, int nk, int nj, int ni, double s, double c1, double c2,
                     double y[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                     const double lambda_i[ni + 2] LINE_I(1),
                     const double lambda_j[nj + 2] LINE_J(1),
                     const double lambda_k[nk + 2] LINE_K(1), const double mean_i[ni + 2] LINE_I(1),
                     const double mean_j[nj + 2] LINE_J(1), const double mean_k[nk + 2] LINE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++) {
          double sum = fabs(s)
            + fabs(c2)
              * (lambda_i[i] * mean_j[j] * mean_k[k] + lambda_j[j] * mean_i[i] * mean_k[k]
                 + lambda_k[k] * mean_i[i] * mean_j[j]);
          double size = fmax(sum, 1e-37);
          y[box][k][j][i] = c1 * y[box][k][j][i] * (sum / size) / size;
        }
}

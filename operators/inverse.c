#include <math.h>

#include "stencil.h"

/* The inverse of a level's operator, where the level has at most two cells along each axis: a row
 * for every cell, its columns in eight fields. Column n is that of the cell which is last along i
 * where n has bit 0, along j where it has bit 1, along k where it has bit 2, and else first; where
 * an axis has one cell, columns with its bit are 0. */

/* Unit vectors, one for every column, and the vector of ones. is_last is 0 where an axis has one
 * cell. */
GMG_KERNEL
void unit_vectors(
  int boxes, int nk, int nj, int ni, double unit_0[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
  double unit_1[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
  double unit_2[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
  double unit_3[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
  double unit_4[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
  double unit_5[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
  double unit_6[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
  double unit_7[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
  double ones[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
  const double is_first_i[ni + 2] LINE_I(1), const double is_last_i[ni + 2] LINE_I(1),
  const double is_first_j[nj + 2] LINE_J(1), const double is_last_j[nj + 2] LINE_J(1),
  const double is_first_k[nk + 2] LINE_K(1), const double is_last_k[nk + 2] LINE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++) {
          unit_0[box][k][j][i] = is_first_k[k] * is_first_j[j] * is_first_i[i];
          unit_1[box][k][j][i] = is_first_k[k] * is_first_j[j] * is_last_i[i];
          unit_2[box][k][j][i] = is_first_k[k] * is_last_j[j] * is_first_i[i];
          unit_3[box][k][j][i] = is_first_k[k] * is_last_j[j] * is_last_i[i];
          unit_4[box][k][j][i] = is_last_k[k] * is_first_j[j] * is_first_i[i];
          unit_5[box][k][j][i] = is_last_k[k] * is_first_j[j] * is_last_i[i];
          unit_6[box][k][j][i] = is_last_k[k] * is_last_j[j] * is_first_i[i];
          unit_7[box][k][j][i] = is_last_k[k] * is_last_j[j] * is_last_i[i];
          ones[box][k][j][i] = 1;
        }
}

/* Whether column n of those after the pivot's is still to be eliminated: 1 or 0. */
#define REMAINS(n) fmin(fmax(c1 - (n) + 1, 0), 1)

/* A step of Gauss-Jordan elimination in place of the columns: next is what is known of the inverse
 * after column 0, whose cell is the pivot, and c1 are the columns to eliminate after it. rest is
 * the sum of a row over those that remain. The pivot is that sum without what is beside the
 * diagonal (Grassmann, Taksar and Heyman, "Regenerative analysis and steady state distributions for
 * Markov chains", 1985): no two numbers of different signs are added where those beside the
 * diagonal are negative, so that a small a alpha is not lost in rounding. A cell whose pivot is 0
 * stays 0; so does the last one where s is 0, of a singular problem. */
GMG_KERNEL
void eliminate(int boxes, int nk, int nj, int ni, int mk, int mj, int mi, double s, double c1,
               double next_0[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               double next_1[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               double next_2[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               double next_3[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               double next_4[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               double next_5[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               double next_6[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               double next_7[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               double next_rest[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double now_0[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double now_1[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double now_2[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double now_3[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double now_4[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double now_5[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double now_6[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double now_7[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double rest[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
               const double row_1[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
               const double row_2[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
               const double row_3[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
               const double row_4[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
               const double row_5[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
               const double row_6[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
               const double row_7[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
               const double row_rest[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
               const int pivot_i[ni + 2] TABLE_I(1, 0), const int pivot_j[nj + 2] TABLE_J(1, 0),
               const int pivot_k[nk + 2] TABLE_K(1, 0), const double is_pivot_i[ni + 2] LINE_I(1),
               const double is_pivot_j[nj + 2] LINE_J(1), const double is_pivot_k[nk + 2] LINE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++) {
          double other = 1 - is_pivot_k[k] * is_pivot_j[j] * is_pivot_i[i];
          double row1 = row_1[box][pivot_k[k]][pivot_j[j]][pivot_i[i]];
          double row2 = row_2[box][pivot_k[k]][pivot_j[j]][pivot_i[i]];
          double row3 = row_3[box][pivot_k[k]][pivot_j[j]][pivot_i[i]];
          double row4 = row_4[box][pivot_k[k]][pivot_j[j]][pivot_i[i]];
          double row5 = row_5[box][pivot_k[k]][pivot_j[j]][pivot_i[i]];
          double row6 = row_6[box][pivot_k[k]][pivot_j[j]][pivot_i[i]];
          double row7 = row_7[box][pivot_k[k]][pivot_j[j]][pivot_i[i]];
          double sum = row_rest[box][pivot_k[k]][pivot_j[j]][pivot_i[i]];
          double pivot = sum
            - (REMAINS(1) * row1 + REMAINS(2) * row2 + REMAINS(3) * row3 + REMAINS(4) * row4
               + REMAINS(5) * row5 + REMAINS(6) * row6 + REMAINS(7) * row7);
          double size = fmax(fabs(pivot), 1e-37);
          double inverse = s * (pivot / size / size);
          double share = (other * now_0[box][k][j][i] - (1 - other)) * inverse;
          next_0[box][k][j][i] = -share;
          next_1[box][k][j][i] = other * now_1[box][k][j][i] - share * row1;
          next_2[box][k][j][i] = other * now_2[box][k][j][i] - share * row2;
          next_3[box][k][j][i] = other * now_3[box][k][j][i] - share * row3;
          next_4[box][k][j][i] = other * now_4[box][k][j][i] - share * row4;
          next_5[box][k][j][i] = other * now_5[box][k][j][i] - share * row5;
          next_6[box][k][j][i] = other * now_6[box][k][j][i] - share * row6;
          next_7[box][k][j][i] = other * now_7[box][k][j][i] - share * row7;
          next_rest[box][k][j][i] = rest[box][k][j][i] - share * sum;
        }
}

/* u = A^-1 right */
GMG_KERNEL
void apply_inverse(int boxes, int nk, int nj, int ni, int mk, int mj, int mi,
                   double u[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                   const double inverse_0[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                   const double inverse_1[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                   const double inverse_2[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                   const double inverse_3[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                   const double inverse_4[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                   const double inverse_5[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                   const double inverse_6[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                   const double inverse_7[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                   const double right[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
                   const int first_i[ni + 2] TABLE_I(1, 0), const int last_i[ni + 2] TABLE_I(1, 0),
                   const int first_j[nj + 2] TABLE_J(1, 0), const int last_j[nj + 2] TABLE_J(1, 0),
                   const int first_k[nk + 2] TABLE_K(1, 0), const int last_k[nk + 2] TABLE_K(1, 0))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          u[box][k][j][i] = inverse_0[box][k][j][i] * right[box][first_k[k]][first_j[j]][first_i[i]]
            + inverse_1[box][k][j][i] * right[box][first_k[k]][first_j[j]][last_i[i]]
            + inverse_2[box][k][j][i] * right[box][first_k[k]][last_j[j]][first_i[i]]
            + inverse_3[box][k][j][i] * right[box][first_k[k]][last_j[j]][last_i[i]]
            + inverse_4[box][k][j][i] * right[box][last_k[k]][first_j[j]][first_i[i]]
            + inverse_5[box][k][j][i] * right[box][last_k[k]][first_j[j]][last_i[i]]
            + inverse_6[box][k][j][i] * right[box][last_k[k]][last_j[j]][first_i[i]]
            + inverse_7[box][k][j][i] * right[box][last_k[k]][last_j[j]][last_i[i]];
}

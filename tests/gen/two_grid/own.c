#include "stencil.h"

/* Operators that the solver does not have, each integrated over its cells, with β = 1:
 * nineteen points; second differences averaged in the plane of i and j alone; principal axes at 45
 * degrees to i and j; conductivities 1, 0.6 and 0.3. */
#define U(dk, dj, di) u[box][k + (dk)][j + (dj)][i + (di)]
#define FIELDS \
  int boxes, int nk, int nj, int ni, double b, \
    double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1), \
    const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1), \
    const double alpha[boxes][nk + 2][nj + 2][ni + 2] CELL(1), const double h_i[ni + 2] LINE_I(1), \
    const double h_j[nj + 2] LINE_J(1), const double h_k[nk + 2] LINE_K(1), \
    const double g_i[ni + 2] LINE_FACE_I(1), const double g_j[nj + 2] LINE_FACE_J(1), \
    const double g_k[nk + 2] LINE_FACE_K(1)
#define EVERY_CELL \
  for (int box = 0; box < boxes; box++) \
    for (int k = 1; k <= nk; k++) \
      for (int j = 1; j <= nj; j++) \
        for (int i = 1; i <= ni; i++)
#define SOURCE h_k[k] * h_j[j] * h_i[i] * alpha[box][k][j][i] * u[box][k][j][i]
/* Fluxes through the faces of an axis: of differences of means over planes, or of plain ones. */
#define OUT_I(M) (b * h_k[k] * h_j[j] * (g_i[i + 1] * (M(1) - M(0)) - g_i[i] * (M(0) - M(-1))))
#define OUT_J(M) (b * h_k[k] * h_i[i] * (g_j[j + 1] * (M(1) - M(0)) - g_j[j] * (M(0) - M(-1))))
#define OUT_K(M) (b * h_j[j] * h_i[i] * (g_k[k + 1] * (M(1) - M(0)) - g_k[k] * (M(0) - M(-1))))
#define PLAIN_I(d) U(0, 0, d)
#define PLAIN_J(d) U(0, d, 0)
#define PLAIN_K(d) U(d, 0, 0)

#define SIDES(u0, u1, u2, u3, u4) ((8 * (u0) + (u1) + (u2) + (u3) + (u4)) * (1.0 / 12))
#define SIDES_I(d) SIDES(U(0, 0, d), U(0, -1, d), U(0, 1, d), U(-1, 0, d), U(1, 0, d))
#define SIDES_J(d) SIDES(U(0, d, 0), U(0, d, -1), U(0, d, 1), U(-1, d, 0), U(1, d, 0))
#define SIDES_K(d) SIDES(U(d, 0, 0), U(d, 0, -1), U(d, 0, 1), U(d, -1, 0), U(d, 1, 0))
GMG_OPERATOR
void nineteen(FIELDS)
{
  EVERY_CELL
  w[box][k][j][i] = SOURCE - OUT_I(SIDES_I) - OUT_J(SIDES_J) - OUT_K(SIDES_K);
}

#define TENTH(low, centre, high) (((low) + 10 * (centre) + (high)) * (1.0 / 12))
#define BESIDE_IN_J(d) TENTH(U(0, -1, d), U(0, 0, d), U(0, 1, d))
#define BESIDE_IN_I(d) TENTH(U(0, d, -1), U(0, d, 0), U(0, d, 1))
GMG_OPERATOR
void plane(FIELDS)
{
  EVERY_CELL
  w[box][k][j][i] = SOURCE - OUT_I(BESIDE_IN_J) - OUT_J(BESIDE_IN_I) - OUT_K(PLAIN_K);
}

GMG_OPERATOR
void slanted(FIELDS)
{
  EVERY_CELL
  w[box][k][j][i] = SOURCE - OUT_I(PLAIN_I) - OUT_J(PLAIN_J) - OUT_K(PLAIN_K)
    - 0.25 * b * h_k[k] * (U(0, 1, 1) - U(0, 1, -1) - U(0, -1, 1) + U(0, -1, -1));
}

GMG_OPERATOR
void unlike(FIELDS)
{
  EVERY_CELL
  w[box][k][j][i] = SOURCE - OUT_I(PLAIN_I) - 0.6 * OUT_J(PLAIN_J) - 0.3 * OUT_K(PLAIN_K);
}

#include "stencil.h"

/* Coarse values of the coefficient fields of an application's own operator. lo and hi are the one
 * or two fine cells per direction that a coarse one covers, low and high their weights, at the fine
 * face on the coarse one. On cells, means are restrict_cell's. Harmonic means are of positive
 * values. */
#define BETWEEN(low, first, high, second) ((low) * (first) + (high) * (second))
#define VALUE(c, b, a) fine[box][c][b][a]
#define INVERSE(c, b, a) (1 / positive[box][c][b][a])
#define PLANE(at, c) BETWEEN(low_j[j], INVERSE(c, lo_j[j], at), high_j[j], INVERSE(c, hi_j[j], at))
#define FACE_OF_I(of) \
  BETWEEN( \
    low_k[k], \
    BETWEEN(low_j[j], of(lo_k[k], lo_j[j], at_i[i]), high_j[j], of(lo_k[k], hi_j[j], at_i[i])), \
    high_k[k], \
    BETWEEN(low_j[j], of(hi_k[k], lo_j[j], at_i[i]), high_j[j], of(hi_k[k], hi_j[j], at_i[i])))
#define FACE_OF_J(of) \
  BETWEEN( \
    low_k[k], \
    BETWEEN(low_i[i], of(lo_k[k], at_j[j], lo_i[i]), high_i[i], of(lo_k[k], at_j[j], hi_i[i])), \
    high_k[k], \
    BETWEEN(low_i[i], of(hi_k[k], at_j[j], lo_i[i]), high_i[i], of(hi_k[k], at_j[j], hi_i[i])))
#define FACE_OF_K(of) \
  BETWEEN( \
    low_j[j], \
    BETWEEN(low_i[i], of(at_k[k], lo_j[j], lo_i[i]), high_i[i], of(at_k[k], lo_j[j], hi_i[i])), \
    high_j[j], \
    BETWEEN(low_i[i], of(at_k[k], hi_j[j], lo_i[i]), high_i[i], of(at_k[k], hi_j[j], hi_i[i])))

/* The harmonic mean over the fine cells of a coarse one. */
GMG_KERNEL
void harmonic_cell(int boxes, int nk, int nj, int ni, int mk, int mj, int mi,
                   double coarse[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
                   const double positive[boxes][mk + 2][mj + 2][mi + 2] FINE_CELL(1),
                   const int lo_i[ni + 2] EVEN_CHILD_I(1), const int hi_i[ni + 2] ODD_CHILD_I(1),
                   const int lo_j[nj + 2] TABLE_J(1, 0), const int hi_j[nj + 2] TABLE_J(1, 0),
                   const int lo_k[nk + 2] TABLE_K(1, 0), const int hi_k[nk + 2] TABLE_K(1, 0),
                   const double low_i[ni + 2] LINE_I(1), const double high_i[ni + 2] LINE_I(1),
                   const double low_j[nj + 2] LINE_J(1), const double high_j[nj + 2] LINE_J(1),
                   const double low_k[nk + 2] LINE_K(1), const double high_k[nk + 2] LINE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          coarse[box][k][j][i] =
            1
            / BETWEEN(
              low_i[i],
              BETWEEN(low_k[k], PLANE(lo_i[i], lo_k[k]), high_k[k], PLANE(lo_i[i], hi_k[k])),
              high_i[i],
              BETWEEN(low_k[k], PLANE(hi_i[i], lo_k[k]), high_k[k], PLANE(hi_i[i], hi_k[k])));
}

/* The mean over the fine faces on a coarse one, faces normal to i. */
GMG_KERNEL
void mean_face_i(int boxes, int nk, int nj, int ni, int mk, int mj, int mi,
                 double coarse[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_I(1),
                 const double fine[boxes][mk + 2][mj + 2][mi + 2] FINE_FACE_I(1),
                 const int at_i[ni + 2] TABLE_I(1, 1), const int lo_k[nk + 2] TABLE_K(1, 0),
                 const int hi_k[nk + 2] TABLE_K(1, 0), const int lo_j[nj + 2] TABLE_J(1, 0),
                 const int hi_j[nj + 2] TABLE_J(1, 0), const double low_k[nk + 2] LINE_K(1),
                 const double high_k[nk + 2] LINE_K(1), const double low_j[nj + 2] LINE_J(1),
                 const double high_j[nj + 2] LINE_J(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni + 1; i++)
          coarse[box][k][j][i] = FACE_OF_I(VALUE);
}

/* The harmonic mean over the fine faces on a coarse one, faces normal to i. */
GMG_KERNEL
void harmonic_face_i(int boxes, int nk, int nj, int ni, int mk, int mj, int mi,
                     double coarse[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_I(1),
                     const double positive[boxes][mk + 2][mj + 2][mi + 2] FINE_FACE_I(1),
                     const int at_i[ni + 2] TABLE_I(1, 1), const int lo_k[nk + 2] TABLE_K(1, 0),
                     const int hi_k[nk + 2] TABLE_K(1, 0), const int lo_j[nj + 2] TABLE_J(1, 0),
                     const int hi_j[nj + 2] TABLE_J(1, 0), const double low_k[nk + 2] LINE_K(1),
                     const double high_k[nk + 2] LINE_K(1), const double low_j[nj + 2] LINE_J(1),
                     const double high_j[nj + 2] LINE_J(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni + 1; i++)
          coarse[box][k][j][i] = 1 / FACE_OF_I(INVERSE);
}

/* The mean over the fine faces on a coarse one, faces normal to j. */
GMG_KERNEL
void mean_face_j(int boxes, int nk, int nj, int ni, int mk, int mj, int mi,
                 double coarse[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_J(1),
                 const double fine[boxes][mk + 2][mj + 2][mi + 2] FINE_FACE_J(1),
                 const int at_j[nj + 2] TABLE_J(1, 1), const int lo_k[nk + 2] TABLE_K(1, 0),
                 const int hi_k[nk + 2] TABLE_K(1, 0), const int lo_i[ni + 2] EVEN_CHILD_I(1),
                 const int hi_i[ni + 2] ODD_CHILD_I(1), const double low_k[nk + 2] LINE_K(1),
                 const double high_k[nk + 2] LINE_K(1), const double low_i[ni + 2] LINE_I(1),
                 const double high_i[ni + 2] LINE_I(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj + 1; j++)
        for (int i = 1; i <= ni; i++)
          coarse[box][k][j][i] = FACE_OF_J(VALUE);
}

/* The harmonic mean over the fine faces on a coarse one, faces normal to j. */
GMG_KERNEL
void harmonic_face_j(int boxes, int nk, int nj, int ni, int mk, int mj, int mi,
                     double coarse[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_J(1),
                     const double positive[boxes][mk + 2][mj + 2][mi + 2] FINE_FACE_J(1),
                     const int at_j[nj + 2] TABLE_J(1, 1), const int lo_k[nk + 2] TABLE_K(1, 0),
                     const int hi_k[nk + 2] TABLE_K(1, 0), const int lo_i[ni + 2] EVEN_CHILD_I(1),
                     const int hi_i[ni + 2] ODD_CHILD_I(1), const double low_k[nk + 2] LINE_K(1),
                     const double high_k[nk + 2] LINE_K(1), const double low_i[ni + 2] LINE_I(1),
                     const double high_i[ni + 2] LINE_I(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj + 1; j++)
        for (int i = 1; i <= ni; i++)
          coarse[box][k][j][i] = 1 / FACE_OF_J(INVERSE);
}

/* The mean over the fine faces on a coarse one, faces normal to k. */
GMG_KERNEL
void mean_face_k(int boxes, int nk, int nj, int ni, int mk, int mj, int mi,
                 double coarse[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_K(1),
                 const double fine[boxes][mk + 2][mj + 2][mi + 2] FINE_FACE_K(1),
                 const int at_k[nk + 2] TABLE_K(1, 1), const int lo_j[nj + 2] TABLE_J(1, 0),
                 const int hi_j[nj + 2] TABLE_J(1, 0), const int lo_i[ni + 2] EVEN_CHILD_I(1),
                 const int hi_i[ni + 2] ODD_CHILD_I(1), const double low_j[nj + 2] LINE_J(1),
                 const double high_j[nj + 2] LINE_J(1), const double low_i[ni + 2] LINE_I(1),
                 const double high_i[ni + 2] LINE_I(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk + 1; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          coarse[box][k][j][i] = FACE_OF_K(VALUE);
}

/* The harmonic mean over the fine faces on a coarse one, faces normal to k. */
GMG_KERNEL
void harmonic_face_k(int boxes, int nk, int nj, int ni, int mk, int mj, int mi,
                     double coarse[restrict boxes][nk + 2][nj + 2][ni + 2] FACE_K(1),
                     const double positive[boxes][mk + 2][mj + 2][mi + 2] FINE_FACE_K(1),
                     const int at_k[nk + 2] TABLE_K(1, 1), const int lo_j[nj + 2] TABLE_J(1, 0),
                     const int hi_j[nj + 2] TABLE_J(1, 0), const int lo_i[ni + 2] EVEN_CHILD_I(1),
                     const int hi_i[ni + 2] ODD_CHILD_I(1), const double low_j[nj + 2] LINE_J(1),
                     const double high_j[nj + 2] LINE_J(1), const double low_i[ni + 2] LINE_I(1),
                     const double high_i[ni + 2] LINE_I(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk + 1; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          coarse[box][k][j][i] = 1 / FACE_OF_K(INVERSE);
}

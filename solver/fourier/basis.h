/* The eigenvectors of the second difference along one axis with constant spacing, and the real
 * transform to their coefficients and back. Cell centres lie at (j + 1/2) h:
 *
 *   both sides periodic    cas(2π j k / n)                    λ = 4 sin²(π k / n)
 *   Neumann, Neumann       cos(π (2j + 1) k / 2n)             λ = 4 sin²(π k / 2n)        DCT-II
 *   Dirichlet, Dirichlet   sin(π (2j + 1) (n − k) / 2n)       λ = 4 sin²(π (n − k) / 2n)  DST-II
 *   Neumann, Dirichlet     cos(π (2j + 1) (2k + 1) / 4n)      λ = 4 sin²(π (2k + 1) / 4n) DCT-IV
 *   Dirichlet, Neumann     the same from the other end                                    DST-IV
 *
 * k = 0 … n − 1; cas x = cos x + sin x. λ is that of −(u[j−1] − 2 u[j] + u[j+1]). Two real lines
 * are transformed as the real and the imaginary part of a complex one, GMG_FFT_LANES such pairs at
 * once. Source: J. Makhoul, A fast cosine transform in one and two dimensions, IEEE Trans. ASSP 28
 * (1980); R. N. Bracewell, Discrete Hartley transform, J. Opt. Soc. Am. 73 (1983). */
#ifndef GMG_BASIS_H
#define GMG_BASIS_H

#include "line_fft.h"
#include "mesh/axis.h"

enum gmg_basis_kind {
  GMG_BASIS_PERIODIC,
  GMG_BASIS_NEUMANN,
  GMG_BASIS_DIRICHLET,
  GMG_BASIS_NEUMANN_DIRICHLET,
  GMG_BASIS_DIRICHLET_NEUMANN,
  GMG_BASIS_NONE
};

struct gmg_basis {
  enum gmg_basis_kind kind;
  int n;
  int *source;         /* which value the n-th number of the complex transform is, */
  double *sign;        /* times 1 or -1, */
  double (*before)[2]; /* and where quarter waves are asked for times this (cos, sin) */
  double (*after)[2];  /* cos and sin that take the complex transform to real coefficients */
  double *eigenvalue;  /* λ of each coefficient */
  int *order;          /* which coefficient stands at each place; NULL: the k-th at place k */
  double scale;        /* backward(forward(x)) = scale x */
};

/* The kind of an axis by its sides; GMG_BASIS_NONE: they have no such basis (Robin). */
enum gmg_basis_kind gmg_basis_kind_of(const struct gmg_axis *axis);
/* Returns cos(times θ), where λ = 2 − 2 cos θ is the eigenvalue of the k-th of n functions: what
 * the mean of the values at so many cells to the left and to the right is, over the value itself.
 */
double gmg_basis_cosine(enum gmg_basis_kind kind, int n, int k, int times);
double gmg_basis_sine(enum gmg_basis_kind kind, int n, int k, int times);
/* Puts the coefficients k and n − k of a periodic axis side by side, the first at an even place:
 * they are the same wave, moved. λ follows. Returns -1 out of memory. */
int gmg_basis_pair(struct gmg_basis *basis);
/* The coefficient that then stands at a place: of even n first 0 and n / 2, of odd n 0 last. */
int gmg_basis_paired(int n, int place);
/* Memory: fills basis, which gmg_basis_clear empties. Returns -1 out of memory. */
int gmg_basis_create(enum gmg_basis_kind kind, int n, struct gmg_basis *basis);
void gmg_basis_clear(struct gmg_basis *basis);
/* The eigenvectors, each of length 1, as the rows of a matrix of n times n elements: the transform
 * but for factors, in the same order. */
void gmg_basis_matrix(const struct gmg_basis *basis, double *matrix);
/* Of n values of each line, in place. fft: of n numbers; work: 2 n of them. */
void gmg_basis_forward(const struct gmg_basis *basis, struct gmg_line_fft *fft,
                       struct gmg_complex *x, struct gmg_complex *work);
void gmg_basis_backward(const struct gmg_basis *basis, struct gmg_line_fft *fft,
                        struct gmg_complex *x, struct gmg_complex *work);

#endif

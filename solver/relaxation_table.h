/* Relaxation factors as gmg-gen finds them for an operator. Part of kernel.h. */
#ifndef GMG_RELAXATION_TABLE_H
#define GMG_RELAXATION_TABLE_H

/* Shapes of a level's cells, by their widths along the axes: all within a tenth of each other; all
 * within a factor 1.5, up to which cells merge; one axis wider than that beyond the two others; one
 * narrower. */
enum gmg_shape {
  GMG_CUBES,
  GMG_NEARLY_CUBES,
  GMG_WIDE_I,
  GMG_WIDE_J,
  GMG_WIDE_K,
  GMG_NARROW_I,
  GMG_NARROW_J,
  GMG_NARROW_K,
  GMG_SHAPES
};
/* Of V(2,2): two sweeps, of the first and of the second half of the colours. */
enum { GMG_HALF_SWEEPS = 4 };

/* Factors for V(2,2) that are best for constant coefficients by local Fourier analysis. */
struct gmg_relaxation {
  double gauss_seidel[2][GMG_HALF_SWEEPS]; /* after the coarse correction, before it */
  double jacobi;                           /* of all sweeps */
};

#endif

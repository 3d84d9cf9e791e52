/* Strides of a box's storage: for storage.c, and for programs that measure kernels without a
 * solver. */
#ifndef GMG_STRIDES_H
#define GMG_STRIDES_H

#include "kernel.h"

struct gmg_strides {
  ptrdiff_t odd;        /* as in kernel.h; 0 in plain rows */
  ptrdiff_t row, plane; /* elements from one to the next */
  ptrdiff_t padding;    /* elements after the last row that may be read, and hold nothing */
};

/* Elements from one row, and plane, to the next, in a box of `cells` along i with `ghost` on each
 * side, and of `rows` along j with their ghosts. Plain rows start on a cache line, halves of split
 * ones on half a one, and the ghosts below lie in the padding after the row, or half, before. What
 * lies between two halves is read with its neighbours: 64 bytes less of it in a row of 256 cells
 * are 3 % less memory traffic. Where rows are whole lines, long ones are an odd number of them, and
 * planes are no multiple of a page, so that neighbours in j and k fall into different cache sets.
 */
static inline struct gmg_strides gmg_strides_of(int64_t cells, int ghost, int64_t rows,
                                                size_t element_bytes, enum gmg_rows stored)
{
  enum {
    LINE_BYTES = 64,
    PAGE_ELEMENTS = 512,
    LONG = 16
  }; /* a page of doubles; floats may have twins */
  const int64_t line = LINE_BYTES / (int64_t)element_bytes,
                unit = stored == GMG_SPLIT ? line / 2 : line;
  int64_t odd = 0, row = cells + 2 * ghost;
  if (stored == GMG_SPLIT) {
    /* After an even half, the ghosts below the odd one; after that, those below the next row's even
     * one. */
    const int64_t below = (ghost + 1) / 2, even = (cells + ghost + 1) / 2;
    odd = (even + below + unit - 1) / unit * unit;
    row = odd + (cells + ghost) / 2 + ghost / 2;
  }
  row = (row + unit - 1) / unit * unit;
  if (row % line == 0 && row / line >= LONG && row / line % (element_bytes == 4 ? 4 : 2) == 0)
    row += line;
  int64_t plane = row * rows;
  if (rows >= LONG && plane % PAGE_ELEMENTS == 0)
    plane += row;
  /* As far as if both halves were as long. */
  const int64_t padding = 2 * odd > row ? 2 * odd - row : 0;
  return (struct gmg_strides){(ptrdiff_t)odd, (ptrdiff_t)row, (ptrdiff_t)plane, (ptrdiff_t)padding};
}

#endif

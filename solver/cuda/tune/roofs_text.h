/* The text of the kernels that measure what a GPU can do (roofs.h). */
#ifndef GMG_CUDA_ROOFS_TEXT_H
#define GMG_CUDA_ROOFS_TEXT_H

#include <stdint.h>

/* Of a thread block; of multiply-adds in a thread; bytes that a block moves at a time, which divide
 * the bytes of an array. */
enum { GMG_ROOF_THREADS = 256, GMG_ROOF_CHAINS = 8, GMG_ROOF_PART = 2 * 16 * GMG_ROOF_THREADS };

/* By value to each of them: addresses in the device's memory. */
struct gmg_roof_args {
  uint64_t a, b, c; /* arrays of `pairs` pairs of doubles; a[0] takes sums, which nobody reads */
  uint64_t barrier; /* a counter, 0 at first */
  int64_t pairs;
  int rounds; /* over the arrays; of multiply-adds; of barriers */
};

extern const char gmg_roofs_text[];

#endif

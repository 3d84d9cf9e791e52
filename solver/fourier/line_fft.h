/* The discrete Fourier transform of lines of complex numbers, GMG_FFT_LANES of them side by side,
 * by KissFFT. It is in a file of its own because KissFFT in double precision is a C++ template. */
#ifndef GMG_LINE_FFT_H
#define GMG_LINE_FFT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GMG_FFT_LANES = 4 };
/* One complex number of each of the lines. */
struct gmg_complex {
  double re[GMG_FFT_LANES], im[GMG_FFT_LANES];
};

struct gmg_line_fft;

/* Whether this build has KissFFT; without it no transform can be created. */
int gmg_line_fft_available(void);
/* A transform of n >= 1 numbers, for one thread at a time. Memory: gives it. NULL: out of memory.
 */
struct gmg_line_fft *gmg_line_fft_create(int n);
void gmg_line_fft_destroy(struct gmg_line_fft **fft);
/* The memory that it holds, about. */
size_t gmg_line_fft_bytes(const struct gmg_line_fft *fft);
/* out[k] = Σ in[m] exp(−2πi m k / n); in and out do not overlap. Each lane has the bits that it
 * would have by itself. Allocates nothing. */
void gmg_line_fft_run(struct gmg_line_fft *fft, const struct gmg_complex *in,
                      struct gmg_complex *out);

#ifdef __cplusplus
}
#endif

#endif

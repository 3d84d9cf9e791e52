/* In place of line_fft.cpp in a build without KissFFT. */
#include "line_fft.h"

int gmg_line_fft_available(void)
{
  return 0;
}

struct gmg_line_fft *gmg_line_fft_create(int n)
{
  (void)n;
  return NULL;
}

void gmg_line_fft_destroy(struct gmg_line_fft **fft)
{
  *fft = NULL;
}

size_t gmg_line_fft_bytes(const struct gmg_line_fft *fft)
{
  (void)fft;
  return 0;
}

void gmg_line_fft_run(struct gmg_line_fft *fft, const struct gmg_complex *in,
                      struct gmg_complex *out)
{
  (void)fft;
  (void)in;
  (void)out;
}

#include "line_fft.h"

#include <kissfft/kissfft.hh>

#include <complex>
#include <vector>

namespace
{

typedef double lanes __attribute__((vector_size(GMG_FFT_LANES * sizeof(double)), aligned(8)));

/* A real number of each line, with all that KissFFT asks of its scalar type. */
struct real {
  lanes v;
  real() : v()
  {
  }
  real(double x) : v{x, x, x, x}
  {
  }
  explicit real(const lanes &x) : v(x)
  {
  }
  operator double() const
  {
    return v[0]; /* for the angle of the twiddle factors */
  }
  real &operator+=(const real &x)
  {
    v += x.v;
    return *this;
  }
  real &operator-=(const real &x)
  {
    v -= x.v;
    return *this;
  }
  real &operator*=(const real &x)
  {
    v *= x.v;
    return *this;
  }
};

inline real operator+(const real &x, const real &y)
{
  return real(x.v + y.v);
}
inline real operator-(const real &x, const real &y)
{
  return real(x.v - y.v);
}
inline real operator*(const real &x, const real &y)
{
  return real(x.v * y.v);
}
inline real operator*(std::size_t n, const real &x)
{
  return real(static_cast<double>(n)) * x;
}
inline real operator-(const real &x)
{
  return real(-x.v);
}
inline real exp(const real &x)
{
  return real(std::exp(x.v[0]));
}
inline real cos(const real &x)
{
  return real(std::cos(x.v[0]));
}
inline real sin(const real &x)
{
  return real(std::sin(x.v[0]));
}

typedef std::complex<real> number;
static_assert(sizeof(number) == sizeof(gmg_complex), "both are GMG_FFT_LANES complex numbers");
static_assert(GMG_FFT_LANES == 4, "real(double) fills four lanes");

/* KissFFT takes p operations for each number and factor p of n. From here on a line is transformed
 * as a convolution with a chirp, by transforms of a length with small factors (L. I. Bluestein, A
 * linear filtering approach to the computation of discrete Fourier transform, IEEE Trans. Audio
 * Electroacoust. 18, 1970). */
const std::size_t largest_factor = 40;

std::size_t without_factors_up_to(std::size_t n, std::size_t most)
{
  for (std::size_t p = 2; p <= most && n > 1; p++)
    while (n % p == 0)
      n /= p;
  return n;
}

/* The length of KissFFT's transform. */
std::size_t length_for(std::size_t n)
{
  if (without_factors_up_to(n, largest_factor) == 1)
    return n;
  std::size_t length = 2 * n - 1;
  while (without_factors_up_to(length, 5) > 1)
    length++;
  return length;
}

} // namespace

struct gmg_line_fft {
  kissfft<real> plan;
  std::size_t size, length;
  /* where the length is not the size: exp(−iπ m² / n), the transform of its conjugate over the
   * length, and room */
  std::vector<number> chirp, filter, padded, transformed;
  explicit gmg_line_fft(std::size_t n) : plan(length_for(n), false), size(n), length(length_for(n))
  {
  }
};

/* Real and imaginary part change places: before and after a transform this makes it an inverse. */
static number swapped(const number &z)
{
  return number(z.imag(), z.real());
}

static void make_chirp(gmg_line_fft *fft)
{
  const std::size_t n = fft->size, length = fft->length;
  const double pi = std::acos(-1.0);
  fft->chirp.resize(n);
  fft->filter.resize(length);
  fft->padded.resize(length);
  fft->transformed.resize(length);
  for (std::size_t m = 0; m < n; m++) {
    const double angle = pi * static_cast<double>(m * m % (2 * n)) / static_cast<double>(n);
    fft->chirp[m] = number(std::cos(angle), -std::sin(angle));
    const number conjugate(std::cos(angle) / static_cast<double>(length),
                           std::sin(angle) / static_cast<double>(length));
    fft->padded[m] = conjugate;
    if (m > 0)
      fft->padded[length - m] = conjugate;
  }
  fft->plan.transform(fft->padded.data(), fft->filter.data());
}

static void convolve(gmg_line_fft *fft, const number *in, number *out)
{
  number *padded = fft->padded.data(), *transformed = fft->transformed.data();
  for (std::size_t m = 0; m < fft->length; m++)
    padded[m] = m < fft->size ? in[m] * fft->chirp[m] : number();
  fft->plan.transform(padded, transformed);
  for (std::size_t m = 0; m < fft->length; m++)
    padded[m] = swapped(transformed[m] * fft->filter[m]);
  fft->plan.transform(padded, transformed);
  for (std::size_t m = 0; m < fft->size; m++)
    out[m] = swapped(transformed[m]) * fft->chirp[m];
}

int gmg_line_fft_available()
{
  return 1;
}

struct gmg_line_fft *gmg_line_fft_create(int n)
{
  try {
    gmg_line_fft *fft = new gmg_line_fft(static_cast<std::size_t>(n));
    if (fft->length != fft->size)
      make_chirp(fft);
    /* KissFFT makes its scratch for factors above 5 in the first transform. */
    std::vector<number> zero(2 * fft->length);
    fft->plan.transform(zero.data(), zero.data() + fft->length);
    return fft;
  } catch (...) {
    return NULL;
  }
}

void gmg_line_fft_destroy(struct gmg_line_fft **fft)
{
  delete *fft;
  *fft = NULL;
}

size_t gmg_line_fft_bytes(const struct gmg_line_fft *fft)
{
  const std::size_t numbers =
    fft->length == fft->size ? 2 * fft->size : fft->size + 4 * fft->length;
  return sizeof *fft + numbers * sizeof(number);
}

void gmg_line_fft_run(struct gmg_line_fft *fft, const struct gmg_complex *in,
                      struct gmg_complex *out)
{
  const number *from = reinterpret_cast<const number *>(in);
  number *to = reinterpret_cast<number *>(out);
  if (fft->length != fft->size)
    convolve(fft, from, to);
  else
    fft->plan.transform(from, to);
}

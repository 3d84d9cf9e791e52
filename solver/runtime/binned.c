#include "binned.h"

#include <math.h>

/* Where clamped cuts stay far from overflow and from subnormal numbers; and the most that a square
 * may have. */
enum { MOST_EXPONENT = 900 };
/* How much smaller than its terms a sum may be before it is found anew, in powers of two. */
enum { LOOSE = 36 };

struct gmg_binned gmg_binned_of(int64_t terms)
{
  return (struct gmg_binned){.terms = terms,
                             .bins = GMG_SUM_BINS,
                             .power = 1,
                             .loose = LOOSE,
                             .most_exponent = MOST_EXPONENT};
}

/* How the sum is made independent of order. Let |x| ≤ 2^M for each of N ≤ 2^L terms. With cut = 1.5
 * · 2^e and |x| ≤ 2^(e-1), x + cut stays between 2^e and 2^(e+1), whose numbers are the multiples
 * of the quantum 2^(e-52): it is x, rounded to one of them, and the cut, and the bits of both
 * differ by that multiple. It is at most 2^P for e = M - P + 52, P ≤ 51, so that with P + L ≤ 62
 * sums of N of them fit a signed integer of 64 bits. What is left of a term, exactly x - ((x + cut)
 * - cut), is at most 2^(e-53), and goes into the next bin the same way, with M' = e - 53. After the
 * last bin N · 2^(e-53) is lost at most: each of `bins` that the kernel has (gen/emit/sums.c). */
static double make_cuts(int exponent, int64_t terms, int bins, double cut[GMG_SUM_BINS])
{
  int length = 2;
  while (length < 62 && (int64_t)1 << length < terms)
    length++;
  const int bits = length < 11 ? 51 : 62 - length;
  int e = exponent;
  double lost = 0;
  for (int b = 0; b < GMG_SUM_BINS; b++) {
    e += 52 - bits;
    e = e > 1000 ? 1000 : e < -1000 ? -1000 : e;
    cut[b] = ldexp(1.5, e);
    e -= 53;
    lost = b < bins ? (double)terms * ldexp(1.0, e) : lost;
  }
  return lost;
}

void gmg_binned_cuts(const struct gmg_binned *binned, double cut[GMG_SUM_BINS])
{
  make_cuts(binned->exponent, binned->terms, binned->bins, cut);
}

int gmg_binned_exponent(double bound, int power)
{
  int exponent = 0;
  if (bound > 0 && isfinite(bound))
    frexp(bound, &exponent);
  else
    exponent = bound > 0 ? 1000 : -1000;
  return power * exponent;
}

double gmg_binned_value(const struct gmg_reduction *total)
{
  double sum = 0;
  for (int b = GMG_SUM_BINS - 1; b >= 0; b--)
    sum += ldexp(total->cut[b] / 1.5, -52) * (double)(int64_t)total->bin[b];
  return sum;
}

/* What a pass left, as a number. */
static double take(gmg_binned_pass *pass, void *work, const double cut[GMG_SUM_BINS], double *most)
{
  struct gmg_reduction total;
  pass(work, cut, &total);
  *most = gmg_sized(total.most);
  return gmg_binned_value(&total);
}

double gmg_binned_sum(struct gmg_binned *binned, gmg_binned_pass *pass, void *work, double *most)
{
  double cut[GMG_SUM_BINS], bound = 0;
  /* The bound of the terms is a guess, from the last time, that is checked afterwards. */
  const double lost = make_cuts(binned->exponent, binned->terms, binned->bins, cut);
  double sum = take(pass, work, cut, &bound);
  const int tight = gmg_binned_exponent(bound, binned->power);
  const int exceeded = !binned->known || tight > binned->exponent;
  if (exceeded
      || (tight + GMG_BINNED_SLACK < binned->exponent && lost > ldexp(fabs(sum), -binned->loose))) {
    make_cuts(tight, binned->terms, binned->bins, cut);
    sum = take(pass, work, cut, &bound);
  }
  binned->exponent = tight + GMG_BINNED_SLACK;
  binned->known = 1;
  *most = bound;
  if (!isfinite(bound))
    return bound;
  return tight > binned->most_exponent ? INFINITY
                                       : sum; /* terms overflow before the maximum does */
}

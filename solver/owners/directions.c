/* What a level's couplings look like as a whole. Sums go plane by plane, whatever the threads. */
#include "coarse_links.h"

#include "mesh/merge.h"
#include "system/memory.h"

#include <math.h>
#include <string.h>

/* Where plain levels take no wider pairs, or colours clash: fewer at a time leave bodies cut up
 * over more levels. */
#define LEAST_STRETCHED_MERGE 4.0

enum { FACTORS = 512 }; /* mantissas below 2 that a product of doubles can take */

/* A product of many numbers: mantissa x 2^exponent. */
struct product {
  double mantissa;
  int64_t exponent, factors;
};

/* Multiplies by the positive ones of some values, `step` apart. */
static void multiply(struct product *product, const double *value, int count)
{
  const uint64_t fraction = ((uint64_t)1 << 52) - 1, one = (uint64_t)1023 << 52;
  double mantissa = 1;
  for (int i = 0; i < count; i++) {
    uint64_t bits;
    double part;
    memcpy(&bits, &value[i], sizeof bits);
    const int positive = value[i] > 0;
    const uint64_t kept = positive ? (bits & fraction) | one : one;
    memcpy(&part, &kept, sizeof part);
    mantissa *= part;
    product->exponent += positive ? (int64_t)(bits >> 52) - 1023 : 0;
    product->factors += positive;
  }
  int exponent;
  product->mantissa = frexp(product->mantissa * mantissa, &exponent);
  product->exponent += exponent;
}

/* The product of an axis' couplings in a plane of cells. */
static struct product plane_product(const struct gmg_links *links, int d, int k)
{
  struct product product = {1, 0, 0};
  const int *cells = links->cells, n = gmg_link_along(d),
            in_row = cells[0] - (d == 0 && !links->periodic[0]),
            in_plane = cells[1] - (d == 1 && !links->periodic[1]);
  if (d == 2 && k + 1 == cells[2] && !links->periodic[2])
    return product;
  for (int j = 0; j < in_plane; j++)
    for (int i = 0; i < in_row; i += FACTORS)
      multiply(&product, &links->link[n][gmg_link_at(links, (int[3]){i, j, k})],
               in_row - i < FACTORS ? in_row - i : FACTORS);
  return product;
}

/* The mean of log2 of an axis' couplings; -INFINITY: it has none. -1 out of memory. */
static int mean_of(const struct gmg_links *links, int d, int threads, double *mean)
{
  const int planes = links->cells[2];
  struct product all = {1, 0, 0};
  struct product *part = gmg_malloc((size_t)planes * sizeof *part);
  *mean = -INFINITY;
#pragma omp parallel for schedule(static) num_threads(threads) if (part)
  for (int k = 0; k < (part ? planes : 0); k++)
    part[k] = plane_product(links, d, k);
  for (int k = 0; k < (part ? planes : 0); k++) {
    int exponent;
    all.mantissa = frexp(all.mantissa * part[k].mantissa, &exponent);
    all.exponent += part[k].exponent + exponent;
    all.factors += part[k].factors;
  }
  if (all.factors)
    *mean = (log2(all.mantissa) + (double)all.exponent) / (double)all.factors;
  const int failed = !part;
  gmg_free(part);
  return failed ? -1 : 0;
}

/* The mean of log2 of what couples neighbours along an axis where β is 1. */
static double mean_of_ones(const struct gmg_axis axis[3], int d)
{
  double mean = 0, distance = 0;
  for (int e = 0; e < 3; e++) {
    double sum = 0;
    for (int i = 0; i < axis[e].cells && e != d; i++)
      sum += log2(axis[e].width[i]);
    mean += sum / axis[e].cells;
  }
  for (int i = 1; i < axis[d].cells; i++)
    distance += log2(0.5 * (axis[d].width[i - 1] + axis[d].width[i]));
  return mean - distance / (axis[d].cells - 1);
}

/* Pairs cells of a stretched grid as if β along each axis were 2^log_beta everywhere. */
static void pair_stretched(const struct gmg_axis axis[3], int level, const double log_beta[3],
                           double merge, struct gmg_pairs *pairs)
{
  struct gmg_axis weighted[3] = {axis[0], axis[1], axis[2]};
  double least = INFINITY, most = -INFINITY;
  for (int d = 0; d < 3; d++)
    if (axis[d].cells > 1 && log_beta[d] > -INFINITY) {
      least = fmin(least, log_beta[d]);
      most = fmax(most, log_beta[d]);
    }
  for (int d = 0; d < 3; d++)
    weighted[d].weight = log_beta[d] > -INFINITY ? exp2(0.5 * (most - log_beta[d])) : 1;
  const double target =
    gmg_pairing_target(weighted, level, gmg_axes_clash(axis) ? LEAST_STRETCHED_MERGE : merge);
  for (int d = 0; d < 3; d++)
    pairs->width[d] = target / weighted[d].weight;
  pairs->uneven = least < most + log2(GMG_WEAK_PART);
}

int gmg_links_merge_width(const struct gmg_axis axis[3], double *merge)
{
  const int failed = gmg_merge_width(axis, merge);
  *merge = gmg_axes_stretched(axis) ? fmax(*merge, LEAST_STRETCHED_MERGE) : 0;
  return failed;
}

void gmg_links_expect_pairs(const struct gmg_axis axis[3], int level, double merge,
                            struct gmg_pairs *pairs)
{
  const double log_beta[3] = {0, 0, 0};
  for (int d = 0; d < 3; d++)
    pairs->width[d] = axis[d].cells > 1 ? INFINITY : 0;
  pairs->uneven = 0;
  if (merge > 0)
    pair_stretched(axis, level, log_beta, merge, pairs);
}

int gmg_links_pairs(const struct gmg_links *links, const struct gmg_axis axis[3], int level,
                    double merge, int threads, struct gmg_pairs *pairs)
{
  double mean[3] = {-INFINITY, -INFINITY, -INFINITY}, most = -INFINITY; /* log2 */
  for (int d = 0; d < 3; d++) {
    if (links->cells[d] > 1 && mean_of(links, d, threads, &mean[d]))
      return -1;
    most = fmax(most, mean[d]);
  }
  pairs->uneven = 0;
  for (int d = 0; d < 3; d++) {
    const int several = links->cells[d] > 1,
              strong = most == -INFINITY || mean[d] >= most + log2(GMG_WEAK_PART);
    pairs->width[d] = several && strong ? INFINITY : 0;
    pairs->uneven |= several && !strong;
  }
  for (int d = 0; d < 3 && merge > 0; d++)
    mean[d] -= links->cells[d] > 1 ? mean_of_ones(axis, d) : 0;
  if (merge > 0)
    pair_stretched(axis, level, mean, merge, pairs);
  return 0;
}

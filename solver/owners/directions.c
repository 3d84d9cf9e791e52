/* What a level's couplings look like as a whole. Sums go plane by plane, whatever the threads. */
#include "coarse_links.h"

#include "system/memory.h"

#include <math.h>
#include <string.h>

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

int gmg_links_directions(const struct gmg_links *links, int threads, int coarsened[3])
{
  double mean[3] = {-INFINITY, -INFINITY, -INFINITY}, most = -INFINITY; /* log2 */
  for (int d = 0; d < 3; d++) {
    if (links->cells[d] > 1 && mean_of(links, d, threads, &mean[d]))
      return -1;
    most = fmax(most, mean[d]);
  }
  for (int d = 0; d < 3; d++)
    coarsened[d] =
      links->cells[d] > 1 && (most == -INFINITY || mean[d] >= most + log2(GMG_WEAK_PART));
  return 0;
}

/* Of two rows of couplings along an axis, how many pairs there are, and how many are steps. */
struct tally {
  int64_t pairs, steps;
};

static void compare(const double *one, const double *two, int count, struct tally *tally)
{
  const double ratio = GMG_STEP_RATIO / 2;
  int pairs = 0, steps = 0;
  for (int i = 0; i < count; i++) {
    const int pair = (one[i] > 0) & (two[i] > 0);
    pairs += pair;
    steps += pair & ((one[i] > ratio * two[i]) | (two[i] > ratio * one[i]));
  }
  tally->pairs += pairs;
  tally->steps += steps;
}

static struct tally plane_tally(const struct gmg_links *links, int d, int k)
{
  struct tally tally = {0, 0};
  const int *cells = links->cells, n = gmg_link_along(d);
  int end[3] = {cells[0], cells[1], cells[2]}, first[3] = {0, 0, k};
  end[d] -= !links->periodic[d];
  first[d] = d == 2 ? k : 1;
  if (k >= end[2] || (d == 2 && k == 0))
    return tally;
  for (int j = first[1]; j < end[1]; j++) {
    const double *two = &links->link[n][gmg_link_at(links, (int[3]){first[0], j, k})];
    if (end[0] > first[0])
      compare(two - links->stride[d], two, end[0] - first[0], &tally);
  }
  return tally;
}

/* Counts along rows of an axis without its ends. */
double gmg_links_rough(const struct gmg_links *links, int threads)
{
  int64_t pairs = 0, steps = 0;
  for (int d = 0; d < 3; d++) {
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : pairs, steps)
    for (int k = 0; k < links->cells[2]; k++) {
      const struct tally tally = plane_tally(links, d, k);
      pairs += tally.pairs;
      steps += tally.steps;
    }
  }
  return pairs ? (double)steps / (double)pairs : 0;
}

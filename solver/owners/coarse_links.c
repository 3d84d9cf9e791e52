#include "coarse_links.h"

#include <math.h>
#include <string.h>

/* A product of many numbers: mantissa x 2^exponent. */
struct product {
  double mantissa;
  long exponent;
  size_t factors;
};

static void multiply(struct product *product, double factor)
{
  int exponent;
  product->mantissa = frexp(product->mantissa * factor, &exponent);
  product->exponent += exponent;
  product->factors++;
}

void gmg_links_directions(const struct gmg_links *links, int coarsened[3])
{
  const size_t count = gmg_links_count(links);
  double mean[3] = {-INFINITY, -INFINITY, -INFINITY}, most = -INFINITY; /* log2 */
  for (int d = 0; d < 3; d++) {
    struct product product = {1, 0, 0};
    const double *link = links->link[gmg_link_along(d)];
    for (size_t at = 0; at < count && links->cells[d] > 1; at++)
      if (link[at] > 0)
        multiply(&product, link[at]);
    if (product.factors)
      mean[d] = (log2(product.mantissa) + (double)product.exponent) / (double)product.factors;
    most = fmax(most, mean[d]);
  }
  for (int d = 0; d < 3; d++)
    coarsened[d] =
      links->cells[d] > 1 && (most == -INFINITY || mean[d] >= most + log2(GMG_WEAK_PART));
}

/* Counts along rows of an axis without its ends. */
double gmg_links_rough(const struct gmg_links *links)
{
  const double ratio = GMG_STEP_RATIO / 2;
  size_t pairs = 0, steps = 0;
  for (int d = 0; d < 3; d++) {
    const double *link = links->link[gmg_link_along(d)];
    const size_t far = d == 0 ? 1
      : d == 1                ? (size_t)links->cells[0]
                              : (size_t)links->cells[0] * (size_t)links->cells[1];
    for (size_t at = far; at < gmg_links_count(links); at++) {
      const double one = link[at - far], two = link[at];
      if (one <= 0 || two <= 0)
        continue;
      pairs++;
      steps += one > ratio * two || two > ratio * one;
    }
  }
  return pairs ? (double)steps / (double)pairs : 0;
}

/* Adds a coupling of two owners to the coarse links. */
static void add_link(const struct gmg_blocks *blocks, const int coarsened[3], const int one[3],
                     const int two[3], double coupling, struct gmg_links *coarse)
{
  int step[3];
  double factor = 1;
  gmg_step_between(blocks, one, two, step);
  for (int d = 0; d < 3; d++)
    if (step[d] && coarsened[d])
      factor = GMG_COARSE_FACTOR;
  const int place = step[0] + 3 * step[1] + 9 * step[2], ahead = place > 0;
  coarse->link[(ahead ? place : -place) - 1][gmg_block_at(blocks, ahead ? one : two)] +=
    factor * coupling;
}

static void sum_cell(const struct gmg_links *links, const struct gmg_blocks *blocks,
                     const int coarsened[3], const unsigned char *owner, const int cell[3],
                     struct gmg_links *coarse)
{
  struct gmg_neighbour neighbour[GMG_NEIGHBOURS];
  const size_t at = gmg_links_at(links, cell);
  int one[3], two[3];
  gmg_block_owner(blocks, cell, owner[at], one);
  const size_t to = gmg_block_at(blocks, one);
  coarse->mass[to] += links->mass[at];
  for (int d = 0; d < 3; d++)
    coarse->wall[d][to] += (coarsened[d] ? GMG_COARSE_FACTOR : 1) * links->wall[d][at];
  const int count = gmg_links_of(links, cell, neighbour);
  for (int n = 0; n < count; n++) {
    if (neighbour[n].at < at) /* every pair is met from both of its ends */
      continue;
    gmg_block_owner(blocks, neighbour[n].cell, owner[neighbour[n].at], two);
    if (memcmp(one, two, sizeof one) != 0)
      add_link(blocks, coarsened, one, two, neighbour[n].coupling, coarse);
  }
}

/* Sums up the cells of a layer of blocks across z. What it adds to lies in this layer and the two
 * next to it. */
static void sum_layer(const struct gmg_links *links, const struct gmg_blocks *blocks,
                      const int coarsened[3], const unsigned char *owner, int layer,
                      struct gmg_links *coarse)
{
  for (int k = blocks->first[2][layer]; k <= blocks->last[2][layer]; k++)
    for (int j = 0; j < links->cells[1]; j++)
      for (int i = 0; i < links->cells[0]; i++) {
        const int cell[3] = {i, j, k};
        sum_cell(links, blocks, coarsened, owner, cell, coarse);
      }
}

void gmg_links_coarsen(const struct gmg_links *links, const struct gmg_blocks *blocks,
                       const int coarsened[3], const unsigned char *owner, int threads,
                       struct gmg_links *coarse)
{
  enum { APART = 3 }; /* layers that add to different ones */
  const int layers = blocks->cells[2], whole = layers / APART * APART;
  for (int first = 0; first < APART; first++) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int layer = first; layer < whole; layer += APART)
      sum_layer(links, blocks, coarsened, owner, layer, coarse);
  }
  for (int layer = whole; layer < layers; layer++)
    sum_layer(links, blocks, coarsened, owner, layer, coarse);
}

/* The operator of a stretched grid as it would be on equal cells. */
#include "coarse_links.h"

#include "system/memory.h"

#include <math.h>

/* The distance of the centres of a cell and of the next one, around a periodic axis too. */
static double distance_after(const struct gmg_axis *axis, int i)
{
  return 0.5 * (axis->width[i] + axis->width[i + 1 < axis->cells ? i + 1 : 0]);
}

/* What the widths of cells make of couplings with the next cell, of one cell. */
struct measures {
  double across[3]; /* an axis: area over distance */
  double wall[3], mass;
};

static void measure(const struct gmg_axis axis[3], const int cell[3], struct measures *m)
{
  const double w[3] = {axis[0].width[cell[0]], axis[1].width[cell[1]], axis[2].width[cell[2]]};
  for (int d = 0; d < 3; d++) {
    const double area = w[(d + 1) % 3] * w[(d + 2) % 3];
    m->across[d] = area / distance_after(&axis[d], cell[d]);
    m->wall[d] = area / w[d];
  }
  m->mass = cbrt(w[0] * w[1] * w[2]);
  m->mass *= m->mass;
}

/* That of the cell at a link's low end; of several axes the geometric mean. */
static double measure_link(const struct gmg_axis axis[3], const int cell[3], int n)
{
  const signed char *step = gmg_link_step[n];
  double product = 1;
  int axes = 0;
  for (int d = 0; d < 3; d++) {
    if (!step[d])
      continue;
    int low[3] = {cell[0], cell[1], cell[2]};
    struct measures there;
    if (step[d] < 0)
      low[d] = cell[d] > 0 ? cell[d] - 1 : axis[d].cells - 1;
    measure(axis, low, &there);
    product *= there.across[d];
    axes++;
  }
  return axes == 1 ? product : axes == 2 ? sqrt(product) : cbrt(product);
}

static void equalise_cell(const struct gmg_links *links, const struct gmg_axis axis[3],
                          const int cell[3], struct gmg_links *equal)
{
  const size_t at = gmg_links_at(links, cell);
  const ptrdiff_t place = gmg_link_at(links, cell);
  struct measures m;
  int to[3];
  measure(axis, cell, &m);
  for (int l = 0; l < links->present; l++) {
    const int n = links->number[l];
    if (gmg_links_step(links, cell, n, 1, to) && links->link[n][place] > 0)
      equal->link[n][at] = links->link[n][place] / measure_link(axis, cell, n);
  }
  for (int d = 0; d < 3; d++)
    equal->wall[d][at] = gmg_links_wall(links, cell, d) / m.wall[d];
  equal->mass[at] = links->mass ? links->mass[at] / m.mass : 0;
}

int gmg_links_equalise(const struct gmg_links *links, const struct gmg_axis axis[3], int threads,
                       struct gmg_links *equal)
{
  *equal = (struct gmg_links){.mass = NULL};
  for (int d = 0; d < 3; d++) {
    equal->cells[d] = links->cells[d];
    equal->periodic[d] = links->periodic[d];
  }
  if (gmg_links_allocate(equal, links->present > 3))
    return -1;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int k = 0; k < links->cells[2]; k++)
    for (int j = 0; j < links->cells[1]; j++)
      for (int i = 0; i < links->cells[0]; i++)
        equalise_cell(links, axis, (const int[3]){i, j, k}, equal);
  return 0;
}

/* Layouts of all levels, for many grids, box sizes and numbers of ranks (each rank's view is
 * computed here in turn). Preconditions: pairings from gmg_coarsen. Must vanish: cells in no box or
 * in two; boxes without an owner; boxes out of balance; differences between a level's boxes and the
 * children of the coarser level's, where transfers are to be local, or its staging boxes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh/decompose.h"
#include "mesh/merge.h"
#include "system/memory.h"

enum { MOST_LEVELS = 64 };

static const struct gmg_cutting standard = {.gather = GMG_GATHER_CELLS};

struct hierarchy {
  int levels, cells[MOST_LEVELS][3];
  struct gmg_pairing pairing[MOST_LEVELS][3];
};

static void make_hierarchy(struct hierarchy *h, const int cells[3], const double width[3])
{
  struct gmg_axis axis[3], coarse[3];
  for (int d = 0; d < 3; d++) {
    axis[d] = (struct gmg_axis){.cells = cells[d], .weight = 1};
    axis[d].width = gmg_malloc((size_t)cells[d] * sizeof(double));
    assert_non_null(axis[d].width);
    for (int i = 0; i < cells[d]; i++)
      axis[d].width[i] = width[d];
  }
  for (h->levels = 1;; h->levels++) {
    for (int d = 0; d < 3; d++)
      h->cells[h->levels - 1][d] = axis[d].cells;
    const int more =
      gmg_coarsen(axis, h->levels - 1, GMG_MERGE_WIDTH, coarse, h->pairing[h->levels - 1]);
    assert_in_range(more, 0, 1);
    for (int d = 0; d < 3; d++) {
      gmg_axis_clear(&axis[d]);
      axis[d] = coarse[d];
    }
    if (!more)
      return;
  }
}

static void clear_hierarchy(struct hierarchy *h)
{
  for (int l = 0; l < h->levels; l++)
    for (int d = 0; d < 3; d++)
      gmg_pairing_clear(&h->pairing[l][d]);
}

static int64_t cells_of(const int cells[3])
{
  return (int64_t)cells[0] * cells[1] * cells[2];
}

static void check_tiling(const struct gmg_layout *layout, const int cells[3], int ranks)
{
  int64_t total = 0;
  assert_memory_equal(layout->cells, cells, sizeof layout->cells);
  assert_int_equal(layout->count, layout->blocks[0] * layout->blocks[1] * layout->blocks[2]);
  for (int d = 0; d < 3; d++) {
    assert_int_equal(layout->cut[d][0], 0);
    assert_int_equal(layout->cut[d][layout->blocks[d]], cells[d]);
  }
  for (int b = 0; b < layout->count; b++) {
    const struct gmg_box *box = &layout->box[b];
    int64_t size = 1;
    for (int d = 0; d < 3; d++) {
      const int at = d == 0 ? b % layout->blocks[0]
        : d == 1            ? b / layout->blocks[0] % layout->blocks[1]
                            : b / layout->blocks[0] / layout->blocks[1];
      assert_int_equal(box->lower[d], layout->cut[d][at]);
      assert_int_equal(box->upper[d], layout->cut[d][at + 1]);
      assert_true(box->lower[d] < box->upper[d]);
      size *= box->upper[d] - box->lower[d];
    }
    total += size;
    assert_in_range(box->rank, 0, ranks - 1);
    if (b > 0 && box->rank != layout->box[b - 1].rank)
      assert_int_equal(box->rank, layout->box[b - 1].rank + 1); /* contiguous runs */
  }
  assert_true(total == cells_of(cells));
  assert_int_equal(layout->box[0].rank, 0);
}

static void check_balance(const struct gmg_layout *layout)
{
  for (int d = 0; d < 3; d++) {
    const double mean = (double)layout->cells[d] / layout->blocks[d];
    for (int b = 0; b < layout->blocks[d]; b++) {
      const int width = layout->cut[d][b + 1] - layout->cut[d][b];
      assert_true(width < mean + 1.0 || width <= mean * 17.0 / 16.0);
      assert_true(width >= 0.75 * (int)mean);
    }
  }
}

/* Every box of the coarse level covers exactly the box of the same index below it. */
static void check_children(const struct gmg_pairing pairing[3], const struct gmg_layout *coarse,
                           const struct gmg_layout *fine)
{
  assert_int_equal(coarse->count, fine->count);
  for (int b = 0; b < coarse->count; b++) {
    assert_int_equal(coarse->box[b].rank, fine->box[b].rank);
    for (int d = 0; d < 3; d++) {
      assert_int_equal(fine->box[b].lower[d], pairing[d].lo[coarse->box[b].lower[d]]);
      assert_int_equal(fine->box[b].upper[d], pairing[d].hi[coarse->box[b].upper[d] - 1] + 1);
    }
  }
  assert_int_equal(coarse->local_count, fine->local_count);
}

static void check_same(const struct gmg_layout *a, const struct gmg_layout *b)
{
  assert_int_equal(a->count, b->count);
  assert_memory_equal(a->box, b->box, (size_t)a->count * sizeof *a->box);
}

/* Boxes of level l, given those of l - 1. */
static void check_inheritance(const struct hierarchy *h, int l, struct gmg_layout *const *layout,
                              struct gmg_layout *const *staging, const struct gmg_cutting *cutting,
                              int ranks)
{
  const struct gmg_layout *fine = staging[l - 1] ? staging[l - 1] : layout[l - 1];
  check_children(h->pairing[l - 1], layout[l], fine);
  const struct gmg_box *last = &layout[l]->box[layout[l]->count - 1];
  if (cells_of(h->cells[l]) <= (int64_t)GMG_GATHER_ALL * cutting->gather
      || l + cutting->one >= h->levels)
    assert_int_equal(layout[l]->count, 1);
  assert_true(last->rank == 0
              || cells_of(h->cells[l]) >= (int64_t)cutting->gather * (last->rank + 1));
  if (!staging[l - 1])
    return;
  check_tiling(staging[l - 1], h->cells[l - 1], ranks);
  assert_true(layout[l]->count <= ranks);
  assert_true(layout[l - 1]->count > 1);
  if (layout[l]->count > 1)
    check_balance(layout[l]);
}

static void check_case(const struct hierarchy *h, const struct gmg_cutting *cutting, int ranks,
                       int *staged)
{
  struct gmg_layout *layout[MOST_LEVELS], *staging[MOST_LEVELS], *first[MOST_LEVELS],
    *first_staging[MOST_LEVELS];
  int held[MOST_LEVELS] = {0};
  for (int rank = 0; rank < ranks; rank++) {
    struct gmg_layout **mine = rank ? layout : first,
                      **mine_staging = rank ? staging : first_staging;
    assert_int_equal(
      gmg_decompose(h->pairing, h->levels, h->cells, cutting, rank, ranks, mine, mine_staging), 0);
    for (int l = 0; l < h->levels; l++) {
      held[l] += mine[l]->local_count;
      for (int b = 0; b < mine[l]->local_count; b++) {
        assert_int_equal(mine[l]->box[mine[l]->local[b]].rank, rank);
        assert_int_equal(gmg_layout_local(mine[l], mine[l]->local[b]), b);
      }
      if (rank)
        check_same(mine[l], first[l]);
    }
    for (int l = 0; rank && l < h->levels; l++) {
      gmg_layout_destroy(&layout[l]);
      if (l + 1 < h->levels)
        gmg_layout_destroy(&staging[l]);
    }
  }
  check_balance(first[0]);
  for (int l = 0; l < h->levels; l++) {
    check_tiling(first[l], h->cells[l], ranks);
    assert_int_equal(held[l], first[l]->count);
    if (l > 0)
      check_inheritance(h, l, first, first_staging, cutting, ranks);
  }
  if (first[0]->count >= ranks) /* nobody is idle */
    assert_int_equal(first[0]->box[first[0]->count - 1].rank, ranks - 1);
  if (cutting->nominal == 0 && cells_of(h->cells[0]) >= 8LL * ranks * ranks * ranks)
    assert_int_equal(first[0]->count, ranks);
  for (int l = 0; l < h->levels; l++) {
    gmg_layout_destroy(&first[l]);
    if (l + 1 < h->levels) {
      *staged += first_staging[l] != NULL;
      gmg_layout_destroy(&first_staging[l]);
    }
  }
}

static void all_levels(void **state)
{
  (void)state;
  static const int sizes[][3] = {{1, 1, 1},     {2, 3, 40},     {5, 5, 5},     {16, 16, 16},
                                 {17, 33, 9},   {64, 64, 64},   {63, 63, 63},  {100, 75, 33},
                                 {250, 2, 97},  {128, 128, 1},  {31, 37, 129}, {96, 96, 96},
                                 {127, 64, 65}, {128, 128, 128}};
  static const double widths[][3] = {{1, 1, 1}, {1, 1, 0.1}, {4, 1, 2}};
  static const int nominals[] = {0, 2, 5, 8, 16, 32, 1000}, counts[] = {1, 2, 3, 4, 5, 8, 13, 64},
                   gathers[] = {GMG_GATHER_CELLS, 1, 30, 100000};
  int cases = 0, staged = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
      struct hierarchy h;
      make_hierarchy(&h, sizes[s], widths[w]);
      for (size_t n = 0; n < sizeof nominals / sizeof *nominals; n++)
        for (size_t r = 0; r < sizeof counts / sizeof *counts; r++) {
          if (nominals[n] && cells_of(sizes[s]) / nominals[n] / nominals[n] / nominals[n] > 5000)
            continue; /* only time */
          const struct gmg_cutting cutting = {nominals[n], gathers[(n + r) % 4],
                                              h.levels > 2 ? (int)(n + r) % 3 : 0};
          check_case(&h, &cutting, counts[r], &staged);
          cases++;
        }
      clear_hierarchy(&h);
    }
  printf("%d cases, %d staging layouts\n", cases, staged);
}

/* Where the sizes allow it, boxes stay where they are down to the gathered levels. */
static void aligned(void **state)
{
  (void)state;
  static const int sizes[][3] = {{128, 128, 128}, {256, 256, 256}, {96, 64, 128}};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int ranks = 1; ranks <= 8; ranks++) {
      if (ranks == 5 || ranks == 7)
        continue; /* multiples of 4 cells would be out of balance */
      struct hierarchy h;
      struct gmg_layout *layout[MOST_LEVELS], *staging[MOST_LEVELS];
      make_hierarchy(&h, sizes[s], (const double[]){1, 1, 1});
      assert_int_equal(
        gmg_decompose(h.pairing, h.levels, h.cells, &standard, 0, ranks, layout, staging), 0);
      for (int l = 0; l < h.levels; l++) {
        const int gathered = cells_of(h.cells[l]) <= GMG_GATHER_ALL * GMG_GATHER_CELLS;
        assert_int_equal(layout[l]->count, gathered ? 1 : ranks);
        if (l + 1 < h.levels)
          assert_int_equal(staging[l] != NULL, layout[l]->count != layout[l + 1]->count);
      }
      for (int l = 0; l < h.levels; l++) {
        gmg_layout_destroy(&layout[l]);
        if (l + 1 < h.levels)
          gmg_layout_destroy(&staging[l]);
      }
      clear_hierarchy(&h);
    }
}

static void least_surface(void **state)
{
  (void)state;
  static const struct {
    int cells[3], ranks, blocks[3];
  } cases[] = {{{64, 64, 64}, 8, {1, 2, 4}}, {{64, 64, 64}, 2, {1, 1, 2}},
               {{64, 64, 64}, 4, {1, 2, 2}}, {{256, 16, 16}, 4, {4, 1, 1}},
               {{64, 64, 1}, 4, {1, 4, 1}},  {{1, 1, 3}, 8, {1, 1, 3}},
               {{2, 2, 2}, 7, {1, 2, 2}},    {{64, 64, 64}, 5, {1, 1, 5}},
               {{64, 24, 24}, 8, {2, 2, 2}}, {{96, 12, 12}, 8, {2, 2, 2}}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    struct gmg_layout *layout[1];
    assert_int_equal(
      gmg_decompose(NULL, 1, &cases[c].cells, &standard, 0, cases[c].ranks, layout, NULL), 0);
    assert_memory_equal(layout[0]->blocks, cases[c].blocks, sizeof layout[0]->blocks);
    gmg_layout_destroy(&layout[0]);
  }
}

static void check_query(const struct gmg_layout *layout, const int lower[3], const int upper[3])
{
  struct gmg_layout_query query;
  gmg_layout_query(&query, layout, lower, upper);
  for (int b = 0; b < layout->count; b++) {
    int meets = 1;
    for (int d = 0; d < 3; d++) {
      const int low = layout->box[b].lower[d] > lower[d] ? layout->box[b].lower[d] : lower[d];
      const int high = layout->box[b].upper[d] < upper[d] ? layout->box[b].upper[d] : upper[d];
      meets = meets && low < high;
    }
    if (meets)
      assert_int_equal(gmg_layout_next(&query), b);
  }
  assert_int_equal(gmg_layout_next(&query), -1);
  assert_int_equal(gmg_layout_next(&query), -1);
}

static void queries(void **state)
{
  (void)state;
  int i_cut[] = {0, 1, 4, 9}, j_cut[] = {0, 5}, k_cut[] = {0, 2, 3, 4, 6};
  int *const cut[3] = {i_cut, j_cut, k_cut};
  struct gmg_layout *tensor =
    gmg_layout_tensor((int[]){9, 5, 6}, (int[]){3, 1, 4}, cut, 0, 3, NULL);
  const struct gmg_box brick[4] = {{{0, 0, 0}, {9, 5, 2}, 0},
                                   {{0, 0, 0}, {0, 0, 0}, 0},
                                   {{0, 0, 2}, {4, 5, 6}, 0},
                                   {{4, 0, 2}, {9, 5, 6}, 0}};
  struct gmg_layout *bricks = gmg_layout_bricks((int[]){9, 5, 6}, brick, 1, 4);
  assert_non_null(tensor);
  assert_non_null(bricks);
  assert_int_equal(bricks->local_count, 0);
  assert_int_equal(bricks->box[3].rank, 3);
  int lower[3], upper[3];
  for (lower[0] = -1; lower[0] < 10; lower[0]++)
    for (upper[0] = lower[0]; upper[0] < 11; upper[0]++)
      for (lower[2] = -1; lower[2] < 7; lower[2]++)
        for (upper[2] = lower[2]; upper[2] < 8; upper[2]++) {
          lower[1] = lower[0] - 1;
          upper[1] = upper[2];
          check_query(tensor, lower, upper);
          check_query(bricks, lower, upper);
        }
  gmg_layout_destroy(&tensor);
  gmg_layout_destroy(&bricks);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_levels), cmocka_unit_test(aligned),
                                     cmocka_unit_test(least_surface), cmocka_unit_test(queries)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Copies of an exchange put together for a GPU: the same values go to the same places in the same
 * order, by as few copies as there are blocks. Preconditions: exchanges between two cuts of a grid,
 * seen from one of two ranks, on boxes that are cut into parts. Must vanish: differences between
 * the places that the merged copies and those of the plan read and write. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "system/comm.h"
#include "cuda/run/merge.h"

/* A value on its way: a row's element 0 on either side, and the index along the row. */
struct place {
  int64_t from, to;
  int from_i, to_i;
};

static int64_t row(const struct gmg_storage *storage, int box, const struct gmg_copy *copy, int j,
                   int k)
{
  if (box < 0)
    return (int64_t)copy->extent[0] * (j + (int64_t)copy->extent[1] * k);
  return j * (int64_t)storage->stride[box][0] + k * (int64_t)storage->stride[box][1];
}

/* All places of some copies; packed ones by their place in the buffer. */
static int64_t list_places(const struct gmg_exchange *e, const struct gmg_copy *copy, int count,
                           struct place *place)
{
  int64_t n = 0;
  for (int c = 0; c < count; c++)
    for (int k = 0; k < copy[c].extent[2]; k++)
      for (int j = 0; j < copy[c].extent[1]; j++)
        for (int i = 0; i < copy[c].extent[0]; i++)
          place[n++] = (struct place){copy[c].from + row(e->from, copy[c].from_box, &copy[c], j, k),
                                      copy[c].to + row(e->to, copy[c].to_box, &copy[c], j, k),
                                      copy[c].from_i + i, copy[c].to_i + i};
  return n;
}

/* The number of copies that are left, after all places were compared. */
static int check_list(const struct gmg_exchange *e, const struct gmg_copy_list *list)
{
  struct gmg_copy *merged = malloc(((size_t)list->count + 1) * sizeof *merged);
  struct place *want = malloc(((size_t)list->elements + 1) * sizeof *want);
  struct place *found = malloc(((size_t)list->elements + 1) * sizeof *found);
  assert_true(merged && want && found);
  int all = 0;
  int64_t differs = 0, reached = 0;
  for (int split = 0; split < 2; split++) {
    const int count = gmg_merge_copies(e, list, split, merged);
    reached += list_places(e, merged, count, found + reached);
    all += count;
  }
  assert_int_equal(list_places(e, list->copy, list->count, want), list->elements);
  assert_int_equal(reached, list->elements);
  for (int64_t n = 0; n < reached; n++)
    differs += want[n].from != found[n].from || want[n].to != found[n].to
      || want[n].from_i != found[n].from_i || want[n].to_i != found[n].to_i;
  printf("%d copies, %d when merged, %lld of %lld places differ\n", list->count, all,
         (long long)differs, (long long)list->elements);
  assert_int_equal(differs, 0);
  free(merged);
  free(want);
  free(found);
  return all;
}

static struct gmg_layout *cut(const int cells[3], int axis, int at)
{
  struct gmg_box brick[2] = {{{0, 0, 0}, {cells[0], cells[1], cells[2]}, 0},
                             {{0, 0, 0}, {cells[0], cells[1], cells[2]}, 1}};
  brick[0].upper[axis] = brick[1].lower[axis] = at;
  struct gmg_layout *layout = gmg_layout_bricks(cells, brick, 0, 2);
  assert_non_null(layout);
  return layout;
}

/* from: the caller's dense arrays, cut along z; to: a level's boxes, cut along y; and back. */
static void test_places(void **state)
{
  static const int cells[][3] = {
    {64, 64, 64}, {40, 33, 70}, {300, 90, 5}, {20000, 3, 4}, {7, 5, 3}};
  (void)state;
  struct gmg_comm comm = {.rank = 0, .ranks = 2};
  for (size_t n = 0; n < sizeof cells / sizeof *cells; n++)
    for (int rows = 0; rows < 2; rows++)
      for (int whole = 0; whole < 2; whole++) { /* 1: all on this rank */
        struct gmg_layout *parts = cut(cells[n], 2, whole ? cells[n][2] : cells[n][2] / 2 + 1);
        struct gmg_layout *boxes = cut(cells[n], 1, whole ? cells[n][1] : cells[n][1] / 2 + 1);
        const int thick = parts->box[0].upper[2];
        const ptrdiff_t stride[3] = {1, cells[n][0], (ptrdiff_t)cells[n][0] * cells[n][1]};
        struct gmg_storage *view = gmg_storage_view(parts, stride);
        struct gmg_storage *level =
          gmg_storage_create(boxes, 1, 0, NULL, sizeof(double), rows ? GMG_SPLIT : GMG_PLAIN);
        assert_true(view && level && thick > 0);
        struct gmg_exchange *e[2] = {gmg_exchange_redistribute(&comm, view, level, GMG_CELL),
                                     gmg_exchange_redistribute(&comm, level, view, GMG_CELL)};
        for (int way = 0; way < 2; way++) {
          assert_non_null(e[way]);
          assert_int_equal(check_list(e[way], &e[way]->local), 1);
          assert_int_equal(check_list(e[way], &e[way]->pack), !whole);
          assert_int_equal(check_list(e[way], &e[way]->unpack), !whole);
          gmg_exchange_destroy(&e[way]);
        }
        gmg_storage_destroy(&view);
        gmg_storage_destroy(&level);
        gmg_layout_destroy(&parts);
        gmg_layout_destroy(&boxes);
      }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_places)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

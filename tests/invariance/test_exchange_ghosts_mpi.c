/* ranks: 1 3 5 */
/* Ghost zones after an exchange, against a direct evaluation of a function of the global indices.
 * Preconditions: interiors hold the function, everything else a mark.
 * Must vanish: differences in ghosts that have a neighbour, a periodic image or a wall formula;
 * changes of the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh/exchange.h"
#include "random_layout.h"
#include "ranks.h"

static struct gmg_comm comm;
static const double mark = -777.0;
/* Powers of two, so that products of them are exact in float too. */
static const double factor[3][2] = {{-1.0, 0.5}, {1.0, -0.25}, {2.0, -2.0}};

static double value(const int at[3])
{
  return 1.0 + at[0] + 128.0 * (at[1] + 128.0 * at[2]); /* exact in float */
}

static double get(const struct gmg_storage *s, const void *field, int64_t at)
{
  return s->element_bytes == sizeof(double) ? ((const double *)field)[at]
                                            : (double)((const float *)field)[at];
}

static void set(const struct gmg_storage *s, void *field, int64_t at, double x)
{
  if (s->element_bytes == sizeof(double))
    ((double *)field)[at] = x;
  else
    ((float *)field)[at] = (float)x;
}

/* What a ghost must hold; outside: on how many axes it lies outside its box. */
static double expected(const int cells[3], const int at[3], int outside,
                       enum gmg_exchange_shape shape, const int periodic[3], int walls)
{
  int inner[3];
  double scale = 1.0;
  if (outside > 1 && shape == GMG_STAR)
    return mark;
  for (int d = 0; d < 3; d++) {
    const int n = cells[d];
    inner[d] = periodic[d] ? ((at[d] % n) + n) % n : at[d];
    while (inner[d] < 0 || inner[d] >= n) {
      if (!walls)
        return mark;
      scale *= factor[d][inner[d] < 0 ? 0 : 1];
      inner[d] = inner[d] < 0 ? -1 - inner[d] : 2 * n - 1 - inner[d];
    }
  }
  return scale * value(inner);
}

/* Visits all elements within `depth` of a box: fills them, or compares and counts those that
 * differ. */
static int64_t visit_box(const struct gmg_storage *s, int local, int depth, void *field, int fill,
                         enum gmg_exchange_shape shape, const int periodic[3], int walls,
                         int exchanged)
{
  const struct gmg_box *box = &s->layout->box[s->layout->local[local]];
  int64_t wrong = 0;
  int at[3];
  for (at[2] = box->lower[2] - depth; at[2] < box->upper[2] + depth; at[2]++)
    for (at[1] = box->lower[1] - depth; at[1] < box->upper[1] + depth; at[1]++)
      for (at[0] = box->lower[0] - depth; at[0] < box->upper[0] + depth; at[0]++) {
        int outside = 0, far = 0;
        for (int d = 0; d < 3; d++) {
          outside += at[d] < box->lower[d] || at[d] >= box->upper[d];
          far += at[d] < box->lower[d] - exchanged || at[d] >= box->upper[d] + exchanged;
        }
        const int i = at[0] - box->lower[0];
        const int64_t element = s->origin[local] + (s->odd[local] ? gmg_at(i, s->odd[local]) : i)
          + (at[1] - box->lower[1]) * s->stride[local][0]
          + (at[2] - box->lower[2]) * s->stride[local][1];
        assert_true(element >= 0 && element < s->elements);
        if (fill)
          set(s, field, element, outside ? mark : value(at));
        else
          wrong += get(s, field, element)
            != (far ? mark : expected(s->layout->cells, at, outside, shape, periodic, walls));
      }
  return wrong;
}

static int64_t check_exchange(const struct gmg_layout *layout, int ghost, int depth, size_t bytes,
                              enum gmg_rows rows, enum gmg_exchange_shape shape,
                              const int periodic[3], int walls)
{
  struct gmg_storage *s = gmg_storage_create(layout, ghost, 0, NULL, bytes, rows);
  assert_non_null(s);
  void *field = aligned_alloc(64, (size_t)(s->elements + 64) / 64 * 64 * bytes);
  assert_non_null(field);
  struct gmg_exchange *e =
    gmg_exchange_ghosts(&comm, s, shape, depth, periodic, walls ? factor : NULL);
  assert_non_null(e);
  int64_t wrong = 0;
  for (int b = 0; b < layout->local_count; b++)
    visit_box(s, b, ghost, field, 1, shape, periodic, walls, depth);
  for (int again = 0; again < 2; again++)
    assert_int_equal(gmg_exchange_run(e, field, field), 0);
  for (int b = 0; b < layout->local_count; b++) {
    wrong += visit_box(s, b, ghost, field, 0, shape, periodic, walls, depth);
    const int64_t starts = rows == GMG_SPLIT ? 32 : 64; /* bytes: strides.h */
    assert_int_equal(s->origin[b] * (int64_t)bytes % starts, 0);
    assert_int_equal((int64_t)s->odd[b] * (int64_t)bytes % starts, 0);
    assert_int_equal((int64_t)s->stride[b][0] * (int64_t)bytes % starts, 0);
    assert_int_equal((int64_t)s->stride[b][1] * (int64_t)bytes % starts, 0);
  }
  gmg_exchange_destroy(&e);
  assert_null(e);
  gmg_storage_destroy(&s);
  free(field);
  return wrong;
}

static void ghosts(void **state)
{
  (void)state;
  static const int sizes[][3] = {{1, 1, 1},    {2, 1, 3},    {5, 4, 3},   {1, 9, 6},
                                 {12, 12, 12}, {17, 16, 15}, {64, 1, 33}, {40, 30, 20}};
  unsigned seed = 20261120u;
  int64_t wrong = 0;
  int cases = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int most = 1; most <= 6; most += most == 1 ? 2 : 3)
      for (int wrap = 0; wrap < 8; wrap++) {
        const int periodic[3] = {wrap & 1, wrap >> 1 & 1, wrap >> 2 & 1};
        struct gmg_layout *layout = random_layout(&comm, sizes[s], most, &seed);
        for (int variant = 0; variant < 32; variant++, cases++) {
          static const int ghosts_held[] = {1, 2, 3, 3}, depths[] = {1, 2, 3, 2};
          const int ghost = ghosts_held[variant >> 2 & 3], depth = depths[variant >> 2 & 3];
          wrong +=
            check_exchange(layout, ghost, depth, variant & 1 ? sizeof(float) : sizeof(double),
                           variant >> 4 ? GMG_SPLIT : GMG_PLAIN, variant & 2 ? GMG_FULL : GMG_STAR,
                           periodic, (variant ^ wrap) & 1);
        }
        gmg_layout_destroy(&layout);
      }
  if (comm.rank == 0)
    printf("%d cases, %lld wrong elements\n", cases, (long long)wrong);
  assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(ghosts)};
  if (ranks_start(&argc, &argv, &comm))
    return 1;
  return ranks_finish(&comm, cmocka_run_group_tests(tests, NULL, NULL));
}

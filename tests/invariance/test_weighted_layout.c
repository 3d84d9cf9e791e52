/* threads: 1
 * Layouts for ranks of unlike speeds. Preconditions: random cells, axes, weights (a third of them
 * 0), box sizes, up to 9 ranks. What must vanish: cells in no box or in several; parts that are
 * more than a layer from their share, or of a rank with weight 0; parts out of the ranks' order;
 * boxes that are twice as long as asked for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "mesh/weighted.h"

enum { TRIES = 2000, RANKS = 9 };

static uint64_t state_of_random = 88172645463325252u;

static int random_below(int bound)
{
  state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
  return (int)((state_of_random >> 33) % (uint64_t)bound);
}

static void check(const int cells[3], int axis, int nominal, const double *weight, int ranks)
{
  struct gmg_layout *layout =
    gmg_layout_weighted(cells, axis, nominal, weight, random_below(ranks), ranks);
  assert_non_null(layout);
  double all = 0, before = 0;
  int64_t covered = 0;
  int part[RANKS] = {0};
  for (int r = 0; r < ranks; r++)
    all += weight[r];
  int last = 0;
  for (int b = 0; b < layout->count; b++) {
    const struct gmg_box *box = &layout->box[b];
    int64_t inside = 1;
    for (int d = 0; d < 3; d++) {
      const int length = box->upper[d] - box->lower[d];
      assert_true(box->lower[d] >= 0 && length > 0 && box->upper[d] <= cells[d]);
      assert_true(nominal == 0 || length < 2 * nominal);
      inside *= length;
    }
    covered += inside;
    /* the boxes at one corner of the other axes, in their order */
    if (box->lower[(axis + 1) % 3] || box->lower[(axis + 2) % 3])
      continue;
    assert_int_equal(box->lower[axis], last);
    last = box->upper[axis];
    assert_true(b == 0 || box->rank >= layout->box[0].rank);
    part[box->rank] += box->upper[axis] - box->lower[axis];
  }
  assert_int_equal(last, cells[axis]);
  assert_true(covered == (int64_t)cells[0] * cells[1] * cells[2]);
  for (int r = 0, end = 0; r < ranks; r++) {
    before += weight[r];
    end += part[r];
    assert_true(fabs(end - cells[axis] * before / all) <= 0.5 + 1e-9);
    assert_true(weight[r] > 0 || part[r] == 0);
  }
  gmg_layout_destroy(&layout);
}

static void random_ones(void **state)
{
  (void)state;
  for (int n = 0; n < TRIES; n++) {
    const int cells[3] = {1 + random_below(40), 1 + random_below(40), 1 + random_below(40)},
              ranks = 1 + random_below(RANKS);
    double weight[RANKS] = {0};
    for (int r = 0; r < ranks; r++)
      weight[r] = random_below(3) ? pow(10, random_below(5)) * (1 + random_below(9)) : 0;
    weight[random_below(ranks)] = 1e-3 + random_below(1000);
    check(cells, random_below(3), random_below(2) ? 0 : 1 + random_below(12), weight, ranks);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_ones)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Preconditions: none. What must vanish: the number of grids on which a V-cycle contracts worse
 * than it should, or needs more cycles than it should, and the dependence of the contraction on h
 * (small sizes of the Must hold 6). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contraction_check.h"

static void contraction(void **state)
{
  static const int sizes[] = {32, 64, 0};
  (void)state;
  assert_int_equal(contraction_check(sizes), 0);
}

static void cycles_of_shapes(void **state)
{
  (void)state;
  assert_int_equal(cycles_check(300000), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(contraction),
                                     cmocka_unit_test(cycles_of_shapes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

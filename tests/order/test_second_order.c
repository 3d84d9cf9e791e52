/* Preconditions: none. What must vanish: the distance of the observed order of accuracy from 2.0,
 * up to 0.1 (0.15 here, where grids are small), for every kind of boundary, with non-zero values,
 * and coefficient. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "order_check.h"

static void second_order(void **state)
{
  static const int sizes[3] = {16, 32, 64};
  (void)state;
  assert_int_equal(order_check(sizes, 0.15), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(second_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* label: long */
/* Preconditions: none. What must vanish: the distance of the observed order of accuracy from 2.0,
 * up to 0.1, on 32³, 64³ and 128³ (the Must hold 5), or on the three sizes given as
 * arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "order_check.h"

static int sizes[3] = {32, 64, 128};

static void second_order(void **state)
{
  (void)state;
  assert_int_equal(order_check(sizes, 0.1), 0);
}

int main(int argc, char **argv)
{
  for (int n = 1; n < argc && n <= 3; n++)
    sizes[n - 1] = atoi(argv[n]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(second_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

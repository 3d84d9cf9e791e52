/* label: long */
/* Preconditions: about 1 GiB of memory. What must vanish: as test_contraction.c, on 32³ to 256³ and
 * all shapes of the Must hold 6; or on cubes of the sizes given as arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "contraction_check.h"

enum { MOST_SIZES = 16 };
static int sizes[MOST_SIZES + 1] = {32, 64, 128, 256};

static void contraction(void **state)
{
  (void)state;
  assert_int_equal(contraction_check(sizes), 0);
}

static void cycles_of_shapes(void **state)
{
  (void)state;
  assert_int_equal(cycles_check(1L << 40), 0);
}

int main(int argc, char **argv)
{
  for (int n = 1; n < argc && n <= MOST_SIZES; n++) {
    sizes[n - 1] = atoi(argv[n]);
    sizes[n] = 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(contraction),
                                     cmocka_unit_test(cycles_of_shapes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

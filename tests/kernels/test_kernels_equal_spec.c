/* Every generated kernel equals its sequential spec, in every instruction set that this CPU runs,
 * in double and float. Preconditions: two boxes a call; extents 1...9, 16, 17, 32, 33 in each
 * direction, a tenth of all combinations (all of them: kernels_equal_spec_long); random contents,
 * ghosts included; random pairing with the other level. Must vanish: errors beyond rounding;
 * changes of anything but the cells that a kernel writes; differences in bits between instruction
 * sets and tilings.
 *
 * sanitizers: no */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "kernel_plan.h"

static void extents(void **state)
{
  (void)state;
  assert_int_equal(test_plan_extents(10), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(extents)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

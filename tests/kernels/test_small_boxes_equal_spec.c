/* Generated kernels on small boxes: Gauss-Seidel against a sweep point by point, kernels on two
 * threads, and that no kernel is without a spec. Preconditions: as in test_kernels_equal_spec.c;
 * extents 1, 2, 3, and a few larger ones. Must vanish: errors beyond rounding; changes of anything
 * but the cells that a kernel writes; differences in bits between instruction sets, tilings and
 * numbers of threads; kernels that no spec covers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "kernel_plan.h"

static void kernels_are_covered(void **state)
{
  (void)state;
  const struct gmg_kernel_library *library[TEST_LIBRARIES];
  const int libraries = test_libraries(library);
  assert_true(libraries > 0);
  assert_int_equal(test_libraries_faults(library, libraries), 0);
}

static void point_by_point(void **state)
{
  (void)state;
  assert_int_equal(test_plan_literal(), 0);
}

static void two_threads(void **state)
{
  (void)state;
  assert_int_equal(test_plan_threads(), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(kernels_are_covered),
    cmocka_unit_test(point_by_point),
    cmocka_unit_test(two_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

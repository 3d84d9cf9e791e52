/* The generated CUDA text of every kernel, run on the CPU, has the bits of the OpenMP kernel, which
 * equals its sequential spec. Preconditions: two boxes a call, of extents smaller than, equal to
 * and no multiple of the thread blocks; three orders of threads and of blocks; every launch form,
 * and the grid-wide stride. Must vanish: differences in bits, sums included; changes of anything
 * but the cells that a kernel writes; threads that wait for ever; kernels without a CUDA text.
 * threads: 1
 * sanitizers: no */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "on_cpu_plan.h"

static void orders_and_forms(void **state)
{
  (void)state;
  assert_int_equal(on_cpu_plan_quick(), 0);
}

static void left_out_barriers_are_seen(void **state)
{
  (void)state;
  assert_int_equal(on_cpu_plan_barriers(), 0);
}

static void both_colours_in_one_pass(void **state)
{
  (void)state;
  assert_int_equal(on_cpu_plan_staged(), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(orders_and_forms),
                                     cmocka_unit_test(left_out_barriers_are_seen),
                                     cmocka_unit_test(both_colours_in_one_pass)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The kernels of test_kernels_on_cpu.c in every combination of the orders of threads and blocks, on
 * more boxes.
 *
 * label: long
 * threads: 1
 * sanitizers: no */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "on_cpu_plan.h"

static void all_orders(void **state)
{
  (void)state;
  assert_int_equal(on_cpu_plan_large(), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_orders)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

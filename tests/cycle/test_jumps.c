/* Preconditions: none. What must vanish: the number of balls, of a β up to a million times larger or smaller than around
 * them, on which default settings need more cycles than measured when this was written (up to a third more), or do not
 * converge. A V-cycle alone needs 42 where the ball is the larger; `auto` turns conjugate gradients on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "manufactured.h"

static void jumps(void **state)
{
  static const struct {
    double ratio;
    int most;
  } balls[] = {{1e-6, 13}, {1e-3, 13}, {1e-1, 11}, {3, 13}, {10, 17}, {1e3, 13}, {1e6, 13}};
  (void)state;
  int failures = 0;
  gmg_context *context;
  assert_int_equal(gmg_context_create(0, &context), GMG_OK);
  for (int size = 16; size <= 32; size *= 2)
    for (size_t n = 0; n < sizeof balls / sizeof *balls; n++) {
      const struct manufactured problem = {.cells = {size, size, size}, .random_f = 1, .ball = balls[n].ratio};
      struct manufactured_result r = manufactured_solve(context, &problem);
      const int bad = r.status || r.result.outcome != GMG_CONVERGED || r.result.cycles > balls[n].most;
      printf("%d^3, ball of beta %g: %d cycles (at most %d)%s\n", size, balls[n].ratio, r.result.cycles, balls[n].most,
             bad ? " <-" : "");
      failures += bad;
      free(r.u);
    }
  gmg_context_destroy(&context);
  assert_int_equal(failures, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(jumps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* threads: 1
 * Preconditions: none. What must vanish: candidates that are said to spill though none like them
 * was seen to, or only by a few bytes; candidates that are compiled although one with as many
 * registers spilled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda/tune/spills.h"

static const struct gmg_cuda_form march = {.name = "march"}, queue = {.name = "queue"};

static struct gmg_wanted wanted(const struct gmg_cuda_form *form, struct gmg_cuda_shape shape)
{
  return (struct gmg_wanted){.form = form, .shape = shape};
}

static int foretold(const struct gmg_spills *spills, const struct gmg_cuda_form *form,
                    struct gmg_cuda_shape shape)
{
  const struct gmg_wanted one = wanted(form, shape);
  return gmg_spills_foretold(spills, &one);
}

static void by_registers(void **state)
{
  (void)state;
  static struct gmg_spills spills;
  struct gmg_wanted seen = wanted(&march, (struct gmg_cuda_shape){32, 8, 1, 4, 2, 3}); /* 80 */
  gmg_spills_note(&spills, &seen, 36);
  assert_false(foretold(&spills, &march, seen.shape)); /* a few bytes */
  gmg_spills_note(&spills, &seen, 264);
  assert_true(foretold(&spills, &march, seen.shape));
  assert_true(foretold(&spills, &march, (struct gmg_cuda_shape){128, 1, 1, 4, 2, 6}));  /* 80 */
  assert_true(foretold(&spills, &march, (struct gmg_cuda_shape){64, 8, 1, 4, 2, 3}));   /* 40 */
  assert_false(foretold(&spills, &march, (struct gmg_cuda_shape){128, 1, 1, 4, 2, 5})); /* 96 */
  assert_false(foretold(&spills, &march, (struct gmg_cuda_shape){32, 8, 1, 4, 2, 1}));
  assert_false(foretold(&spills, &march, (struct gmg_cuda_shape){32, 8, 1, 4, 1, 3}));
  assert_false(foretold(&spills, &march, (struct gmg_cuda_shape){32, 8, 1, 8, 2, 3}));
  assert_false(foretold(&spills, &march, (struct gmg_cuda_shape){32, 8, 2, 4, 2, 3}));
  assert_false(foretold(&spills, &queue, seen.shape));
  seen.shape.blocks = 2; /* 128 registers: more are known to be too few */
  gmg_spills_note(&spills, &seen, 200);
  assert_true(foretold(&spills, &march, (struct gmg_cuda_shape){128, 1, 1, 4, 2, 5}));
  seen.shape.blocks = 4; /* fewer say nothing new */
  gmg_spills_note(&spills, &seen, 900);
  assert_true(foretold(&spills, &march, (struct gmg_cuda_shape){128, 1, 1, 4, 2, 4}));
  assert_int_equal(spills.count, 1);
}

static void full(void **state)
{
  (void)state;
  static struct gmg_spills spills;
  for (int rows = 1; rows <= GMG_SPILLS + 5; rows++) {
    const struct gmg_wanted one = wanted(&march, (struct gmg_cuda_shape){32, 8, rows, 1, 1, 8});
    gmg_spills_note(&spills, &one, 1000);
    assert_int_equal(gmg_spills_foretold(&spills, &one), rows <= GMG_SPILLS);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_registers), cmocka_unit_test(full)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

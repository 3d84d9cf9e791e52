/* ranks: 1 2 3 */
/* program: examples/programs/wave.stencil tests/programs/blur.stencil */
/* gmg_program_leap and gmg_program_growth. Preconditions: KissFFT. What must vanish: the difference
 * between steps at once and steps one by one, over the largest value, beyond 1e-13 a step, with one
 * box per rank or several; memory that a call keeps; calls that are wrong and are not refused, on
 * all ranks alike, with the arrays as they were. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "ranks.h"

#include <gmg_program.h>

GMG_PROGRAM(wave);
GMG_PROGRAM(blur);

enum { NX = 14, NY = 11, NZ = 9 };

static struct gmg_comm comm;
static gmg_context *context;

static gmg_program *make(const struct gmg_program_descriptor *const *made, int layers, int box)
{
  const int cells[3] = {NX, NY, layers};
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  gmg_grid *grid = NULL;
  gmg_program *program = NULL;
  assert_int_equal(gmg_grid_create(context, cells, lower, upper, &grid), GMG_OK);
  assert_int_equal(gmg_program_create(grid, made, box, 1, &program), GMG_OK);
  assert_int_equal(gmg_program_begin(program), GMG_OK);
  gmg_grid_destroy(&grid);
  return program;
}

/* The largest difference between cells of arrays that are seen, and the largest of their values. */
static double difference(gmg_program *one, gmg_program *other)
{
  gmg_program_box a, b;
  double most = 0, apart = 0;
  for (int array = 0; gmg_program_array_name(one, array); array++)
    for (int box = 0; box < gmg_program_boxes(one) && gmg_program_array_kept(one, array); box++) {
      assert_int_equal(gmg_program_view(one, array, box, &a), GMG_OK);
      assert_int_equal(gmg_program_view(other, array, box, &b), GMG_OK);
      for (int k = 0; k < a.upper[2] - a.lower[2]; k++)
        for (int j = 0; j < a.upper[1] - a.lower[1]; j++)
          for (int i = 0; i < a.upper[0] - a.lower[0]; i++) {
            const ptrdiff_t at = i + j * a.stride[1] + k * a.stride[2];
            const double x = ((double *)a.data)[at], y = ((double *)b.data)[at];
            apart = fmax(apart, fabs(x - y));
            most = fmax(most, fabs(x));
          }
    }
  return most > 0 ? apart / most : apart;
}

static void agrees(void **state)
{
  static const int boxes[] = {0, 5};
  (void)state;
  for (size_t n = 0; n < sizeof boxes / sizeof *boxes; n++) {
    gmg_program *single = make(wave_program, NZ, boxes[n]),
                *leaping = make(wave_program, NZ, boxes[n]);
    gmg_program_info before, after;
    gmg_program_inform(leaping, &before);
    for (int steps = 0; steps < 20; steps = 2 * steps + 1) {
      assert_int_equal(gmg_program_run(single, steps), GMG_OK);
      assert_int_equal(gmg_program_leap(leaping, steps), GMG_OK);
      assert_true(difference(single, leaping) < 30 * 1e-13);
      assert_int_equal(gmg_program_run(single, 1), GMG_OK);
      assert_int_equal(gmg_program_run(leaping, 1), GMG_OK);
      assert_true(difference(single, leaping) < 30 * 1e-13);
    }
    gmg_program_inform(leaping, &after);
    assert_true(before.memory == after.memory);
    assert_int_equal(after.steps, 0 + 1 + 3 + 7 + 15 + 5);
    gmg_program_destroy(&single);
    gmg_program_destroy(&leaping);
  }
}

static void grows(void **state)
{
  (void)state;
  gmg_program *program = make(wave_program, NZ, 0);
  double growth = 0;
  int stable = 0;
  assert_int_equal(gmg_program_growth(program, &growth, &stable), GMG_OK);
  assert_true(fabs(growth - 1) < 1e-7 && stable == 1);
  assert_int_equal(gmg_program_set(program, "c2", 0.4), GMG_OK);
  assert_int_equal(gmg_program_growth(program, &growth, &stable), GMG_OK);
  assert_true(growth > 1.5 && growth < 3 && stable == 0);
  assert_int_equal(gmg_program_growth(program, NULL, &stable), GMG_ERR_ARGUMENT);
  assert_int_equal(gmg_program_growth(NULL, &growth, &stable), GMG_ERR_ARGUMENT);
  gmg_program_destroy(&program);
}

static void refused(gmg_status found, gmg_status status, const char *why)
{
  assert_int_equal(found, status);
  if (!strstr(gmg_context_message(context), why))
    fail_msg("'%s' has no '%s'", gmg_context_message(context), why);
}

static void refusals(void **state)
{
  (void)state;
  gmg_program *program = make(wave_program, NZ, 0), *like = make(wave_program, NZ, 0);
  assert_int_equal(gmg_program_leap(NULL, 1), GMG_ERR_ARGUMENT);
  refused(gmg_program_leap(program, -1), GMG_ERR_ARGUMENT, "found -1 steps, expected 0 or more");
  if (comm.ranks > 1) {
    refused(gmg_program_leap(program, 4 + comm.rank), GMG_ERR_ARGUMENT, "steps");
    assert_int_equal(gmg_program_set(program, "c2", 0.1 + 0.01 * comm.rank), GMG_OK);
    refused(gmg_program_leap(program, 4), GMG_ERR_ARGUMENT, "parameters");
  }
  assert_true(difference(program, like) == 0);
  gmg_program_destroy(&program);
  gmg_program_destroy(&like);
  program = make(blur_program, 1, 0);
  like = make(blur_program, 1, 0);
  refused(gmg_program_leap(program, 4), GMG_ERR_UNSUPPORTED, "fixed along");
  assert_true(difference(program, like) == 0);
  gmg_program_destroy(&program);
  gmg_program_destroy(&like);
}

int main(int argc, char **argv)
{
  if (ranks_start(&argc, &argv, &comm))
    return 1;
#if GMG_WITH_MPI
  int failed = gmg_context_create_mpi(comm.mpi, 2, &context) != GMG_OK;
#else
  int failed = gmg_context_create(2, &context) != GMG_OK;
#endif
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees), cmocka_unit_test(grows),
                                     cmocka_unit_test(refusals)};
  failed = failed || cmocka_run_group_tests(tests, NULL, NULL);
  gmg_context_destroy(&context);
  return ranks_finish(&comm, failed);
}

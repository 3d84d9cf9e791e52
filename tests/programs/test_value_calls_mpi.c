/* ranks: 1 3 */
/* program: tests/programs/ramp.stencil */
/* gmg_program_value. Preconditions: none. What must vanish: the difference of values from those
 * that the ramp of ramp.stencil has, to the last bit, with one box per rank or several, and of
 * several steps per exchange; calls that are wrong and are not refused, on all ranks alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "ranks.h"

#include <gmg_program.h>

GMG_PROGRAM(ramp);

enum { NX = 12, NY = 7 };

static struct gmg_comm comm;
static gmg_context *context;

static gmg_program *make(int box, int together)
{
  const int cells[3] = {NX, NY, 1};
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  gmg_grid *grid = NULL;
  gmg_program *program = NULL;
  assert_int_equal(gmg_grid_create(context, cells, lower, upper, &grid), GMG_OK);
  assert_int_equal(gmg_program_create(grid, ramp_program, box, together, &program), GMG_OK);
  gmg_grid_destroy(&grid);
  return program;
}

static double value_of(gmg_program *program, const char *name)
{
  double value = -1;
  assert_int_equal(gmg_program_value(program, name, &value), GMG_OK);
  return value;
}

/* After steps that have raised the ramp by so much. */
static void check(gmg_program *program, double raised, double c)
{
  const double total = NY * (NX * (NX - 1) / 2) + NX * (10 * NY * (NY - 1) / 2);
  assert_true(value_of(program, "total") == total + NX * NY * raised);
  /* Along x the differences cancel, but for c; along y all but the last rows' are 10. */
  assert_true(value_of(program, "slope") == c * 0 + 10 * NX * (NY - 1));
  assert_true(value_of(program, "lowest") == raised);
  assert_true(value_of(program, "highest") == 2 * raised + 2 * 10 * (NY - 1) + 2 * NX - 3);
}

static void values(void **state)
{
  static const int way[][2] = {{0, 1}, {3, 1}, {2, 4}, {0, 3}};
  (void)state;
  for (size_t n = 0; n < sizeof way / sizeof *way; n++) {
    gmg_program *program = make(way[n][0], way[n][1]);
    gmg_program_info before, after;
    assert_int_equal(gmg_program_set(program, "c", 0.25), GMG_OK);
    assert_int_equal(gmg_program_begin(program), GMG_OK);
    gmg_program_inform(program, &before);
    check(program, 0, 0.25);
    for (int round = 1; round <= 3; round++) {
      assert_int_equal(gmg_program_run(program, 8), GMG_OK);
      check(program, 2 * round, 0.25);
      check(program, 2 * round, 0.25);
    }
    gmg_program_inform(program, &after);
    assert_int_equal(before.memory, after.memory);
    gmg_program_destroy(&program);
  }
}

static void names(void **state)
{
  static const char *const name[] = {"total", "slope", "lowest", "highest"};
  (void)state;
  gmg_program *program = make(0, 1);
  for (int n = 0; n < 4; n++)
    assert_string_equal(gmg_program_value_name(program, n), name[n]);
  assert_null(gmg_program_value_name(program, 4));
  assert_null(gmg_program_value_name(program, -1));
  gmg_program_destroy(&program);
}

static void refused(gmg_program *program, const char *name, double *value, gmg_status status,
                    const char *why)
{
  assert_int_equal(gmg_program_value(program, name, value), status);
  if (!strstr(gmg_context_message(context), why))
    fail_msg("'%s' has no '%s'", gmg_context_message(context), why);
}

static void refusals(void **state)
{
  (void)state;
  gmg_program *program = make(0, 1);
  double value = 7;
  assert_int_equal(gmg_program_value(NULL, "total", &value), GMG_ERR_ARGUMENT);
  refused(program, "mass", &value, GMG_ERR_ARGUMENT,
          "reduces nothing to 'mass'; it has total, slope, lowest, highest");
  refused(program, NULL, &value, GMG_ERR_ARGUMENT, "reduces nothing to '(NULL)'");
  refused(program, "total", NULL, GMG_ERR_ARGUMENT, "value is NULL");
  refused(program, "slope", &value, GMG_ERR_ORDER, "parameter 'c' of program ramp has no value");
  assert_true(value == 7);
  /* The others need no parameter. */
  assert_int_equal(gmg_program_begin(program), GMG_ERR_ORDER);
  assert_true(value_of(program, "lowest") == 0);
  if (comm.ranks > 1) {
    refused(program, comm.rank ? "total" : "lowest", &value, GMG_ERR_ARGUMENT, "value");
    assert_true(value == 7);
  }
  gmg_program_destroy(&program);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(names),
                                     cmocka_unit_test(refusals)};
  failed = failed || cmocka_run_group_tests(tests, NULL, NULL);
  gmg_context_destroy(&context);
  return ranks_finish(&comm, failed);
}

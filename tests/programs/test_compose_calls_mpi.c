/* ranks: 1 2 3 */
/* program: tests/programs/blur.stencil COMPOSE 2 */
/* The option `compose` of gmg_program. Preconditions: none. What must vanish: the difference
 * between composed steps and steps one by one, where arithmetic is exact, to the last bit, in cells
 * and in the values beyond walls that are data (other ones for the array and for its room), with
 * one box per rank or several; calls that are wrong and are not refused, on all ranks alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "ranks.h"

#include <gmg_program.h>

GMG_PROGRAM(blur);

enum { NX = 14, NY = 11, ARRAYS = 2 };

static struct gmg_comm comm;
static gmg_context *context;

static gmg_program *make(int box, int together)
{
  const int cells[3] = {NX, NY, 1};
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  gmg_grid *grid = NULL;
  gmg_program *program = NULL;
  assert_int_equal(gmg_grid_create(context, cells, lower, upper, &grid), GMG_OK);
  assert_int_equal(gmg_program_create(grid, blur_program, box, together, &program), GMG_OK);
  gmg_grid_destroy(&grid);
  return program;
}

/* A whole number that has to do with the place alone. */
static double value_at(int array, int i, int j)
{
  return (i * 37 + j * 101 + array * 211 + 5000) % 64;
}

static double *element(const gmg_program_box *view, int i, int j)
{
  return (double *)view->data + i * view->stride[0] + j * view->stride[1];
}

/* Both arrays, and all that they have beyond walls. */
static void fill(gmg_program *program)
{
  gmg_program_box view;
  for (int a = 0; a < ARRAYS; a++)
    for (int b = 0; b < gmg_program_boxes(program); b++) {
      assert_int_equal(gmg_program_view(program, a, b, &view), GMG_OK);
      for (int j = -view.ghosts[1]; j < view.upper[1] - view.lower[1] + view.ghosts[1]; j++)
        for (int i = -view.ghosts[0]; i < view.upper[0] - view.lower[0] + view.ghosts[0]; i++)
          *element(&view, i, j) = value_at(a, view.lower[0] + i, view.lower[1] + j);
    }
}

/* Returns how many cells of u, and values beyond the walls along x of both arrays, differ. */
static int differences(gmg_program *one, gmg_program *other)
{
  gmg_program_box a, b;
  int count = 0;
  for (int array = 0; array < ARRAYS; array++)
    for (int box = 0; box < gmg_program_boxes(one); box++) {
      assert_int_equal(gmg_program_view(one, array, box, &a), GMG_OK);
      assert_int_equal(gmg_program_view(other, array, box, &b), GMG_OK);
      for (int j = 0; j < a.upper[1] - a.lower[1]; j++)
        for (int i = -1; i <= a.upper[0] - a.lower[0]; i++) {
          const int beyond = a.lower[0] + i < 0 || a.lower[0] + i >= NX,
                    cell = i >= 0 && i < a.upper[0] - a.lower[0];
          if (beyond || (cell && array == 0))
            count += *element(&a, i, j) != *element(&b, i, j);
        }
    }
  return count;
}

static void exact(void **state)
{
  static const int boxes[] = {0, 5, 3};
  (void)state;
  for (size_t n = 0; n < sizeof boxes / sizeof *boxes; n++) {
    gmg_program *single = make(boxes[n], 2), *composed = make(boxes[n], 2);
    gmg_program_info before, after, other;
    fill(single);
    fill(composed);
    assert_int_equal(gmg_program_set_option(composed, "compose", "2"), GMG_OK);
    assert_int_equal(differences(single, composed), 0);
    gmg_program_inform(composed, &before);
    for (int round = 0; round < 3; round++) {
      assert_int_equal(gmg_program_run(single, 2), GMG_OK);
      assert_int_equal(gmg_program_run(composed, 2), GMG_OK);
      assert_int_equal(differences(single, composed), 0);
    }
    gmg_program_inform(composed, &after);
    gmg_program_inform(single, &other);
    assert_int_equal(before.memory, after.memory);
    assert_true(after.steps == 6 && after.composed == 2 && other.composed == 1);
    if (comm.ranks == 1)
      assert_true(after.flops != other.flops);
    double total[2];
    assert_int_equal(gmg_program_value(single, "total", &total[0]), GMG_OK);
    assert_int_equal(gmg_program_value(composed, "total", &total[1]), GMG_OK);
    assert_true(total[0] == total[1]);
    /* Off again: steps one by one, of any number. */
    assert_int_equal(gmg_program_set_option(composed, "compose", "off"), GMG_OK);
    assert_int_equal(gmg_program_run(single, 1), GMG_OK);
    assert_int_equal(gmg_program_run(composed, 1), GMG_OK);
    assert_int_equal(differences(single, composed), 0);
    gmg_program_destroy(&single);
    gmg_program_destroy(&composed);
  }
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
  gmg_program *program = make(0, 1);
  refused(gmg_program_set_option(program, "compose", "3"), GMG_ERR_OPTION,
          "found '3' for program blur, expected off, or 2");
  refused(gmg_program_set_option(program, "compose", NULL), GMG_ERR_OPTION, "found '(NULL)'");
  refused(gmg_program_set_option(program, "compose", "2"), GMG_ERR_OPTION,
          "created with 1 steps per exchange: expected 2");
  refused(gmg_program_set_option(program, "composed", "2"), GMG_ERR_OPTION, "compose and work");
  gmg_program_destroy(&program);
  program = make(0, 2);
  assert_int_equal(gmg_program_set_option(program, "compose", "2"), GMG_OK);
  refused(gmg_program_run(program, 5), GMG_ERR_ARGUMENT,
          "found 5 steps of program blur, which composes 2 at a time: expected a multiple of 2");
  assert_int_equal(gmg_program_set_option(program, "backend", "cuda"), GMG_OK);
  refused(gmg_program_place(program), GMG_ERR_UNSUPPORTED, "it composes steps, which runs on the");
  assert_int_equal(gmg_program_set_option(program, "backend", "auto"), GMG_OK);
  assert_int_equal(gmg_program_place(program), GMG_OK);
  assert_int_equal(gmg_program_run(program, 4), GMG_OK);
  if (comm.ranks > 1 && comm.rank)
    assert_int_equal(gmg_program_set_option(program, "compose", "off"), GMG_OK);
  if (comm.ranks > 1)
    refused(gmg_program_run(program, 4), GMG_ERR_ARGUMENT, "compose");
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(exact), cmocka_unit_test(refusals)};
  failed = failed || cmocka_run_group_tests(tests, NULL, NULL);
  gmg_context_destroy(&context);
  return ranks_finish(&comm, failed);
}

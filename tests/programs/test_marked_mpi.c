/* ranks: 1 3 */
/* program: examples/directives/heat_panda.c FROM panda PLAIN */
/* A C file with directives, whose program gmg_add_program makes. Preconditions: none. What must
 * vanish: the bits that differ between the steps of the program, on all ranks, and those of the
 * file's own loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "ranks.h"

#include <gmg_program.h>

GMG_PROGRAM(heat_panda);

enum { N = 11, STEPS = 6, ROW = N + 2, PLANE = ROW * ROW, SIZE = PLANE * ROW };

static struct gmg_comm comm;
static gmg_context *context;

static double start(int at)
{
  return sin(0.7 * at) + at % 5;
}

/* What the file says. */
static void step(const double *u, double *w)
{
  const double c1 = 0.1, c0 = 1 - 6 * c1;
  for (int z = 1; z <= N; z++)
    for (int y = 1; y <= N; y++)
      for (int x = 1; x <= N; x++) {
        const int at = x + ROW * y + PLANE * z;
        w[at] = c0 * u[at]
          + c1
            * (u[at - 1] + u[at + 1] + u[at - ROW] + u[at + ROW] + u[at - PLANE] + u[at + PLANE]);
      }
}

static void same_bits_as_its_loops(void **state)
{
  (void)state;
  static double wanted[2][SIZE], found[SIZE];
  const int cells[3] = {N, N, N};
  const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  int lower[3], upper[3], wrong = 0, count = 0;
  gmg_grid *grid;
  gmg_program *program;
  assert_int_equal(gmg_grid_create(context, cells, zero, one, &grid), GMG_OK);
  assert_int_equal(gmg_program_create(grid, heat_panda_program, 4, 1, &program), GMG_OK);
  assert_int_equal(gmg_program_begin(program), GMG_OK);
  gmg_grid_part(grid, lower, upper);
  for (int k = 0; k < N; k++)
    for (int j = 0; j < N; j++)
      for (int i = 0; i < N; i++) {
        const int at = i + 1 + ROW * (j + 1) + PLANE * (k + 1);
        wanted[0][at] = found[at] = start(at);
      }
  gmg_array part = {&found[lower[0] + 1 + ROW * (lower[1] + 1) + PLANE * (lower[2] + 1)],
                    {1, ROW, PLANE}};
  assert_int_equal(gmg_program_load(program, "u", &part), GMG_OK);
  assert_int_equal(gmg_program_run(program, STEPS), GMG_OK);
  assert_int_equal(gmg_program_store(program, "u", &part), GMG_OK);
  for (int n = 0; n < STEPS; n++)
    step(wanted[n % 2], wanted[(n + 1) % 2]);
  for (int k = lower[2]; k < upper[2]; k++)
    for (int j = lower[1]; j < upper[1]; j++)
      for (int i = lower[0]; i < upper[0]; i++, count++) {
        const int at = i + 1 + ROW * (j + 1) + PLANE * (k + 1);
        wrong += memcmp(&found[at], &wanted[STEPS % 2][at], sizeof(double)) != 0;
      }
  print_message("%d of %d cells differ\n", wrong, count);
  assert_int_equal(wrong, 0);
  assert_true(comm.ranks > 1 || count == N * N * N);
  gmg_program_destroy(&program);
  gmg_grid_destroy(&grid);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits_as_its_loops)};
  failed = failed || cmocka_run_group_tests(tests, NULL, NULL);
  gmg_context_destroy(&context);
  return ranks_finish(&comm, failed);
}

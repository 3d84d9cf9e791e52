/* ranks: 1 2 3
 * needs: mpi */
/* Preconditions: none. What must vanish: the difference, to the last bit, between the norms and the
 * solution of a solve whose coarse levels have owners on all ranks, cut into any boxes, and those
 * of one rank, one box and one thread; and between the levels that `auto` chooses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmg.h>
#include <gmg_report.h>

enum { NI = 26, NJ = 31, NK = 36, HISTORY = 64, OPTIONS = 10 };

static double value(int kind, int i, int j, int k)
{
  const int hard = kind == 0 ? i % 5 < 2 && (j + i / 5) % 5 < 3 && (k + j / 5) % 6 < 3
    : kind == 1              ? k % 2
                             : (i * 7 + j * 13 + k * 29 + i * j * k) % 17 < 1;
  return hard ? 1e3 : 1 + 0.2 * sin(i + 2 * j + 3 * k);
}

struct outcome {
  int cycles;
  double history[HISTORY];
  char coarsening[12];
  double *u; /* of all cells where one rank has them, else this rank's */
  int lower[3], upper[3];
};

static struct outcome solve(MPI_Comm comm, int threads, int kind, gmg_boundary side,
                            const char *const *option)
{
  static const int cells[3] = {NI, NJ, NK};
  static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  gmg_context *context;
  gmg_grid *grid;
  gmg_solver *solver;
  struct outcome out = {.cycles = 0};
  assert_int_equal(gmg_context_create_mpi(comm, threads, &context), GMG_OK);
  assert_int_equal(gmg_grid_create(context, cells, lower, upper, &grid), GMG_OK);
  for (int s = 0; s < 6; s++)
    gmg_grid_set_boundary(grid, (gmg_side)s, side, 1, 0.3, 0);
  gmg_grid_part(grid, out.lower, out.upper);
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  gmg_grid_destroy(&grid);
  int extent[3];
  for (int d = 0; d < 3; d++)
    extent[d] = out.upper[d] - out.lower[d];
  const size_t count = (size_t)extent[0] * (size_t)extent[1] * (size_t)extent[2];
  double *beta = malloc(3 * (count + 1) * sizeof *beta), *f = beta + count + 1,
         *alpha = f + count + 1;
  out.u = malloc((count + 1) * sizeof *out.u);
  size_t at = 0;
  for (int k = out.lower[2]; k < out.upper[2]; k++)
    for (int j = out.lower[1]; j < out.upper[1]; j++)
      for (int i = out.lower[0]; i < out.upper[0]; i++, at++) {
        beta[at] = value(kind, i, j, k);
        f[at] = 1 + 0.3 * sin(0.7 * i + 1.1 * j + 0.3 * k);
        alpha[at] = 1 + (i + j + k) % 3;
      }
  const ptrdiff_t stride[3] = {1, extent[0], (ptrdiff_t)extent[0] * extent[1]};
  const gmg_array beta_array = {beta, {stride[0], stride[1], stride[2]}},
                  f_array = {f, {stride[0], stride[1], stride[2]}},
                  alpha_array = {alpha, {stride[0], stride[1], stride[2]}};
  gmg_array u_array = {out.u, {stride[0], stride[1], stride[2]}};
  assert_int_equal(gmg_solver_set_coefficient(solver, GMG_BETA, &beta_array), GMG_OK);
  if (side == GMG_ROBIN)
    assert_int_equal(gmg_solver_set_coefficient(solver, GMG_ALPHA, &alpha_array), GMG_OK);
  assert_int_equal(gmg_solver_set_equation(solver, side == GMG_ROBIN ? 0.5 : 0, 1), GMG_OK);
  for (int n = 0; option[n]; n += 2)
    assert_int_equal(gmg_solver_set_option(solver, option[n], option[n + 1]), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  gmg_result result;
  assert_int_equal(gmg_solver_solve(solver, &f_array, &u_array, 0, &result), GMG_OK);
  assert_int_equal(result.outcome, GMG_CONVERGED);
  out.cycles = result.cycles;
  assert_true(result.cycles < HISTORY);
  memcpy(out.history, result.residual_history, ((size_t)result.cycles + 1) * sizeof(double));
  snprintf(out.coarsening, sizeof out.coarsening, "%s", gmg_solver_option(solver, "coarsening"));
  free(beta);
  gmg_solver_destroy(&solver);
  gmg_context_destroy(&context);
  return out;
}

/* How many of this rank's values differ from those of one rank. */
static int differences(const struct outcome *all, const struct outcome *one)
{
  int differ = 0;
  size_t at = 0;
  for (int k = all->lower[2]; k < all->upper[2]; k++)
    for (int j = all->lower[1]; j < all->upper[1]; j++)
      for (int i = all->lower[0]; i < all->upper[0]; i++, at++) {
        const double *other = &one->u[((size_t)k * NJ + (size_t)j) * NI + (size_t)i];
        differ += memcmp(&all->u[at], other, sizeof *other) != 0;
      }
  return differ;
}

static void same_bits(void **state)
{
  (void)state;
  static const char *const boxes[] = {"box", "9", "gather", "64", "coarsening", NULL};
  static const gmg_boundary sides[] = {GMG_DIRICHLET, GMG_NEUMANN, GMG_PERIODIC, GMG_ROBIN};
  static const char *const precision[] = {"double", "mixed"};
  int failures = 0;
  for (int n = 0; n < 12; n++) {
    const int kind = n % 3;
    const char *coarsening = n % 2 ? "owners" : "auto";
    const char *plain[] = {"precision", precision[n / 3 % 2], "coarsening", coarsening, NULL};
    const char *cut[OPTIONS] = {"precision", precision[n / 3 % 2]};
    memcpy(cut + 2, boxes, sizeof boxes);
    cut[7] = coarsening;
    cut[8] = NULL;
    struct outcome one = solve(MPI_COMM_SELF, 1, kind, sides[n % 4], plain);
    for (int m = 0; m < 2; m++) {
      struct outcome all = solve(MPI_COMM_WORLD, 1 + m, kind, sides[n % 4], m ? cut : plain);
      const int differ = differences(&all, &one),
                bad = differ || all.cycles != one.cycles
        || strcmp(all.coarsening, one.coarsening) != 0
        || memcmp(all.history, one.history, ((size_t)one.cycles + 1) * sizeof(double)) != 0;
      printf("medium %d, sides %d, %s, %s%s: %d iterations, %s, %d of one rank; %d values "
             "differ%s\n",
             kind, n % 4, precision[n / 3 % 2], coarsening, m ? ", boxes" : "", all.cycles,
             all.coarsening, one.cycles, differ, bad ? " <-" : "");
      failures += bad;
      free(all.u);
    }
    free(one.u);
  }
  assert_int_equal(failures, 0);
}

/* How far a cell is, along x or y, from the nearest body, which has four cells of every eight; and
 * along z, where it has two of every six. */
static int from_body(int cell)
{
  static const int distance[8] = {1, 0, 0, 0, 0, 1, 2, 2};
  return distance[cell % 8];
}

static int from_body_in_z(int cell)
{
  static const int distance[6] = {1, 0, 0, 1, 2, 3};
  return distance[cell % 6];
}

/* A solver on cells of width 1, of which this rank has [first, end). */
static gmg_solver *begin(MPI_Comm comm, const int cells[3], const int first[3], const int end[3],
                         gmg_context **context)
{
  const double lower[3] = {0, 0, 0}, upper[3] = {cells[0], cells[1], cells[2]};
  gmg_grid *grid;
  gmg_solver *solver;
  assert_int_equal(gmg_context_create_mpi(comm, 1, context), GMG_OK);
  assert_int_equal(gmg_grid_create(*context, cells, lower, upper, &grid), GMG_OK);
  assert_int_equal(gmg_grid_set_part(grid, first, end), GMG_OK);
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  gmg_grid_destroy(&grid);
  return solver;
}

/* What `auto` chooses for layers of six cells in z, with bodies in them on which plain cycles are
 * slow, but whose sides are too weak for a step. This communicator's ranks have one layer
 * each, or one rank has them all. Returns 1 for owners. */
static int takes_owners(MPI_Comm comm, int layers)
{
  enum { SIDE = 40, THICK = 6 };
  const int cells[3] = {SIDE, SIDE, THICK * layers};
  int rank, ranks;
  double beta[SIDE * SIDE * THICK * 3];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int thick = cells[2] / ranks;
  const int first[3] = {0, 0, rank * thick}, end[3] = {SIDE, SIDE, (rank + 1) * thick};
  gmg_context *context;
  gmg_solver *solver = begin(comm, cells, first, end, &context);
  for (int n = 0; n < SIDE * SIDE * thick; n++) {
    const int i = n % SIDE, j = n / SIDE % SIDE, k = rank * thick + n / (SIDE * SIDE);
    const int away = from_body(i) + from_body(j) + from_body_in_z(k);
    beta[n] = (k / THICK % 2 ? 1e4 : 1) * (away == 0 ? 48 * 48 : away == 1 ? 48 : 1);
  }
  const gmg_array array = {beta, {1, SIDE, (ptrdiff_t)SIDE * SIDE}};
  assert_int_equal(gmg_solver_set_coefficient(solver, GMG_BETA, &array), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "coarsening", "auto"), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  const int owners = strcmp(gmg_solver_option(solver, "coarsening"), "owners") == 0;
  gmg_solver_destroy(&solver);
  gmg_context_destroy(&context);
  return owners;
}

/* Jumps that lie between ranks alone count as others do. */
static void jumps_between_ranks(void **state)
{
  (void)state;
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int one = takes_owners(MPI_COMM_SELF, ranks), all = takes_owners(MPI_COMM_WORLD, ranks);
  printf("%d layers, one on each rank: owners %d; all on one rank: %d\n", ranks, all, one);
  assert_int_equal(one, ranks > 1);
  assert_int_equal(all, one);
}

/* How strong couplings are taken to be where β is 1 and 1000 in turns in layers of one cell in z;
 * planes: of the grid, as many on each rank. */
static void strength_of(MPI_Comm comm, int planes, char text[40])
{
  enum { SIDE = 16, MOST = 8 };
  const int cells[3] = {SIDE, SIDE, planes};
  int rank, ranks;
  double beta[SIDE * SIDE * MOST];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int thick = planes / ranks;
  const int first[3] = {0, 0, rank * thick}, end[3] = {SIDE, SIDE, (rank + 1) * thick};
  gmg_context *context;
  gmg_solver *solver = begin(comm, cells, first, end, &context);
  for (int n = 0; n < SIDE * SIDE * thick; n++)
    beta[n] = (rank * thick + n / (SIDE * SIDE)) % 2 ? 1000 : 1;
  const gmg_array array = {beta, {1, SIDE, (ptrdiff_t)SIDE * SIDE}};
  assert_int_equal(gmg_solver_set_coefficient(solver, GMG_BETA, &array), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  snprintf(text, 40, "%s", gmg_solver_option(solver, "anisotropy"));
  gmg_solver_destroy(&solver);
  gmg_context_destroy(&context);
}

/* Thin layers are seen where all their sides lie between ranks, too. */
static void layers_between_ranks(void **state)
{
  (void)state;
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int thick = 1; thick <= 2; thick++) {
    char one[40], all[40];
    const int planes = thick * ranks > 1 ? thick * ranks : 2;
    strength_of(MPI_COMM_SELF, planes, one);
    strength_of(MPI_COMM_WORLD, planes, all);
    printf("%d planes, %d on each rank: %s; all on one rank: %s\n", planes, thick, all, one);
    assert_string_equal(one, "1,1,0.05");
    assert_string_equal(all, one);
  }
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits),
                                     cmocka_unit_test(jumps_between_ranks),
                                     cmocka_unit_test(layers_between_ranks)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  MPI_Finalize();
  return failed;
}

/* ranks: 2 3
 * needs: mpi */
/* Preconditions: none. What must vanish: calls in which ranks that differ in a setting, an argument
 * or the call itself do not all return GMG_ERR_ARGUMENT with the same sentence, which names what
 * differs and on which ranks; calls that take longer than ten seconds (an alarm ends the test); and
 * what such a call changes: where the ranks agree afterwards they solve. */
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
#include <unistd.h>

#include <gmg.h>

enum { NI = 12, NJ = 10, NK = 9, VALUES = (NI + 1) * (NJ + 1) * (NK + 1), MESSAGE = 600 };

static gmg_context *context;
static int rank, ranks, odd_rank;
static double ones[VALUES], f[VALUES], u[VALUES], w[VALUES];

/* How far a case goes before its call; what the odd rank does otherwise. */
struct state {
  gmg_grid *grid;
  gmg_solver *solver;
  int odd; /* 1: this rank is to differ */
};

static gmg_array dense(double *values, const gmg_grid *grid, int face_axis)
{
  int lower[3], upper[3], extent[3];
  gmg_grid_part(grid, lower, upper);
  for (int d = 0; d < 3; d++)
    extent[d] = upper[d] - lower[d] + (d == face_axis);
  return (gmg_array){values, {1, extent[0], extent[0] * extent[1]}};
}

static gmg_status set_beta(struct state *s)
{
  const gmg_array beta = dense(ones, s->grid, -1);
  return gmg_solver_set_coefficient(s->solver, GMG_BETA, &beta);
}

static gmg_status solve(struct state *s, int use_guess)
{
  gmg_result result;
  const gmg_array right_side = dense(f, s->grid, -1);
  gmg_array solution = dense(u, s->grid, -1);
  return gmg_solver_solve(s->solver, &right_side, &solution, use_guess, &result);
}

static gmg_status option(struct state *s, const char *name, const char *value)
{
  const gmg_status status = s->odd ? gmg_solver_set_option(s->solver, name, value) : GMG_OK;
  return status ? status : gmg_solver_setup(s->solver);
}

/* Before gmg_solver_create, where the grid is the odd rank's own. */
static gmg_status create(struct state *s)
{
  return gmg_solver_create(s->grid, &s->solver);
}

static gmg_status boundary_value(struct state *s)
{
  gmg_grid_set_boundary(s->grid, GMG_Y_LO, GMG_DIRICHLET, 0, 0, s->odd ? 2.5 : 1);
  return create(s);
}

static gmg_status boundary_kind(struct state *s)
{
  gmg_grid_set_boundary(s->grid, GMG_Z_HI, s->odd ? GMG_NEUMANN : GMG_DIRICHLET, 0, 0, 0);
  return create(s);
}

static gmg_status boundary_values(struct state *s)
{
  double values[NI * NJ];
  for (int n = 0; n < NI * NJ; n++)
    values[n] = n + (s->odd && n == 77 ? 1e-9 : 0);
  gmg_grid_set_boundary_values(s->grid, GMG_Z_LO, values);
  return create(s);
}

static gmg_status robin(struct state *s)
{
  gmg_grid_set_boundary(s->grid, GMG_X_HI, GMG_ROBIN, 1, s->odd ? 0.25 : 0.5, 0);
  return create(s);
}

static gmg_status stretched(struct state *s)
{
  double faces[NI + 1];
  for (int i = 0; i <= NI; i++)
    faces[i] = (double)i / NI + (s->odd && i == 5 ? 1e-3 : 0);
  gmg_grid_set_faces(s->grid, 0, faces);
  return create(s);
}

static gmg_status a_and_b(struct state *s)
{
  gmg_solver_set_equation(s->solver, s->odd ? 2 : 1, s->odd ? 1 : 0.1);
  return gmg_solver_setup(s->solver);
}

static gmg_status average(struct state *s)
{
  gmg_solver_set_average(s->solver, s->odd ? GMG_ARITHMETIC : GMG_HARMONIC);
  return gmg_solver_setup(s->solver);
}

static gmg_status smoother(struct state *s)
{
  return option(s, "smoother", "jacobi");
}

static gmg_status rtol(struct state *s)
{
  return option(s, "rtol", "1e-3");
}

static gmg_status norm(struct state *s)
{
  return option(s, "norm", "max");
}

static gmg_status max_cycles(struct state *s)
{
  return option(s, "max-cycles", "3");
}

static gmg_status anisotropy(struct state *s)
{
  return option(s, "anisotropy", "1,1,0.01");
}

static gmg_status own_operator(struct state *s)
{
  return option(s, "operator", "constant27");
}

static gmg_status beta_on_one(struct state *s)
{
  return s->odd ? set_beta(s) : gmg_solver_setup(s->solver);
}

static gmg_status which_coefficient(struct state *s)
{
  const gmg_array values = dense(ones, s->grid, -1);
  return gmg_solver_set_coefficient(s->solver, s->odd ? GMG_ALPHA : GMG_BETA, &values);
}

static gmg_status borrowed(struct state *s)
{
  const gmg_array values = dense(ones, s->grid, -1);
  return s->odd ? gmg_solver_borrow_coefficient(s->solver, GMG_BETA, &values)
                : gmg_solver_set_coefficient(s->solver, GMG_BETA, &values);
}

static gmg_status predicted(struct state *s)
{
  gmg_memory_info memory;
  return gmg_solver_predict(s->solver, s->odd ? GMG_EXPECT_BETA : 0, 0, &memory);
}

static const char *see(void *user, const gmg_solver *solver, const gmg_array *right_side,
                       const gmg_array *guess)
{
  (void)user, (void)solver, (void)right_side, (void)guess;
  return NULL;
}

static gmg_status recorder(struct state *s)
{
  gmg_solver_set_recorder(s->solver, s->odd ? &(gmg_recorder){.solve = see} : NULL);
  return gmg_solver_setup(s->solver);
}

static gmg_status order(struct state *s)
{
  return s->odd ? solve(s, 0) : gmg_solver_setup(s->solver);
}

static gmg_status use_guess(struct state *s)
{
  return solve(s, s->odd);
}

static gmg_status service(struct state *s)
{
  const gmg_array from = dense(f, s->grid, -1);
  gmg_array to = dense(w, s->grid, -1);
  return s->odd ? gmg_solver_residual(s->solver, &from, &from, &to)
                : gmg_solver_apply(s->solver, &from, &to);
}

static gmg_status cycles(struct state *s)
{
  const gmg_array from = dense(f, s->grid, -1);
  gmg_array to = dense(w, s->grid, -1);
  return gmg_solver_precondition(s->solver, &from, &to, s->odd ? 2 : 1);
}

static gmg_status another_solver(struct state *s)
{
  gmg_solver *second;
  gmg_status status = gmg_solver_create(s->grid, &second);
  if (!status)
    status = gmg_solver_setup(second);
  if (!status)
    status = solve(&(struct state){s->grid, s->odd ? second : s->solver, 0}, 0);
  gmg_solver_destroy(&second);
  return status;
}

static gmg_status no_array(struct state *s)
{
  const gmg_array from = dense(f, s->grid, -1);
  gmg_array to = dense(w, s->grid, -1);
  return gmg_solver_apply(s->solver, s->odd ? NULL : &from, &to);
}

enum stage { GRID, SOLVER, READY };
static const struct {
  const char *name;
  enum stage stage; /* what there is before the call */
  gmg_status (*call)(struct state *);
  const char *says, *of_odd, *of_others; /* in the message; NULL: it does not name ranks */
} cases[] = {
  {"smoother", SOLVER, smoother, "smoother differs", "jacobi", "gsrb"},
  {"rtol", SOLVER, rtol, "rtol differs", "0.001", "1e-10"},
  {"a boundary value", GRID, boundary_value, "y_lo value differs", "2.5", "1"},
  {"use_guess", READY, use_guess, "use_guess differs", "1", "0"},
  {"a boundary kind", GRID, boundary_kind, "boundary z_hi differs", "neumann", "dirichlet"},
  {"a and b", SOLVER, a_and_b, "; also b", "2", "1"},
  {"beta on one rank", SOLVER, beta_on_one, "different calls", "gmg_solver_set_coefficient",
   "gmg_solver_setup"},
  {"one of many boundary values", GRID, boundary_values, "some value of z_lo differs", NULL, NULL},
  {"c1 of Robin", GRID, robin, "x_hi c1 differs", "0.25", "0.5"},
  {"stretched faces", GRID, stretched, "spacing in x differs", NULL, NULL},
  {"the average", SOLVER, average, "average differs", "arithmetic", "harmonic"},
  {"norm", SOLVER, norm, "norm differs", "max", "2"},
  {"max-cycles", SOLVER, max_cycles, "max-cycles differs", "3", "100"},
  {"anisotropy", SOLVER, anisotropy, "anisotropy differs", "1,1,0.01", "auto"},
  {"the operator", SOLVER, own_operator, "operator differs", "constant27", "auto"},
  {"which coefficient", SOLVER, which_coefficient, "the coefficient differs", "alpha", "beta"},
  {"a borrowed coefficient", SOLVER, borrowed, "different calls", "gmg_solver_borrow_coefficient",
   "gmg_solver_set_coefficient"},
  {"what is expected", SOLVER, predicted, "what is expected differs", "2", "0"},
  {"a recorder", SOLVER, recorder, "recorder differs", "one", "none"},
  {"setup or solve", SOLVER, order, "different calls", "gmg_solver_solve", "gmg_solver_setup"},
  {"which service", READY, service, "different calls", "gmg_solver_residual", "gmg_solver_apply"},
  {"how many cycles", READY, cycles, "number of cycles differs", "2", "1"},
  {"which solver", READY, another_solver, "number of the solver differs", NULL, NULL},
  {"an array on one rank", READY, no_array, "an array is NULL", NULL, NULL},
};

/* "TEXT on rank 1", "TEXT on ranks 0 and 2". */
static void expect(char *text, size_t size, const char *what, int of_odd)
{
  if (of_odd)
    snprintf(text, size, "%s on rank %d", what, odd_rank);
  else if (ranks == 2)
    snprintf(text, size, "%s on rank %d", what, 1 - odd_rank);
  else
    snprintf(text, size, "%s on ranks %d and %d", what, odd_rank == 0 ? 1 : 0,
             odd_rank == 2 ? 1 : 2);
}

static int same_everywhere(gmg_status status, const char *message)
{
  char all[MESSAGE] = "";
  int first = (int)status;
  snprintf(all, sizeof all, "%s", message);
  MPI_Bcast(all, MESSAGE, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
  int same = first == (int)status && strcmp(all, message) == 0;
  MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return same;
}

static void make(struct state *s, enum stage stage, const int n[3])
{
  static const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  assert_int_equal(gmg_grid_create(context, n, zero, one, &s->grid), GMG_OK);
  if (stage != GRID)
    assert_int_equal(gmg_solver_create(s->grid, &s->solver), GMG_OK);
  if (stage == READY)
    assert_int_equal(gmg_solver_setup(s->solver), GMG_OK);
}

static void check(size_t n)
{
  static const int extents[3] = {NI, NJ, NK};
  struct state s = {.odd = rank == odd_rank};
  char text[200];
  make(&s, cases[n].stage, extents);
  alarm(10);
  const gmg_status status = cases[n].call(&s);
  alarm(0);
  const char *message = gmg_context_message(context);
  if (rank == 0)
    printf("%-28s %s\n", cases[n].name, message);
  fflush(stdout);
  assert_true(same_everywhere(status, message));
  assert_int_equal(status, GMG_ERR_ARGUMENT);
  assert_non_null(strstr(message, cases[n].says));
  for (int of_odd = 0; of_odd < 2 && cases[n].of_odd; of_odd++) {
    expect(text, sizeof text, of_odd ? cases[n].of_odd : cases[n].of_others, of_odd);
    assert_non_null(strstr(message, text));
  }
  gmg_solver_destroy(&s.solver);
  gmg_grid_destroy(&s.grid);
}

static void disagree(void **state)
{
  (void)state;
  for (odd_rank = 0; odd_rank < ranks; odd_rank += ranks - 1)
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
      check(n);
}

/* The number of cells is not among the cases: arrays of this program are of one size. */
static void other_cells(void **state)
{
  (void)state;
  struct state s = {.odd = rank == ranks - 1};
  make(&s, GRID, (const int[3]){NI, NJ, NK - s.odd});
  alarm(10);
  const gmg_status status = create(&s);
  alarm(0);
  assert_true(same_everywhere(status, gmg_context_message(context)));
  assert_int_equal(status, GMG_ERR_ARGUMENT);
  assert_null(s.solver);
  assert_non_null(
    strstr(gmg_context_message(context), "number of cells differs between ranks: 12,10,9 on rank"));
  gmg_grid_destroy(&s.grid);
}

static void agree_again(void **state)
{
  (void)state;
  static const int extents[3] = {NI, NJ, NK};
  struct state s = {.odd = rank == 0};
  make(&s, SOLVER, extents);
  assert_int_equal(set_beta(&s), GMG_OK);
  assert_int_equal(option(&s, "smoother", "jacobi"), GMG_ERR_ARGUMENT);
  s.odd = 1;
  assert_int_equal(option(&s, "smoother", "jacobi"), GMG_OK);
  s.odd = rank == 0;
  assert_int_equal(use_guess(&s), GMG_ERR_ARGUMENT);
  alarm(10);
  assert_int_equal(solve(&s, 0), GMG_OK);
  alarm(0);
  gmg_solver_destroy(&s.solver);
  gmg_grid_destroy(&s.grid);
}

/* What a rank may choose for itself. */
static void may_differ(void **state)
{
  (void)state;
  static const int extents[3] = {NI, NJ, NK};
  gmg_context *own;
  gmg_context *const before = context;
  struct state s = {.odd = rank == 0};
  assert_int_equal(gmg_context_create_mpi(MPI_COMM_WORLD, 1 + s.odd, &own), GMG_OK);
  context = own;
  make(&s, SOLVER, extents);
  assert_int_equal(option(&s, "kernel-cache", "off"), GMG_OK);
  assert_int_equal(solve(&s, 0), GMG_OK);
  gmg_solver_destroy(&s.solver);
  gmg_grid_destroy(&s.grid);
  gmg_context_destroy(&own);
  context = before;
}

int main(int argc, char **argv)
{
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int n = 0; n < VALUES; n++) {
    ones[n] = 1;
    f[n] = sin(0.3 * n) + 0.3;
  }
  int failed = gmg_context_create_mpi(MPI_COMM_WORLD, 1, &context) != GMG_OK;
  if (!failed) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(disagree), cmocka_unit_test(other_cells),
                                       cmocka_unit_test(agree_again), cmocka_unit_test(may_differ)};
    failed = cmocka_run_group_tests(tests, NULL, NULL);
  }
  gmg_context_destroy(&context);
  MPI_Finalize();
  return failed != 0;
}

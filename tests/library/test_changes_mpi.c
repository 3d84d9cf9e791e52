/* ranks: 1 2 3
 * needs: mpi */
/* Preconditions: none. What must vanish: the difference, to the last bit, between the solution and
 * the norms of a solver of which tolerances, a and b or boundary values were changed after a solve
 * and those of one that was made with them; and what a refused change changes. */
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

enum { NI = 20, NJ = 13, NK = 18, SIDES = 6, OPTIONS = 4, MOST_CYCLES = 200 };

/* How β and α come: not at all, or what varies, copied or borrowed. */
enum coming { NONE, COPIED, BORROWED };
struct problem {
  double a, b;
  enum coming alpha, beta, faces;
  gmg_boundary kind; /* of the sides along y and z; x is periodic where that is so along x */
  int periodic;
  double value[SIDES]; /* 1000: one per face */
  const char *option[OPTIONS], *word[OPTIONS];
};

static gmg_context *context;
static int lower[3], upper[3];
static double *coefficient[5];

static size_t values_of(int which, int extent[3])
{
  size_t count = 1;
  for (int d = 0; d < 3; d++) {
    extent[d] = upper[d] - lower[d] + (which == (int)GMG_BETA_X + d);
    count *= (size_t)extent[d];
  }
  return count;
}

/* Between 0.5 and 1.5, by global index, periodic in x. */
static double smooth(int seed, int i, int j, int k)
{
  return 1
    + 0.5 * sin(seed + 6.283185307179586 * (i % NI) / NI + 0.3 * j) * cos(0.2 * seed + 0.4 * k);
}

static void fill_coefficients(int seed)
{
  for (int c = 0; c < 5; c++) {
    int extent[3];
    const size_t count = values_of(c, extent);
    coefficient[c] = coefficient[c] ? coefficient[c] : malloc(count * sizeof(double));
    double *to = coefficient[c];
    for (int k = 0; k < extent[2]; k++)
      for (int j = 0; j < extent[1]; j++)
        for (int i = 0; i < extent[0]; i++)
          *to++ = smooth(seed + c, i + lower[0], j + lower[1], k + lower[2]);
  }
}

static gmg_status give(gmg_solver *solver, int which, enum coming coming)
{
  int extent[3];
  values_of(which, extent);
  const gmg_array array = {coefficient[which], {1, extent[0], (ptrdiff_t)extent[0] * extent[1]}};
  return coming == BORROWED ? gmg_solver_borrow_coefficient(solver, (gmg_coefficient)which, &array)
                            : gmg_solver_set_coefficient(solver, (gmg_coefficient)which, &array);
}

/* One per face of a side. */
static const double *faces_of(int side)
{
  static double values[NI * NK];
  for (int n = 0; n < NI * NK; n++)
    values[n] = sin(0.1 * n + side);
  return values;
}

static gmg_grid *make_grid(const struct problem *p)
{
  static const int cells[3] = {NI, NJ, NK};
  static const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  gmg_grid *grid;
  assert_int_equal(gmg_grid_create(context, cells, zero, one, &grid), GMG_OK);
  for (int side = 0; side < SIDES; side++) {
    const gmg_boundary kind = side < 2 && p->periodic ? GMG_PERIODIC : p->kind;
    const double value = p->value[side] < 1000 ? p->value[side] : 0;
    assert_int_equal(gmg_grid_set_boundary(grid, (gmg_side)side, kind, 2, 1, value), GMG_OK);
    if (p->value[side] >= 1000)
      assert_int_equal(gmg_grid_set_boundary_values(grid, (gmg_side)side, faces_of(side)), GMG_OK);
  }
  gmg_grid_part(grid, lower, upper);
  return grid;
}

static gmg_solver *make(const struct problem *p)
{
  gmg_grid *grid = make_grid(p);
  gmg_solver *solver;
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  gmg_grid_destroy(&grid);
  assert_int_equal(gmg_solver_set_equation(solver, p->a, p->b), GMG_OK);
  for (int n = 0; n < OPTIONS && p->option[n]; n++)
    assert_int_equal(gmg_solver_set_option(solver, p->option[n], p->word[n]), GMG_OK);
  if (p->alpha)
    assert_int_equal(give(solver, GMG_ALPHA, p->alpha), GMG_OK);
  if (p->beta)
    assert_int_equal(give(solver, GMG_BETA, p->beta), GMG_OK);
  for (int c = GMG_BETA_X; c <= GMG_BETA_Z && p->faces; c++)
    assert_int_equal(give(solver, c, p->faces), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  return solver;
}

struct answer {
  gmg_result result;
  double *u, norm[MOST_CYCLES + 1];
};

static struct answer solve(gmg_solver *solver)
{
  struct answer answer;
  int extent[3];
  const size_t count = values_of(GMG_ALPHA, extent);
  double *f = malloc(count * sizeof *f);
  answer.u = malloc(count * sizeof *answer.u);
  for (size_t n = 0; n < count; n++)
    f[n] = sin(0.3 * (double)n) + 0.3;
  const gmg_array right_side = {f, {1, extent[0], (ptrdiff_t)extent[0] * extent[1]}};
  gmg_array solution = {answer.u, {1, extent[0], (ptrdiff_t)extent[0] * extent[1]}};
  assert_int_equal(gmg_solver_solve(solver, &right_side, &solution, 0, &answer.result), GMG_OK);
  memcpy(answer.norm, answer.result.residual_history,
         (size_t)(answer.result.cycles + 1) * sizeof(double));
  free(f);
  return answer;
}

static void assert_same(gmg_solver *a, gmg_solver *b, const char *what)
{
  int extent[3];
  struct answer of_a = solve(a), of_b = solve(b);
  size_t differ = 0;
  const size_t count = values_of(GMG_ALPHA, extent);
  for (size_t n = 0; n < count; n++)
    differ += memcmp(of_a.u + n, of_b.u + n, sizeof(double)) != 0;
  printf("%s: %zu of %zu values differ; %d cycles, %s\n", what, differ, count, of_a.result.cycles,
         gmg_outcome_text(of_a.result.outcome));
  assert_int_equal(differ, 0);
  assert_int_equal(of_a.result.cycles, of_b.result.cycles);
  assert_int_equal(of_a.result.outcome, of_b.result.outcome);
  assert_memory_equal(of_a.norm, of_b.norm, (size_t)(of_a.result.cycles + 1) * sizeof(double));
  assert_true(of_a.result.projected == of_b.result.projected
              && of_a.result.singular == of_b.result.singular);
  free(of_a.u);
  free(of_b.u);
}

/* Changes a solver of `before` after a solve to `after`, which may differ in a, b and the sides'
 * values. */
static gmg_solver *changed(const struct problem *before, const struct problem *after)
{
  gmg_solver *solver = make(before);
  free(solve(solver).u);
  if (before->a != after->a || before->b != after->b)
    assert_int_equal(gmg_solver_set_equation(solver, after->a, after->b), GMG_OK);
  for (int side = 0; side < SIDES; side++)
    if (after->value[side] >= 1000)
      assert_int_equal(gmg_solver_set_boundary_values(solver, (gmg_side)side, faces_of(side)),
                       GMG_OK);
    else if (before->value[side] != after->value[side])
      assert_int_equal(gmg_solver_set_boundary_value(solver, (gmg_side)side, after->value[side]),
                       GMG_OK);
  return solver;
}

static void check(const char *what, struct problem before, struct problem after)
{
  static const char *const words[][2] = {{"precision", "double"},
                                         {"precision", "mixed"},
                                         {"cycle", "v"},
                                         {"smoother", "chebyshev"},
                                         {"bottom", "bicgstab"}};
  for (size_t n = 0; n < sizeof words / sizeof *words; n++) {
    char text[100];
    int at = 0;
    while (before.option[at])
      at++;
    struct problem from = before, to = after;
    from.option[at] = to.option[at] = words[n][0];
    from.word[at] = to.word[at] = words[n][1];
    for (int m = 0; m < at; m++) {
      to.option[m] = from.option[m];
      to.word[m] = from.word[m];
    }
    snprintf(text, sizeof text, "%s, %s %s", what, words[n][0], words[n][1]);
    gmg_solver *made = make(&to), *tried = changed(&from, &to);
    assert_same(tried, made, text);
    assert_true(gmg_solver_bytes(tried) == gmg_solver_bytes(made) || from.a == 0 || to.a == 0);
    gmg_solver_destroy(&made);
    gmg_solver_destroy(&tried);
  }
}

static void equation(void **state)
{
  (void)state;
  const struct problem walls = {.a = 1, .b = 1, .kind = GMG_DIRICHLET, .value = {0, 1, 0, 0, 2, 0}};
  struct problem from = walls, to = walls;
  to.a = 7.5;
  check("a, no coefficients", from, to);
  to.b = 3.3;
  check("a and b, no coefficients", from, to);
  from.alpha = to.alpha = from.beta = to.beta = BORROWED;
  check("a and b, borrowed", from, to);
  to.b = 1;
  from.beta = to.beta = COPIED;
  check("a, beta copied", from, to);
  from.a = 0;
  check("a alpha begins to vary",
        (struct problem){.a = 0, .b = 1, .alpha = BORROWED, .kind = GMG_DIRICHLET},
        (struct problem){.a = 2, .b = 1, .alpha = BORROWED, .kind = GMG_DIRICHLET});
  const struct problem faces = {.b = 1,
                                .a = 1,
                                .faces = BORROWED,
                                .kind = GMG_ROBIN,
                                .value = {1, 0, 0, 1, 0, 0},
                                .periodic = 0};
  from = to = faces;
  to.b = 0.3;
  check("b, beta on faces", from, to);
  const struct problem insulated = {.a = 0, .b = 1, .kind = GMG_NEUMANN, .periodic = 1};
  from = to = insulated;
  to.a = 0.5;
  check("no longer singular", from, to);
  check("becomes singular", to, from);
  from = walls;
  from.option[0] = "operator";
  from.word[0] = "constant27";
  to = from;
  to.a = 2;
  to.b = 5;
  check("27 points", from, to);
}

static void boundary_values(void **state)
{
  (void)state;
  struct problem from = {.a = 1,
                         .b = 1.5,
                         .beta = COPIED,
                         .kind = GMG_DIRICHLET,
                         .value = {1, 0, 0, 2, 0, 3}},
                 to = from;
  to.value[0] = -1;
  to.value[5] = 0.25;
  check("others", from, to);
  to.value[1] = 4;
  to.value[3] = 0;
  check("some begin, some end", from, to);
  to.value[2] = 1000;
  check("one per face", from, to);
  from.kind = to.kind = GMG_ROBIN;
  from.beta = to.beta = NONE;
  check("Robin", from, to);
  from.option[0] = "operator";
  from.word[0] = "constant27";
  check("27 points", from, to);
  to.a = 4;
  check("with another a", from, to);
  const struct problem none = {.a = 1, .b = 1, .beta = BORROWED, .kind = GMG_DIRICHLET};
  to = none;
  to.value[4] = 5;
  check("none before", none, to);
  check("none after", to, none);
}

static void tolerances(void **state)
{
  (void)state;
  const struct problem from = {.a = 1,
                               .b = 1,
                               .kind = GMG_DIRICHLET,
                               .value = {1},
                               .option = {"cycle", "max-cycles"},
                               .word = {"v", "3"}};
  struct problem to = from;
  gmg_solver *tried = make(&from);
  free(solve(tried).u);
  assert_int_equal(gmg_solver_set_integer(tried, "max-cycles", 150), GMG_OK);
  assert_int_equal(gmg_solver_set_real(tried, "rtol", 1e-13), GMG_OK);
  assert_int_equal(gmg_solver_set_choice(tried, "norm", "max"), GMG_OK);
  to = (struct problem){.a = 1,
                        .b = 1,
                        .kind = GMG_DIRICHLET,
                        .value = {1},
                        .option = {"cycle", "rtol", "norm"},
                        .word = {"v", "1e-13", "max"}};
  gmg_solver *made = make(&to);
  assert_same(tried, made, "rtol, norm, more cycles");
  assert_int_equal(gmg_solver_set_real(tried, "atol", 1e-3), GMG_OK);
  assert_int_equal(gmg_solver_set_integer(tried, "max-cycles", 2), GMG_OK);
  struct answer two = solve(tried);
  assert_true(two.result.cycles == 2 || two.norm[two.result.cycles] <= 1e-3);
  free(two.u);
  assert_int_equal(gmg_solver_set_option(tried, "rtol", "2"), GMG_ERR_OPTION);
  assert_int_equal(gmg_solver_set_integer(tried, "pre", 1), GMG_ERR_ORDER);
  assert_non_null(
    strstr(gmg_context_message(context), "rtol, atol, norm and max-cycles may change"));
  assert_int_equal(gmg_solver_set_option(tried, "rtoll", "1e-3"), GMG_ERR_OPTION);
  assert_string_equal(gmg_solver_option(tried, "rtol"), "1e-13");
  gmg_solver_destroy(&tried);
  gmg_solver_destroy(&made);
}

static void refused(void **state)
{
  (void)state;
  const struct problem p = {.a = 1,
                            .b = 1,
                            .alpha = COPIED,
                            .beta = COPIED,
                            .kind = GMG_DIRICHLET,
                            .value = {0, 0, 1},
                            .periodic = 1};
  gmg_solver *tried = make(&p), *made = make(&p);
  assert_int_equal(gmg_solver_set_equation(tried, 2, 1), GMG_ERR_ORDER);
  assert_non_null(strstr(gmg_context_message(context), "another a needs alpha, which was copied"));
  assert_int_equal(gmg_solver_set_equation(tried, 1, 2), GMG_ERR_ORDER);
  assert_non_null(strstr(gmg_context_message(context), "another b needs beta, which was copied"));
  assert_int_equal(gmg_solver_set_equation(tried, 1, -1), GMG_ERR_COEFFICIENT);
  assert_int_equal(gmg_solver_set_equation(tried, 1, 1), GMG_OK);
  assert_int_equal(gmg_solver_set_boundary_value(tried, GMG_X_LO, 1), GMG_ERR_ARGUMENT);
  assert_non_null(strstr(gmg_context_message(context), "periodic"));
  assert_int_equal(gmg_solver_set_boundary_value(tried, (gmg_side)6, 1), GMG_ERR_ARGUMENT);
  assert_int_equal(gmg_solver_set_boundary_value(tried, GMG_Y_LO, NAN), GMG_ERR_ARGUMENT);
  assert_int_equal(gmg_solver_set_boundary_values(tried, GMG_Y_LO, NULL), GMG_ERR_ARGUMENT);
  assert_same(tried, made, "after refused changes");
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > 1) {
    assert_int_equal(gmg_solver_set_boundary_value(tried, GMG_Y_LO, gmg_context_rank(context)),
                     GMG_ERR_ARGUMENT);
    assert_non_null(strstr(gmg_context_message(context), "differs between ranks: "));
    assert_int_equal(gmg_solver_set_equation(tried, 1 + gmg_context_rank(context), 1),
                     GMG_ERR_ARGUMENT);
    assert_same(tried, made, "after changes that differed between ranks");
  }
  gmg_solver_destroy(&tried);
  gmg_solver_destroy(&made);
}

/* Coefficients set anew take another a and b with them, in the next setup; where that is refused,
 * neither is taken. */
static void with_coefficients(void **state)
{
  (void)state;
  struct problem p = {
    .a = 1, .b = 1, .alpha = COPIED, .beta = COPIED, .kind = GMG_DIRICHLET, .value = {0, 0, 1}};
  gmg_solver *tried = make(&p), *old = make(&p);
  fill_coefficients(5);
  assert_int_equal(give(tried, GMG_ALPHA, COPIED), GMG_OK);
  assert_int_equal(gmg_solver_set_equation(tried, 3, 2), GMG_OK);
  assert_same(tried, old, "before the setup");
  assert_int_equal(gmg_solver_setup(tried), GMG_ERR_ORDER);
  assert_same(tried, old, "after a refused one");
  assert_int_equal(give(tried, GMG_ALPHA, COPIED), GMG_OK);
  assert_int_equal(give(tried, GMG_BETA, COPIED), GMG_OK);
  assert_int_equal(gmg_solver_set_equation(tried, 3, 2), GMG_OK);
  assert_int_equal(gmg_solver_setup(tried), GMG_OK);
  p.a = 3;
  p.b = 2;
  gmg_solver *made = make(&p);
  assert_same(tried, made, "a, b, alpha and beta");
  fill_coefficients(1);
  gmg_solver_destroy(&tried);
  gmg_solver_destroy(&old);
  gmg_solver_destroy(&made);
}

/* Of the grid they change later solvers only; before the setup they are what the grid's would have
 * been. */
static void of_the_grid(void **state)
{
  (void)state;
  struct problem p = {.a = 1, .b = 1, .kind = GMG_DIRICHLET, .value = {3}};
  gmg_grid *grid = make_grid(&p);
  gmg_solver *early, *late;
  assert_int_equal(gmg_solver_create(grid, &early), GMG_OK);
  assert_int_equal(gmg_grid_set_boundary(grid, GMG_X_LO, GMG_DIRICHLET, 0, 0, 9), GMG_OK);
  assert_int_equal(gmg_solver_create(grid, &late), GMG_OK);
  assert_int_equal(gmg_solver_set_boundary_value(late, GMG_X_LO, 3), GMG_OK);
  assert_int_equal(gmg_solver_set_equation(early, 1, 1), GMG_OK);
  assert_int_equal(gmg_solver_set_equation(late, 1, 1), GMG_OK);
  assert_int_equal(gmg_solver_setup(early), GMG_OK);
  assert_int_equal(gmg_solver_setup(late), GMG_OK);
  gmg_solver *made = make(&p);
  assert_same(early, made, "a grid that was changed later");
  assert_same(late, made, "changed before the setup");
  gmg_grid_destroy(&grid);
  gmg_solver_destroy(&early);
  gmg_solver_destroy(&late);
  gmg_solver_destroy(&made);
}

int main(int argc, char **argv)
{
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int failed = gmg_context_create_mpi(MPI_COMM_WORLD, 1, &context);
  if (!failed) {
    const struct problem any = {.kind = GMG_DIRICHLET};
    gmg_grid *grid = make_grid(&any); /* for this rank's part */
    gmg_grid_destroy(&grid);
    fill_coefficients(1);
    const struct CMUnitTest tests[] = {
      cmocka_unit_test(tolerances),        cmocka_unit_test(equation),
      cmocka_unit_test(boundary_values),   cmocka_unit_test(refused),
      cmocka_unit_test(with_coefficients), cmocka_unit_test(of_the_grid)};
    failed = cmocka_run_group_tests(tests, NULL, NULL);
  }
  for (int c = 0; c < 5; c++)
    free(coefficient[c]);
  gmg_context_destroy(&context);
  MPI_Finalize();
  return failed != 0;
}

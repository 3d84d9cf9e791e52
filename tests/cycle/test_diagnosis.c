/* Preconditions: none. What must vanish: the number of solves, arranged to go wrong for one cause
 * each, whose reason does not name that cause and what would help; of cures that do not help; and
 * the bytes that a diagnosis allocates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmg.h>

enum { N = 24, CELLS = N * N * N, WORDS = 4, OPTIONS = 10 };
enum medium { CONSTANT, LAYERS_X, LAYERS_Z, CUBES, BALL };

struct arranged {
  const char *name;
  enum medium medium;
  const char *option[OPTIONS]; /* name, value, … */
  gmg_outcome outcome;
  const char *word[WORDS]; /* that the reason has */
  int cure; /* the option that it says to try must at least halve the cycles, or make it converge */
  gmg_boundary kind;
  double a;
};

static const struct arranged list[] = {
  {"layers in z",
   LAYERS_Z,
   {"max-cycles", "9", "coarsening", "plain", "anisotropy", "1,1,1"},
   GMG_MAX_CYCLES,
   .word = {"along z is weak", "anisotropy=1,1,0.004"},
   .cure = 1},
  {"layers in x",
   LAYERS_X,
   {"max-cycles", "9", "coarsening", "plain", "anisotropy", "1,1,1"},
   GMG_MAX_CYCLES,
   .word = {"along x is weak", "anisotropy=0.004,1,1"},
   .cure = 1},
  {"linear interpolation at jumps",
   BALL,
   {"interpolation", "linear", "cycle", "v", "krylov", "none", "max-cycles", "40"},
   GMG_MAX_CYCLES,
   .word = {"differs by up to a factor 5.0e+03", "smears", "try interpolation=constant"}},
  {"V-cycles at jumps",
   BALL,
   {"cycle", "v", "krylov", "none", "max-cycles", "30"},
   GMG_MAX_CYCLES,
   .word = {"begins to be poor on level ", "smears", "try cycle=w"},
   .cure = 1},
  {"over-relaxed Jacobi",
   CONSTANT,
   {"smoother", "jacobi", "omega", "1.9"},
   GMG_DIVERGED,
   .word = {"the smoother amplifies errors", "omega=auto"}},
  {"one sweep",
   CONSTANT,
   {"pre", "0", "post", "1", "interpolation", "constant", "max-cycles", "30"},
   GMG_STALLED,
   .word = {"try pre=2 post=2"}},
  {"weak bottom solver",
   BALL,
   {"bottom", "sweeps", "bottom-cells", "2000", "krylov", "none", "max-cycles", "15"},
   GMG_STALLED,
   .word = {"the bottom solver is too weak for its 1728 cells", "bottom-cells"}},
  {"tolerance",
   CONSTANT,
   {"rtol", "1e-16"},
   GMG_ROUNDING_LIMIT,
   .word = {"rounding u to double", "is beyond double precision", "rtol="}},
  {"tolerance of a singular problem",
   CONSTANT,
   {"rtol", "1e-17"},
   GMG_ROUNDING_LIMIT,
   .word = {"rounding u to double", "is beyond double precision"},
   .kind = GMG_NEUMANN},
  {"nearly singular",
   CONSTANT,
   {"rtol", "1e-10"},
   GMG_STALLED,
   .word = {"nearly singular", "set a = 0"},
   .kind = GMG_NEUMANN,
   .a = 1e-12},
  {"too few cycles",
   CONSTANT,
   {"pre", "1", "post", "0", "max-cycles", "8"},
   GMG_MAX_CYCLES,
   .word = {"cycles more would do"}},
};

static double value_of(enum medium medium, const int at[3])
{
  double distance = 0;
  for (int d = 0; d < 3; d++)
    distance += (at[d] + 0.5 - N / 2) * (at[d] + 0.5 - N / 2);
  switch (medium) {
  case LAYERS_X:
    return at[0] % 2 ? 1000 : 1;
  case LAYERS_Z:
    return at[2] % 2 ? 1000 : 1;
  case CUBES:
    return at[0] % 8 < 3 && at[1] % 8 < 3 && at[2] % 8 < 3 ? 1000 : 1;
  case BALL:
    return distance < N * N / 16.0 ? 1e4 : 1;
  default:
    return 1;
  }
}

struct bench {
  gmg_context *context;
  gmg_solver *solver;
  double f[CELLS], u[CELLS], beta[CELLS];
  gmg_array f_array, u_array, beta_array;
  gmg_result result;
};

static struct bench *begin(const struct arranged *a, const char *extra, const char *extra_value)
{
  static const int cells[3] = {N, N, N};
  static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  struct bench *b = calloc(1, sizeof *b);
  gmg_grid *grid;
  assert_int_equal(gmg_context_create(1, &b->context), GMG_OK);
  assert_int_equal(gmg_grid_create(b->context, cells, lower, upper, &grid), GMG_OK);
  for (int side = 0; side < 6; side++)
    gmg_grid_set_boundary(grid, (gmg_side)side, a->kind, 0, 0, 0);
  assert_int_equal(gmg_solver_create(grid, &b->solver), GMG_OK);
  gmg_grid_destroy(&grid);
  b->f_array = (gmg_array){b->f, {1, N, N * N}};
  b->u_array = (gmg_array){b->u, {1, N, N * N}};
  b->beta_array = (gmg_array){b->beta, {1, N, N * N}};
  for (int n = 0; n < CELLS; n++) {
    b->f[n] = 1 + 0.1 * sin(0.37 * n);
    b->beta[n] = value_of(a->medium, (int[]){n % N, n / N % N, n / (N * N)});
  }
  if (a->medium != CONSTANT)
    assert_int_equal(gmg_solver_set_coefficient(b->solver, GMG_BETA, &b->beta_array), GMG_OK);
  assert_int_equal(gmg_solver_set_equation(b->solver, a->a, 1), GMG_OK);
  for (int n = 0; n < OPTIONS && a->option[n]; n += 2)
    assert_int_equal(gmg_solver_set_option(b->solver, a->option[n], a->option[n + 1]), GMG_OK);
  if (extra)
    assert_int_equal(gmg_solver_set_option(b->solver, extra, extra_value), GMG_OK);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_OK);
  return b;
}

static void solve(struct bench *b, int use_guess)
{
  assert_int_equal(gmg_solver_solve(b->solver, &b->f_array, &b->u_array, use_guess, &b->result),
                   GMG_OK);
}

static void end(struct bench *b)
{
  gmg_solver_destroy(&b->solver);
  gmg_context_destroy(&b->context);
  free(b);
}

static int lacks(const char *reason, const char *word)
{
  const int missing = !strstr(reason, word);
  if (missing)
    printf("  <- lacks: %s\n", word);
  return missing;
}

/* Solves with the option that a reason says to try. Returns 1 where it did not help. */
static int cure_fails(const struct arranged *a, const char *reason, const gmg_result *before)
{
  const char *try = strstr(reason, "try ");
  char name[40], value[60];
  if (!try || sscanf(try, "try %39[a-z-]=%59s", name, value) != 2)
    return 1;
  const double factor = pow(before->relative_residual, 1.0 / before->cycles);
  struct bench *b = begin(a, name, value);
  solve(b, 0);
  const double now = pow(b->result.relative_residual, 1.0 / b->result.cycles);
  const int bad = now > pow(factor, 1.5);
  printf("  with %s=%s: %d cycles, by %.3f each instead of %.3f%s\n", name, value, b->result.cycles,
         now, factor, bad ? " <-" : "");
  end(b);
  return bad;
}

static void causes(void **state)
{
  (void)state;
  int failures = 0;
  for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
    const struct arranged *a = &list[n];
    struct bench *b = begin(a, NULL, NULL);
    solve(b, 0);
    printf("%s: %s after %d cycles: %s\n", a->name, gmg_outcome_text(b->result.outcome),
           b->result.cycles, b->result.reason);
    failures += b->result.outcome != a->outcome;
    for (int w = 0; w < WORDS && a->word[w]; w++)
      failures += lacks(b->result.reason, a->word[w]);
    if (a->cure)
      failures += cure_fails(a, b->result.reason, &b->result);
    end(b);
  }
  assert_int_equal(failures, 0);
}

/* A converged solve says nothing more than that. */
static void silence(void **state)
{
  (void)state;
  static const struct arranged fine = {.name = "fine"}, cubes = {.name = "cubes", .medium = CUBES};
  const struct arranged *quick[] = {&fine, &cubes};
  for (int n = 0; n < 2; n++) {
    struct bench *b = begin(quick[n], NULL, NULL);
    solve(b, 0);
    printf("%s: %s\n", quick[n]->name, b->result.reason);
    assert_int_equal(b->result.outcome, GMG_CONVERGED);
    assert_null(strchr(b->result.reason, ';'));
    end(b);
  }
}

static void input(void **state)
{
  (void)state;
  static const struct arranged fine = {.name = "fine"};
  struct bench *b = begin(&fine, NULL, NULL);
  int failures = 0;
  b->f[3 + N * (5 + N * 7)] = NAN;
  solve(b, 0);
  printf("%s\n", b->result.reason);
  failures += lacks(b->result.reason, "the right side is nan in cell (3, 5, 7)");
  b->f[3 + N * (5 + N * 7)] = 1;
  b->u[2 + N * (1 + N * 23)] = -INFINITY;
  solve(b, 1);
  printf("%s\n", b->result.reason);
  failures += lacks(b->result.reason, "the initial guess is -inf in cell (2, 1, 23)");
  b->f[0] = 1e200;
  solve(b, 0);
  printf("%s\n", b->result.reason);
  failures += lacks(b->result.reason, "the sum of their squares is not");
  b->f[0] = 1;
  solve(b, 0);
  failures += b->result.outcome != GMG_CONVERGED;
  end(b);
  assert_int_equal(failures, 0);
}

/* What a diagnosis leaves behind does not change the next solve, and it takes no memory. */
static void leaves_nothing(void **state)
{
  (void)state;
  for (int n = 0; n < 2; n++) {
    struct bench *b = begin(&list[n ? 4 : 0], NULL, NULL),
                 *other = begin(&list[n ? 4 : 0], NULL, NULL);
    solve(b, 0);
    solve(b, 0);
    const size_t before = mallinfo2().uordblks;
    solve(b, 0);
    assert_true(mallinfo2().uordblks == before);
    solve(other, 0);
    assert_memory_equal(b->u, other->u, sizeof b->u);
    assert_string_equal(b->result.reason, other->result.reason);
    end(b);
    end(other);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(causes), cmocka_unit_test(silence),
                                     cmocka_unit_test(input), cmocka_unit_test(leaves_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

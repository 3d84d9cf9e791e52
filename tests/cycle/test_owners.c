/* Preconditions: none. What must vanish: the number of problems with many bodies, layers or a rough
 * beta that take more iterations than allowed with owners; of those for which `auto` chooses other
 * levels than it should, or other parts of corrections; of sweeps over one colour at a time where
 * two may go together, or the other way round; and the difference, to the last bit, between a
 * solver whose coefficients were replaced and one that was made with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmg.h>
#include <gmg_report.h>

enum { MOST = 40, CELLS = MOST * MOST * MOST, OPTIONS = 8 };
enum medium {
  ONE,
  BALL,
  BALLS,
  CUBES,
  BOARD_3,
  BOARD_4,
  BOARD_5,
  LAYERS_1,
  LAYERS_2,
  ROUGH,
  LOGNORMAL
};

struct problem {
  const char *name;
  enum medium medium;
  int most;          /* iterations */
  const char *chose; /* by auto */
  double ratio;      /* 0: 1e3 */
  gmg_boundary kind;
  double a;
  int cells[3];   /* 0: 32 */
  double stretch; /* of a cell's width over the one before; 0: 1 */
  const char *option[OPTIONS];
};

static double hash(int i, int j, int k)
{
  uint64_t x = (uint64_t)(i + 1) * 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 29 ^ (uint64_t)j) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 31 ^ (uint64_t)k) * 0x94D049BB133111EBu;
  x ^= x >> 29;
  return (double)(x >> 11) / 9007199254740992.0;
}

/* Cubes of 3 cells, one in every 6, at random places. */
static int in_cube(int seed, const int at[3])
{
  int inside = 1;
  for (int d = 0; d < 3; d++) {
    const int low = (int)(4 * hash(seed + d + 10 * (at[0] / 6), at[1] / 6, at[2] / 6));
    inside &= at[d] % 6 >= low && at[d] % 6 < low + 3;
  }
  return inside;
}

/* Balls of radius 1 to 3 cells, one in every 6³. */
static int in_ball(const int at[3])
{
  int inside = 0;
  for (int n = 0; n < 27; n++) {
    const int which[3] = {at[0] / 6 + n % 3, at[1] / 6 + n / 3 % 3, at[2] / 6 + n / 9};
    const double radius = 1 + 2 * hash(which[0] + 100, which[1], which[2]);
    double square = 0;
    for (int d = 0; d < 3; d++) {
      const double place = hash(which[0] + 200 + 100 * d, which[1], which[2]);
      square += pow(at[d] + 0.5 - 6 * (which[d] - 1 + place), 2);
    }
    inside |= square < radius * radius;
  }
  return inside;
}

/* A sum of waves of random directions and lengths, about Gaussian, of variance 1. */
static double waves(const int at[3])
{
  enum { WAVES = 40 };
  double sum = 0;
  for (int n = 0; n < WAVES; n++) {
    double phase = 6.283 * hash(n, 7, 0);
    for (int d = 0; d < 3; d++)
      phase += 1.6 * (hash(n, d, 1) + hash(n, d, 2) - 1) * at[d];
    sum += cos(phase);
  }
  return sum * sqrt(2.0 / WAVES);
}

static double value(enum medium medium, int seed, double ratio, const int at[3])
{
  const double x = at[0] - 15.5, y = at[1] - 15.5, z = at[2] - 15.5;
  switch (medium) {
  case BALL:
    return x * x + y * y + z * z < 64 ? ratio : 1;
  case CUBES:
    return in_cube(seed, at) ? ratio : 1;
  case BALLS:
    return in_ball(at) ? ratio : 1;
  case BOARD_3:
    return (at[0] / 3 + at[1] / 3 + at[2] / 3) % 2 ? ratio : 1;
  case BOARD_4:
    return (at[0] / 4 + at[1] / 4 + at[2] / 4) % 2 ? ratio : 1;
  case BOARD_5:
    return (at[0] / 5 + at[1] / 5 + at[2] / 5) % 2 ? ratio : 1;
  case LAYERS_1:
    return at[2] % 2 ? ratio : 1;
  case LAYERS_2:
    return at[2] / 2 % 2 ? ratio : 1;
  case ROUGH:
    return exp(6 * hash(at[0], at[1], at[2]));
  case LOGNORMAL:
    return exp(log(ratio) * waves(at));
  default:
    return 1;
  }
}

static const struct problem list[] = {
  {"cubes", CUBES, 15, .chose = "owners"},
  {"cubes, 1e6", CUBES, 15, .chose = "owners", .ratio = 1e6},
  {"cubes, periodic", CUBES, 13, .chose = "owners", .kind = GMG_PERIODIC, .cells = {36, 36, 36}},
  {"cubes, Neumann", CUBES, 15, .chose = "owners", .kind = GMG_NEUMANN},
  {"cubes, Robin", CUBES, 18, .chose = "owners", .kind = GMG_ROBIN},
  {"cubes, a = 1e3", CUBES, 13, .chose = "owners", .a = 1e3},
  {"cubes, odd", CUBES, 16, .chose = "owners", .cells = {29, 35, 31}},
  {"cubes, flat", CUBES, 11, .chose = "plain", .cells = {40, 37, 4}},
  {"cubes, double", CUBES, 15, .chose = "owners", .option = {"precision", "double"}},
  {"cubes, mixed", CUBES, 15, .chose = "owners", .option = {"precision", "mixed"}},
  {"cubes, V-cycles", CUBES, 16, .chose = "owners", .option = {"cycle", "v"}},
  {"cubes, one sweep", CUBES, 24, .chose = "owners", .option = {"pre", "1", "post", "1"}},
  {"cubes, Chebyshev", CUBES, 13, .chose = "owners", .option = {"smoother", "chebyshev"}},
  {"cubes, direct bottom solver", CUBES, 15, .chose = "owners", .option = {"bottom-cells", "64"}},
  {"cubes, stretched", CUBES, 25, .chose = "owners", .stretch = 1.04},
  {"checkerboard of 3, stretched", BOARD_3, 26, .chose = "owners", .stretch = 1.04},
  {"layers, stretched", LAYERS_1, 12, .chose = "plain", .stretch = 1.04},
  {"constant, stretched", ONE, 12, .chose = "plain", .stretch = 1.04},
  {"balls", BALLS, 23, .chose = "owners"},
  {"balls of 1e5", BALLS, 24, .chose = "owners", .ratio = 1e5},
  {"checkerboard of 3", BOARD_3, 16, .chose = "owners"},
  {"checkerboard of 5", BOARD_5, 15, .chose = "owners"},
  /* slow in the end, where a layer is left over */
  {"checkerboard of 4, odd", BOARD_4, 15, .chose = "owners", .cells = {40, 40, 37}},
  {"checkerboard of 4, odd, Robin", BOARD_4, 17, .chose = "owners", .kind = GMG_ROBIN,
   .cells = {40, 40, 37}},
  {"layers of 1", LAYERS_1, 9, .chose = "plain"},
  {"layers of 2", LAYERS_2, 9, .chose = "plain"},
  /* held by no side: the trial's part must not hold them either */
  {"layers of 2, 1e6, Neumann", LAYERS_2, 9, .chose = "owners", .ratio = 1e6, .kind = GMG_NEUMANN,
   .cells = {40, 38, 36}},
  {"layers, 1e6, odd and periodic", LAYERS_1, 10, .chose = "owners", .ratio = 1e6,
   .kind = GMG_PERIODIC, .cells = {39, 40, 38}},
  {"log-normal", LOGNORMAL, 15, .chose = NULL, .ratio = 20.085},
  {"rough", ROUGH, 16, .chose = NULL},
  {"constant", ONE, 10, .chose = "plain"},
  {"ball", BALL, 10, .chose = "plain"},
  {"soft ball", BALL, 10, .chose = "plain", .ratio = 1e-3},
};

static double f[CELLS], u[CELLS], other_u[CELLS], beta[CELLS];

struct bench {
  gmg_context *context;
  gmg_solver *solver;
  int cells[3];
  gmg_array array[3]; /* f, u, beta */
};

static void give_beta(struct bench *b, const struct problem *p, int seed)
{
  for (int k = 0; k < b->cells[2]; k++)
    for (int j = 0; j < b->cells[1]; j++)
      for (int i = 0; i < b->cells[0]; i++)
        beta[(k * b->cells[1] + j) * b->cells[0] + i] =
          value(p->medium, seed, p->ratio > 0 ? p->ratio : 1e3, (int[]){i, j, k});
  assert_int_equal(gmg_solver_set_coefficient(b->solver, GMG_BETA, &b->array[2]), GMG_OK);
}

/* Faces from 0 on, each cell `ratio` times as wide as the one before, 1/32 in the mean. */
static void stretch(gmg_grid *grid, const int cells[3], double ratio)
{
  double face[MOST + 1];
  for (int d = 0; d < 3; d++) {
    for (int i = 0; i <= cells[d]; i++)
      face[i] = cells[d] / 32.0 * expm1(i * log(ratio)) / expm1(cells[d] * log(ratio));
    assert_int_equal(gmg_grid_set_faces(grid, d, face), GMG_OK);
  }
}

static void begin(struct bench *b, const struct problem *p, int seed, const char *coarsening)
{
  static const double lower[3] = {0, 0, 0};
  double upper[3], *const data[3] = {f, u, beta};
  gmg_grid *grid;
  for (int d = 0; d < 3; d++) {
    b->cells[d] = p->cells[d] ? p->cells[d] : 32;
    upper[d] = b->cells[d] / 32.0;
  }
  for (int n = 0; n < 3; n++)
    b->array[n] = (gmg_array){data[n], {1, b->cells[0], (ptrdiff_t)b->cells[0] * b->cells[1]}};
  for (int n = 0; n < CELLS; n++)
    f[n] = 1 + 0.1 * sin(0.37 * n);
  assert_int_equal(gmg_context_create(2, &b->context), GMG_OK);
  assert_int_equal(gmg_grid_create(b->context, b->cells, lower, upper, &grid), GMG_OK);
  if (p->stretch > 0)
    stretch(grid, b->cells, p->stretch);
  for (int side = 0; side < 6; side++)
    gmg_grid_set_boundary(grid, (gmg_side)side, p->kind, 1, 0.5, 0);
  assert_int_equal(gmg_solver_create(grid, &b->solver), GMG_OK);
  gmg_grid_destroy(&grid);
  give_beta(b, p, seed);
  assert_int_equal(gmg_solver_set_equation(b->solver, p->a, 1), GMG_OK);
  for (int n = 0; n < OPTIONS && p->option[n]; n += 2)
    assert_int_equal(gmg_solver_set_option(b->solver, p->option[n], p->option[n + 1]), GMG_OK);
  assert_int_equal(gmg_solver_set_option(b->solver, "coarsening", coarsening), GMG_OK);
  assert_int_equal(gmg_solver_setup(b->solver), GMG_OK);
}

static void end(struct bench *b)
{
  gmg_solver_destroy(&b->solver);
  gmg_context_destroy(&b->context);
}

static gmg_result solve(struct bench *b)
{
  gmg_result result;
  assert_int_equal(gmg_solver_solve(b->solver, &b->array[0], &b->array[1], 0, &result), GMG_OK);
  return result;
}

static void counts(void **state)
{
  (void)state;
  int failures = 0;
  for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
    struct bench b;
    begin(&b, &list[n], 0, "owners");
    const gmg_result result = solve(&b);
    gmg_level_info finest;
    assert_int_equal(gmg_solver_level_info(b.solver, 0, &finest), GMG_OK);
    const int ended =
      result.outcome == GMG_CONVERGED || (result.outcome == GMG_ROUNDING_LIMIT && list[n].ratio);
    const int bad = !ended || result.cycles > list[n].most;
    printf("%s: %d iterations, at most %d; %s; %lld cells given away, %lld pieces forced%s\n",
           list[n].name, result.cycles, list[n].most, gmg_outcome_text(result.outcome),
           (long long)finest.given_away, (long long)finest.forced, bad ? " <-" : "");
    failures += bad;
    end(&b);
  }
  assert_int_equal(failures, 0);
}

static void choices(void **state)
{
  (void)state;
  int failures = 0;
  for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
    struct bench b;
    if (!list[n].chose)
      continue;
    begin(&b, &list[n], 0, "auto");
    const char *chose = gmg_solver_option(b.solver, "coarsening");
    const int bad = strcmp(chose, list[n].chose) != 0;
    printf("%s: auto chose %s%s\n", list[n].name, chose, bad ? " <-" : "");
    failures += bad;
    end(&b);
  }
  assert_int_equal(failures, 0);
}

/* Plain levels that take other than whole corrections, as `auto` finds. */
static void corrections(void **state)
{
  (void)state;
  static const struct problem corrected[] = {
    {"checkerboard of 4", BOARD_4, 11, .chose = "plain"},
    {"checkerboard of 4, Neumann", BOARD_4, 11, .chose = "plain", .kind = GMG_NEUMANN},
  };
  int failures = 0;
  for (size_t n = 0; n < sizeof corrected / sizeof *corrected; n++) {
    gmg_result result[2];
    char note[200] = "";
    for (int whole = 0; whole < 2; whole++) {
      struct bench b;
      begin(&b, &corrected[n], 0, whole ? "plain" : "auto");
      result[whole] = solve(&b);
      if (!whole && gmg_solver_fallback(b.solver, 0))
        snprintf(note, sizeof note, "%s", gmg_solver_fallback(b.solver, 0));
      end(&b);
    }
    const int bad = result[0].outcome != GMG_CONVERGED || result[0].cycles > corrected[n].most
      || !strstr(note, "of each correction");
    printf("%s: %d iterations, at most %d, with whole corrections %d; %s%s\n", corrected[n].name,
           result[0].cycles, corrected[n].most, result[1].cycles, note, bad ? " <-" : "");
    failures += bad;
  }
  assert_int_equal(failures, 0);
}

/* New beta, with owners elsewhere, or none before, so that levels stay plain; then another a. Every
 * time to the bits of a new solver. */
static void replaced(void **state)
{
  (void)state;
  static const struct problem before[] = {{.name = "cubes", .medium = CUBES},
                                          {.name = "layers", .medium = LAYERS_1},
                                          {.name = "constant", .medium = ONE}};
  static const struct problem after = {.name = "cubes", .medium = CUBES};
  for (int n = 0; n < 3; n++) {
    struct bench b, fresh;
    begin(&b, &before[n], 0, "auto");
    solve(&b);
    give_beta(&b, &after, 50);
    assert_int_equal(gmg_solver_setup(b.solver), GMG_OK);
    const gmg_result first = solve(&b);
    memcpy(other_u, u, sizeof u);
    const char *const stays = n ? "plain" : "owners";
    char strength[40]; /* of couplings, as it was seen in the first beta */
    snprintf(strength, sizeof strength, "%s", gmg_solver_option(b.solver, "anisotropy"));
    struct problem alike = after;
    alike.option[0] = n ? "anisotropy" : NULL;
    alike.option[1] = strength;
    begin(&fresh, &alike, 50, n ? "plain" : "auto");
    const gmg_result second = solve(&fresh);
    printf("from %s to other cubes: %d iterations, %d of a new solver\n", before[n].name,
           first.cycles, second.cycles);
    assert_string_equal(gmg_solver_option(b.solver, "coarsening"), stays);
    assert_int_equal(first.cycles, second.cycles);
    assert_memory_equal(other_u, u, sizeof u);
    assert_int_equal(gmg_solver_set_equation(b.solver, 100, 1), GMG_OK);
    assert_int_equal(gmg_solver_setup(b.solver), GMG_OK);
    const gmg_result damped = solve(&b);
    printf("  and with a = 100: %d iterations\n", damped.cycles);
    assert_int_equal(damped.outcome, GMG_CONVERGED);
    assert_true(damped.cycles <= (n ? 90 : 16));
    end(&b);
    end(&fresh);
  }
}

/* Setups with one beta after another, and solves to a tolerance that plain levels reach in few
 * iterations: they are tried, and left where they cost more. Every time to the bits of a new solver
 * that is told so. */
static void turns(void **state)
{
  (void)state;
  static const struct {
    struct problem problem;
    const char *kind[5];
  } loops[] = {
    {{.name = "cubes, 1e-3", .medium = CUBES, .option = {"rtol", "1e-3"}},
     {"owners", "plain", "owners", "owners", "owners"}},
    {{.name = "softer cubes, 1e-2", .medium = CUBES, .ratio = 500, .option = {"rtol", "1e-2"}},
     {"owners", "plain", "plain", "plain", "plain"}},
    {{.name = "cubes, 1e-10", .medium = CUBES},
     {"owners", "owners", "owners", "owners", "owners"}}};
  for (size_t n = 0; n < sizeof loops / sizeof *loops; n++) {
    const struct problem *p = &loops[n].problem;
    struct bench b, fresh;
    begin(&b, p, 0, "auto");
    for (int step = 0; step < 5; step++) {
      if (step > 0) {
        give_beta(&b, p, step);
        assert_int_equal(gmg_solver_setup(b.solver), GMG_OK);
      }
      const char *kind = gmg_solver_option(b.solver, "coarsening");
      const gmg_result result = solve(&b);
      printf("%s, step %d: %s, %d iterations\n", p->name, step, kind, result.cycles);
      assert_int_equal(result.outcome, GMG_CONVERGED);
      assert_string_equal(kind, loops[n].kind[step]);
      memcpy(other_u, u, sizeof u);
      begin(&fresh, p, step, kind);
      solve(&fresh);
      assert_memory_equal(other_u, u, sizeof u);
      end(&fresh);
    }
    end(&b);
  }
}

/* Levels went over to plain ones, or were plain at first; then beta jumps so far that these fail.
 */
static void returns(void **state)
{
  (void)state;
  static const struct problem hard = {.medium = CUBES, .ratio = 1e6, .option = {"rtol", "1e-2"}};
  static const struct {
    struct problem soft;
    const char *kind[4];
  } loops[] = {{{.name = "turned", .medium = CUBES, .ratio = 600, .option = {"rtol", "1e-2"}},
                {"owners", "plain", "plain", "owners"}},
               {{.name = "never", .medium = CUBES, .ratio = 10, .option = {"rtol", "1e-2"}},
                {"plain", "plain", "plain", "owners"}}};
  for (size_t n = 0; n < sizeof loops / sizeof *loops; n++) {
    struct bench b;
    begin(&b, &loops[n].soft, 0, "auto");
    for (int step = 0; step < 4; step++) {
      if (step > 0) {
        give_beta(&b, step < 2 ? &loops[n].soft : &hard, step);
        assert_int_equal(gmg_solver_setup(b.solver), GMG_OK);
      }
      const gmg_result result = solve(&b);
      const char *kind = gmg_solver_option(b.solver, "coarsening");
      printf("%s, step %d: %s, %s after %d iterations\n", loops[n].soft.name, step, kind,
             gmg_outcome_text(result.outcome), result.cycles);
      assert_string_equal(kind, loops[n].kind[step]);
      assert_true(step == 2 ? result.cycles > 20 : result.outcome == GMG_CONVERGED);
    }
    end(&b);
  }
}

/* Calls of Gauss-Seidel on level 1, over one colour and over two at a time. */
static void count_sweeps(const gmg_solver *solver, long long calls[3])
{
  gmg_kernel_info kernel;
  calls[1] = calls[2] = 0;
  for (int n = 0; n < gmg_solver_kernels(solver, 1); n++)
    if (!gmg_solver_kernel_info(solver, 1, n, &kernel) && strstr(kernel.name, "_gauss_seidel"))
      calls[strstr(kernel.name, "_rows") ? 2 : 1] += kernel.calls;
}

/* Two colours go together in boxes from wall to wall along x, where rows of a colour are no
 * neighbours: half as many calls for the same bits. */
static void colours_go_together(void **state)
{
  (void)state;
  static const struct {
    struct problem problem;
    int together;
  } sweeps[] = {
    {{.name = "one box", .medium = CUBES}, 2},
    {{.name = "boxes", .medium = CUBES, .option = {"box", "8", "gather", "1"}}, 1},
    {{.name = "one cell along x", .medium = CUBES, .cells = {2, 32, 32}}, 2},
    {{.name = "one cell along y", .medium = CUBES, .cells = {32, 2, 32}}, 2},
    {{.name = "periodic", .medium = CUBES, .kind = GMG_PERIODIC, .cells = {32, 32, 32}}, 1},
  };
  long long calls[3], first = 0;
  for (size_t n = 0; n < sizeof sweeps / sizeof *sweeps; n++) {
    struct bench b;
    begin(&b, &sweeps[n].problem, 0, "owners");
    const gmg_result result = solve(&b);
    const int together = sweeps[n].together;
    count_sweeps(b.solver, calls);
    printf("%s: %d iterations, level 1 swept over one colour %lld times, over two %lld times\n",
           sweeps[n].problem.name, result.cycles, calls[1], calls[2]);
    assert_true(calls[together] > 0);
    assert_int_equal(calls[3 - together], 0);
    if (n == 0) {
      first = calls[2];
      memcpy(other_u, u, sizeof u);
    } else if (n == 1) {
      assert_int_equal(calls[1], 2 * first);
      assert_memory_equal(other_u, u, 32 * 32 * 32 * sizeof *u);
    }
    end(&b);
  }
}

static gmg_status setup_with(const char *const option[], char *message, size_t size)
{
  struct bench b;
  begin(&b, &list[0], 0, "plain");
  gmg_solver *solver;
  gmg_grid *grid;
  static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  assert_int_equal(gmg_grid_create(b.context, b.cells, lower, upper, &grid), GMG_OK);
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  gmg_grid_destroy(&grid);
  if (option[0][0])
    assert_int_equal(gmg_solver_set_coefficient(solver, GMG_BETA, &b.array[2]), GMG_OK);
  for (int n = 0; option[n] && option[n][0]; n += 2)
    assert_int_equal(gmg_solver_set_option(solver, option[n], option[n + 1]), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "coarsening", "owners"), GMG_OK);
  const gmg_status status = gmg_solver_setup(solver);
  snprintf(message, size, "%s", gmg_context_message(b.context));
  gmg_solver_destroy(&solver);
  end(&b);
  return status;
}

/* What owners cannot be combined with is refused, with a word that says why. */
static void refused(void **state)
{
  (void)state;
  static const struct {
    const char *option[3], *word;
  } refusals[] = {{{"cycle", "fmg", NULL}, "full multigrid"},
                  {{"interpolation", "linear", NULL}, "interpolation is constant"},
                  {{"", "", NULL}, "variable7"},
                  {{"operator", "linked27", NULL}, "coarse grids alone"}};
  for (size_t n = 0; n < sizeof refusals / sizeof *refusals; n++) {
    char message[400];
    const gmg_status status = setup_with(refusals[n].option, message, sizeof message);
    printf("%s\n", message);
    assert_true(status != GMG_OK);
    assert_non_null(strstr(message, refusals[n].word));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(counts),
                                     cmocka_unit_test(choices),
                                     cmocka_unit_test(corrections),
                                     cmocka_unit_test(replaced),
                                     cmocka_unit_test(turns),
                                     cmocka_unit_test(returns),
                                     cmocka_unit_test(colours_go_together),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

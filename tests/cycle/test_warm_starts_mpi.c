/* ranks: 1 3
 * needs: mpi */
/* Preconditions: none. What must vanish: the number of time steps in which a solve from the last
 * solution takes more than one cycle more than one from zero; the cycles that it takes more in sum;
 * the values whose last bit depends on the ranks; and what is left of a guess that is worse than
 * zero. */
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

enum { N = 32, STEPS = 20 };

/* What is solved on all ranks together, and on this rank alone. */
struct run {
  gmg_context *context;
  gmg_grid *grid;
  gmg_solver *solver;
  int lower[3], upper[3];
  double *alpha, *beta, *f, *u, *cold;
  gmg_array alpha_array, beta_array, f_array, u_array, cold_array;
};

/* HEAT: smooth materials, walls at two temperatures. BODIES: materials that differ by a factor
 * of 5. DROP: Neumann walls and 1/ρ of a drop of ratio 1000 that falls: β is new in every step. */
enum problem { HEAT, BODIES, DROP };
struct setting {
  const char *name;
  enum problem problem;
  double step; /* in time */
  const char *precision, *cycle;
  const char *gather; /* NULL: auto */
};

static gmg_context *context[2];

static size_t count_of(const struct run *r)
{
  size_t count = 1;
  for (int d = 0; d < 3; d++)
    count *= (size_t)(r->upper[d] - r->lower[d]);
  return count;
}

/* By global index, so that the values are the same on any number of ranks. */
static void fill(struct run *r, const struct setting *setting, int n)
{
  size_t c = 0;
  for (int k = r->lower[2]; k < r->upper[2]; k++)
    for (int j = r->lower[1]; j < r->upper[1]; j++)
      for (int i = r->lower[0]; i < r->upper[0]; i++, c++) {
        const double x = (i + 0.5) / N, y = (j + 0.5) / N, z = (k + 0.5) / N;
        const double distance = sqrt((x - 0.5) * (x - 0.5) + (y - 0.45) * (y - 0.45)
                                     + (z - 0.7 + 0.01 * n) * (z - 0.7 + 0.01 * n))
          - 0.2;
        r->alpha[c] =
          setting->problem == BODIES ? (i < N / 2 ? 1 : 0.6) : 1 + 0.3 * sin(5 * x) * cos(4 * y);
        r->beta[c] = setting->problem == BODIES ? (i < N / 2 ? 1 : 5)
                                                : 1 + 0.3 * sin(6 * x + 2 * y) * cos(3 * z);
        if (setting->problem == DROP)
          r->beta[c] = 1 / (1000 - 999 * 0.5 * (1 + tanh(distance * N / 1.5)));
        if (n == 0)
          r->u[c] =
            setting->problem == DROP ? 0 : 20 + 30 * sin(6.3 * x) * cos(3.1 * y) * cos(6.2 * z);
        r->f[c] = setting->problem == DROP ? exp(-40 * distance * distance) * (z - 0.7 + 0.01 * n)
                                           : r->alpha[c] / setting->step * r->u[c];
      }
}

static double *field(struct run *r, gmg_array *array)
{
  const int ni = r->upper[0] - r->lower[0], nj = r->upper[1] - r->lower[1];
  double *data = calloc(count_of(r) + 1, sizeof *data);
  *array = (gmg_array){data, {1, ni, (ptrdiff_t)ni * nj}};
  return data;
}

static void begin(struct run *r, gmg_context *of, const struct setting *setting)
{
  static const int cells[3] = {N, N, N};
  static const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  r->context = of;
  assert_int_equal(gmg_grid_create(of, cells, zero, one, &r->grid), GMG_OK);
  for (int side = 0; side < 6; side++)
    if (setting->problem == DROP || side >= 2)
      gmg_grid_set_boundary(r->grid, (gmg_side)side, GMG_NEUMANN, 0, 0, 0);
    else
      gmg_grid_set_boundary(r->grid, (gmg_side)side, GMG_DIRICHLET, 0, 0, side ? 100 : 20);
  gmg_grid_part(r->grid, r->lower, r->upper);
  r->alpha = field(r, &r->alpha_array);
  r->beta = field(r, &r->beta_array);
  r->f = field(r, &r->f_array);
  r->u = field(r, &r->u_array);
  r->cold = field(r, &r->cold_array);
  fill(r, setting, 0);
  assert_int_equal(gmg_solver_create(r->grid, &r->solver), GMG_OK);
  assert_int_equal(
    gmg_solver_set_equation(r->solver, setting->problem == DROP ? 0 : 1 / setting->step, 1),
    GMG_OK);
  assert_int_equal(gmg_solver_set_option(r->solver, "precision", setting->precision), GMG_OK);
  assert_int_equal(gmg_solver_set_option(r->solver, "cycle", setting->cycle), GMG_OK);
  if (setting->gather)
    assert_int_equal(gmg_solver_set_option(r->solver, "gather", setting->gather), GMG_OK);
  if (setting->problem != DROP)
    assert_int_equal(gmg_solver_borrow_coefficient(r->solver, GMG_ALPHA, &r->alpha_array), GMG_OK);
  assert_int_equal(gmg_solver_borrow_coefficient(r->solver, GMG_BETA, &r->beta_array), GMG_OK);
  assert_int_equal(gmg_solver_setup(r->solver), GMG_OK);
}

static void end(struct run *r)
{
  gmg_solver_destroy(&r->solver);
  gmg_grid_destroy(&r->grid);
  free(r->alpha);
  free(r->beta);
  free(r->f);
  free(r->u);
  free(r->cold);
}

static int cycles_of(struct run *r, gmg_array *u, int use_guess, double *seconds)
{
  gmg_result result;
  assert_int_equal(gmg_solver_solve(r->solver, &r->f_array, u, use_guess, &result), GMG_OK);
  assert_int_equal(result.outcome, GMG_CONVERGED);
  *seconds += result.solve_seconds;
  return result.cycles;
}

/* How many of the values of all ranks together differ from those of this rank alone. */
static int differing(const struct run *all, const struct run *alone)
{
  int differ = 0;
  size_t c = 0;
  for (int k = all->lower[2]; k < all->upper[2]; k++)
    for (int j = all->lower[1]; j < all->upper[1]; j++)
      for (int i = all->lower[0]; i < all->upper[0]; i++, c++)
        differ +=
          memcmp(&all->u[c], &alone->u[i + N * (j + (size_t)N * (size_t)k)], sizeof(double)) != 0;
  return differ;
}

static void check(const struct setting *setting)
{
  struct run all, alone;
  int warm = 0, cold = 0, worst = -100;
  double seconds[3] = {0, 0, 0};
  begin(&all, context[0], setting);
  begin(&alone, context[1], setting);
  for (int n = 0; n < STEPS; n++) {
    fill(&all, setting, n);
    fill(&alone, setting, n);
    if (setting->problem == DROP) {
      assert_int_equal(gmg_solver_setup(all.solver), GMG_OK);
      assert_int_equal(gmg_solver_setup(alone.solver), GMG_OK);
    }
    const int from_zero = cycles_of(&all, &all.cold_array, 0, &seconds[1]);
    const int from_guess = cycles_of(&all, &all.u_array, 1, &seconds[0]);
    assert_int_equal(cycles_of(&alone, &alone.u_array, 1, &seconds[2]), from_guess);
    warm += from_guess;
    cold += from_zero;
    worst = from_guess - from_zero > worst ? from_guess - from_zero : worst;
  }
  const int differ = differing(&all, &alone);
  printf("%s: %d cycles, %.3f s from the last solution, %d cycles, %.3f s from zero; at most %+d "
         "in a step; %d values differ\n",
         setting->name, warm, seconds[0], cold, seconds[1], worst, differ);
  assert_true(worst <= 1);
  assert_true(setting->problem == DROP ? warm <= cold : warm < cold);
  assert_int_equal(differ, 0);
  end(&all);
  end(&alone);
}

static void steps(void **state)
{
  (void)state;
  static const struct setting settings[] = {
    {"heat", HEAT, 1e-2, "double", "auto", NULL},
    {"heat, mixed", HEAT, 1e-2, "mixed", "auto", NULL},
    {"heat, short steps", HEAT, 1e-3, "mixed", "auto", NULL},
    {"heat, V-cycles", HEAT, 1e-2, "mixed", "v", NULL},
    {"heat, long steps", HEAT, 1, "double", "auto", NULL},
    {"heat, coarse levels on one rank", HEAT, 1e-2, "double", "auto", "1000000"},
    {"heat, mixed, coarse levels on one rank", HEAT, 1e-2, "mixed", "auto", "1000000"},
    {"two bodies", BODIES, 1e-2, "mixed", "auto", NULL},
    {"two bodies, fmg", BODIES, 1e-2, "double", "fmg", NULL},
    {"drop", DROP, 0, "mixed", "auto", NULL},
    {"drop, fmg", DROP, 0, "double", "fmg", NULL},
  };
  for (size_t n = 0; n < sizeof settings / sizeof *settings; n++)
    check(&settings[n]);
}

/* The solution and the norms are those of a solve without a guess. */
static void worse_than_zero(void **state)
{
  (void)state;
  static const char *const precisions[] = {"double", "mixed"}, *const cycles[] = {"auto", "v"};
  for (int n = 0; n < 4; n++) {
    const struct setting setting = {"", HEAT, 1e-2, precisions[n % 2], cycles[n / 2], NULL};
    struct run r;
    gmg_result result;
    double norm[20];
    begin(&r, context[0], &setting);
    const size_t count = count_of(&r);
    assert_int_equal(gmg_solver_solve(r.solver, &r.f_array, &r.cold_array, 0, &result), GMG_OK);
    const int taken = result.cycles;
    memcpy(norm, result.residual_history, (size_t)(taken + 1) * sizeof *norm);
    for (size_t c = 0; c < count; c++)
      r.u[c] = 1e4 * sin(3.0 * (double)c);
    assert_int_equal(gmg_solver_solve(r.solver, &r.f_array, &r.u_array, 1, &result), GMG_OK);
    assert_int_equal(result.cycles, taken);
    assert_memory_equal(norm, result.residual_history, (size_t)(taken + 1) * sizeof *norm);
    assert_memory_equal(r.u, r.cold, count * sizeof *r.u);
    end(&r);
  }
}

int main(int argc, char **argv)
{
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int failed =
    gmg_context_create_mpi(MPI_COMM_WORLD, 1, &context[0]) || gmg_context_create(1, &context[1]);
  if (!failed) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps), cmocka_unit_test(worse_than_zero)};
    failed = cmocka_run_group_tests(tests, NULL, NULL);
  }
  gmg_context_destroy(&context[0]);
  gmg_context_destroy(&context[1]);
  MPI_Finalize();
  return failed != 0;
}

/* What a solve may not do: allocate memory, plan, bind or compile. Every call of malloc and its kin
 * that comes from the library is counted while the solver works, on the CPU and on the device, over
 * every way that a solve can take; so is what the device holds, and the kernels that were compiled.
 * None. What the device's queue keeps of a list of launches lies in memory that it has.
 *
 * sanitizers: no */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmg.h>

extern void *__libc_malloc(size_t bytes), *__libc_calloc(size_t count, size_t bytes),
  *__libc_realloc(void *pointer, size_t bytes), *__libc_memalign(size_t alignment, size_t bytes);

static int counting;
static long allocations;
static void *first_caller;

/* The program has the library in it: what other shared objects allocate (OpenMP, MPI, the driver)
 * is theirs. */
static void note(const void *caller)
{
  extern char __executable_start, etext;
  if (!counting || (const char *)caller < &__executable_start || (const char *)caller >= &etext)
    return;
  first_caller = first_caller ? first_caller : (void *)caller;
  allocations++;
}

void *malloc(size_t bytes)
{
  note(__builtin_return_address(0));
  return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
  note(__builtin_return_address(0));
  return __libc_calloc(count, bytes);
}

void *realloc(void *pointer, size_t bytes)
{
  note(__builtin_return_address(0));
  return __libc_realloc(pointer, bytes);
}

int posix_memalign(void **pointer, size_t alignment, size_t bytes)
{
  note(__builtin_return_address(0));
  *pointer = __libc_memalign(alignment, bytes);
  return *pointer ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
  note(__builtin_return_address(0));
  return __libc_memalign(alignment, bytes);
}

enum { N = 20, CELLS = N * N * N, FACES = (N + 1) * N * N, OPTIONS = 10 };

struct way {
  const char *name, *option[OPTIONS];
  double ratio; /* of β in a ball */
  int noise, bad_guess;
};

static const struct way ways[] = {
  {.name = "plain", .option = {"precision", "double", "krylov", "none"}, .ratio = 1},
  {.name = "w", .option = {"precision", "double", "cycle", "w"}, .ratio = 30},
  {.name = "f", .option = {"precision", "double", "cycle", "f", "bottom", "cg"}, .ratio = 1},
  {.name = "mixed", .option = {"precision", "mixed"}, .ratio = 1},
  {.name = "mixed, w",
   .option = {"precision", "mixed", "cycle", "w", "krylov", "none"},
   .ratio = 30},
  {.name = "cg", .option = {"precision", "mixed", "krylov", "cg"}, .ratio = 1e3},
  {.name = "bicgstab",
   .option = {"precision", "double", "krylov", "bicgstab", "bottom", "bicgstab"},
   .ratio = 1e3},
  {.name = "cg turned on",
   .option = {"precision", "mixed", "cycle", "v", "interpolation", "linear"},
   .ratio = 1e3},
  {.name = "single stagnates",
   .option = {"precision", "mixed", "krylov", "none", "rtol", "1e-9"},
   .ratio = 1e6,
   .noise = 1},
  {.name = "owners, single stagnates",
   .option = {"precision", "mixed", "coarsening", "owners", "krylov", "none", "post", "0", "pre",
              "1"},
   .ratio = 1e6,
   .noise = 1},
  {.name = "owners, single overflows",
   .option = {"precision", "mixed", "coarsening", "owners", "max-cycles", "20"},
   .ratio = 1e60},
  {.name = "single overflows", .option = {"precision", "mixed", "max-cycles", "20"}, .ratio = 1e60},
  {.name = "direct", .option = {"precision", "mixed", "bottom", "direct"}, .ratio = 1e6},
  {.name = "jacobi", .option = {"precision", "mixed", "smoother", "jacobi"}, .ratio = 1},
  {.name = "chebyshev, 27 points",
   .option = {"smoother", "chebyshev", "operator", "constant27", "precision", "mixed"},
   .ratio = 0},
  {.name = "boxes", .option = {"box", "10", "precision", "mixed"}, .ratio = 30},
  {.name = "rounding", .option = {"precision", "double", "rtol", "1e-18"}, .ratio = 1e3},
  {.name = "diverges",
   .option = {"smoother", "jacobi", "omega", "1.9", "max-cycles", "30"},
   .ratio = 1},
  {.name = "slow, diagnosed",
   .option = {"pre", "0", "post", "1", "max-cycles", "12", "krylov", "none"},
   .ratio = 30},
  {.name = "a bad guess", .option = {"precision", "mixed"}, .ratio = 1, .bad_guess = 1},
};

static double f[CELLS], u[CELLS], beta[CELLS], wide[2 * CELLS], faces[3][FACES];
static int failures;

static double noise(int n)
{
  return sin(12.9898 * n) * cos(78.233 * n);
}

/* Runs something, counted. */
#define COUNTED(what, call) \
  do { \
    allocations = 0; \
    first_caller = NULL; \
    counting = 1; \
    const gmg_status status_of_call = (call); \
    counting = 0; \
    report(context, what, status_of_call); \
  } while (0)

static void report(gmg_context *context, const char *what, gmg_status status)
{
  if (status)
    printf("  %s: %s\n", what, gmg_context_message(context));
  failures += status != GMG_OK;
  if (!allocations)
    return;
  char **symbol = backtrace_symbols(&first_caller, 1);
  printf("  %s: %ld allocations <- %s\n", what, allocations, symbol ? symbol[0] : "?");
  free(symbol);
  failures++;
}

static void try_way(gmg_context *context, const struct way *way, const char *backend)
{
  static const int cells[3] = {N, N, N};
  static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  const gmg_array betas = {beta, {1, N, N * N}}, right_side = {f, {1, N, N * N}};
  gmg_array solution = {u, {1, N, N * N}}, other = {wide, {2, 2 * N, 2 * N * N}};
  gmg_array flux[3] = {{faces[0], {1, N + 1, (N + 1) * N}},
                       {faces[1], {1, N, N * (N + 1)}},
                       {faces[2], {1, N, N * N}}};
  gmg_grid *grid;
  gmg_solver *solver;
  gmg_result result = {.outcome = GMG_CONVERGED};
  gmg_backend_info before, after;
  for (int n = 0; n < CELLS; n++) {
    const int i = 2 * (n % N) - N, j = 2 * (n / N % N) - N, k = 2 * (n / (N * N)) - N;
    beta[n] = i * i + j * j + k * k < N * N / 4 ? way->ratio : 1;
    f[n] = way->noise ? noise(n) : 1;
  }
  assert_int_equal(gmg_grid_create(context, cells, lower, upper, &grid), GMG_OK);
  assert_int_equal(gmg_grid_set_boundary(grid, GMG_Z_HI, GMG_DIRICHLET, 0, 0, 1.5), GMG_OK);
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  gmg_grid_destroy(&grid);
  assert_int_equal(gmg_solver_set_option(solver, "backend", backend), GMG_OK);
  for (int o = 0; o < OPTIONS && way->option[o]; o += 2)
    assert_int_equal(gmg_solver_set_option(solver, way->option[o], way->option[o + 1]), GMG_OK);
  if (way->ratio > 0)
    assert_int_equal(gmg_solver_set_coefficient(solver, GMG_BETA, &betas), GMG_OK);
  const gmg_status status = gmg_solver_setup(solver);
  if (status)
    printf("%s: %s\n", way->name, gmg_context_message(context));
  assert_int_equal(status, GMG_OK);
  assert_int_equal(gmg_solver_backend(solver, &before), GMG_OK);
  COUNTED("solve", gmg_solver_solve(solver, &right_side, &solution, 0, &result));
  printf("%s, %s: %s after %d cycles%s\n", backend, way->name, gmg_outcome_text(result.outcome),
         result.cycles, gmg_solver_fallback(solver, 0) ? gmg_solver_fallback(solver, 0) : "");
  for (int n = 0; n < CELLS && way->bad_guess; n++)
    u[n] = 1e6 * noise(n);
  for (int n = 0; n < CELLS; n++)
    wide[2 * n] = isfinite(u[n]) ? u[n] : 0;
  COUNTED("solve with a guess", gmg_solver_solve(solver, &right_side, &solution, 1, &result));
  COUNTED("other strides", gmg_solver_solve(solver, &right_side, &other, 1, &result));
  COUNTED("back again", gmg_solver_solve(solver, &right_side, &solution, 0, &result));
  COUNTED("apply", gmg_solver_apply(solver, &right_side, &solution));
  COUNTED("residual", gmg_solver_residual(solver, &right_side, &other, &solution));
  COUNTED("precondition", gmg_solver_precondition(solver, &right_side, &solution, 2));
  if (way->ratio > 0)
    COUNTED("fluxes", gmg_solver_fluxes(solver, &right_side, &flux[0], &flux[1], &flux[2]));
  assert_int_equal(gmg_solver_backend(solver, &after), GMG_OK);
  if (before.compiled != after.compiled || before.cached != after.cached) {
    printf("  kernels were loaded: %d, then %d\n", before.compiled + before.cached,
           after.compiled + after.cached);
    failures++;
  }
  gmg_solver_destroy(&solver);
}

static void try_backend(const char *backend)
{
  gmg_context *context;
  assert_int_equal(gmg_context_create(2, &context), GMG_OK);
  for (size_t n = 0; n < sizeof ways / sizeof *ways; n++)
    try_way(context, &ways[n], backend);
  gmg_context_destroy(&context);
}

static void nothing_is_allocated(void **state)
{
  (void)state;
  void *warm[1]; /* the unwinder allocates when it is first called */
  (void)backtrace(warm, 1);
  try_backend("openmp");
  try_backend("cuda");
  printf("%d failures\n", failures);
  assert_int_equal(failures, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_allocated)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

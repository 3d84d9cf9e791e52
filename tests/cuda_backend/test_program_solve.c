/* Steps with a solve on a device. Preconditions: none. What must vanish: the difference, bit by
 * bit, between the arrays of a program and its solver on the device and those of both on the host,
 * in place of either one on the host too; bytes that a step copies to the device and back beyond
 * those of coefficients at walls, sums, and tables of launches: less than one array has.
 * program: tests/programs/diffuse.stencil
 * ranks: 1
 * sanitizers: no */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include <gmg_program.h>

GMG_PROGRAM(diffuse);

enum { N = 32, SIZE = N * N * N, STEPS = 5, WARM = 2, MOST_BYTES = 6 * 8 * N * N + 100000 };

struct pair {
  gmg_grid *grid;
  gmg_program *program;
  gmg_solver *solver;
};

static gmg_context *context;

static void good(gmg_status status)
{
  if (status)
    print_message("%s\n", gmg_context_message(context));
  assert_int_equal(status, GMG_OK);
}

static struct pair make(const char *program, const char *solver)
{
  const int cells[3] = {N, N, N};
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  struct pair p = {NULL};
  good(gmg_grid_create(context, cells, lower, upper, &p.grid));
  for (int side = GMG_X_LO; side <= GMG_Z_HI; side++)
    good(gmg_grid_set_boundary(p.grid, (gmg_side)side, side / 2 == 1 ? GMG_PERIODIC : GMG_NEUMANN,
                               0, 0, 0));
  good(gmg_program_create(p.grid, diffuse_program, 0, 0, &p.program));
  good(gmg_program_set_option(p.program, "backend", program));
  good(gmg_program_place(p.program));
  good(gmg_program_begin(p.program));
  good(gmg_solver_create(p.grid, &p.solver));
  good(gmg_solver_set_option(p.solver, "backend", solver));
  if (strcmp(solver, "cuda") == 0)
    good(gmg_solver_set_option(p.solver, "coarse", "gpu"));
  good(gmg_solver_set_equation(p.solver, 1, 0.01));
  good(gmg_program_attach(p.program, "diffuse", p.solver, NULL, NULL));
  return p;
}

static void destroy(struct pair *p)
{
  gmg_program_destroy(&p->program);
  gmg_solver_destroy(&p->solver);
  gmg_grid_destroy(&p->grid);
}

static int64_t bytes(const gmg_solver *solver)
{
  gmg_backend_info info;
  good(gmg_solver_backend(solver, &info));
  return info.copied[0] + info.copied[1];
}

static int differences(const struct pair *a, const struct pair *b)
{
  static const char *const name[] = {"u", "f", "bx", "by", "bz"};
  static double one[SIZE], other[SIZE];
  gmg_array first = {one, {1, N, N * N}}, second = {other, {1, N, N * N}};
  int differ = 0;
  for (int a_name = 0; a_name < 5; a_name++) {
    good(gmg_program_store(a->program, name[a_name], &first));
    good(gmg_program_store(b->program, name[a_name], &second));
    for (int n = 0; n < SIZE; n++)
      differ += memcmp(&one[n], &other[n], sizeof(double)) != 0;
  }
  return differ;
}

static void steps(void **state)
{
  (void)state;
  struct pair host = make("openmp", "openmp"), device = make("cuda", "cuda"),
              mixed = make("openmp", "cuda");
  int64_t most = 0;
  gmg_program_info info;
  for (int n = 1; n <= STEPS; n++) {
    const int64_t before = n > WARM ? bytes(device.solver) : 0;
    good(gmg_program_run(device.program, 1));
    const int64_t copied = n > WARM ? bytes(device.solver) - before : 0;
    most = copied > most ? copied : most;
  }
  gmg_program_inform(device.program, &info);
  assert_string_equal(info.backend, "cuda");
  assert_int_equal(info.unconverged, 0);
  good(gmg_program_run(host.program, STEPS));
  good(gmg_program_run(mixed.program, STEPS));
  print_message("a step copies %d bytes at most; an array has %d\n", (int)most,
                (int)(SIZE * sizeof(double)));
  assert_int_equal(differences(&device, &host), 0);
  assert_int_equal(differences(&mixed, &host), 0);
  assert_true(most > 0 && most < MOST_BYTES);
  /* The host has had the arrays; they go on there, and the solver borrows others. */
  good(gmg_program_set_option(device.program, "backend", "openmp"));
  good(gmg_program_place(device.program));
  good(gmg_program_run(device.program, 2));
  good(gmg_program_run(host.program, 2));
  assert_int_equal(differences(&device, &host), 0);
  destroy(&host);
  destroy(&device);
  destroy(&mixed);
}

/* A view in the device's memory holds what the host's array does, and a change there is seen. */
static void lent(void **state)
{
  (void)state;
  struct pair p = make("cuda", "cuda");
  static double values[SIZE], found[SIZE];
  gmg_array array, there, back = {found, {1, N, N * N}}, host = {values, {1, N, N * N}};
  good(gmg_program_run(p.program, 1));
  good(gmg_solver_array_create(p.solver, &there));
  for (int n = 0; n < SIZE; n++)
    values[n] = n + 0.5;
  good(gmg_program_load(p.program, "f", &host));
  good(gmg_program_lend(p.program, "f", GMG_ON_CELLS, &array));
  /* A u of what was lent goes to a dense array of the device, and once more in place. */
  good(gmg_solver_apply(p.solver, &array, &there));
  good(gmg_solver_apply(p.solver, &array, &array));
  good(gmg_solver_array_copy(p.solver, &there, &back));
  good(gmg_program_store(p.program, "f", &host));
  int differ = 0, same = 0;
  for (int n = 0; n < SIZE; n++) {
    differ += memcmp(&values[n], &found[n], sizeof(double)) != 0;
    same += values[n] == n + 0.5;
  }
  assert_int_equal(differ, 0);
  assert_true(same < SIZE / 2);
  gmg_solver_array_destroy(p.solver, &there);
  destroy(&p);
}

/* A solver on the host cannot have arrays in the device's memory. */
static void apart(void **state)
{
  (void)state;
  struct pair p = make("cuda", "openmp");
  const gmg_status status = gmg_program_run(p.program, 1);
  print_message("%s\n", gmg_context_message(context));
  assert_int_equal(status, GMG_ERR_UNSUPPORTED);
  assert_non_null(strstr(gmg_context_message(context), "'solve diffuse' computes on the CPU"));
  destroy(&p);
}

int main(void)
{
  int found = 0;
  if (gmg_context_create(1, &context))
    return 1;
  const char *device = gmg_context_device(context, &found);
  if (!found) {
    print_message("skipped: %s\n", device);
    return 77;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(steps), cmocka_unit_test(lent),
                                     cmocka_unit_test(apart)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  gmg_context_destroy(&context);
  return failed;
}

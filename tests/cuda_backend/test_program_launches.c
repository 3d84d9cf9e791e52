/* What the steps of a program launch. Preconditions: none. What must vanish: launches beyond its
 * kernels, one that fills the ghosts beyond walls of all arrays and sides that a kernel reads, and
 * one for each array's ghosts between boxes; in three dimensions, where kernels read straight ahead
 * alone, launches for ghosts beyond walls after the first steps, but for boxes too thin to have all
 * the cells that are mirrored; the difference, bit by bit, between what the device has and the
 * CPU's, with ghosts beyond edges and corners where kernels see them. Counted by the driver that
 * the CPU stands in for.
 * program: tests/programs/beside.stencil tests/programs/corners.stencil tests/programs/flat.stencil
 * ranks: 1
 * sanitizers: no */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <gmg_program.h>

GMG_PROGRAM(beside);
GMG_PROGRAM(corners);
GMG_PROGRAM(flat);

enum { STEPS = 6 };

/* A program in boxes, with at most so many steps in a pass over memory; what it launches in the
 * first of the steps, in the second half of them, and again in one after the host has had its
 * arrays. */
struct way {
  const char *name;
  const struct gmg_program_descriptor *const *made;
  int flat, ghosts; /* ghosts: 1, they are compared */
  int box, together;
  const char *per_pass;
  int first, half, again;
};

static int count_launches(void)
{
  static int (*launches)(void);
  if (!launches) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(driver);
    *(void **)&launches = dlsym(driver, "stand_in_launches");
    assert_non_null(launches);
  }
  return launches();
}

static gmg_program *make(gmg_context *context, const struct way *way, const char *backend)
{
  const int cells[3] = {11, 7, way->flat ? 1 : 9};
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  gmg_grid *grid = NULL;
  gmg_program *program = NULL;
  assert_int_equal(gmg_grid_create(context, cells, lower, upper, &grid), GMG_OK);
  assert_int_equal(gmg_program_create(grid, way->made, way->box, way->together, &program), GMG_OK);
  gmg_grid_destroy(&grid);
  assert_int_equal(gmg_program_set_option(program, "backend", backend), GMG_OK);
  assert_int_equal(gmg_program_set_option(program, "steps-per-pass", way->per_pass), GMG_OK);
  const gmg_status status = gmg_program_place(program);
  if (status)
    printf("%s\n", gmg_context_message(context));
  assert_int_equal(status, GMG_OK);
  assert_int_equal(gmg_program_begin(program), GMG_OK);
  return program;
}

/* Takes steps, and returns how many launches they made. */
static int run(gmg_program *program, int steps)
{
  const int before = count_launches();
  assert_int_equal(gmg_program_run(program, steps), GMG_OK);
  return count_launches() - before;
}

/* Returns how many rows of a box differ, with ghosts on all sides or without. */
static int compare_box(gmg_program *one, gmg_program *other, int array, int box, int with)
{
  gmg_program_box a, b;
  int from[3], to[3], differ = 0;
  assert_int_equal(gmg_program_view(one, array, box, &a), GMG_OK);
  assert_int_equal(gmg_program_view(other, array, box, &b), GMG_OK);
  const size_t bytes = a.single ? sizeof(float) : sizeof(double);
  for (int d = 0; d < 3; d++) {
    from[d] = with ? -a.ghosts[d] : 0;
    to[d] = a.upper[d] - a.lower[d] - from[d];
  }
  for (int k = from[2]; k < to[2]; k++)
    for (int j = from[1]; j < to[1]; j++) {
      const ptrdiff_t at = (from[0] + j * a.stride[1] + k * a.stride[2]) * (ptrdiff_t)bytes;
      differ +=
        memcmp((char *)a.data + at, (char *)b.data + at, (size_t)(to[0] - from[0]) * bytes) != 0;
    }
  return differ;
}

static int compare(gmg_program *host, gmg_program *device, int ghosts)
{
  int differ = 0;
  for (int a = 0; gmg_program_array_name(host, a); a++)
    for (int b = 0; b < gmg_program_boxes(host); b++)
      if (ghosts || gmg_program_array_kept(host, a))
        differ += compare_box(host, device, a, b, ghosts);
  return differ;
}

/* Reductions read ghosts that steps have filled, or fill them. */
static void compare_values(gmg_program *host, gmg_program *device)
{
  double value[2];
  for (int n = 0; gmg_program_value_name(host, n); n++) {
    const char *name = gmg_program_value_name(host, n);
    assert_int_equal(gmg_program_value(host, name, &value[0]), GMG_OK);
    assert_int_equal(gmg_program_value(device, name, &value[1]), GMG_OK);
    assert_memory_equal(&value[0], &value[1], sizeof value[0]);
  }
}

static void check(gmg_context *context, const struct way *way)
{
  gmg_program *host = make(context, way, "openmp"), *device = make(context, way, "cuda");
  const int first = run(device, STEPS / 2), half = run(device, STEPS / 2);
  assert_int_equal(gmg_program_run(host, STEPS), GMG_OK);
  compare_values(host, device);
  const int differ = compare(host, device, way->ghosts);
  const int again = run(device, way->together);
  assert_int_equal(gmg_program_run(host, way->together), GMG_OK);
  const int later = compare(host, device, 0);
  printf("%s, boxes of %d, %d steps an exchange, %s a pass: %d launches in %d steps, "
         "%d in as many more, %d in %d after the host; %d and %d rows of other bits\n",
         way->name, way->box, way->together, way->per_pass, first, STEPS / 2, half, again,
         way->together, differ, later);
  assert_int_equal(differ, 0);
  assert_int_equal(later, 0);
  assert_int_equal(first, way->first);
  assert_int_equal(half, way->half);
  assert_int_equal(again, way->again);
  gmg_program_destroy(&host);
  gmg_program_destroy(&device);
}

static void walls_cost_few_launches(void **state)
{
  const struct way way[] = {
    {"corners", corners_program, 0, 1, 0, 1, "1", 6, 6, 2},
    {"corners", corners_program, 0, 1, 4, 1, "1", 12, 12, 4},
    {"corners", corners_program, 0, 1, 3, 1, "1", 12, 12, 4},
    {"corners", corners_program, 0, 0, 4, 2, "1", 10, 10, 6},
    {"flat", flat_program, 1, 0, 0, 1, "1", 6, 6, 2},
    {"flat", flat_program, 1, 0, 0, 1, "2", 3, 3, 2}, /* two and one of three steps */
    {"flat", flat_program, 1, 0, 0, 1, "auto", 6, 6, 2},
    {"flat", flat_program, 1, 0, 4, 1, "1", 9, 9, 3},
    {"flat", flat_program, 1, 0, 1, 1, "1", 9, 9, 3},     /* boxes too thin */
    {"beside", beside_program, 0, 0, 0, 1, "1", 8, 6, 3}, /* no kernel has u@-1 of step 2 */
    {"beside", beside_program, 0, 0, 4, 1, "1", 20, 18, 7},
    {"beside", beside_program, 0, 0, 0, 3, "1", 8, 8, 8},
  };
  for (size_t n = 0; n < sizeof way / sizeof *way; n++)
    check(*state, &way[n]);
}

static int create(void **state)
{
  gmg_context *context;
  if (gmg_context_create(2, &context))
    return -1;
  *state = context;
  return 0;
}

static int destroy(void **state)
{
  gmg_context *context = *state;
  gmg_context_destroy(&context);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(walls_cost_few_launches, create, destroy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

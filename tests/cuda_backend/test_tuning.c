/* ranks: 1 2
 * needs: mpi
 * label: long
 * sanitizers: no */
/* Preconditions: the CPU standing in for a device; it cannot tell how fast a GPU would be:
 * what is tested is that choices are found, kept, followed and refused, not that they are good.
 * What must vanish: the values whose last bit depends on the form and shape of kernels, whether
 * tuning found them or the test did; candidates of other bits; choices that no kernel can run and
 * that are followed all the same. */
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

#include "cuda/runtime/cuda_kernel.h"
#include "problem/choices.h"
#include "problem/solver.h"
#include "runtime/backend.h"
#include "runtime/tuned.h"

enum { N = 16 };

struct run {
  gmg_context *context;
  gmg_grid *grid;
  gmg_solver *solver;
  gmg_array f, u;
  size_t count;
};

static double *numbers(struct run *run, gmg_array *array, const int lower[3], const int upper[3])
{
  const ptrdiff_t n[3] = {upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]};
  run->count = (size_t)(n[0] * n[1] * n[2]);
  double *data = calloc(run->count + 1, sizeof *data);
  assert_non_null(data);
  *array = (gmg_array){data, {1, n[0], n[0] * n[1]}};
  return data;
}

static void set_option(struct run *run, const char *name, const char *value)
{
  assert_int_equal(gmg_solver_set_option(run->solver, name, value), GMG_OK);
}

/* A smooth β by global index, and a right side that no plane shares with another. */
static void open_run(struct run *run, const char *precision)
{
  const int cells[3] = {N, N, N};
  const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  int lower[3], upper[3];
  gmg_array beta;
  memset(run, 0, sizeof *run);
  assert_int_equal(gmg_context_create_mpi(MPI_COMM_WORLD, 2, &run->context), GMG_OK);
  assert_int_equal(gmg_context_load_wisdom(run->context, NULL), GMG_OK);
  int found = 0;
  gmg_context_device(run->context, &found); /* opens it: else it has no wisdom */
  assert_int_equal(found, 1);
  assert_int_equal(gmg_tuned_open(run->context), GMG_OK);
  assert_int_equal(gmg_grid_create(run->context, cells, zero, one, &run->grid), GMG_OK);
  assert_int_equal(gmg_solver_create(run->grid, &run->solver), GMG_OK);
  set_option(run, "backend", "cuda");
  set_option(run, "coarse", "gpu");
  set_option(run, "coarse-cells", "600");
  set_option(run, "precision", precision);
  gmg_grid_part(run->grid, lower, upper);
  double *f = numbers(run, &run->f, lower, upper);
  numbers(run, &run->u, lower, upper);
  double *b = numbers(run, &beta, lower, upper);
  size_t n = 0;
  for (int k = lower[2]; k < upper[2]; k++)
    for (int j = lower[1]; j < upper[1]; j++)
      for (int i = lower[0]; i < upper[0]; i++, n++) {
        f[n] = sin(1.3 * i + 0.7 * j * j) + cos(0.9 * k * k + i);
        b[n] = 1 + 0.5 * sin(0.2 * i + 0.1 * j) * cos(0.15 * k);
      }
  assert_int_equal(gmg_solver_set_coefficient(run->solver, GMG_BETA, &beta), GMG_OK);
  free(b);
}

static void solve(struct run *run)
{
  gmg_result result;
  memset(run->u.data, 0, run->count * sizeof *run->u.data);
  assert_int_equal(gmg_solver_solve(run->solver, &run->f, &run->u, 0, &result), GMG_OK);
  assert_int_equal(result.outcome, GMG_CONVERGED);
}

static void close_run(struct run *run)
{
  free(run->f.data);
  free(run->u.data);
  gmg_solver_destroy(&run->solver);
  gmg_grid_destroy(&run->grid);
  gmg_context_destroy(&run->context);
}

static int differs(const struct run *a, const struct run *b)
{
  return memcmp(a->u.data, b->u.data, a->count * sizeof *a->u.data) != 0;
}

/* Kernels that run otherwise than by default, on so many levels. */
static int count_on(const struct run *run, int levels)
{
  int chosen = 0;
  for (int l = 0; l < levels; l++)
    for (int n = 0; n < gmg_solver_kernels(run->solver, l); n++) {
      gmg_kernel_info info;
      assert_int_equal(gmg_solver_kernel_info(run->solver, l, n, &info), GMG_OK);
      chosen += info.choice != NULL;
    }
  return chosen;
}

static int count_chosen(const struct run *run)
{
  return count_on(run, gmg_solver_levels(run->solver));
}

static int says(const struct run *run, const char *text)
{
  int found = 0;
  for (int n = 0; gmg_solver_fallback(run->solver, n); n++)
    found |= strstr(gmg_solver_fallback(run->solver, n), text) != NULL;
  return found;
}

static void choose(struct gmg_wisdom_entry *entry, const char *name, const char *word, int number)
{
  struct gmg_wisdom_choice *choice = &entry->choice[entry->choices++];
  memset(choice, 0, sizeof *choice);
  snprintf(choice->name, sizeof choice->name, "%s", name);
  snprintf(choice->word, sizeof choice->word, "%s", word);
  choice->number = number;
}

static void choose_shape(struct gmg_wisdom_entry *entry, const struct gmg_cuda_form *form,
                         const struct gmg_cuda_shape *shape)
{
  choose(entry, "form", form->name, 0);
  choose(entry, "block_i", "", shape->block_i);
  choose(entry, "block_j", "", shape->block_j);
  choose(entry, "rows", "", shape->rows);
  choose(entry, "planes", "", shape->planes);
  choose(entry, "unroll", "", shape->unroll);
  choose(entry, "blocks", "", shape->blocks);
}

/* Entries for all kernels of all levels of another run, in a form (of two, by number) and shape;
 * or, as if measured on a level of `times` the extents, of the finest one. */
static int force(struct run *run, const struct run *like, int form,
                 const struct gmg_cuda_shape *shape, int times)
{
  const struct gmg_placement *p = &like->solver->placement;
  int added = 0;
  for (int l = 0; l < p->levels; l++)
    for (int c = 0; c < p->level[l]->calls; c++) {
      const struct gmg_call *call = p->level[l]->call[c];
      const struct gmg_cuda_kernel *kernel = call->kernel->cuda;
      struct gmg_wisdom_entry entry = {.seconds = 1, .default_seconds = 2};
      if (!call->by_device || !kernel || kernel->forms == 0
          || (times > 1 && p->level[l]->axis[0].cells < N))
        continue;
      snprintf(entry.subject, sizeof entry.subject, "kernel %s", kernel->symbol);
      gmg_tuned_extents(p->level[l]->layout, entry.cells);
      for (int d = 0; d < 3; d++)
        entry.cells[d] *= times;
      choose_shape(&entry, &kernel->form[form % kernel->forms], shape);
      assert_int_equal(gmg_tuned_add(run->context, GMG_TARGET_CUDA, &entry), GMG_OK);
      added++;
    }
  return added;
}

static int found_entries(const struct run *run)
{
  const struct gmg_wisdom *wisdom = run->context->tuned->wisdom;
  int found = 0;
  for (int n = 0; n < gmg_wisdom_count(wisdom); n++)
    found += strncmp(gmg_wisdom_at(wisdom, n)->subject, "kernel ", 7) == 0;
  return found;
}

static void count_calls(void *user, const char *subject, int measured, int of, double seconds_left)
{
  int *told = user;
  assert_non_null(subject);
  assert_true(measured <= of && seconds_left >= 0);
  ++*told;
}

static void take_entries(struct run *run, const struct run *from)
{
  const struct gmg_wisdom *wisdom = from->context->tuned->wisdom;
  for (int n = 0; n < gmg_wisdom_count(wisdom); n++) {
    struct gmg_wisdom_entry entry = *gmg_wisdom_at(wisdom, n);
    if (strncmp(entry.subject, "kernel ", 7) == 0)
      assert_int_equal(gmg_tuned_add(run->context, GMG_TARGET_CUDA, &entry), GMG_OK);
  }
}

/* What tuning finds, with a budget for some candidates of some kernels. */
static void tuned_bits(const char *precision)
{
  struct run plain, tuned, after;
  gmg_tuning_result result;
  int told = 0;
  const gmg_tuning tuning = {.budget = 12, .progress = count_calls, .user = &told};
  open_run(&plain, precision);
  assert_int_equal(gmg_solver_setup(plain.solver), GMG_OK);
  solve(&plain);
  open_run(&tuned, precision);
  assert_int_equal(gmg_solver_setup(tuned.solver), GMG_OK);
  solve(&tuned);
  assert_int_equal(gmg_solver_tune(tuned.solver, &tuning, &result), GMG_OK);
  assert_true(result.measured >= 2);
  assert_int_equal(result.discarded, 0);
  assert_true(found_entries(&tuned) > 0);
  solve(&tuned); /* goes on as it was */
  open_run(&after, precision);
  take_entries(&after, &tuned);
  assert_int_equal(gmg_solver_setup(after.solver), GMG_OK);
  solve(&after);
  assert_true(result.better == 0 || count_chosen(&after) > 0);
  const int wrong = differs(&plain, &tuned) + differs(&plain, &after);
  printf("%s: %d candidates timed, %d discarded, %d better, %d entries, told %d times; %d wrong\n",
         precision, result.measured, result.discarded, result.better, found_entries(&tuned), told,
         wrong);
  assert_int_equal(wrong, 0);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  assert_true(rank > 0 || told > 0);
  close_run(&plain);
  close_run(&tuned);
  close_run(&after);
}

static void tuned_bits_double(void **state)
{
  (void)state;
  tuned_bits("double");
}

static void tuned_bits_mixed(void **state)
{
  (void)state;
  tuned_bits("mixed");
}

/* Every kernel in shapes far from any default. */
static void forced_bits(void **state)
{
  (void)state;
  static const struct gmg_cuda_shape forced[] = {
    {16, 4, 3, 6, 3, 1}, {32, 1, 2, 2, 1, 2}, {128, 4, 1, 64, 4, 1}, {1024, 1, 1, 4, 2, 1}};
  struct run plain;
  int wrong = 0, chosen = 0;
  open_run(&plain, "mixed");
  assert_int_equal(gmg_solver_setup(plain.solver), GMG_OK);
  solve(&plain);
  assert_int_equal(count_chosen(&plain), 0);
  for (size_t n = 0; n < sizeof forced / sizeof *forced; n++) {
    struct run run;
    open_run(&run, "mixed");
    assert_true(force(&run, &plain, (int)n, &forced[n], 1) > 0);
    assert_int_equal(gmg_solver_setup(run.solver), GMG_OK);
    solve(&run);
    wrong += differs(&plain, &run);
    chosen += count_chosen(&run) > 0;
    close_run(&run);
  }
  printf("%zu forced shapes, followed in %d, %d with other bits\n", sizeof forced / sizeof *forced,
         chosen, wrong);
  assert_int_equal(wrong, 0);
  assert_int_equal(chosen, sizeof forced / sizeof *forced);
  close_run(&plain);
}

/* Whether the back end allows a choice by itself, and wisdom takes it. */
static int allows(struct run *run, const char *subject, const char *name, const char *word,
                  int number)
{
  struct gmg_wisdom_entry entry = {.seconds = 1, .default_seconds = 2, .cells = {N, N, N}};
  snprintf(entry.subject, sizeof entry.subject, "%s", subject);
  choose(&entry, name, word, number);
  const int allowed = run->context->backend->allows(subject, name, word, number);
  const int taken = gmg_tuned_add(run->context, GMG_TARGET_CUDA, &entry) == GMG_OK;
  assert_int_equal(allowed, taken);
  return allowed;
}

static void hostile_choices(void **state)
{
  (void)state;
  struct run run;
  char subject[GMG_WISDOM_SUBJECT];
  open_run(&run, "double");
  assert_int_equal(gmg_solver_setup(run.solver), GMG_OK);
  const struct gmg_level *level = run.solver->hierarchy.level[0].level;
  const struct gmg_cuda_kernel *kernel = NULL;
  for (int c = 0; c < level->calls && !kernel; c++)
    if (level->call[c]->by_device)
      kernel = level->call[c]->kernel->cuda;
  assert_non_null(kernel);
  snprintf(subject, sizeof subject, "kernel %s", kernel->symbol);
  assert_true(allows(&run, subject, "form", kernel->form[0].name, 0));
  assert_true(allows(&run, subject, "planes", "", 3));
  assert_false(allows(&run, subject, "form", "nonsense", 0));
  assert_false(allows(&run, subject, "form", "", 1));
  assert_false(allows(&run, subject, "planes", "", 0));
  assert_false(allows(&run, subject, "planes", "", -4));
  assert_false(allows(&run, subject, "planes", "march", 0));
  assert_false(allows(&run, subject, "planes", "", 1000000000));
  assert_false(allows(&run, subject, "block_i", "", 1025));
  assert_false(allows(&run, subject, "blocks", "", 1000000000));
  assert_false(allows(&run, subject, "unroll", "", 0));
  assert_false(allows(&run, subject, "threads", "", 2));
  assert_false(allows(&run, "kernel nonsense", "planes", "", 2));
  close_run(&run);
}

/* How many kernels of the finest level run as wisdom has it, where that was measured on a level of
 * so many times the extents, and what that changes. */
static int follow(const struct run *plain, const struct gmg_cuda_shape *shape, int times,
                  int *wrong)
{
  struct run run;
  open_run(&run, "double");
  assert_true(force(&run, plain, 0, shape, times) > 0);
  assert_int_equal(gmg_solver_setup(run.solver), GMG_OK);
  solve(&run);
  const int chosen = count_on(&run, 1);
  *wrong += differs(plain, &run);
  close_run(&run);
  return chosen;
}

/* The stand-in has two processors. Blocks of a few positions fill them on any level; those of 16
 * planes at 32 cells along each direction, but not at 16. */
static void larger_levels(void **state)
{
  (void)state;
  static const struct gmg_cuda_shape small = {32, 2, 1, 2, 1, 1}, large = {32, 4, 2, 16, 1, 8};
  struct run plain;
  int wrong = 0;
  open_run(&plain, "double");
  assert_int_equal(gmg_solver_setup(plain.solver), GMG_OK);
  solve(&plain);
  const int own = follow(&plain, &large, 1, &wrong), from = follow(&plain, &large, 2, &wrong),
            small_own = follow(&plain, &small, 1, &wrong),
            small_from = follow(&plain, &small, 2, &wrong);
  printf("large blocks: %d kernels by wisdom of the level, %d by that of a larger one; small ones: "
         "%d and %d\n",
         own, from, small_own, small_from);
  assert_true(own > 3 && 2 * from < own);
  assert_true(small_own > 3 && 2 * small_from > small_own);
  assert_int_equal(wrong, 0);
  close_run(&plain);
}

/* Runs with one shape for all kernels, which none can have, or that does not compile. Returns the
 * runs' differences from another one. */
static int fall_back(const struct run *plain, const struct gmg_cuda_shape *shape, const char *why)
{
  struct run run;
  open_run(&run, "double");
  set_option(&run, "kernel-cache", "off");
  assert_true(force(&run, plain, 0, shape, 1) > 0);
  assert_int_equal(gmg_solver_setup(run.solver), GMG_OK);
  solve(&run);
  assert_int_equal(count_chosen(&run), 0);
  assert_true(says(&run, why));
  const int wrong = differs(plain, &run);
  close_run(&run);
  return wrong;
}

static void what_cannot_run_falls_back(void **state)
{
  (void)state;
  static const struct gmg_cuda_shape illegal[] = {{7, 8, 1, 8, 1, 1},
                                                  {1024, 1024, 1, 8, 1, 1},
                                                  {32, 4, 1, 64, 3, 1},
                                                  {64, 16, 1, 8, 1, 32},
                                                  {32, 4, 1, 2, 4, 1}};
  static const struct gmg_cuda_shape refused = {32, 2, 2, 6, 2, 2};
  struct run plain;
  int wrong = 0;
  open_run(&plain, "double");
  assert_int_equal(gmg_solver_setup(plain.solver), GMG_OK);
  solve(&plain);
  assert_false(says(&plain, "as wisdom has it"));
  for (size_t n = 0; n < sizeof illegal / sizeof *illegal; n++)
    wrong += fall_back(&plain, &illegal[n], "cannot run so on its level");
  setenv("GMG_STAND_IN_REFUSES", "#define PLANES 6\n", 1);
  wrong += fall_back(&plain, &refused, "could not be compiled or loaded so");
  unsetenv("GMG_STAND_IN_REFUSES");
  assert_int_equal(wrong, 0);
  close_run(&plain);
}

/* The stand-in's compiler makes kernels that leave cells out of all candidates with more than one
 * plane that are not the default. */
static void wrong_candidates_are_discarded(void **state)
{
  (void)state;
  struct run run;
  gmg_tuning_result result;
  const gmg_tuning tuning = {.budget = 20};
  int followed = 0;
  open_run(&run, "double");
  assert_int_equal(gmg_solver_setup(run.solver), GMG_OK);
  setenv("GMG_STAND_IN_LEAVES_OUT", "1", 1);
  assert_int_equal(gmg_solver_tune(run.solver, &tuning, &result), GMG_OK);
  unsetenv("GMG_STAND_IN_LEAVES_OUT");
  const struct gmg_wisdom *wisdom = run.context->tuned->wisdom;
  for (int n = 0; n < gmg_wisdom_count(wisdom); n++)
    for (int c = 0; c < gmg_wisdom_at(wisdom, n)->choices; c++)
      followed += strncmp(gmg_wisdom_at(wisdom, n)->subject, "kernel ", 7) == 0
        && strcmp(gmg_wisdom_at(wisdom, n)->choice[c].name, "planes") == 0
        && gmg_wisdom_at(wisdom, n)->choice[c].number > 1;
  printf("%d candidates timed, %d discarded; %d wrong ones taken\n", result.measured,
         result.discarded, followed);
  assert_true(result.discarded > 0);
  assert_int_equal(followed, 0);
  close_run(&run);
}

/* What tests of the tuner begin with: poor choices for kernels, which solvers follow. */
static void poor_choices(void **state)
{
  (void)state;
  struct run plain, run;
  open_run(&plain, "mixed");
  open_run(&run, "mixed");
  assert_int_equal(gmg_solver_setup(plain.solver), GMG_OK);
  solve(&plain);
  assert_int_equal(count_chosen(&plain), 0);
  assert_int_equal(gmg_choices_spoil(plain.solver), GMG_OK);
  take_entries(&run, &plain);
  assert_int_equal(gmg_solver_setup(run.solver), GMG_OK);
  solve(&run);
  printf("%d kernels run by poor choices\n", count_chosen(&run));
  assert_true(count_chosen(&run) > 3);
  assert_int_equal(differs(&plain, &run), 0);
  close_run(&plain);
  close_run(&run);
}

static int has_device(void)
{
  gmg_context *context;
  int found = 0;
  if (gmg_context_create_mpi(MPI_COMM_WORLD, 1, &context))
    return 0;
  gmg_context_device(context, &found);
  gmg_context_destroy(&context);
  return found;
}

int main(int argc, char **argv)
{
  enum { SKIPPED = 77 };
  MPI_Init(&argc, &argv);
  const struct CMUnitTest tests[] = {cmocka_unit_test(tuned_bits_double),
                                     cmocka_unit_test(tuned_bits_mixed),
                                     cmocka_unit_test(forced_bits),
                                     cmocka_unit_test(hostile_choices),
                                     cmocka_unit_test(poor_choices),
                                     cmocka_unit_test(larger_levels),
                                     cmocka_unit_test(what_cannot_run_falls_back),
                                     cmocka_unit_test(wrong_candidates_are_discarded)};
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  setenv("GMG_STAND_IN_CLOCK", "real", 1); /* so that some candidates are faster than others */
  const int failed = has_device() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
  MPI_Finalize();
  return failed;
}

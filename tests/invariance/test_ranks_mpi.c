/* ranks: 8
 * needs: mpi
 * sanitizers: no */
/* Preconditions: 8 ranks or more. What must vanish: the difference, to the last bit, of the
 * residual history and the solution between one rank, one thread, one box, the baseline instruction
 * set, and any other number of ranks and threads, box size, gathering of coarse levels and
 * instruction set. With arguments `NX,NY,NZ` it runs that size, in every combination (the issue's
 * Must hold 7). */
#include <mpi.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config.h"
#include "manufactured.h"

static int given_cells[3];
static int runs, failures;

/* The whole solution on rank 0 of the communicator, i fastest; NULL on the others. The caller frees
 * it. */
static double *gather(MPI_Comm comm, const struct manufactured *p,
                      const struct manufactured_result *r)
{
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int plane = p->cells[0] * p->cells[1];
  int own[2] = {plane * (r->upper[2] - r->lower[2]), plane * r->lower[2]};
  int *counts = calloc((size_t)ranks * 4, sizeof *counts), *firsts = counts + 2 * ranks;
  MPI_Gather(own, 1, MPI_INT, counts, 1, MPI_INT, 0, comm);
  MPI_Gather(own + 1, 1, MPI_INT, firsts, 1, MPI_INT, 0, comm);
  double *whole = rank == 0 ? malloc((size_t)plane * (size_t)p->cells[2] * sizeof *whole) : NULL;
  MPI_Gatherv(r->u, own[0], MPI_DOUBLE, whole, counts, firsts, MPI_DOUBLE, 0, comm);
  free(counts);
  return whole;
}

struct reference {
  int cycles;
  double history[400], *u;
};

static const char *gather_of(const struct manufactured *p)
{
  int n = 0;
  while (strcmp(p->option[n], "gather") != 0)
    n += 2;
  return p->option[n + 1];
}

static void compare(MPI_Comm comm, const struct manufactured *p, int threads, const char *isa,
                    const struct reference *reference, const char *name)
{
  gmg_context *context;
  assert_int_equal(gmg_context_create_mpi(comm, threads, &context), GMG_OK);
  assert_int_equal(gmg_context_set_isa(context, isa), GMG_OK);
  struct manufactured_result r = manufactured_solve(context, p);
  assert_int_equal(r.status, GMG_OK);
  double *u = gather(comm, p, &r);
  if (u && reference->u) {
    const size_t cells = (size_t)p->cells[0] * (size_t)p->cells[1] * (size_t)p->cells[2];
    const int same_history = r.result.cycles == reference->cycles
      && memcmp(r.history, reference->history, (size_t)(r.result.cycles + 1) * sizeof(double)) == 0;
    const int same_solution = memcmp(u, reference->u, cells * sizeof *u) == 0;
    runs++;
    if (!same_history || !same_solution) {
      failures++;
      printf("%s, %d ranks, %d threads, box %s, gather %s, %s: %d cycles (%d), history %s, "
             "solution %s\n",
             name, gmg_context_ranks(context), threads, p->option[1], gather_of(p), isa,
             r.result.cycles, reference->cycles, same_history ? "same" : "DIFFERS",
             same_solution ? "same" : "DIFFERS");
    }
  }
  free(u);
  free(r.u);
  gmg_context_destroy(&context);
}

/* Under sanitizers, which cost a factor of five and look at something else, one combination in
 * seven. */
#ifdef __SANITIZE_ADDRESS__
enum { ONE_IN = 7 };
#else
enum { ONE_IN = 1 };
#endif

static void all_combinations(const struct manufactured *problem, const char *name)
{
  static const int counts[] = {1, 2, 3, 4, 5, 8};
  static const char *const boxes[] = {"auto", "8", "16", "32"},
                           *const gathers[] = {"auto", "1", "60", "1000000"};
  static const char *const isas[] = {"baseline", "x86-64-v3", "x86-64-v4"};
  int rank, ranks, built = 0;
  runs = failures = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  gmg_context *context;
  gmg_context_create(1, &context);
  for (int n = 0; n < 3; n++)
    built += gmg_context_set_isa(context, isas[n]) == GMG_OK;
  gmg_context_set_isa(context, "baseline");
  struct manufactured whole = *problem;
  whole.option[0] = "box";
  whole.option[1] = "auto";
  int gather = 0;
  while (whole.option[gather])
    gather++;
  whole.option[gather++] = "gather";
  whole.option[gather] = "auto";
  struct manufactured_result r = {0};
  struct reference reference = {0};
  if (rank == 0) {
    r = manufactured_solve(context, &whole);
    assert_int_equal(r.status, GMG_OK);
    assert_int_equal(r.result.outcome, GMG_CONVERGED);
    reference.cycles = r.result.cycles;
    memcpy(reference.history, r.history, sizeof r.history);
    reference.u = r.u;
  }
  gmg_context_destroy(&context);
  int turn = 0;
  for (int c = 0; c < 6; c++) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, rank < counts[c] ? 0 : MPI_UNDEFINED, rank, &comm);
    for (int threads = 1; threads <= 2; threads++)
      for (int b = 0; b < 4; b++)
        for (int i = 0; i < built; i++, turn++) {
          if (counts[c] > ranks || turn / built % ONE_IN != 0
              || (!given_cells[0] && (turn / built + turn) % built != 0))
            continue; /* the short run takes the instruction sets in turn */
          whole.option[1] = boxes[b];
          whole.option[gather] = gathers[turn / built % 4];
          if (comm != MPI_COMM_NULL)
            compare(comm, &whole, threads, isas[i], &reference, name);
        }
    if (comm != MPI_COMM_NULL)
      MPI_Comm_free(&comm);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  free(r.u);
}

static void set_cells(struct manufactured *p, int x, int y, int z)
{
  const int cells[3] = {x, y, z};
  for (int d = 0; d < 3; d++)
    p->cells[d] = given_cells[0] ? given_cells[d] : cells[d];
}

static void check(const char *name)
{
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(&failures, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s: %d of %d runs differ from one rank, one thread, one box\n", name, failures, runs);
  assert_int_equal(failures, 0);
}

static void constant_mixed(void **state)
{
  (void)state;
  struct manufactured p = {
    .kind = {GMG_DIRICHLET, GMG_NEUMANN, GMG_PERIODIC, GMG_PERIODIC, GMG_NEUMANN, GMG_DIRICHLET}};
  set_cells(&p, 40, 34, 26);
  all_combinations(&p, "constant, mixed sides");
  check("constant, mixed sides");
}

static void variable_dirichlet_alpha(void **state)
{
  (void)state;
  struct manufactured p = {.variable = 2, .variable_alpha = 1, .a = 1.5, .b = 0.7, .stretch = 1.03};
  set_cells(&p, 37, 24, 31);
  all_combinations(&p, "variable, alpha, stretched");
  check("variable, alpha, stretched");
}

static void periodic_singular(void **state)
{
  (void)state;
  struct manufactured p = {.variable = 1};
  manufactured_sides(&p, GMG_PERIODIC);
  set_cells(&p, 33, 20, 24);
  all_combinations(&p, "variable, periodic, odd");
  check("variable, periodic, odd");
}

static void full_stencil(void **state)
{
  (void)state;
  struct manufactured p = {
    .kind = {GMG_PERIODIC, GMG_PERIODIC, GMG_DIRICHLET, GMG_NEUMANN, GMG_NEUMANN, GMG_NEUMANN},
    .option = {"box", "auto", "operator", "constant27"}};
  set_cells(&p, 24, 33, 18);
  all_combinations(&p, "27 points");
  check("27 points");
}

static void other_smoothers(void **state)
{
  (void)state;
  struct manufactured p = {.option = {"box", "auto", "smoother", "chebyshev", "bottom", "bicgstab",
                                      "degree", "3", "norm", "max", "interpolation", "constant"}};
  manufactured_sides(&p, GMG_NEUMANN);
  set_cells(&p, 26, 40, 29);
  all_combinations(&p, "Chebyshev, BiCGStab");
  check("Chebyshev, BiCGStab");
}

static void full_stencil_chebyshev(void **state)
{
  (void)state;
  struct manufactured p = {
    .option = {"box", "auto", "operator", "constant27", "smoother", "chebyshev"}};
  set_cells(&p, 20, 22, 27);
  all_combinations(&p, "27 points, Chebyshev");
  check("27 points, Chebyshev");
}

/* `auto` turns conjugate gradients on after the first cycle. */
static void krylov_jump(void **state)
{
  (void)state;
  struct manufactured p = {.constant_f = 1, .ball = 1e3};
  set_cells(&p, 33, 24, 28);
  all_combinations(&p, "ball of 1e3, auto");
  check("ball of 1e3, auto");
}

static void krylov_singular(void **state)
{
  (void)state;
  struct manufactured p = {.variable = 2, .option = {"box", "auto", "krylov", "cg", "cycle", "f"}};
  manufactured_sides(&p, GMG_NEUMANN);
  set_cells(&p, 24, 29, 20);
  all_combinations(&p, "Neumann, cg, F-cycle");
  check("Neumann, cg, F-cycle");
}

static void krylov_w_cycle(void **state)
{
  (void)state;
  struct manufactured p = {.constant_f = 1,
                           .ball = 1e-3,
                           .option = {"box", "auto", "krylov", "cg", "cycle", "w", "bottom", "cg"}};
  set_cells(&p, 20, 17, 14);
  all_combinations(&p, "ball of 1e-3, cg, W-cycle, cg at the bottom");
  check("ball of 1e-3, cg, W-cycle, cg at the bottom");
}

static void krylov_full_multigrid(void **state)
{
  (void)state;
  struct manufactured p = {
    .constant_f = 1, .ball = 1e3, .option = {"box", "auto", "krylov", "cg", "cycle", "fmg"}};
  set_cells(&p, 15, 24, 18);
  all_combinations(&p, "ball of 1e3, cg, full multigrid");
  check("ball of 1e3, cg, full multigrid");
}

static void bicgstab_jump(void **state)
{
  (void)state;
  struct manufactured p = {
    .constant_f = 1, .ball = 1e3, .option = {"box", "auto", "krylov", "bicgstab"}};
  if (GMG_WITH_LAPACK)
    manufactured_option(&p, "bottom", "direct");
  set_cells(&p, 20, 16, 22);
  all_combinations(&p, "ball of 1e3, bicgstab, LAPACK at the bottom");
  check("ball of 1e3, bicgstab, LAPACK at the bottom");
}

static void bicgstab_singular(void **state)
{
  (void)state;
  struct manufactured p = {.variable = 2,
                           .option = {"box", "auto", "krylov", "bicgstab", "cycle", "f"}};
  manufactured_sides(&p, GMG_PERIODIC);
  p.kind[GMG_X_LO] = p.kind[GMG_X_HI] = GMG_NEUMANN;
  if (GMG_WITH_LAPACK)
    manufactured_option(&p, "bottom", "direct");
  set_cells(&p, 17, 20, 14);
  all_combinations(&p, "Neumann and periodic, bicgstab, F-cycle");
  check("Neumann and periodic, bicgstab, F-cycle");
}

/* All bottom: one box whatever the number of ranks. */
static void only_bottom(void **state)
{
  (void)state;
  struct manufactured p = {.variable = 1,
                           .option = {"box", "auto", "bottom", GMG_WITH_LAPACK ? "direct" : "cg"}};
  p.cells[0] = 7, p.cells[1] = 8, p.cells[2] = 9;
  all_combinations(&p, "all bottom");
  check("all bottom");
}

/* Boxes of one or two cells next to walls, from which the cubic reaches three cells far. */
static void full_multigrid(void **state)
{
  (void)state;
  struct manufactured p = {
    .variable = 1,
    .kind = {GMG_DIRICHLET, GMG_NEUMANN, GMG_PERIODIC, GMG_PERIODIC, GMG_ROBIN, GMG_DIRICHLET},
    .option = {"box", "auto", "cycle", "fmg"}};
  set_cells(&p, 40, 33, 25);
  all_combinations(&p, "full multigrid");
  check("full multigrid");
}

static void full_multigrid_thin(void **state)
{
  (void)state;
  struct manufactured p = {.option = {"box", "auto", "cycle", "fmg", "operator", "constant27"}};
  manufactured_sides(&p, GMG_NEUMANN);
  set_cells(&p, 7, 150, 40);
  all_combinations(&p, "full multigrid, thin, 27 points");
  check("full multigrid, thin, 27 points");
}

static void single_cycles(void **state)
{
  (void)state;
  struct manufactured p = {.variable = 2,
                           .variable_alpha = 1,
                           .a = 1.5,
                           .b = 0.7,
                           .stretch = 1.03,
                           .option = {"box", "auto", "precision", "mixed"}};
  set_cells(&p, 37, 44, 31);
  all_combinations(&p, "mixed precision, variable");
  check("mixed precision, variable");
}

static void single_cycles_singular(void **state)
{
  (void)state;
  struct manufactured p = {
    .kind = {GMG_PERIODIC, GMG_PERIODIC, GMG_NEUMANN, GMG_NEUMANN, GMG_NEUMANN, GMG_NEUMANN},
    .option = {"box", "auto", "precision", "mixed", "operator", "constant27"}};
  set_cells(&p, 24, 33, 18);
  all_combinations(&p, "mixed precision, 27 points, singular");
  check("mixed precision, 27 points, singular");
}

static void single_cycles_jump(void **state)
{
  (void)state;
  struct manufactured p = {
    .constant_f = 1, .ball = 1e3, .option = {"box", "auto", "precision", "mixed"}};
  set_cells(&p, 33, 24, 28);
  all_combinations(&p, "mixed precision, ball of 1e3");
  check("mixed precision, ball of 1e3");
}

int main(int argc, char **argv)
{
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  if (argc > 1 && sscanf(argv[1], "%d,%d,%d", given_cells, given_cells + 1, given_cells + 2) != 3) {
    fprintf(stderr, "expected NX,NY,NZ, not '%s'\n", argv[1]);
    return 2;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(constant_mixed),
                                     cmocka_unit_test(variable_dirichlet_alpha),
                                     cmocka_unit_test(periodic_singular),
                                     cmocka_unit_test(full_stencil),
                                     cmocka_unit_test(other_smoothers),
                                     cmocka_unit_test(full_stencil_chebyshev),
                                     cmocka_unit_test(krylov_jump),
                                     cmocka_unit_test(krylov_singular),
                                     cmocka_unit_test(krylov_w_cycle),
                                     cmocka_unit_test(krylov_full_multigrid),
                                     cmocka_unit_test(bicgstab_jump),
                                     cmocka_unit_test(bicgstab_singular),
                                     cmocka_unit_test(only_bottom),
                                     cmocka_unit_test(full_multigrid),
                                     cmocka_unit_test(full_multigrid_thin),
                                     cmocka_unit_test(single_cycles),
                                     cmocka_unit_test(single_cycles_singular),
                                     cmocka_unit_test(single_cycles_jump)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  MPI_Finalize();
  return failed != 0;
}

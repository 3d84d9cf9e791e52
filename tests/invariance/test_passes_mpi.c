/* ranks: 8 */
/* Preconditions: 8 ranks or more. What must vanish: bits by which a solve whose kernels run in
 * passes over memory, on ghosts that they compute again instead of exchanging them, differs from
 * one whose kernels run one by one on one rank; over smoothers, boundaries, even, odd and periodic
 * directions, precisions, ways to store rows, ranks and threads. Where a level cannot have passes
 * none must be said to run. With the argument `all` it runs every combination, else one in five. */
#include <mpi.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "manufactured.h"

#define D GMG_DIRICHLET
#define N GMG_NEUMANN
#define R GMG_ROBIN
#define P GMG_PERIODIC

static const struct variant {
  const char *name;
  int cells[3];
  const char *option[4];
  gmg_boundary kind[6];
  int variable, variable_alpha;
  double stretch; /* width of a cell along z over that of the one before; 0: uniform */
  int passes;     /* whether the finest level has any, on two ranks; 0: on any number of ranks */
} list[] = {
  {"Dirichlet", {23, 61, 57}, {"operator", "constant7"}, {D, D, D, D, D, D}, 0, 0, 0, 1},
  {"Neumann, singular", {26, 52, 63}, {"cycle", "v"}, {N, N, N, N, N, N}, 1, 0, 0, 1},
  {"mixed, alpha", {21, 57, 60}, {"cycle", "w"}, {D, N, R, D, N, D}, 1, 1, 0, 1},
  {"periodic", {24, 56, 64}, {"cycle", "fmg"}, {P, P, P, P, P, P}, 1, 0, 0, 1},
  {"periodic, odd along x, many sweeps",
   {25, 58, 54},
   {"pre", "4", "post", "3"},
   {P, P, D, N, P, P},
   1,
   1,
   0,
   1},
  {"odd, periodic along y", {24, 57, 60}, {"cycle", "v"}, {D, D, P, P, D, D}, 1, 0, 0, 0},
  {"Jacobi, odd, periodic", {22, 59, 61}, {"smoother", "jacobi"}, {P, P, P, P, P, P}, 1, 1, 0, 1},
  {"Chebyshev",
   {20, 60, 62},
   {"smoother", "chebyshev", "degree", "3"},
   {D, N, P, P, R, D},
   1,
   0,
   0,
   1},
  {"27 points", {20, 51, 63}, {"operator", "constant27"}, {D, R, N, D, R, D}, 0, 0, 0, 1},
  {"27 points, periodic", {32, 48, 64}, {"operator", "constant27"}, {P, P, P, P, P, P}, 0, 0, 0, 1},
  {"stretched along z", {20, 44, 60}, {"cycle", "fmg"}, {D, D, N, D, D, D}, 1, 0, 1.05, 1},
  {"stretched along z, periodic along y",
   {20, 60, 41},
   {"cycle", "v"},
   {D, D, P, P, D, N},
   1,
   0,
   1.04,
   1},
};

static struct manufactured make(const struct variant *v, const char *precision, const char *rows,
                                const char *passes)
{
  struct manufactured p = {.upper = {0.4, 1, 1.1}, .a = v->variable_alpha ? 1 : 0};
  memcpy(p.cells, v->cells, sizeof p.cells);
  memcpy(p.kind, v->kind, sizeof p.kind);
  p.variable = v->variable;
  p.variable_alpha = v->variable_alpha;
  p.stretch = v->stretch;
  for (int n = 0; n < 4 && v->option[n]; n += 2)
    manufactured_option(&p, v->option[n], v->option[n + 1]);
  manufactured_option(&p, "precision", precision);
  manufactured_option(&p, "rows", rows);
  manufactured_option(&p, "passes", passes);
  manufactured_option(&p, "max-cycles",
                      strcmp(precision, "double") == 0 ? "3" : "6"); /* refined more than once */
  return p;
}

/* Values of this rank's part and norms that differ from the whole solution of the reference. */
static int64_t differences(const struct manufactured *p, const struct manufactured_result *r,
                           const double *whole, const double *history, int cycles)
{
  const double *u = r->u;
  int64_t count = r->result.cycles != cycles;
  for (int n = 0; n <= cycles && n <= r->result.cycles; n++)
    count += r->history[n] != history[n];
  for (int k = r->lower[2]; k < r->upper[2]; k++)
    for (int j = r->lower[1]; j < r->upper[1]; j++)
      for (int i = r->lower[0]; i < r->upper[0]; i++, u++)
        count +=
          memcmp(u, &whole[((int64_t)k * p->cells[1] + j) * p->cells[0] + i], sizeof *u) != 0;
  return count;
}

struct tally {
  int runs, turn, one_in;
  int64_t wrong;
};

static void compare(MPI_Comm comm, const struct variant *v, const char *precision, const char *rows,
                    int threads, const struct manufactured_result *reference, struct tally *tally)
{
  gmg_context *context = NULL;
  int ranks, rank;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  assert_int_equal(gmg_context_create_mpi(comm, threads, &context), GMG_OK);
  const struct manufactured p = make(v, precision, rows, "all");
  struct manufactured_result r = manufactured_solve(context, &p);
  assert_int_equal(r.status, GMG_OK);
  int64_t differ = differences(&p, &r, reference->u, reference->history, reference->result.cycles);
  MPI_Allreduce(MPI_IN_PLACE, &differ, 1, MPI_INT64_T, MPI_SUM, comm);
  const int missing = v->passes ? ranks == 2 && !r.passes : r.passes;
  if (rank == 0 && (differ || missing))
    printf("%s in %s, %d ranks, %d threads, %s rows: %lld differ, %s\n", v->name, precision, ranks,
           threads, rows, (long long)differ, r.passes ? "in passes" : "one by one");
  tally->runs++;
  tally->wrong += differ + missing;
  free(r.u);
  gmg_context_destroy(&context);
}

static void run_variant(const struct variant *v, const char *precision, struct tally *tally)
{
  static const int counts[] = {2, 3, 4, 5, 8};
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  gmg_context *context = NULL;
  assert_int_equal(gmg_context_create(1, &context), GMG_OK);
  const struct manufactured plain = make(v, precision, "plain", "none");
  struct manufactured_result reference =
    manufactured_solve(context, &plain); /* on every rank by itself */
  assert_int_equal(reference.status, GMG_OK);
  assert_int_equal(reference.passes, 0);
  gmg_context_destroy(&context);
  for (int c = 0; c < 5; c++) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, rank < counts[c] ? 0 : MPI_UNDEFINED, rank, &comm);
    for (int form = 0; form < 4; form++)
      if (tally->turn++ % tally->one_in == 0 && comm != MPI_COMM_NULL)
        compare(comm, v, precision, form % 2 ? "split" : "plain", 1 + form / 2, &reference, tally);
    if (comm != MPI_COMM_NULL)
      MPI_Comm_free(&comm);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  free(reference.u);
}

/* Under sanitizers, which cost a factor of five and look at something else, one in 17. */
#ifdef __SANITIZE_ADDRESS__
static int one_in = 17;
#else
static int one_in = 5;
#endif

static void same_bits(void **state)
{
  (void)state;
  struct tally tally = {.one_in = one_in};
  for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
    run_variant(&list[n], "double", &tally);
    run_variant(&list[n], "mixed", &tally);
  }
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(&tally.wrong, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf(
      "%d solves in passes on 2 to 8 ranks against kernels one by one on one: %lld values differ\n",
      tally.runs, (long long)tally.wrong);
  assert_int_equal(tally.wrong, 0);
}

int main(int argc, char **argv)
{
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  if (argc > 1 && strcmp(argv[1], "all") == 0)
    one_in = 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  MPI_Finalize();
  return failed != 0;
}

/* ranks: 2 3
 * needs: mpi */
/* Preconditions: a clean run of context, setup, solve and services. What must vanish: runs in which
 * a call of MPI returns an error on one rank, without having done anything, or having done it, or
 * from then on always, and after which some rank does not get GMG_ERR_MPI, from the call that
 * failed or the next one, with a sentence that names the rank; runs that take longer than ten
 * seconds (an alarm ends the test); and the difference of a last clean run from the first one. The
 * errors are made here, in functions that MPI lets a program put before its own (PMPI). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gmg.h>

#ifdef GMG_TEST_BACKEND
enum { FEW_KINDS = 1 };
#else
enum { FEW_KINDS = 0 };
#endif
enum { NI = 12, NJ = 10, NK = 9, VALUES = (NI + 1) * (NJ + 1) * (NK + 1), MESSAGE = 600 };

enum call {
  IALLREDUCE,
  IALLGATHER,
  IBCAST,
  ISEND,
  IRECV,
  TESTALL,
  COMM_DUP,
  COMM_SPLIT_TYPE,
  CALLS
};
static const char *const call_name[CALLS] = {"MPI_Iallreduce", "MPI_Iallgather",     "MPI_Ibcast",
                                             "MPI_Isend",      "MPI_Irecv",          "MPI_Testall",
                                             "MPI_Comm_dup",   "MPI_Comm_split_type"};
enum mode { BEFORE, AFTER, ALWAYS, MODES };
static const char *const mode_name[MODES] = {"not done", "done", "from then on"};

static int rank, ranks, dense_sample;
static int happened; /* the error, in the last run but for its last call */
static long counted[CALLS];
static struct {
  int rank; /* -1: none */
  enum call call;
  enum mode mode;
  long n;
} plan = {.rank = -1};

static int fails(enum call call)
{
  counted[call]++;
  if (rank != plan.rank || call != plan.call)
    return 0;
  return counted[call] == plan.n || (plan.mode == ALWAYS && counted[call] > plan.n);
}

/* What MPI's function of that name does, or an error. */
#define INTERPOSE(id, name, parameters, arguments) \
  int MPI_##name parameters \
  { \
    const int wrong = fails(id); \
    if (!wrong || plan.mode == AFTER) { \
      const int error = PMPI_##name arguments; \
      return wrong ? MPI_ERR_OTHER : error; \
    } \
    return MPI_ERR_OTHER; \
  }

INTERPOSE(IALLREDUCE, Iallreduce,
          (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
           MPI_Request *request),
          (from, to, count, type, op, comm, request))
INTERPOSE(IALLGATHER, Iallgather,
          (const void *from, int from_count, MPI_Datatype from_type, void *to, int count,
           MPI_Datatype type, MPI_Comm comm, MPI_Request *request),
          (from, from_count, from_type, to, count, type, comm, request))
INTERPOSE(IBCAST, Ibcast,
          (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request),
          (data, count, type, root, comm, request))
INTERPOSE(ISEND, Isend,
          (const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
           MPI_Request *request),
          (data, count, type, to, tag, comm, request))
INTERPOSE(IRECV, Irecv,
          (void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
           MPI_Request *request),
          (data, count, type, from, tag, comm, request))
INTERPOSE(TESTALL, Testall, (int count, MPI_Request *request, int *done, MPI_Status *status),
          (count, request, done, status))
INTERPOSE(COMM_DUP, Comm_dup, (MPI_Comm comm, MPI_Comm *own), (comm, own))
INTERPOSE(COMM_SPLIT_TYPE, Comm_split_type,
          (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *part),
          (comm, type, key, info, part))

static double beta[VALUES], f[VALUES], u[VALUES], w[VALUES], first[VALUES], flux[3][VALUES];

struct run {
  gmg_context *context;
  gmg_grid *grid;
  gmg_solver *solver;
  gmg_status status; /* the first that is not GMG_OK */
  char message[MESSAGE];
};

static gmg_array dense(double *values, const gmg_grid *grid, int face_axis)
{
  int lower[3], upper[3], extent[3];
  gmg_grid_part(grid, lower, upper);
  for (int d = 0; d < 3; d++)
    extent[d] = upper[d] - lower[d] + (d == face_axis);
  return (gmg_array){values, {1, extent[0], extent[0] * extent[1]}};
}

/* Whether to go on. */
static int good(struct run *run, gmg_status status)
{
  if (!run->status && status) {
    run->status = status;
    snprintf(run->message, sizeof run->message, "%s",
             run->context ? gmg_context_message(run->context) : "");
  }
  return !run->status;
}

static gmg_status apply(struct run *run)
{
  const gmg_array from = dense(f, run->grid, -1);
  gmg_array to = dense(w, run->grid, -1);
  return gmg_solver_apply(run->solver, &from, &to);
}

static void make(struct run *run)
{
  static const int n[3] = {NI, NJ, NK};
  static const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  if (!good(run, gmg_context_create_mpi(MPI_COMM_WORLD, 1, &run->context))
      || !good(run, gmg_grid_create(run->context, n, zero, one, &run->grid)))
    return;
  gmg_grid_set_boundary(run->grid, GMG_X_LO, GMG_PERIODIC, 0, 0, 0);
  gmg_grid_set_boundary(run->grid, GMG_X_HI, GMG_PERIODIC, 0, 0, 0);
  gmg_grid_set_boundary(run->grid, GMG_Z_LO, GMG_DIRICHLET, 0, 0, 0.5);
  if (!good(run, gmg_solver_create(run->grid, &run->solver)))
    return;
#ifdef GMG_TEST_BACKEND
  gmg_solver_set_choice(run->solver, "backend", GMG_TEST_BACKEND);
  gmg_solver_set_integer(run->solver, "coarse-cells", 1); /* all levels are there */
  gmg_solver_set_integer(run->solver, "gather", 1);       /* and on both ranks */
#endif
  gmg_solver_set_integer(run->solver, "max-cycles",
                         2); /* on a busy machine every message takes its time */
  const gmg_array values = dense(beta, run->grid, -1);
  if (good(run, gmg_solver_set_coefficient(run->solver, GMG_BETA, &values)))
    good(run, gmg_solver_setup(run->solver));
}

static void compute(struct run *run)
{
  gmg_result result;
  const gmg_array right_side = dense(f, run->grid, -1);
  gmg_array solution = dense(u, run->grid, -1), to = dense(w, run->grid, -1), through[3];
  for (int d = 0; d < 3; d++)
    through[d] = dense(flux[d], run->grid, d);
  if (good(run, gmg_solver_solve(run->solver, &right_side, &solution, 0, &result))
      && good(run, apply(run))
      && good(run, gmg_solver_residual(run->solver, &right_side, &solution, &to))
      && good(run,
              gmg_solver_fluxes(run->solver, &solution, &through[0], &through[1], &through[2])))
    good(run, gmg_solver_precondition(run->solver, &right_side, &to, 1));
}

/* All calls, up to the first that returns an error. */
static gmg_status run_all(char message[MESSAGE])
{
  struct run run = {.status = GMG_OK};
  memset(counted, 0, sizeof counted);
  alarm(10);
  make(&run);
  if (!run.status)
    compute(&run);
  happened = plan.rank >= 0 && counted[plan.call] >= plan.n;
  if (plan.rank >= 0 && !run.status) /* it was the last word of the last call that failed: the next
                                        one knows of it */
    good(&run, apply(&run));
  alarm(0);
  gmg_solver_destroy(&run.solver);
  gmg_grid_destroy(&run.grid);
  gmg_context_destroy(&run.context);
  memcpy(message, run.message, MESSAGE);
  return run.status;
}

static void clean_run(long count[CALLS])
{
  char message[MESSAGE];
  plan.rank = -1;
  assert_int_equal(run_all(message), GMG_OK);
  memcpy(count, counted, sizeof counted);
}

static void tell(const char *what, const char *message)
{
  if (rank == 0) {
    printf("%s of %s %ld on rank %d, %s: %s\n", what, call_name[plan.call], plan.n, plan.rank,
           mode_name[plan.mode], message);
    fflush(stdout);
  }
}

static void fail_at(int victim, enum call call, enum mode mode, long n)
{
  char message[MESSAGE], expected[80];
  plan.rank = victim;
  plan.call = call;
  plan.mode = mode;
  plan.n = n;
  const gmg_status status = run_all(message);
  PMPI_Bcast(&happened, 1, MPI_INT, victim, MPI_COMM_WORLD);
  snprintf(expected, sizeof expected, "%s failed on rank %d",
           call == TESTALL ? "" : call_name[call], victim);
  if (!happened) /* a rank waits for others in more or fewer looks */
    return;
  int wrong = status != GMG_ERR_MPI || (message[0] && !strstr(message, expected));
  if (wrong)
    printf("rank %d: status %d, '%s'\n", rank, (int)status, message);
  PMPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (wrong || mode == BEFORE)
    tell(wrong ? "FAILED: error" : "error", message);
  assert_false(wrong);
}

static void too_long(int number)
{
  (void)number;
  printf("rank %d of %d: ten seconds after an error of %s %ld on rank %d, %s\n", rank, ranks,
         call_name[plan.call], plan.n, plan.rank, mode_name[plan.mode]);
  fflush(stdout);
  _exit(1);
}

/* Of the calls that a clean run makes some: more at its beginning, and the last. */
static void every_call(void **state)
{
  (void)state;
  long count[CALLS], most[CALLS];
  clean_run(count);
  memcpy(first, u, sizeof first);
  PMPI_Allreduce(count, most, CALLS, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  int victim = 0; /* the first rank and the last, by turns */
  for (int call = 0; call < CALLS; call++) {
    const int makes_communicator = call >= COMM_DUP;
    for (int mode = makes_communicator ? AFTER : BEFORE;
         mode <= (makes_communicator ? AFTER : ALWAYS); mode++) {
      if (FEW_KINDS && (mode != AFTER || call != IALLREDUCE))
        continue;
      if (mode == ALWAYS && call == ISEND) /* then nobody can be told */
        continue;
      for (long n = 1; n <= most[call]; n += 1 + (dense_sample ? n / 4 : 2 * n)) {
        fail_at(victim, (enum call)call, (enum mode)mode, n);
        victim = ranks - 1 - victim;
      }
      if (most[call] > 1 && call != TESTALL)
        fail_at(victim, (enum call)call, (enum mode)mode, most[call]);
    }
  }
  clean_run(count);
  assert_memory_equal(u, first, sizeof first);
}

/* In a program that has not begun MPI, or ended it. */
static int no_context(void)
{
  gmg_context *context = NULL;
  return gmg_context_create_mpi(MPI_COMM_WORLD, 1, &context) == GMG_ERR_ORDER && !context;
}

int main(int argc, char **argv)
{
  int provided;
  const int before = no_context();
  dense_sample = argc > 1 || FEW_KINDS; /* any argument: more calls fail */
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  signal(SIGALRM, too_long);
  for (int n = 0; n < VALUES; n++) {
    beta[n] = 1.5 + sin(0.7 * n);
    f[n] = sin(0.3 * n) + 0.3;
  }
  gmg_context *context = NULL;
  int failed = gmg_context_create_mpi(MPI_COMM_NULL, 1, &context) != GMG_ERR_ARGUMENT || context;
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_call)};
  failed |= cmocka_run_group_tests(tests, NULL, NULL);
  MPI_Finalize();
  const int after = no_context();
  if (!before || !after || failed)
    printf("rank %d: before MPI_Init %d, after MPI_Finalize %d, failed %d\n", rank, before, after,
           failed);
  return failed || !before || !after;
}

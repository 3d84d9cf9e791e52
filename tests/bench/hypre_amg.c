/* hypre's BoomerAMG on a matrix of seven diagonals, for the target `bench-amg`.
 *
 * The file, which amg.py writes, has three 64-bit integers (cells along x, y and z), and then in
 * double precision, one array after the other, z slowest: the diagonal, the entries of the
 * neighbours at x - 1, x + 1, y - 1, y + 1, z - 1, z + 1 (0 beyond walls), and the right side.
 * Conjugate gradients from zero to a residual of 1e-10 in the 2-norm, preconditioned by one V-cycle
 * of BoomerAMG; ranks split the grid in z. Prints a JSON array; the residual in it is computed anew
 * from the solution. Usage: hypre_amg FILE [RUN-NAME] */
#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 7, ARRAYS = ENTRIES + 1, MAX_ITERATIONS = 200 };
static const double tolerance = 1e-10;

struct problem {
  int64_t n[3];
  int ranks, rank;
  int64_t first, count;  /* of this rank's rows */
  double *array[ARRAYS]; /* this rank's part of each */
};

/* Numbers are hypre's: coarsening 6 Falgout, 8 PMIS, 10 HMIS; interpolation 0 classical, 6
 * extended+i. */
struct run {
  const char *name;
  int coarsening, aggressive_levels, interpolation;
  double threshold;
};

static const struct run runs[] = {
  {"hmis-aggressive", 10, 1, 6, 0.25},    {"hmis", 10, 0, 6, 0.25},
  {"hmis-aggressive-0.5", 10, 1, 6, 0.5}, {"hmis-0.5", 10, 0, 6, 0.5},
  {"pmis-aggressive-0.5", 8, 1, 6, 0.5},  {"falgout-classical", 6, 0, 0, 0.25}};

struct outcome {
  double setup, solve, relative;
  HYPRE_Int iterations;
};

struct system {
  HYPRE_IJMatrix matrix;
  HYPRE_IJVector b, x, r;
  HYPRE_ParCSRMatrix A;
  HYPRE_ParVector par_b, par_x, par_r;
};

static void fail(const char *what)
{
  fprintf(stderr, "hypre_amg: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

static void *allocate(size_t count, size_t size)
{
  void *memory = calloc(count ? count : 1, size);
  if (!memory)
    fail("out of memory");
  return memory;
}

/* Reads this rank's planes of all arrays. */
static void read_problem(struct problem *p, const char *path)
{
  FILE *file = fopen(path, "rb");
  MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p->ranks);
  if (!file || fread(p->n, sizeof p->n, 1, file) != 1)
    fail("the file cannot be read");
  const int64_t plane = p->n[0] * p->n[1], cells = plane * p->n[2];
  p->first = plane * (p->n[2] * p->rank / p->ranks);
  p->count = plane * (p->n[2] * (p->rank + 1) / p->ranks) - p->first;
  for (int m = 0; m < ARRAYS; m++) {
    const int64_t at = (int64_t)sizeof p->n + (m * cells + p->first) * (int64_t)sizeof(double);
    p->array[m] = allocate((size_t)p->count, sizeof(double));
    if (fseek(file, (long)at, SEEK_SET)
        || fread(p->array[m], sizeof(double), (size_t)p->count, file) != (size_t)p->count)
      fail("the file is too short");
  }
  fclose(file);
}

static HYPRE_IJMatrix make_matrix(const struct problem *p)
{
  const int64_t step[ENTRIES] = {
    0, -1, 1, -p->n[0], p->n[0], -p->n[0] * p->n[1], p->n[0] * p->n[1]};
  const HYPRE_BigInt lower = (HYPRE_BigInt)p->first,
                     upper = (HYPRE_BigInt)(p->first + p->count - 1);
  HYPRE_IJMatrix matrix;
  HYPRE_IJMatrixCreate(MPI_COMM_WORLD, lower, upper, lower, upper, &matrix);
  HYPRE_IJMatrixSetObjectType(matrix, HYPRE_PARCSR);
  HYPRE_IJMatrixInitialize(matrix);
  for (int64_t n = 0; n < p->count; n++) {
    HYPRE_BigInt row = (HYPRE_BigInt)(p->first + n), column[ENTRIES];
    HYPRE_Int entries = 0;
    double value[ENTRIES];
    for (int e = 0; e < ENTRIES; e++)
      if (p->array[e][n] != 0) {
        column[entries] = (HYPRE_BigInt)(p->first + n + step[e]);
        value[entries++] = p->array[e][n];
      }
    HYPRE_IJMatrixSetValues(matrix, 1, &entries, &row, column, value);
  }
  HYPRE_IJMatrixAssemble(matrix);
  return matrix;
}

/* values: this rank's, or NULL for zeros. */
static HYPRE_IJVector make_vector(const struct problem *p, const double *values,
                                  HYPRE_ParVector *parallel)
{
  HYPRE_IJVector vector;
  HYPRE_BigInt *row = allocate((size_t)p->count, sizeof *row);
  double *zero = allocate((size_t)p->count, sizeof *zero);
  for (int64_t n = 0; n < p->count; n++)
    row[n] = (HYPRE_BigInt)(p->first + n);
  HYPRE_IJVectorCreate(MPI_COMM_WORLD, (HYPRE_BigInt)p->first,
                       (HYPRE_BigInt)(p->first + p->count - 1), &vector);
  HYPRE_IJVectorSetObjectType(vector, HYPRE_PARCSR);
  HYPRE_IJVectorInitialize(vector);
  HYPRE_IJVectorSetValues(vector, (HYPRE_Int)p->count, row, values ? values : zero);
  HYPRE_IJVectorAssemble(vector);
  HYPRE_IJVectorGetObject(vector, (void **)parallel);
  free(row);
  free(zero);
  return vector;
}

static void make_system(const struct problem *p, struct system *s)
{
  s->matrix = make_matrix(p);
  HYPRE_IJMatrixGetObject(s->matrix, (void **)&s->A);
  s->b = make_vector(p, p->array[ENTRIES], &s->par_b);
  s->x = make_vector(p, NULL, &s->par_x);
  s->r = make_vector(p, p->array[ENTRIES], &s->par_r);
}

static void drop_system(struct system *s)
{
  HYPRE_IJVectorDestroy(s->b);
  HYPRE_IJVectorDestroy(s->x);
  HYPRE_IJVectorDestroy(s->r);
  HYPRE_IJMatrixDestroy(s->matrix);
}

/* One V-cycle, with a sweep of symmetric Gauss-Seidel before and after the coarse correction. */
static HYPRE_Solver make_cycle(const struct run *run)
{
  enum { SYMMETRIC_GAUSS_SEIDEL = 6, ENTRIES_A_ROW = 4 };
  HYPRE_Solver amg;
  HYPRE_BoomerAMGCreate(&amg);
  HYPRE_BoomerAMGSetPrintLevel(amg, 0);
  HYPRE_BoomerAMGSetMaxIter(amg, 1);
  HYPRE_BoomerAMGSetTol(amg, 0);
  HYPRE_BoomerAMGSetCoarsenType(amg, run->coarsening);
  HYPRE_BoomerAMGSetAggNumLevels(amg, run->aggressive_levels);
  HYPRE_BoomerAMGSetInterpType(amg, run->interpolation);
  HYPRE_BoomerAMGSetPMaxElmts(amg, ENTRIES_A_ROW);
  HYPRE_BoomerAMGSetStrongThreshold(amg, run->threshold);
  HYPRE_BoomerAMGSetRelaxType(amg, SYMMETRIC_GAUSS_SEIDEL);
  HYPRE_BoomerAMGSetNumSweeps(amg, 1);
  return amg;
}

static double start_together(void)
{
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

static double seconds_since(double start)
{
  double elapsed = MPI_Wtime() - start, most;
  MPI_Allreduce(&elapsed, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

static void solve(const struct system *s, const struct run *run, struct outcome *outcome)
{
  HYPRE_Solver amg = make_cycle(run), cg;
  HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &cg);
  HYPRE_PCGSetMaxIter(cg, MAX_ITERATIONS);
  HYPRE_PCGSetTol(cg, tolerance);
  HYPRE_PCGSetTwoNorm(cg, 1);
  HYPRE_PCGSetPrintLevel(cg, 0);
  HYPRE_PCGSetPrecond(cg, (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSolve,
                      (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSetup, amg);
  double start = start_together();
  HYPRE_ParCSRPCGSetup(cg, s->A, s->par_b, s->par_x);
  outcome->setup = seconds_since(start);
  start = start_together();
  HYPRE_ParCSRPCGSolve(cg, s->A, s->par_b, s->par_x);
  outcome->solve = seconds_since(start);
  HYPRE_PCGGetNumIterations(cg, &outcome->iterations);
  HYPRE_ParCSRPCGDestroy(cg);
  HYPRE_BoomerAMGDestroy(amg);
  HYPRE_ClearAllErrors(); /* hypre counts "not converged" as an error; the residual decides */
}

/* The 2-norm of b - A x over that of b. */
static double true_residual(const struct system *s)
{
  double left, all;
  HYPRE_ParVectorCopy(s->par_b, s->par_r);
  HYPRE_ParCSRMatrixMatvec(-1, s->A, s->par_x, 1, s->par_r);
  HYPRE_ParVectorInnerProd(s->par_r, s->par_r, &left);
  HYPRE_ParVectorInnerProd(s->par_b, s->par_b, &all);
  return sqrt(left / all);
}

static void run_and_print(const struct problem *p, const struct run *run, int first)
{
  struct system system;
  struct outcome outcome;
  make_system(p, &system);
  solve(&system, run, &outcome);
  outcome.relative = true_residual(&system);
  if (p->rank == 0)
    printf("%s{\"run\": \"%s\", \"setup_seconds\": %.6f, \"solve_seconds\": %.6f, \"cycles\": %d, "
           "\"relative_residual\": %.6e}",
           first ? "[" : ",\n ", run->name, outcome.setup, outcome.solve, (int)outcome.iterations,
           isfinite(outcome.relative) ? outcome.relative : 1e300);
  drop_system(&system);
}

int main(int count, char **argument)
{
  enum { RUNS = sizeof runs / sizeof *runs };
  MPI_Init(&count, &argument);
  int known = 0;
  if (count == 2 || count == 3) {
    struct problem problem;
    HYPRE_Init();
    read_problem(&problem, argument[1]);
    for (int n = 0; n < RUNS; n++)
      if (count == 2 || strcmp(argument[2], runs[n].name) == 0)
        run_and_print(&problem, &runs[n], !known++);
    if (known && problem.rank == 0)
      printf("]\n");
    for (int m = 0; m < ARRAYS; m++)
      free(problem.array[m]);
    HYPRE_Finalize();
  }
  if (!known)
    fprintf(stderr, "usage: hypre_amg FILE [RUN-NAME]\n");
  MPI_Finalize();
  return known ? 0 : 2;
}

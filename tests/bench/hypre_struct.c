/* hypre's structured solvers on the two benchmark problems, for the target `bench`.
 *
 * The equations are those of the contract "discretization", per unit volume, on N^3 equal cells of
 * the unit cube, u = 0 on all faces:  constant: -∇·∇u = f;  smooth: u - ∇·(β ∇u) = f, β = 5.5 + 4.5
 * tanh(10 (r - 1/4)) at face centres, r the distance from the centre; f from u = p(x) p(y) p(z),
 * p(t) = 2 t^6 - 6 t^5 + 5 t^4 - t^2. PFMG alone and CG preconditioned by one PFMG cycle, each with
 * and without skipped relaxation; red-black relaxation, with which hypre always takes its
 * non-Galerkin coarse operators (asked for all the same). Ranks split the cube in z. Prints a JSON
 * array; the residual in it is computed here, not by hypre. Usage: hypre_struct constant|smooth N
 * [RUN-NAME] */
#include <HYPRE_struct_ls.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 7, MAX_CYCLES = 200 };
static const double tolerance = 1e-10;

struct problem {
  int n, ranks, rank;
  int k_lower, k_upper; /* planes of this rank: [k_lower, k_upper) */
  bool variable;
  double *f; /* this rank's planes */
};

struct run {
  const char *method; /* "pfmg" or "cg" */
  int relax;          /* 2: red-black before, black-red after; 3: red-black both times */
  int skip;           /* 1: no relaxation on levels where it can be spared */
};

struct outcome {
  double setup, solve, relative;
  int cycles;
};

static void *allocate(size_t count, size_t size)
{
  void *memory = calloc(count ? count : 1, size);
  if (!memory) {
    fprintf(stderr, "hypre_struct: out of memory\n");
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  return memory;
}

/* p, its first and its second derivative */
static void profile(double t, double value[3])
{
  double t2 = t * t, t3 = t2 * t, t4 = t2 * t2;
  value[0] = t2 * (2 * t4 - 6 * t3 + 5 * t2 - 1);
  value[1] = 12 * t4 * t - 30 * t4 + 20 * t3 - 2 * t;
  value[2] = 60 * t4 - 120 * t3 + 60 * t2 - 2;
}

static double beta_at(double x, double y, double z)
{
  return 5.5
    + 4.5
    * tanh(10
           * (sqrt((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5) + (z - 0.5) * (z - 0.5)) - 0.25));
}

static double right_side(const struct problem *problem, double x, double y, double z)
{
  double p[3], q[3], s[3];
  profile(x, p);
  profile(y, q);
  profile(z, s);
  double laplacian = p[2] * q[0] * s[0] + p[0] * q[2] * s[0] + p[0] * q[0] * s[2];
  if (!problem->variable)
    return -laplacian;
  double r = sqrt((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5) + (z - 0.5) * (z - 0.5));
  double t = tanh(10 * (r - 0.25)), slope = r > 0 ? 45 * (1 - t * t) / r : 0;
  double gradients = slope
    * ((x - 0.5) * p[1] * q[0] * s[0] + (y - 0.5) * p[0] * q[1] * s[0]
       + (z - 0.5) * p[0] * q[0] * s[1]);
  return p[0] * q[0] * s[0] - (gradients + beta_at(x, y, z) * laplacian);
}

/* Coefficients of cell (i, j, k): diagonal, then the neighbours at i - 1, i + 1, j - 1, j + 1, k -
 * 1, k + 1. A wall's ghost = -u doubles its face in the diagonal and leaves no neighbour. */
static void coefficients(const struct problem *problem, int i, int j, int k, double entry[ENTRIES])
{
  int n = problem->n, index[3] = {i, j, k};
  double h = 1.0 / n, scale = (double)n * n;
  entry[0] = problem->variable ? 1 : 0;
  for (int face = 0; face < 6; face++) {
    int axis = face / 2, high = face % 2;
    double at[3] = {(i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h};
    at[axis] = (index[axis] + high) * h;
    double conductance = scale * (problem->variable ? beta_at(at[0], at[1], at[2]) : 1);
    bool wall = index[axis] == (high ? n - 1 : 0);
    entry[0] += wall ? 2 * conductance : conductance;
    entry[1 + face] = wall ? 0 : -conductance;
  }
}

static void problem_create(struct problem *problem, const char *name, int n)
{
  MPI_Comm_rank(MPI_COMM_WORLD, &problem->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &problem->ranks);
  problem->n = n;
  problem->variable = strcmp(name, "smooth") == 0;
  problem->k_lower = (int)((long)n * problem->rank / problem->ranks);
  problem->k_upper = (int)((long)n * (problem->rank + 1) / problem->ranks);
  size_t plane = (size_t)n * n;
  problem->f = allocate(plane * (problem->k_upper - problem->k_lower), sizeof(double));
  double h = 1.0 / n, *f = problem->f;
  for (int k = problem->k_lower; k < problem->k_upper; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        *f++ = right_side(problem, (i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h);
}

static HYPRE_StructGrid grid_create(const struct problem *problem)
{
  HYPRE_StructGrid grid;
  int lower[3] = {0, 0, problem->k_lower},
      upper[3] = {problem->n - 1, problem->n - 1, problem->k_upper - 1};
  HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid);
  HYPRE_StructGridSetExtents(grid, lower, upper);
  HYPRE_StructGridAssemble(grid);
  return grid;
}

/* The constant problem declares its off-diagonal entries constant, as hypre's users do for speed.
 */
static HYPRE_StructMatrix matrix_create(const struct problem *problem, HYPRE_StructGrid grid)
{
  static int offset[ENTRIES][3] = {{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {0, -1, 0},
                                   {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
  HYPRE_StructStencil stencil;
  HYPRE_StructStencilCreate(3, ENTRIES, &stencil);
  for (int e = 0; e < ENTRIES; e++)
    HYPRE_StructStencilSetElement(stencil, e, offset[e]);
  HYPRE_StructMatrix matrix;
  HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, stencil, &matrix);
  int all[ENTRIES] = {0, 1, 2, 3, 4, 5, 6}, n = problem->n;
  if (!problem->variable)
    HYPRE_StructMatrixSetConstantEntries(matrix, ENTRIES - 1, all + 1);
  HYPRE_StructMatrixInitialize(matrix);
  int count = problem->variable ? ENTRIES : 1;
  double *values = allocate((size_t)n * n * count, sizeof(double));
  for (int k = problem->k_lower; k < problem->k_upper; k++) {
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) {
        double entry[ENTRIES];
        coefficients(problem, i, j, k, entry);
        memcpy(values + ((size_t)j * n + i) * count, entry, count * sizeof(double));
      }
    int lower[3] = {0, 0, k}, upper[3] = {n - 1, n - 1, k};
    HYPRE_StructMatrixSetBoxValues(matrix, lower, upper, count, all, values);
  }
  free(values);
  if (!problem->variable) {
    double scale = -(double)n * n,
           constant[ENTRIES - 1] = {scale, scale, scale, scale, scale, scale};
    HYPRE_StructMatrixSetConstantValues(matrix, ENTRIES - 1, all + 1, constant);
  }
  HYPRE_StructMatrixAssemble(matrix);
  HYPRE_StructStencilDestroy(stencil);
  return matrix;
}

static HYPRE_StructVector vector_create(const struct problem *problem, HYPRE_StructGrid grid,
                                        double *values)
{
  HYPRE_StructVector vector;
  int lower[3] = {0, 0, problem->k_lower},
      upper[3] = {problem->n - 1, problem->n - 1, problem->k_upper - 1};
  HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &vector);
  HYPRE_StructVectorInitialize(vector);
  HYPRE_StructVectorSetBoxValues(vector, lower, upper, values);
  HYPRE_StructVectorAssemble(vector);
  return vector;
}

static HYPRE_StructSolver pfmg_create(const struct run *run, int cycles, double limit)
{
  HYPRE_StructSolver solver;
  HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &solver);
  HYPRE_StructPFMGSetMaxIter(solver, cycles);
  HYPRE_StructPFMGSetTol(solver, limit);
  HYPRE_StructPFMGSetRelChange(solver, 0);
  HYPRE_StructPFMGSetRAPType(solver, 1);
  HYPRE_StructPFMGSetRelaxType(solver, run->relax);
  HYPRE_StructPFMGSetNumPreRelax(solver, 1);
  HYPRE_StructPFMGSetNumPostRelax(solver, 1);
  HYPRE_StructPFMGSetSkipRelax(solver, run->skip);
  HYPRE_StructPFMGSetZeroGuess(solver);
  HYPRE_StructPFMGSetPrintLevel(solver, 0);
  HYPRE_StructPFMGSetLogging(solver, 0);
  return solver;
}

static double seconds_since(double start)
{
  double elapsed = MPI_Wtime() - start, most;
  MPI_Allreduce(&elapsed, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

static double start_together(void)
{
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

static void solve_pfmg(const struct run *run, HYPRE_StructMatrix A, HYPRE_StructVector b,
                       HYPRE_StructVector x, struct outcome *outcome)
{
  double start = start_together();
  HYPRE_StructSolver solver = pfmg_create(run, MAX_CYCLES, tolerance);
  HYPRE_StructPFMGSetup(solver, A, b, x);
  outcome->setup = seconds_since(start);
  start = start_together();
  HYPRE_StructPFMGSolve(solver, A, b, x);
  outcome->solve = seconds_since(start);
  HYPRE_StructPFMGGetNumIterations(solver, &outcome->cycles);
  HYPRE_StructPFMGDestroy(solver);
}

static void solve_cg(const struct run *run, HYPRE_StructMatrix A, HYPRE_StructVector b,
                     HYPRE_StructVector x, struct outcome *outcome)
{
  double start = start_together();
  HYPRE_StructSolver preconditioner = pfmg_create(run, 1, 0), solver;
  HYPRE_StructPCGCreate(MPI_COMM_WORLD, &solver);
  HYPRE_StructPCGSetMaxIter(solver, MAX_CYCLES);
  HYPRE_StructPCGSetTol(solver, tolerance);
  HYPRE_StructPCGSetTwoNorm(solver, 1);
  HYPRE_StructPCGSetRelChange(solver, 0);
  HYPRE_StructPCGSetPrintLevel(solver, 0);
  HYPRE_StructPCGSetLogging(solver, 0);
  HYPRE_StructPCGSetPrecond(solver, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, preconditioner);
  HYPRE_StructPCGSetup(solver, A, b, x);
  outcome->setup = seconds_since(start);
  start = start_together();
  HYPRE_StructPCGSolve(solver, A, b, x);
  outcome->solve = seconds_since(start);
  HYPRE_StructPCGGetNumIterations(solver, &outcome->cycles);
  HYPRE_StructPCGDestroy(solver);
  HYPRE_StructPFMGDestroy(preconditioner);
}

/* One plane below and one above this rank's planes come from the neighbours; the walls' are never
 * read. */
static void exchange_planes(const struct problem *problem, double *u)
{
  int plane = problem->n * problem->n, planes = problem->k_upper - problem->k_lower;
  int below = problem->rank > 0 ? problem->rank - 1 : MPI_PROC_NULL;
  int above = problem->rank < problem->ranks - 1 ? problem->rank + 1 : MPI_PROC_NULL;
  double *first = u + plane, *last = u + (size_t)plane * planes;
  MPI_Sendrecv(first, plane, MPI_DOUBLE, below, 0, last + plane, plane, MPI_DOUBLE, above, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(last, plane, MPI_DOUBLE, above, 1, u, plane, MPI_DOUBLE, below, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

/* ‖f - A u‖ / ‖f‖ in the 2-norm by this file's own arithmetic, and max |u|. */
static double true_residual(const struct problem *problem, HYPRE_StructVector x, double *most)
{
  int n = problem->n, planes = problem->k_upper - problem->k_lower;
  size_t plane = (size_t)n * n;
  int lower[3] = {0, 0, problem->k_lower}, upper[3] = {n - 1, n - 1, problem->k_upper - 1};
  double *u = allocate(plane * (planes + 2), sizeof(double)), sum[2] = {0, 0};
  HYPRE_StructVectorGetBoxValues(x, lower, upper, u + plane);
  exchange_planes(problem, u);
  const ptrdiff_t step[6] = {-1, 1, -n, n, -(ptrdiff_t)plane, (ptrdiff_t)plane};
  const double *f = problem->f, *at = u + plane;
  *most = 0;
  for (int k = problem->k_lower; k < problem->k_upper; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++, f++, at++) {
        double entry[ENTRIES];
        coefficients(problem, i, j, k, entry);
        double r = *f - entry[0] * *at;
        for (int e = 0; e < 6; e++)
          if (entry[1 + e] != 0)
            r -= entry[1 + e] * at[step[e]];
        sum[0] += r * r;
        sum[1] += *f * *f;
        *most = fmax(*most, fabs(*at));
      }
  free(u);
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return sqrt(sum[0] / sum[1]);
}

static void run_name(const struct run *run, char name[64])
{
  snprintf(name, 64, "%s-%s%s", run->method, run->relax == 2 ? "rb-br" : "rb-rb",
           run->skip ? "-skip" : "");
}

static void run_and_print(const struct problem *problem, const struct run *run, const char *name,
                          bool first)
{
  HYPRE_StructGrid grid = grid_create(problem);
  HYPRE_StructMatrix A = matrix_create(problem, grid);
  double *zero = allocate((size_t)problem->n * problem->n * (problem->k_upper - problem->k_lower),
                          sizeof(double));
  HYPRE_StructVector b = vector_create(problem, grid, problem->f),
                     x = vector_create(problem, grid, zero);
  free(zero);
  struct outcome outcome = {0};
  double most;
  if (strcmp(run->method, "cg") == 0)
    solve_cg(run, A, b, x, &outcome);
  else
    solve_pfmg(run, A, b, x, &outcome);
  HYPRE_ClearAllErrors(); /* hypre counts "not converged" as an error; the residual below decides */
  outcome.relative = true_residual(problem, x, &most);
  if (problem->rank == 0)
    printf("%s{\"run\": \"%s\", \"setup_seconds\": %.6f, \"solve_seconds\": %.6f, \"cycles\": %d, "
           "\"relative_residual\": %.6e, \"max_u\": %.12e, \"ranks\": %d}",
           first ? "[" : ",\n ", name, outcome.setup, outcome.solve, outcome.cycles,
           isfinite(outcome.relative) ? outcome.relative : 1e300, isfinite(most) ? most : 1e300,
           problem->ranks);
  HYPRE_StructVectorDestroy(x);
  HYPRE_StructVectorDestroy(b);
  HYPRE_StructMatrixDestroy(A);
  HYPRE_StructGridDestroy(grid);
}

/* CG takes the symmetric order of colours only; PFMG alone both. */
static bool run_all(const struct problem *problem, const char *only)
{
  static const char *const method[] = {"pfmg", "cg"};
  bool first = true;
  for (int m = 0; m < 2; m++)
    for (int relax = 2; relax <= (m == 0 ? 3 : 2); relax++)
      for (int skip = 0; skip < 2; skip++) {
        struct run run = {method[m], relax, skip};
        char name[64];
        run_name(&run, name);
        if (only && strcmp(only, name) != 0)
          continue;
        run_and_print(problem, &run, name, first);
        first = false;
      }
  if (problem->rank == 0 && !first)
    printf("]\n");
  return !first;
}

int main(int count, char **argument)
{
  MPI_Init(&count, &argument);
  int n = count > 2 ? atoi(argument[2]) : 0, status = 0;
  bool known =
    n > 0 && (strcmp(argument[1], "constant") == 0 || strcmp(argument[1], "smooth") == 0);
  if (known) {
    HYPRE_Init();
    struct problem problem;
    problem_create(&problem, argument[1], n);
    known = run_all(&problem, count > 3 ? argument[3] : NULL);
    free(problem.f);
    HYPRE_Finalize();
  }
  if (!known) {
    fprintf(stderr, "usage: hypre_struct constant|smooth N [RUN-NAME]\n");
    status = 2;
  }
  MPI_Finalize();
  return status;
}

/* A solve on several ranks with a decomposition of the application's own, recorded as a problem
 * file.
 *
 *   PDE:       α u - b ∇·(β ∇u) = f on (0, 2) x (0, 1) x (0, 1.5), stretched in y
 *   Boundary:  u = sin(πz) at x = 0, b β ∂u/∂n + u = 1 at x = 2 (Robin, β is 1 there), ∂u/∂n =
 *              0.25 at both ends in y, periodic in z
 *   Parts:     one slab in x, and the rest cut in y among the other ranks
 *   Record:    usage: record FILE.h5. Then `gmg --input FILE.h5` with the options in the attribute
 *              `options` of the file's /user repeats the solve to the last bit, on any number of
 *              ranks: this program prints a sum over the bits of u
 *
 * What must vanish: the residual f - A u, by gmg_solver_residual, to the tolerance of 1e-9. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmg.h>
#include <gmg_io.h>

enum { NX = 30, NY = 25, NZ = 18 };

static const int cells[3] = {NX, NY, NZ};
static const double pi = 3.14159265358979323846;

/* A part, and its arrays, with a spare column to show that they need not be dense. */
struct part {
  int lower[3], upper[3], count[3];
  double *alpha, *beta[3], *f, *u, *r;
};

static void choose_part(int rank, int ranks, struct part *part)
{
  for (int d = 0; d < 3; d++) {
    part->lower[d] = 0;
    part->upper[d] = cells[d];
  }
  if (ranks > 1) {
    part->lower[0] = rank ? 11 : 0;
    part->upper[0] = rank ? NX : 11;
  }
  if (rank) {
    part->lower[1] = NY * (rank - 1) / (ranks - 1);
    part->upper[1] = NY * rank / (ranks - 1);
  }
  for (int d = 0; d < 3; d++)
    part->count[d] = part->upper[d] - part->lower[d];
}

static gmg_array view(const struct part *part, double *data)
{
  const ptrdiff_t row = part->count[0] + 2;
  return (gmg_array){data, {1, row, row * (part->count[1] + 1)}};
}

/* Values by the cell's or the face's place in the whole grid. */
static double *fill(const struct part *part, int kind)
{
  const int *n = part->count;
  double *data = calloc((size_t)(n[0] + 2) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1), sizeof *data);
  const gmg_array array = view(part, data);
  for (int k = 0; data && k <= n[2]; k++)
    for (int j = 0; j <= n[1]; j++)
      for (int i = 0; i <= n[0]; i++) {
        const int x = part->lower[0] + i, y = part->lower[1] + j, z = (part->lower[2] + k) % NZ;
        double value =
          kind == GMG_ALPHA ? 1 + 0.5 * sin(x + y + z) : cos(0.3 * x) + sin(0.2 * y * z);
        if (kind >= GMG_BETA_X && kind <= GMG_BETA_Z)
          value = x == NX && kind == GMG_BETA_X
            ? 1
            : 1.5 + sin(0.4 * x + kind) * cos(0.3 * y) * cos(2 * pi * z / NZ);
        data[i + j * array.stride[1] + k * array.stride[2]] = value;
      }
  return data;
}

static gmg_status make_grid(gmg_context *context, const struct part *part, gmg_grid **grid)
{
  static const double lower[3] = {0, 0, 0}, upper[3] = {2, 1, 1.5};
  double faces[NY + 1], walls[NY * NZ];
  for (int j = 0; j <= NY; j++)
    faces[j] = (double)j / NY + 0.02 * sin(2 * pi * j / NY);
  for (int n = 0; n < NY * NZ; n++)
    walls[n] = sin(pi * (n / NY + 0.5) / NZ);
  faces[NY] = 1;
  gmg_status status = gmg_grid_create(context, cells, lower, upper, grid);
  if (status)
    return status;
  status = gmg_grid_set_faces(*grid, 1, faces);
  for (int side = GMG_Y_LO; side <= GMG_Z_HI && !status; side++)
    status = gmg_grid_set_boundary(*grid, (gmg_side)side,
                                   side <= GMG_Y_HI ? GMG_NEUMANN : GMG_PERIODIC, 0, 0, 0.25);
  if (!status)
    status = gmg_grid_set_boundary(*grid, GMG_X_HI, GMG_ROBIN, 1, 1.25, 1);
  if (!status)
    status = gmg_grid_set_boundary_values(*grid, GMG_X_LO, walls);
  return status ? status : gmg_grid_set_part(*grid, part->lower, part->upper);
}

static gmg_status prepare(gmg_solver *solver, struct part *part)
{
  gmg_status status = gmg_solver_set_equation(solver, 1, 1.25);
  if (!status)
    status = gmg_solver_set_real(solver, "rtol", 1e-9);
  if (!status)
    status = gmg_solver_set_choice(solver, "smoother", "chebyshev");
  const gmg_array alpha = view(part, part->alpha);
  if (!status)
    status = gmg_solver_set_coefficient(solver, GMG_ALPHA, &alpha);
  for (int d = 0; d < 3 && !status; d++) {
    const gmg_array beta = view(part, part->beta[d]);
    status = gmg_solver_borrow_coefficient(solver, (gmg_coefficient)(GMG_BETA_X + d), &beta);
  }
  return status ? status : gmg_solver_setup(solver);
}

/* The largest |value|, and the sum over all cells of the bits, times a number that tells the cells
 * apart; modulo 2^64. */
static void measure(const struct part *part, double *data, double *most, uint64_t *bits)
{
  const gmg_array array = view(part, data);
  *most = 0;
  *bits = 0;
  for (int k = 0; k < part->count[2]; k++)
    for (int j = 0; j < part->count[1]; j++)
      for (int i = 0; i < part->count[0]; i++) {
        const double value = data[i + j * array.stride[1] + k * array.stride[2]];
        const int place =
          part->lower[0] + i + NX * (part->lower[1] + j + NY * (part->lower[2] + k));
        uint64_t word;
        memcpy(&word, &value, sizeof word);
        *bits += word * (2 * (uint64_t)place + 1);
        *most = fmax(*most, fabs(value));
      }
  MPI_Allreduce(MPI_IN_PLACE, most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, bits, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

static int solve(gmg_solver *solver, struct part *part, int rank)
{
  const gmg_array f = view(part, part->f);
  gmg_array u = view(part, part->u), r = view(part, part->r);
  gmg_result result;
  double residual, most;
  uint64_t bits;
  if (gmg_solver_solve(solver, &f, &u, 1, &result) || gmg_solver_residual(solver, &f, &u, &r))
    return 1;
  measure(part, part->r, &residual, &bits);
  measure(part, part->u, &most, &bits);
  if (rank == 0)
    printf("%s after %d cycles; the largest residual is %.1e of %.1e\nbits of u: %016llx\n",
           gmg_outcome_text(result.outcome), result.cycles, residual, result.initial_norm,
           (unsigned long long)bits);
  return result.outcome != GMG_CONVERGED || residual > 1e-9 * result.initial_norm;
}

int main(int count, char **words)
{
  int provided, rank, ranks;
  gmg_context *context = NULL;
  gmg_grid *grid = NULL;
  gmg_solver *solver = NULL;
  gmg_io_record *record = NULL;
  struct part part = {{0}, {0}, {0}, NULL, {NULL}, NULL, NULL, NULL};
  MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  choose_part(rank, ranks, &part);
  part.alpha = fill(&part, GMG_ALPHA);
  for (int d = 0; d < 3; d++)
    part.beta[d] = fill(&part, GMG_BETA_X + d);
  part.f = fill(&part, -1);
  part.u = fill(&part, -1); /* the initial guess */
  part.r = fill(&part, -1);
  int failed = gmg_context_create_mpi(MPI_COMM_WORLD, 0, &context)
    || make_grid(context, &part, &grid) || gmg_solver_create(grid, &solver);
  if (!failed && count > 1)
    failed = gmg_io_record_start_mpi(MPI_COMM_WORLD, words[1], 1, solver, &record) != GMG_OK;
  failed = failed || prepare(solver, &part) || solve(solver, &part, rank)
    || (record && !gmg_io_record_done(record));
  if (failed && rank == 0)
    printf("failed; the last messages: %s; %s\n", gmg_context_message(context),
           gmg_io_record_message(record));
  gmg_io_record_finish(&record);
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
  double *arrays[] = {part.alpha, part.beta[0], part.beta[1], part.beta[2], part.f, part.u, part.r};
  for (size_t n = 0; n < sizeof arrays / sizeof *arrays; n++)
    free(arrays[n]);
  MPI_Finalize();
  return failed;
}

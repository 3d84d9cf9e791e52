/* Driver of test_listings.sh: the paper's loop nests as sequential C, as compiled by gmg-gen, and
 * the kernels that gmg-gen derived or took from operators/, on the same data. Prints the largest
 * relative difference of each pair; exit status 1 if one is more than rounding. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

enum { BOXES = 2, N = 64, M = N / 2, ROW = N + 2, COARSE_ROW = M + 2, CELLS = ROW * ROW * ROW };

typedef double field[BOXES][ROW][ROW][ROW];
typedef double coarse_field[BOXES][COARSE_ROW][COARSE_ROW][COARSE_ROW];

/* The arrays of the listings, compiled as sequential C with these in place of their local arrays.
 */
field _phi, _new, _rhs, _alpha, _beta_i, _beta_j, _beta_k, _lambda, _fine;
coarse_field _coarse;
void smooth_GSRB(double a, double b, double h, int sweep);
void smooth_jacobi(double a, double b, double h, double c);
void restriction(int fine_id, int coarse_id, int fine_level);
void interpolation(int fine_id, int coarse_id, int fine_level);

/* The same text, compiled by gmg-gen. */
extern const struct gmg_kernel_descriptor gmg_kernel_smooth_GSRB_f64_native,
  gmg_kernel_smooth_jacobi_f64_native, gmg_kernel_restriction_f64_native,
  gmg_kernel_interpolation_f64_native;

static const double a = 0.75, b = 1.25, h = 0.5, c = 0.875;
static field saved, sequential, alpha, beta_i, beta_j, beta_k, out, residual;
static coarse_field coarse_sequential, coarse_out;
static double one[ROW], half[ROW];
static int even[ROW], odd[ROW], parent[ROW];

/* What a kernel's field is bound to: element 0 of a line or table, element (0, 0, 0) of the first
 * box of a field. */
struct binding {
  const char *name;
  void *at;
  size_t box; /* doubles from box to box */
};

static unsigned long long state = 1;
static int comparisons;

static double random_value(double low, double high)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}

static void fill(void *array, size_t count, double low, double high)
{
  for (size_t n = 0; n < count; n++)
    ((double *)array)[n] = random_value(low, high);
}

static int worse(const char *what, const void *one_array, const void *other_array, size_t count)
{
  const double *x = one_array, *y = other_array;
  double most = 0, size = 0;
  comparisons++;
  for (size_t n = 0; n < count; n++) {
    most = isnan(x[n] - y[n]) ? INFINITY : fmax(most, fabs(x[n] - y[n]));
    size = fmax(size, fabs(x[n]));
  }
  printf("%-60s %.1e\n", what, most / size);
  return !(most <= 1e-13 * size) || size == 0;
}

static const struct gmg_kernel_descriptor *find(const char *name)
{
  const struct gmg_kernel_library *library = gmg_kernel_libraries[0];
  const struct gmg_operator_descriptor *op = library->operator_[0];
  for (int k = 0; k < op->kernels; k++)
    if (strcmp(op->kernel[k]->name, name) == 0 && op->kernel[k]->precision == GMG_F64
        && !op->kernel[k]->variant[0])
      return op->kernel[k];
  for (int k = 0; k < library->kernels; k++)
    if (strcmp(library->kernel[k]->name, name) == 0 && library->kernel[k]->precision == GMG_F64)
      return library->kernel[k];
  fprintf(stderr, "kernel %s was not generated\n", name);
  exit(1);
}

static void bind(const struct gmg_kernel_descriptor *kernel, const struct binding *binding, int f,
                 void *pointer[BOXES])
{
  while (binding->name && strcmp(binding->name, kernel->field[f].name) != 0)
    binding++;
  if (!binding->name) {
    fprintf(stderr, "kernel %s needs '%s'\n", kernel->name, kernel->field[f].name);
    exit(1);
  }
  for (int box = 0; box < BOXES; box++)
    pointer[box] = (double *)binding->at + (size_t)box * binding->box;
}

/* Runs a kernel on all boxes. on_coarse: its loops run over the coarse cells. */
static void run(const struct gmg_kernel_descriptor *kernel, int on_coarse,
                const struct binding *binding, const double *scalar)
{
  static double scratch[12 * (N + 64) + 32 + GMG_KNOWN_BYTES / 8] __attribute__((aligned(64)));
  memset(scratch, 0xff, sizeof scratch);
  void *pointer[GMG_MAX_FIELDS][BOXES];
  struct gmg_tile tile[BOXES];
  struct gmg_kernel_box where[BOXES];
  const int own = on_coarse ? M : N, other = on_coarse ? N : M;
  for (int box = 0; box < BOXES; box++) {
    tile[box] = (struct gmg_tile){box, 0, own, 0, own, NULL};
    where[box] = (struct gmg_kernel_box){.cells = {own, own, own},
                                         .other_cells = {other, other, other},
                                         .stride = {own + 2, (own + 2) * (own + 2)},
                                         .other_stride = {other + 2, (other + 2) * (other + 2)}};
  }
  struct gmg_kernel_args args = {.tiles = BOXES,
                                 .tile = tile,
                                 .box = where,
                                 .threads = 1,
                                 .scratch = scratch,
                                 .scratch_stride = sizeof scratch};
  for (int f = 0; f < kernel->fields; f++) {
    bind(kernel, binding, f, pointer[f]);
    args.field[f] = pointer[f];
  }
  for (int s = 0, given = 0; s < kernel->scalars; s++)
    args.scalar[s] = strcmp(kernel->scalar[s], "only") == 0 ? 0 : scalar[given++];
  kernel->run(&args);
}

#define CELL_OF(array) &array[0][1][1][1], CELLS
#define CORNER_OF(array) &array[0][0][0][0], CELLS
#define COARSE_CORNER_OF(array) &array[0][0][0][0], COARSE_ROW *COARSE_ROW *COARSE_ROW

/* Listing 1 and its Jacobi form. lambda = 1 / diagonal, omega = 1, β scaled by b / h², α by a,
 * cells of volume 1. */
static int smoothers(void)
{
  int bad = 0;
  const struct binding listing[] = {
    {"_phi", CELL_OF(out)},        {"_new", CELL_OF(_new)},       {"_rhs", CELL_OF(_rhs)},
    {"_alpha", CELL_OF(_alpha)},   {"_beta_i", CELL_OF(_beta_i)}, {"_beta_j", CELL_OF(_beta_j)},
    {"_beta_k", CELL_OF(_beta_k)}, {"_lambda", CELL_OF(_lambda)}, {NULL, NULL, 0}};
  const struct binding derived[] = {{"u", CELL_OF(out)},
                                    {"w", CELL_OF(_new)},
                                    {"f", CELL_OF(_rhs)},
                                    {"alpha", CELL_OF(alpha)},
                                    {"beta_i", CELL_OF(beta_i)},
                                    {"beta_j", CELL_OF(beta_j)},
                                    {"beta_k", CELL_OF(beta_k)},
                                    {"dinv", CELL_OF(_lambda)},
                                    {"h_i", one, 0},
                                    {"h_j", one, 0},
                                    {"h_k", one, 0},
                                    {NULL, NULL, 0}};
  memcpy(saved, _phi, sizeof saved);
  for (int sweep = 0; sweep < 4; sweep++) {
    memcpy(_phi, saved, sizeof saved);
    smooth_GSRB(a, b, h, sweep);
    memcpy(out, saved, sizeof saved);
    run(&gmg_kernel_smooth_GSRB_f64_native, 0, listing, (double[]){a, b, h, sweep});
    bad += worse("listing 1 against its sequential loops", _phi, out, BOXES * CELLS);
    memcpy(out, saved, sizeof saved);
    run(find("variable7_gauss_seidel"), 0, derived, (double[]){1, sweep % 2});
    bad += worse("listing 1 against variable7_gauss_seidel", _phi, out, BOXES * CELLS);
  }
  memcpy(_phi, saved, sizeof saved);
  memcpy(out, saved, sizeof saved);
  smooth_jacobi(a, b, h, c);
  memcpy(sequential, _new, sizeof sequential);
  memset(_new, 0, sizeof _new);
  run(&gmg_kernel_smooth_jacobi_f64_native, 0, listing, (double[]){a, b, h, c});
  bad += worse("the Jacobi form against its sequential loops", sequential, _new, BOXES * CELLS);
  memset(_new, 0, sizeof _new);
  run(find("variable7_jacobi"), 0, derived, (double[]){c});
  return bad + worse("the Jacobi form against variable7_jacobi", sequential, _new, BOXES * CELLS);
}

/* Listing 2: the mean of eight cells, with interiors that start at subscript 0. */
static int restrictions(void)
{
  int bad = 0;
  const struct binding listing[] = {
    {"_fine", CORNER_OF(_fine)}, {"_coarse", COARSE_CORNER_OF(coarse_out)}, {NULL, NULL, 0}};
  struct binding taken[] = {{"fine", CORNER_OF(_fine)},
                            {"coarse", COARSE_CORNER_OF(coarse_out)},
                            {"lo_i", even, 0},
                            {"lo_j", even, 0},
                            {"lo_k", even, 0},
                            {"hi_i", odd, 0},
                            {"hi_j", odd, 0},
                            {"hi_k", odd, 0},
                            {"low_i", half, 0},
                            {"low_j", half, 0},
                            {"low_k", half, 0},
                            {"high_i", half, 0},
                            {"high_j", half, 0},
                            {"high_k", half, 0},
                            {NULL, NULL, 0}};
  fill(_fine, BOXES * CELLS, -1, 1);
  memset(_coarse, 0, sizeof _coarse);
  restriction(0, 0, 0);
  memcpy(coarse_sequential, _coarse, sizeof _coarse);
  memset(coarse_out, 0, sizeof coarse_out);
  run(&gmg_kernel_restriction_f64_native, 1, listing, NULL);
  bad += worse("listing 2 against its sequential loops", coarse_sequential, coarse_out,
               sizeof coarse_out / sizeof(double));
  memset(coarse_out, 0, sizeof coarse_out);
  run(find("restrict_cell"), 1, taken, NULL);
  return bad
    + worse("listing 2 against restrict_cell", coarse_sequential, coarse_out,
            sizeof coarse_out / sizeof(double));
}

/* Listing 2 on the derived residual against the derived kernel that does both. */
static int residual_restriction(void)
{
  const struct binding derived[] = {{"u", CELL_OF(_phi)},
                                    {"r", CORNER_OF(_fine)},
                                    {"f", CELL_OF(_rhs)},
                                    {"alpha", CELL_OF(alpha)},
                                    {"beta_i", CELL_OF(beta_i)},
                                    {"beta_j", CELL_OF(beta_j)},
                                    {"beta_k", CELL_OF(beta_k)},
                                    {"h_i", one, 0},
                                    {"h_j", one, 0},
                                    {"h_k", one, 0},
                                    {"coarse", COARSE_CORNER_OF(coarse_out)},
                                    {"lo_i", even, 0},
                                    {"lo_j", even, 0},
                                    {"lo_k", even, 0},
                                    {"hi_i", odd, 0},
                                    {"hi_j", odd, 0},
                                    {"hi_k", odd, 0},
                                    {"low_i", half, 0},
                                    {"low_j", half, 0},
                                    {"low_k", half, 0},
                                    {"high_i", half, 0},
                                    {"high_j", half, 0},
                                    {"high_k", half, 0},
                                    {NULL, NULL, 0}};
  struct binding residual_only[sizeof derived / sizeof *derived];
  memcpy(residual_only, derived, sizeof derived);
  residual_only[1] = (struct binding){"r", CELL_OF(residual)};
  run(find("variable7_residual"), 0, residual_only, NULL);
  for (int box = 0; box < BOXES; box++)
    for (int k = 0; k < N; k++)
      for (int j = 0; j < N; j++)
        memcpy(_fine[box][k][j], &residual[box][k + 1][j + 1][1], N * sizeof(double));
  memset(_coarse, 0, sizeof _coarse);
  restriction(0, 0, 0);
  memset(coarse_out, 0, sizeof coarse_out);
  run(find("variable7_residual_restrict"), 1, derived, NULL);
  return worse("listing 2 of a residual against variable7_residual_restrict", _coarse, coarse_out,
               sizeof coarse_out / sizeof(double));
}

/* Listing 3: each coarse value added to the eight fine cells. */
static int interpolations(void)
{
  int bad = 0;
  const double whole = 1;
  const struct binding listing[] = {
    {"_fine", CORNER_OF(out)}, {"_coarse", COARSE_CORNER_OF(_coarse)}, {NULL, NULL, 0}};
  const struct binding taken[] = {{"fine", CORNER_OF(out)}, {"coarse", COARSE_CORNER_OF(_coarse)},
                                  {"parent_i", parent, 0},  {"parent_j", parent, 0},
                                  {"parent_k", parent, 0},  {NULL, NULL, 0}};
  fill(_fine, BOXES * CELLS, -1, 1);
  fill(_coarse, sizeof _coarse / sizeof(double), -1, 1);
  memcpy(saved, _fine, sizeof saved);
  interpolation(0, 0, 0);
  memcpy(out, saved, sizeof saved);
  run(&gmg_kernel_interpolation_f64_native, 1, listing, NULL);
  bad += worse("listing 3 against its sequential loops", _fine, out, BOXES * CELLS);
  memcpy(out, saved, sizeof saved);
  run(find("interpolate_constant"), 0, taken, &whole);
  return bad + worse("listing 3 against interpolate_constant", _fine, out, BOXES * CELLS);
}

/* The inverse diagonal of cells of volume 1. */
static void fill_lambda(void)
{
  for (int box = 0; box < BOXES; box++)
    for (int k = 1; k <= N; k++)
      for (int j = 1; j <= N; j++)
        for (int i = 1; i <= N; i++)
          _lambda[box][k][j][i] = 1
            / (alpha[box][k][j][i] + beta_i[box][k][j][i] + beta_i[box][k][j][i + 1]
               + beta_j[box][k][j][i] + beta_j[box][k][j + 1][i] + beta_k[box][k][j][i]
               + beta_k[box][k + 1][j][i]);
}

int main(void)
{
  field *const coefficient[] = {&_alpha, &_beta_i, &_beta_j, &_beta_k};
  field *const scaled[] = {&alpha, &beta_i, &beta_j, &beta_k};
  fill(_phi, BOXES * CELLS, -1, 1);
  fill(_rhs, BOXES * CELLS, -1, 1);
  for (int n = 0; n < 4; n++) {
    fill(coefficient[n], BOXES * CELLS, 0.5, 1.5);
    for (size_t e = 0; e < BOXES * CELLS; e++)
      ((double *)scaled[n])[e] = (n == 0 ? a : b / (h * h)) * ((double *)coefficient[n])[e];
  }
  fill_lambda();
  for (int i = 0; i < ROW; i++) {
    one[i] = 1;
    half[i] = 0.5;
    even[i] = 2 * i;
    odd[i] = 2 * i + 1;
    parent[i] = i / 2;
  }
  const int bad = smoothers() + restrictions() + residual_restriction() + interpolations();
  printf("%d of %d comparisons failed\n", bad, comparisons);
  return bad != 0;
}

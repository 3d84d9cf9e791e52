#include "kernel_reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LARGEST_TERMS = 3
}; /* |A v| of a checkerboard v is at least a third of the sum of A's absolute terms */

static double *numbers(size_t count, double value)
{
  double *memory = malloc(count * sizeof *memory);
  if (!memory)
    abort();
  for (size_t n = 0; n < count; n++)
    memory[n] = value;
  return memory;
}

static const double *dense_of(struct test_box *box, const char *name, int level)
{
  for (int n = 0; n < box->arrays; n++)
    if ((int)box->array[n].field.level == level && strcmp(box->array[n].field.name, name) == 0)
      return box->array[n].dense;
  fprintf(stderr, "no kernel names array '%s'\n", name);
  abort();
}

/* w = A u on a level by the spec. */
static void apply(struct test_box *box, const char *name, int level, double *alpha, double *u,
                  double *w)
{
  struct spec_arguments arguments;
  test_box_level_arguments(box, level, &arguments);
  spec_set_scalar(&arguments, "b", test_scalar("b"));
  if (alpha)
    spec_set_array(&arguments, "alpha", alpha);
  spec_set_array(&arguments, "u", u);
  spec_set_array(&arguments, "w", w);
  spec_find(name)(&arguments);
}

static double *uniform_alpha(const struct test_box *box, int level, int uniform)
{
  return uniform ? numbers(test_box_dense(box, level), test_scalar("alpha")) : NULL;
}

/* Ghosts by their formula, one direction after the other, so that edges and corners have it too. */
static void fill_ghosts(struct test_box *box, double *u)
{
  const int *n = box->cells[GMG_OWN];
  static const char *const low[3] = {"fold_lo_i", "fold_lo_j", "fold_lo_k"};
  static const char *const high[3] = {"fold_hi_i", "fold_hi_j", "fold_hi_k"};
  for (int d = 0; d < 3; d++) {
    const double lo = dense_of(box, low[d], GMG_OWN)[1], hi = dense_of(box, high[d], GMG_OWN)[n[d]];
    int at[3];
    for (at[2] = -1; at[2] <= n[2]; at[2]++)
      for (at[1] = -1; at[1] <= n[1]; at[1]++)
        for (at[0] = -1; at[0] <= n[0]; at[0]++) {
          if (at[d] != -1 && at[d] != n[d])
            continue;
          int from[3] = {at[0], at[1], at[2]};
          from[d] = at[d] == -1 ? 0 : n[d] - 1;
          u[test_box_at(box, GMG_OWN, at[0], at[1], at[2])] =
            (at[d] == -1 ? lo : hi) * u[test_box_at(box, GMG_OWN, from[0], from[1], from[2])];
        }
  }
}

/* Neighbours are one cell away: unit vectors two cells apart do not meet. */
static double *find_diagonal(struct test_box *box, const struct gmg_operator_descriptor *op,
                             double *alpha)
{
  const int *n = box->cells[GMG_OWN];
  const size_t count = test_box_dense(box, GMG_OWN);
  double *diagonal = numbers(count, 1), *unit = numbers(count, 0), *w = numbers(count, 0);
  for (int probe = 0; probe < 8; probe++) {
    memset(unit, 0, count * sizeof *unit);
    for (int k = probe >> 2; k < n[2]; k += 2)
      for (int j = probe >> 1 & 1; j < n[1]; j += 2)
        for (int i = probe & 1; i < n[0]; i += 2)
          unit[test_box_at(box, GMG_OWN, i, j, k)] = 1;
    if (op->boundary == GMG_GHOST_FORMULAS)
      fill_ghosts(box, unit);
    apply(box, op->name, GMG_OWN, alpha, unit, w);
    for (int k = probe >> 2; k < n[2]; k += 2)
      for (int j = probe >> 1 & 1; j < n[1]; j += 2)
        for (int i = probe & 1; i < n[0]; i += 2)
          diagonal[test_box_at(box, GMG_OWN, i, j, k)] = w[test_box_at(box, GMG_OWN, i, j, k)];
  }
  free(unit);
  free(w);
  return diagonal;
}

/* Whether any kernel of an operator reads the finer level, as those that are fused with a
 * restriction do. */
static int reads_finer(const struct gmg_operator_descriptor *op)
{
  int any = 0;
  for (int k = 0; k < op->kernels; k++)
    for (int f = 0; f < op->kernel[k]->fields; f++)
      any |= op->kernel[k]->field[f].level == GMG_FINER;
  return any;
}

struct test_applied *test_applied_make(struct test_box *box,
                                       const struct gmg_operator_descriptor *op, int uniform)
{
  if (!spec_find(op->name))
    return NULL;
  struct test_applied *applied = calloc(1, sizeof *applied);
  if (!applied || op->ghost != 1)
    abort(); /* deeper stencils need more probes */
  applied->op = op;
  applied->uniform = uniform;
  const int last = reads_finer(op) ? GMG_FINER : GMG_OWN;
  for (int level = GMG_OWN; level <= last; level++) {
    const int *n = box->cells[level];
    const size_t count = test_box_dense(box, level);
    double *alpha = uniform_alpha(box, level, uniform), *board = numbers(count, 0);
    applied->w[level] = numbers(count, 0);
    applied->size[level] = numbers(count, 0);
    apply(box, op->name, level, alpha, (double *)dense_of(box, "u", level), applied->w[level]);
    for (int k = -1; k <= n[2]; k++)
      for (int j = -1; j <= n[1]; j++)
        for (int i = -1; i <= n[0]; i++)
          board[test_box_at(box, level, i, j, k)] = (i + j + k) & 1 ? -1 : 1;
    apply(box, op->name, level, alpha, board, applied->size[level]);
    for (size_t e = 0; e < count; e++)
      applied->size[level][e] = LARGEST_TERMS * fabs(applied->size[level][e]);
    if (level == GMG_OWN)
      applied->diagonal = find_diagonal(box, op, alpha);
    free(alpha);
    free(board);
  }
  return applied;
}

void test_applied_destroy(struct test_applied *applied)
{
  if (!applied)
    return;
  for (int level = 0; level < 2; level++) {
    free(applied->w[level]);
    free(applied->size[level]);
  }
  free(applied->diagonal);
  free(applied);
}

/* Makes zeros of the values in cells that do not count. */
static void count(const struct test_box *box, const struct test_only *only, int level,
                  double *value)
{
  const int *n = box->cells[level], *lower = only->lower[level];
  for (int k = 0; k < n[2]; k++)
    for (int j = 0; j < n[1]; j++)
      for (int i = 0; i < n[0]; i++)
        if (only->only && (lower[0] + i + lower[1] + j + lower[2] + k) % 2 != only->only - 1)
          value[test_box_at(box, level, i, j, k)] = 0;
}

/* coarse = restriction of f - A u, and of the sizes of its terms */
static void restrict_residual(struct test_box *box, const struct test_applied *applied,
                              const struct gmg_kernel_descriptor *kernel,
                              const struct test_only *only, struct test_reference *reference)
{
  const size_t cells = test_box_dense(box, GMG_FINER);
  const double *f = dense_of(box, "f", GMG_FINER);
  double *residual = numbers(cells, 0), *size = numbers(cells, 0);
  for (size_t e = 0; e < cells; e++) {
    residual[e] = f[e] - applied->w[GMG_FINER][e];
    size[e] = fabs(f[e]) + applied->size[GMG_FINER][e];
  }
  count(box, only, GMG_FINER, residual);
  struct spec_arguments arguments;
  test_box_kernel_arguments(box, kernel, &arguments);
  spec_set_array(&arguments, "fine", residual);
  spec_set_array(&arguments, "coarse", reference->value);
  spec_find("restrict_cell")(&arguments);
  spec_set_array(&arguments, "fine", size);
  spec_set_array(&arguments, "coarse", reference->scale);
  spec_find("restrict_cell")(&arguments);
  free(residual);
  free(size);
}

/* Sum of squares and maximum of weight (f - A u) / volume along a row of a level: added. */
static void norm_of_row(struct test_box *box, const struct test_applied *applied, int level, int j,
                        int k, double weight, const struct test_only *only, long double sum[2],
                        struct test_reference *reference)
{
  const double *f = dense_of(box, "f", level), *h_i = dense_of(box, "h_i", level),
               *h_j = dense_of(box, "h_j", level), *h_k = dense_of(box, "h_k", level);
  for (int i = 0; i < box->cells[level][0]; i++) {
    const size_t at = test_box_at(box, level, i, j, k);
    const int *lower = only->lower[level];
    if (only->only && (lower[0] + i + lower[1] + j + lower[2] + k) % 2 != only->only - 1)
      continue;
    const double volume = h_k[k + 1] * h_j[j + 1] * h_i[i + 1],
                 r = weight * fabs(f[at] - applied->w[level][at]) / volume,
                 scale = weight * (fabs(f[at]) + applied->size[level][at]) / volume;
    sum[0] += (long double)r * r;
    sum[1] += (2 * r + 1e-5 * scale) * scale;
    reference->most = fmax(reference->most, r);
    reference->most_scale = fmax(reference->most_scale, scale);
  }
}

static void finish_norm(const long double sum[2], struct test_reference *reference)
{
  reference->sum = (double)sum[0];
  reference->sum_scale = (double)sum[1];
  reference->term = reference->most * reference->most;
}

static void norm_of_residual(struct test_box *box, const struct test_applied *applied,
                             const struct test_only *only, struct test_reference *reference)
{
  long double sum[2] = {0, 0};
  for (int k = 0; k < box->cells[GMG_OWN][2]; k++)
    for (int j = 0; j < box->cells[GMG_OWN][1]; j++)
      norm_of_row(box, applied, GMG_OWN, j, k, 1, only, sum, reference);
  finish_norm(sum, reference);
}

enum { TERM_FACES = 7 };

/* The conductances of faces where an operator has them as lines: of every second face along one
 * axis, or with `which` 0 none; α then counts, and else does not. A cell sees one face or none. */
static void set_faces(struct test_box *box, struct spec_arguments *arguments, int which,
                      double *const alpha[2], double *const line[3])
{
  static const char *const names[3] = {"g_i", "g_j", "g_k"};
  const int *n = box->cells[GMG_OWN];
  spec_set_array(arguments, "alpha", alpha[which > 0]);
  for (int d = 0; d < 3; d++) {
    const double *g = dense_of(box, names[d], GMG_OWN);
    for (int f = 0; f < n[d] + 2; f++)
      line[d][f] = which > 0 && (which - 1) / 2 == d && f % 2 == (which - 1) % 2 ? g[f] : 0;
    spec_set_array(arguments, names[d], line[d]);
  }
}

/* Adds |w|, of A applied to every third value along each axis, of which a cell sees one; and where
 * it has lines of conductances to one face at a time: its terms are products of one value and one
 * face. */
static void add_terms(struct test_box *box, const struct test_applied *applied, int class,
                      const double *u, double *part, double *w, double *size)
{
  enum { APART = 3 };
  const size_t count = test_box_dense(box, GMG_OWN);
  const int *n = box->cells[GMG_OWN], lines = applied->op->boundary == GMG_GHOST_FORMULAS;
  double *alpha[2] = {uniform_alpha(box, GMG_OWN, applied->uniform), numbers(count, 0)}, *line[3];
  struct spec_arguments arguments;
  for (int d = 0; d < 3; d++)
    line[d] = numbers((size_t)n[d] + 2, 0);
  alpha[0] = alpha[0] ? alpha[0] : numbers(count, 0);
  if (!applied->uniform)
    memcpy(alpha[0], dense_of(box, "alpha", GMG_OWN), count * sizeof *alpha[0]);
  for (int k = -1; k <= n[2]; k++)
    for (int j = -1; j <= n[1]; j++)
      for (int i = -1; i <= n[0]; i++) {
        const size_t at = test_box_at(box, GMG_OWN, i, j, k);
        const int own =
          (i + 1) % APART + APART * ((j + 1) % APART) + APART * APART * ((k + 1) % APART);
        part[at] = own == class ? u[at] : 0;
      }
  for (int which = 0; which < (lines ? TERM_FACES : 1); which++) {
    test_box_level_arguments(box, GMG_OWN, &arguments);
    spec_set_scalar(&arguments, "b", test_scalar("b"));
    spec_set_array(&arguments, "alpha", alpha[0]);
    if (lines)
      set_faces(box, &arguments, which, alpha, line);
    spec_set_array(&arguments, "u", part);
    spec_set_array(&arguments, "w", w);
    spec_find(applied->op->name)(&arguments);
    for (size_t e = 0; e < count; e++)
      size[e] += fabs(w[e]);
  }
  free(alpha[0]);
  free(alpha[1]);
  for (int d = 0; d < 3; d++)
    free(line[d]);
}

/* Sum of squares and maximum of the sum of the sizes of all terms of A u, over the volume. */
static void norm_of_terms(struct test_box *box, const struct test_applied *applied,
                          struct test_reference *reference)
{
  enum { CLASSES = 27 };
  const size_t count = test_box_dense(box, GMG_OWN);
  const double *u = dense_of(box, "u", GMG_OWN), *h_i = dense_of(box, "h_i", GMG_OWN),
               *h_j = dense_of(box, "h_j", GMG_OWN), *h_k = dense_of(box, "h_k", GMG_OWN);
  const int *n = box->cells[GMG_OWN];
  double *part = numbers(count, 0), *w = numbers(count, 0), *size = numbers(count, 0);
  for (int class = 0; class < CLASSES; class ++)
    add_terms(box, applied, class, u, part, w, size);
  long double sum[2] = {0, 0};
  for (int k = 0; k < n[2]; k++)
    for (int j = 0; j < n[1]; j++)
      for (int i = 0; i < n[0]; i++) {
        const double value =
          size[test_box_at(box, GMG_OWN, i, j, k)] / (h_k[k + 1] * h_j[j + 1] * h_i[i + 1]);
        sum[0] += (long double)value * value;
        reference->most = fmax(reference->most, value);
      }
  sum[1] = 2 * sum[0];
  reference->most_scale = reference->most;
  finish_norm(sum, reference);
  free(part);
  free(w);
  free(size);
}

/* Every child along j and k with its weights, which a residual's restriction has as 0 and 1. */
static void norm_of_children(struct test_box *box, const struct test_applied *applied,
                             const struct test_only *only, struct test_reference *reference)
{
  const double *weight[3][2] = {
    {NULL, NULL},
    {dense_of(box, "low_j", GMG_OWN), dense_of(box, "high_j", GMG_OWN)},
    {dense_of(box, "low_k", GMG_OWN), dense_of(box, "high_k", GMG_OWN)}};
  long double sum[2] = {0, 0};
  for (int k = 0; k < box->cells[GMG_OWN][2]; k++)
    for (int j = 0; j < box->cells[GMG_OWN][1]; j++)
      for (int child = 0; child < 4; child++) {
        const int up = child & 1, back = child >> 1;
        norm_of_row(box, applied, GMG_FINER, up ? box->hi[1][j] : box->lo[1][j],
                    back ? box->hi[2][k] : box->lo[2][k],
                    weight[1][up][j + 1] * weight[2][back][k + 1], only, sum, reference);
      }
  finish_norm(sum, reference);
}

/* Whether a kernel reads the inverse diagonal; else it sums the diagonal. */
static int reads_inverse(const struct gmg_kernel_descriptor *kernel)
{
  for (int f = 0; f < kernel->fields; f++)
    if (strcmp(kernel->field[f].name, "dinv") == 0)
      return 1;
  return 0;
}

void test_reference_derived(struct test_box *box, const struct test_applied *applied,
                            const struct gmg_kernel_descriptor *kernel,
                            const struct test_only *only, struct test_reference *reference)
{
  const size_t cells = test_box_dense(box, GMG_OWN);
  memset(reference, 0, sizeof *reference);
  reference->value = numbers(cells, 0);
  reference->scale = numbers(cells, 1);
  if (kernel->role == GMG_RESIDUAL_RESTRICT || kernel->role == GMG_RESTRICT_NORM)
    restrict_residual(box, applied, kernel, only, reference);
  if (kernel->role == GMG_RESTRICT_NORM)
    norm_of_children(box, applied, only, reference);
  if (kernel->role == GMG_RESIDUAL_NORM || kernel->role == GMG_RESIDUAL_SINGLE
      || kernel->role == GMG_NORM_PART)
    norm_of_residual(box, applied, only, reference);
  if (kernel->role == GMG_TERMS_NORM)
    norm_of_terms(box, applied, reference);
  if (kernel->role == GMG_RESIDUAL_RESTRICT || kernel->role == GMG_RESIDUAL_NORM
      || kernel->role == GMG_RESTRICT_NORM || kernel->role == GMG_NORM_PART
      || kernel->role == GMG_TERMS_NORM)
    return;
  const double *u = dense_of(box, "u", GMG_OWN), *w = dense_of(box, "w", GMG_OWN),
               *f = dense_of(box, "f", GMG_OWN), *dinv = dense_of(box, "dinv", GMG_OWN);
  const double omega = test_scalar("omega"), s = test_scalar("s"), c1 = test_scalar("c1"),
               c2 = test_scalar("c2");
  const int stored = reads_inverse(kernel);
  for (size_t e = 0; e < cells; e++) {
    const double Au = applied->w[0][e], r = f[e] - Au, d = applied->diagonal[e],
                 size = applied->size[0][e], inverse = stored ? dinv[e] : 1 / d,
                 terms = stored ? 1 : 1 + size / fabs(d),
                 step = terms * fabs(inverse) * (size + fabs(f[e]));
    double *value = &reference->value[e], *scale = &reference->scale[e];
    switch (kernel->role) {
    case GMG_APPLY:
      *value = Au, *scale = size;
      break;
    case GMG_RESIDUAL:
    case GMG_RESIDUAL_PART:
      *value = r, *scale = size + fabs(f[e]);
      break;
    case GMG_RESIDUAL_SINGLE:
      *value = s * r, *scale = fabs(s) * (size + fabs(f[e]));
      break;
    case GMG_INVERSE_DIAGONAL:
      *value = 1 / d, *scale = size / (d * d);
      break;
    case GMG_JACOBI:
    case GMG_GAUSS_SEIDEL:
    case GMG_GAUSS_SEIDEL_SUMS:
    case GMG_GAUSS_SEIDEL_ROWS: /* of its first colour */
      *value = u[e] + omega * inverse * r, *scale = fabs(u[e]) + omega * step;
      break;
    case GMG_ZERO_FIRST:
      *value = omega * inverse * f[e], *scale = omega * terms * fabs(inverse * f[e]);
      break;
    case GMG_ZERO_SECOND:
      *value = omega * inverse * (r + d * u[e]), *scale = omega * step;
      break;
    default: /* GMG_CHEBYSHEV */
      *value = u[e] + c1 * (u[e] - w[e]) + c2 * dinv[e] * r;
      *scale = (1 + c1) * fabs(u[e]) + c1 * fabs(w[e]) + c2 * step;
    }
  }
  if (kernel->role == GMG_RESIDUAL_PART)
    count(box, only, GMG_OWN, reference->value);
}

/* Specs have no subtractions: with absolute values throughout, they give the sum of the absolute
 * terms. */
static void make_absolute(struct spec_arguments *arguments,
                          const struct gmg_kernel_descriptor *kernel, struct test_box *box,
                          double **copy)
{
  for (int f = 0; f < kernel->fields; f++) {
    const struct gmg_field_descriptor *field = &kernel->field[f];
    copy[f] = NULL;
    if (field->kind != GMG_FIELD)
      continue;
    const size_t count = test_box_dense(box, field->level);
    const double *value = test_box_find(box, field)->dense;
    copy[f] = numbers(count, 0);
    for (size_t e = 0; e < count; e++)
      copy[f][e] = fabs(value[e]);
    spec_set_array(arguments, field->name, copy[f]);
  }
  for (int s = 0; s < arguments->scalars; s++)
    arguments->scalar[s].value = fabs(arguments->scalar[s].value);
}

/* The largest |term| of a sum whose terms are products of all its fields, or squares of what its
 * field is per volume. */
static double largest_product(struct test_box *box, const struct gmg_kernel_descriptor *kernel)
{
  const int *n = box->cells[GMG_OWN], squares = strcmp(kernel->name, "density_squares") == 0;
  double most = 0;
  for (int k = 0; k < n[2]; k++)
    for (int j = 0; j < n[1]; j++)
      for (int i = 0; i < n[0]; i++) {
        const int at[3] = {i, j, k};
        double product = 1;
        for (int f = 0; f < kernel->fields; f++) {
          const struct gmg_field_descriptor *field = &kernel->field[f];
          const double *value = test_box_find(box, field)->dense;
          const double factor = value[field->kind == GMG_LINE ? (size_t)at[field->axis] + 1
                                                              : test_box_at(box, GMG_OWN, i, j, k)];
          product *= squares && field->kind == GMG_LINE ? 1 / factor : factor;
        }
        most = fmax(most, squares ? product * product : fabs(product));
      }
  return most;
}

/* What the kernels of operators/range.c make of a value, and the one above it along an axis. */
static double range_term(const char *name, double value, double above)
{
  if (strcmp(name, "look_positive") == 0)
    return value + 1 / sqrt(value);
  if (strcmp(name, "look_not_negative") == 0)
    return sqrt(test_scalar("factor") * value);
  if (strcmp(name, "look_difference") == 0)
    return fabs(test_scalar("factor") * value - test_scalar("constant"));
  const double ratio = fmax(above / value, value / above);
  return strncmp(name, "look_steps_", 11) == 0 ? ratio > test_scalar("ratio") : ratio;
}

/* The largest ratio of the kernel's first field and another in a cell. */
static double largest_of_fields(struct test_box *box, const struct gmg_kernel_descriptor *kernel)
{
  const int *n = box->cells[GMG_OWN];
  const double *first = test_box_find(box, &kernel->field[0])->dense;
  double most = 0;
  for (int f = 1; f < kernel->fields; f++) {
    const double *other = test_box_find(box, &kernel->field[f])->dense;
    for (int k = 0; k < n[2]; k++)
      for (int j = 0; j < n[1]; j++)
        for (int i = 0; i < n[0]; i++) {
          const double ratio =
            first[test_box_at(box, GMG_OWN, i, j, k)] / other[test_box_at(box, GMG_OWN, i, j, k)];
          most = fmax(most, fmax(ratio, 1 / ratio));
        }
  }
  return most;
}

static double largest_of_range(struct test_box *box, const struct gmg_kernel_descriptor *kernel)
{
  if (strcmp(kernel->name, "low_face_ratio") == 0)
    return largest_of_fields(box, kernel);
  const double *value = test_box_find(box, &kernel->field[0])->dense;
  const int *n = box->cells[GMG_OWN], place = (int)kernel->field[0].place - (int)GMG_FACE_I;
  double most = 0;
  for (int k = 0; k < n[2]; k++)
    for (int j = 0; j < n[1]; j++)
      for (int i = 0; i < n[0]; i++)
        most = fmax(most,
                    range_term(kernel->name, value[test_box_at(box, GMG_OWN, i, j, k)],
                               value[test_box_at(box, GMG_OWN, i + (place == 0), j + (place == 1),
                                                 k + (place == 2))]));
  return most;
}

static int is_of_range(const struct gmg_kernel_descriptor *kernel)
{
  return strncmp(kernel->name, "face_ratio_", 11) == 0
    || strcmp(kernel->name, "low_face_ratio") == 0
    || (strncmp(kernel->name, "look_", 5) == 0 && strcmp(kernel->name, "look_finite") != 0);
}

/* No value of the kernel "eliminate" is larger, nor are those that it is made of. */
#define ELIMINATE_SCALE 64

void test_reference_written(struct test_box *box, const struct gmg_kernel_descriptor *kernel,
                            int written, spec_function *spec, struct test_reference *reference)
{
  const size_t count = test_box_dense(box, GMG_OWN);
  struct spec_arguments arguments;
  double *copy[GMG_MAX_FIELDS], *output[GMG_MAX_FIELDS] = {NULL};
  memset(reference, 0, sizeof *reference);
  test_box_kernel_arguments(box, kernel, &arguments);
  for (int f = 0; f < kernel->fields; f++)
    if (kernel->field[f].written) {
      output[f] = numbers(count, 0);
      memcpy(output[f], test_box_find(box, &kernel->field[f])->dense, count * sizeof *output[f]);
      spec_set_array(&arguments, kernel->field[f].name, output[f]);
    }
  reference->value = written < 0 ? NULL : output[written];
  reference->sum = spec(&arguments);
  make_absolute(&arguments, kernel, box, copy);
  reference->sum_scale =
    spec(&arguments) * (1 + sqrt((double)count)); /* the spec adds in sequence */
  if (reference->value && strcmp(kernel->name, "eliminate") == 0)
    for (size_t e = 0; e < count; e++) /* it divides: sums of sizes say nothing */
      copy[written][e] = ELIMINATE_SCALE;
  if (!reference->value)
    reference->term = reference->most = reference->most_scale =
      is_of_range(kernel) ? largest_of_range(box, kernel) : largest_product(box, kernel);
  for (int f = 0; f < kernel->fields; f++)
    if (f == written) {
      reference->scale = copy[f];
    } else {
      free(copy[f]);
      free(output[f]);
    }
}

void test_reference_clear(struct test_reference *reference)
{
  free(reference->value);
  free(reference->scale);
  memset(reference, 0, sizeof *reference);
}

int test_colour(const struct gmg_operator_descriptor *op, const int lower[3], int i, int j, int k)
{
  const int at[3] = {lower[0] + i, lower[1] + j, lower[2] + k}, *m = op->modulus;
  if (op->parity)
    return (at[0] + at[1] + at[2]) % 2;
  return at[0] % m[0] + m[0] * (at[1] % m[1] + m[1] * (at[2] % m[2]));
}

void test_sweep(struct test_box *box, const struct gmg_operator_descriptor *op, int uniform,
                int colour, double *u)
{
  const int *n = box->cells[GMG_OWN];
  const double *f = dense_of(box, "f", GMG_OWN), *dinv = dense_of(box, "dinv", GMG_OWN);
  double *alpha = uniform_alpha(box, GMG_OWN, uniform),
         *w = numbers(test_box_dense(box, GMG_OWN), 0);
  double *diagonal = find_diagonal(box, op, alpha);
  int stored = 0;
  for (int k = 0; k < op->kernels; k++)
    stored |= op->kernel[k]->role == GMG_GAUSS_SEIDEL && reads_inverse(op->kernel[k]);
  for (int k = 0; k < n[2]; k++)
    for (int j = 0; j < n[1]; j++)
      for (int i = 0; i < n[0]; i++) {
        if (test_colour(op, box->lower, i, j, k) != colour)
          continue;
        const size_t at = test_box_at(box, GMG_OWN, i, j, k);
        apply(box, op->name, GMG_OWN, alpha, u, w);
        u[at] += test_scalar("omega") * (stored ? dinv[at] : 1 / diagonal[at]) * (f[at] - w[at]);
      }
  free(diagonal);
  free(alpha);
  free(w);
}

/* Whether the steps of a program are stable: by Fourier analysis (von Neumann). */
#include "leap_walls.h"

#include "programs/ghosts.h"

#include <math.h>
#include <string.h>

enum { MOST_FREQUENCIES = 33, FEW_FREQUENCIES = 17 };

/* Frequencies along an axis, and e^(i offset θ) of each, for offsets up to the reach. */
struct waves {
  int count, reach;
  double complex *factor;
};

/* What the growth of waves is found from. matrix: of the states that matter, `index` of all. */
struct analysis {
  const struct gmg_step_weights *weights;
  struct waves waves[3];
  double complex *entry;
  int states, index[GMG_GROWTH_STATES];
  double most;
};

static double complex factor_of(const struct waves *waves, int frequency, int offset)
{
  return waves->factor[frequency * (ptrdiff_t)(2 * waves->reach + 1) + waves->reach + offset];
}

/* The basis that the first array with one has along an axis. */
static enum gmg_basis_kind find_basis(const struct gmg_program *program, int axis)
{
  enum gmg_basis_kind kind = GMG_BASIS_NONE;
  for (int a = 0; a < program->made->arrays && kind == GMG_BASIS_NONE; a++)
    kind = gmg_leap_basis_of(&program->made->array[a], axis);
  return kind;
}

/* The n-th of `count` frequencies from the lowest to the highest that the grid has. */
static double angle_of(enum gmg_basis_kind kind, int cells, int n, int count)
{
  const double pi = 3.14159265358979323846, part = count > 1 ? (double)n / (count - 1) : 0;
  const int top = kind == GMG_BASIS_PERIODIC ? cells / 2 : cells - 1;
  return kind == GMG_BASIS_NONE
    ? pi * part
    : acos(fmax(-1, fmin(1, gmg_basis_cosine(kind, cells, (int)(part * top + 0.5), 1))));
}

/* Along x frequencies from 0 to π are enough, since those of minus all three grow alike. */
static int make_waves(const struct gmg_program *program, int axis, int most, int reach,
                      struct waves *waves)
{
  const enum gmg_basis_kind kind = find_basis(program, axis);
  const int cells = program->cells[axis],
            there = kind == GMG_BASIS_PERIODIC ? cells / 2 + 1 : cells,
            half = there < most ? there : most, signs = axis > 0 && half > 1 ? 2 : 1;
  waves->count = signs * half;
  waves->reach = reach;
  waves->factor = gmg_calloc((size_t)waves->count * (2 * (size_t)reach + 1), sizeof *waves->factor);
  if (!waves->factor)
    return -1;
  double complex *next = waves->factor;
  for (int n = 0; n < waves->count; n++) {
    const double angle = angle_of(kind, cells, n % half, half) * (n < half ? 1 : -1);
    for (int offset = -reach; offset <= reach; offset++)
      *next++ = cos(offset * angle) + I * sin(offset * angle);
  }
  return 0;
}

/* The states that steps change and read: others pass no error on. */
static void find_states(struct analysis *a)
{
  const struct gmg_step_weights *w = a->weights;
  struct gmg_growth_matrix matrix;
  for (int n = 0; n < w->entries; n++) { /* positive, so that nothing cancels */
    a->entry[n] = 0;
    for (int t = w->entry[n].first; t < w->entry[n].first + w->entry[n].terms; t++)
      a->entry[n] += fabs(w->weight[t]);
  }
  gmg_step_weights_matrix(w, a->entry, &matrix);
  for (int s = 0; s < w->states; s++) {
    int read = 0;
    for (int to = 0; to < w->states; to++)
      read |= matrix.a[to][s] != 0;
    if (read && gmg_program_changes(w->made, w->array[s]))
      a->index[a->states++] = s;
  }
}

static void look_at(struct analysis *a, const int frequency[3])
{
  const struct gmg_step_weights *w = a->weights;
  struct gmg_growth_matrix all, matrix = {.n = a->states};
  for (int n = 0; n < w->entries; n++) {
    a->entry[n] = 0;
    for (int t = w->entry[n].first; t < w->entry[n].first + w->entry[n].terms; t++) {
      double complex value = w->weight[t];
      for (int d = 0; d < 3; d++)
        if (w->term[t].offset[d])
          value *= factor_of(&a->waves[d], frequency[d], w->term[t].offset[d]);
      a->entry[n] += value;
    }
  }
  gmg_step_weights_matrix(w, a->entry, &all);
  for (int i = 0; i < a->states; i++)
    for (int j = 0; j < a->states; j++)
      matrix.a[i][j] = all.a[a->index[i]][a->index[j]];
  const double radius = gmg_growth_radius(&matrix, a->most);
  a->most = radius > a->most ? radius : a->most;
}

static gmg_status find_growth(const struct gmg_program *program, struct analysis *a)
{
  const struct gmg_step_weights *w = a->weights;
  int n[3], failed = 0;
  a->entry = gmg_calloc((size_t)w->entries + 1, sizeof *a->entry);
  if (a->entry)
    find_states(a);
  const int most = a->states > 2 ? FEW_FREQUENCIES : MOST_FREQUENCIES;
  for (int d = 0; d < 3 && a->entry && !failed; d++)
    failed = make_waves(program, d, most, w->reach[d], &a->waves[d]);
  if (!a->entry || failed)
    return gmg_no_memory(program->context, "for the waves of program %s", program->made->name);
  for (n[2] = 0; n[2] < a->waves[2].count; n[2]++)
    for (n[1] = 0; n[1] < a->waves[1].count; n[1]++)
      for (n[0] = 0; n[0] < a->waves[0].count; n[0]++)
        look_at(a, n);
  return GMG_OK;
}

gmg_status gmg_program_growth(const gmg_program *program, double *growth, int *stable)
{
  static const char call[] = "gmg_program_growth";
  if (!program)
    return GMG_ERR_ARGUMENT;
  if (!growth || !stable)
    return gmg_fail(program->context, GMG_ERR_ARGUMENT, "%s: an argument is NULL", call);
  struct gmg_step_weights weights;
  struct analysis analysis = {.weights = &weights};
  gmg_status status = gmg_step_weights_find(program, call, &weights);
  if (!status)
    status = find_growth(program, &analysis);
  if (!status) {
    *growth = analysis.most;
    *stable = analysis.most <= 1 + gmg_growth_rounding(analysis.states);
  }
  for (int d = 0; d < 3; d++)
    gmg_free(analysis.waves[d].factor);
  gmg_free(analysis.entry);
  gmg_step_weights_clear(&weights);
  return status;
}

#include "leap_modes.h"

#include "fourier/wave_power.h"

#include <string.h>

enum { SIGNS = 4, CORNERS = 8 };

/* ---- tables ---- */

static int make_axis(enum gmg_basis_kind kind, struct gmg_leap_axis *axis)
{
  const int n = axis->cells, reach = axis->reach;
  axis->factor = gmg_calloc((2 * (size_t)reach + 1) * (size_t)n, sizeof *axis->factor);
  if (!axis->factor)
    return -1;
  for (int offset = -reach; offset <= reach; offset++)
    for (int place = 0; place < n; place++) {
      const int k = axis->paired ? gmg_basis_paired(n, place) : place;
      axis->factor[(reach + offset) * (ptrdiff_t)n + place] = gmg_basis_cosine(kind, n, k, offset)
        + (axis->paired ? I * gmg_basis_sine(kind, n, k, offset) : 0);
    }
  return 0;
}

int gmg_leap_modes_create(const struct gmg_step_weights *w, const struct gmg_leap_bases *bases,
                          const int cells[3], int threads, struct gmg_leap_modes *m)
{
  const size_t entries = (size_t)w->entries + 1, offsets = 2 * (size_t)w->reach[0] + 1;
  *m = (struct gmg_leap_modes){.weights = w, .threads = threads, .scale = 1};
  m->sum = gmg_calloc((size_t)threads * entries * offsets * SIGNS, sizeof *m->sum);
  m->entry = gmg_calloc((size_t)threads * entries, sizeof *m->entry);
  int failed = !m->sum || !m->entry;
  for (int d = 0; d < 3 && !failed; d++) {
    m->axis[d] =
      (struct gmg_leap_axis){.cells = cells[d], .reach = w->reach[d], .paired = bases->paired[d]};
    failed = make_axis(bases->kind[d], &m->axis[d]) != 0;
  }
  return failed ? -1 : 0;
}

void gmg_leap_modes_clear(struct gmg_leap_modes *m)
{
  for (int d = 0; d < 3; d++)
    gmg_free(m->axis[d].factor);
  gmg_free(m->sum);
  gmg_free(m->entry);
  *m = (struct gmg_leap_modes){.threads = 0};
}

/* ---- waves ---- */

/* At a place: 2, the first of a pair; 0, the second; 1, a wave by itself. */
static int width_of(const struct gmg_leap_axis *axis, int place)
{
  const int k = axis->paired ? gmg_basis_paired(axis->cells, place) : 0;
  return k == 0 || 2 * k == axis->cells ? 1 : place % 2 ? 0 : 2;
}

/* backwards: of the wave that runs the other way. */
static double complex factor_of(const struct gmg_leap_axis *axis, int place, int offset,
                                int backwards)
{
  const int shift = backwards ? -offset : offset;
  return axis->factor[(axis->reach + shift) * (ptrdiff_t)axis->cells + place];
}

/* Waves of a row: their places along y and z, and in the box. */
struct row {
  int box, j, k, width[3];
  ptrdiff_t first;
  double complex *sum, *entry;
};

static ptrdiff_t offsets_of(const struct gmg_leap_modes *m)
{
  return 2 * (ptrdiff_t)m->weights->reach[0] + 1;
}

static double complex *sum_of(const struct gmg_leap_modes *m, const struct row *row, int signs)
{
  return row->sum + signs * offsets_of(m) * m->weights->entries;
}

/* By what each entry multiplies the row's waves, but for its factor along x. */
static void sum_row(const struct gmg_leap_modes *m, const struct row *row, int signs)
{
  const struct gmg_step_weights *w = m->weights;
  double complex *sum = sum_of(m, row, signs);
  memset(sum, 0, (size_t)offsets_of(m) * (size_t)w->entries * sizeof *sum);
  for (int n = 0; n < w->entries; n++)
    for (int t = w->entry[n].first; t < w->entry[n].first + w->entry[n].terms; t++) {
      const int *offset = w->term[t].offset;
      sum[n * offsets_of(m) + w->reach[0] + offset[0]] += w->weight[t]
        * factor_of(&m->axis[1], row->j, offset[1], signs & 1)
        * factor_of(&m->axis[2], row->k, offset[2], signs >> 1);
    }
}

/* The sum of a pair's coefficients is that of cos θ, the difference that of sin θ. Puts the
 * amplitudes of e^(iθ) and e^(-iθ), times 2, in their place, or the coefficients back. */
static void turn_pair(double complex *first, double complex *second, int back)
{
  const double complex sum = *first + *second, difference = *first - *second;
  if (back) {
    *first = (sum + I * difference) / 4;
    *second = (sum - I * difference) / 4;
  } else {
    *first = sum - I * difference;
    *second = sum + I * difference;
  }
}

/* Whether the corner is one of the group. */
static int is_there(const int width[3], int corner)
{
  for (int d = 0; d < 3; d++)
    if (width[d] < 2 && (corner >> d & 1))
      return 0;
  return 1;
}

/* The waves of a group, by corner: those of pairs along several axes belong together. */
static void turn_group(const struct gmg_leap_modes *m, const int width[3], int back,
                       struct gmg_wave wave[CORNERS])
{
  for (int d = 0; d < 3; d++)
    for (int c = 0; c < CORNERS && width[d] == 2; c++)
      for (int s = 0; s < m->weights->states && is_there(width, c) && !(c >> d & 1); s++) {
        turn_pair(&wave[c].value[s], &wave[c | 1 << d].value[s], back);
        if (!back)
          turn_pair(&wave[c].source[s], &wave[c | 1 << d].source[s], back);
      }
}

static ptrdiff_t element_of(const struct gmg_leap_modes *m, const struct row *row, int i,
                            int corner)
{
  const ptrdiff_t *stride = m->storage->stride[row->box];
  return row->first + i + (corner & 1) + (corner >> 1 & 1) * stride[0] + (corner >> 2) * stride[1];
}

/* The group at place i of the row, the n-th of the box. */
static void run_group(const struct gmg_leap_modes *m, const struct row *row, int i, int n)
{
  const struct gmg_step_weights *w = m->weights;
  const int sourced = m->source[0] != NULL;
  struct gmg_wave wave[CORNERS];
  struct gmg_growth_matrix matrix;
  for (int c = 0; c < CORNERS; c++)
    for (int s = 0; s < w->states && is_there(row->width, c); s++) {
      wave[c].value[s] = m->value[s][element_of(m, row, n, c)];
      wave[c].source[s] = sourced ? m->source[s][element_of(m, row, n, c)] : 0;
    }
  turn_group(m, row->width, 0, wave);
  for (int c = 0; c < CORNERS; c++) {
    if (!is_there(row->width, c))
      continue;
    const double complex *sum = sum_of(m, row, c >> 1);
    for (int e = 0; e < w->entries; e++) {
      row->entry[e] = 0;
      for (int offset = -w->reach[0]; offset <= w->reach[0]; offset++)
        row->entry[e] +=
          sum[e * offsets_of(m) + w->reach[0] + offset] * factor_of(&m->axis[0], i, offset, c & 1);
    }
    gmg_step_weights_matrix(w, row->entry, &matrix);
    gmg_wave_power(&matrix, m->steps, sourced, &wave[c]);
  }
  turn_group(m, row->width, 1, wave);
  for (int c = 0; c < CORNERS; c++)
    for (int s = 0; s < w->states && is_there(row->width, c); s++)
      m->value[s][element_of(m, row, n, c)] = m->scale * creal(wave[c].value[s]);
}

static void run_row(const struct gmg_leap_modes *m, const struct gmg_box *box, struct row *row)
{
  row->width[1] = width_of(&m->axis[1], row->j);
  row->width[2] = width_of(&m->axis[2], row->k);
  if (!row->width[1] || !row->width[2])
    return;
  for (int signs = 0; signs < SIGNS; signs++)
    if (is_there(row->width, signs << 1))
      sum_row(m, row, signs);
  for (int i = box->lower[0]; i < box->upper[0]; i++) {
    row->width[0] = width_of(&m->axis[0], i);
    if (row->width[0])
      run_group(m, row, i, i - box->lower[0]);
  }
}

static void run_share(void *work, int thread, int of)
{
  const struct gmg_leap_modes *m = work;
  const struct gmg_storage *s = m->storage;
  const ptrdiff_t entries = m->weights->entries + 1;
  for (int b = 0; b < s->layout->local_count; b++) {
    const struct gmg_box *box = &s->layout->box[s->layout->local[b]];
    const int rows = box->upper[1] - box->lower[1], planes = box->upper[2] - box->lower[2];
    int from, to;
    gmg_part(rows * planes, thread, of, &from, &to);
    for (int n = from; n < to; n++) {
      const int j = n % rows, k = n / rows;
      struct row row = {.box = b,
                        .j = box->lower[1] + j,
                        .k = box->lower[2] + k,
                        .first = s->origin[b] + j * s->stride[b][0] + k * s->stride[b][1],
                        .sum = m->sum + thread * entries * offsets_of(m) * SIGNS,
                        .entry = m->entry + thread * entries};
      run_row(m, box, &row);
    }
  }
}

void gmg_leap_modes_run(struct gmg_leap_modes *m, struct gmg_team *team)
{
  gmg_team_share(team, m->threads, run_share, m);
}

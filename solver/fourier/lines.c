#include "lines.h"

#include <math.h>
#include <string.h>

static int longest(const int cells[3])
{
  int most = cells[0];
  for (int d = 1; d < 3; d++)
    most = cells[d] > most ? cells[d] : most;
  return most;
}

static int make_scratch(const int cells[3], struct gmg_lines_scratch *s)
{
  const size_t n = (size_t)longest(cells);
  s->line = gmg_calloc(n, sizeof *s->line);
  s->work = gmg_calloc(2 * n, sizeof *s->work);
  int failed = !s->line || !s->work;
  for (int d = 0; d < 3 && !failed; d++) {
    s->fft[d] = gmg_line_fft_create(cells[d]);
    failed = !s->fft[d];
  }
  return failed ? -1 : 0;
}

int gmg_lines_create(const enum gmg_basis_kind kind[3], const int cells[3], int threads,
                     struct gmg_memory *memory, struct gmg_lines *lines)
{
  *lines = (struct gmg_lines){.threads = threads};
  int failed = 0;
  for (int d = 0; d < 3 && !failed; d++)
    failed = gmg_basis_create(kind[d], cells[d], &lines->basis[d]);
  lines->scratch = gmg_calloc((size_t)threads, sizeof *lines->scratch);
  failed |= !lines->scratch;
  for (int t = 0; t < threads && !failed; t++) {
    failed = make_scratch(cells, &lines->scratch[t]);
    for (int d = 0; d < 3 && !failed; d++)
      lines->transforms += (int64_t)gmg_line_fft_bytes(lines->scratch[t].fft[d]);
  }
  gmg_memory_count(memory, lines->transforms);
  return failed ? -1 : 0;
}

void gmg_lines_clear(struct gmg_memory *memory, struct gmg_lines *lines)
{
  for (int t = 0; t < lines->threads && lines->scratch; t++) {
    gmg_free(lines->scratch[t].line);
    gmg_free(lines->scratch[t].work);
    for (int d = 0; d < 3; d++)
      if (lines->scratch[t].fft[d])
        gmg_line_fft_destroy(&lines->scratch[t].fft[d]);
  }
  gmg_free(lines->scratch);
  for (int d = 0; d < 3; d++)
    gmg_basis_clear(&lines->basis[d]);
  gmg_memory_count(memory, -lines->transforms);
  *lines = (struct gmg_lines){.threads = 0};
}

/* A run, and its lines in one box: strides from a value to the next along them, to the next line,
 * and to the next line of another plane. */
struct run {
  const struct gmg_lines *lines;
  const struct gmg_pencil *pencil;
  const struct gmg_symbol *symbol;
  enum gmg_lines_task task;
  double *values;
  const struct gmg_box *box;
  double *first;
  ptrdiff_t along, next, other;
  int width; /* lines side by side */
};

/* Copies up to GMG_GROUP lines: the first half of a group are real parts, the others imaginary
 * ones. Lines that are not there are 0. */
static void fetch(const struct run *r, const double *from, int count, struct gmg_complex *line)
{
  const int n = r->lines->basis[r->pencil->axis].n;
  if (count < GMG_GROUP)
    memset(line, 0, (size_t)n * sizeof *line);
  if (count == GMG_GROUP && r->next == 1) {
    for (int m = 0; m < n; m++)
      memcpy(&line[m], from + m * r->along, sizeof *line);
    return;
  }
  for (int p = 0; p < count; p++) {
    double *part = p < GMG_FFT_LANES ? &line->re[p] : &line->im[p - GMG_FFT_LANES];
    for (int m = 0; m < n; m++)
      part[m * GMG_GROUP] = from[m * r->along + p * r->next];
  }
}

static void put(const struct run *r, double *to, int count, const struct gmg_complex *line)
{
  const int n = r->lines->basis[r->pencil->axis].n;
  if (count == GMG_GROUP && r->next == 1) {
    for (int m = 0; m < n; m++)
      memcpy(to + m * r->along, &line[m], sizeof *line);
    return;
  }
  for (int p = 0; p < count; p++) {
    const double *part = p < GMG_FFT_LANES ? &line->re[p] : &line->im[p - GMG_FFT_LANES];
    for (int m = 0; m < n; m++)
      to[m * r->along + p * r->next] = part[m * GMG_GROUP];
  }
}

/* What of the symbol is the same all along the lines of a group. */
struct factors {
  double rest[GMG_GROUP], own[GMG_GROUP];
};

/* line, other: of the first line of the group, counted over the whole grid. */
static struct factors factors_of(const struct run *r, int line, int other)
{
  const int axis = r->pencil->axis, across[2] = {r->pencil->pair, r->pencil->other};
  const double *weight = r->symbol->weight;
  const struct gmg_basis *basis = &r->lines->basis[across[0]];
  const double mu = r->lines->basis[across[1]].eigenvalue[other],
               mean_of_mu = r->symbol->averaged ? 1 - mu / 12 : 1;
  struct factors f;
  for (int p = 0; p < GMG_GROUP; p++) {
    const double lambda = basis->eigenvalue[line + p < basis->n ? line + p : basis->n - 1],
                 mean = r->symbol->averaged ? 1 - lambda / 12 : 1;
    f.rest[p] = weight[across[0]] * lambda * mean_of_mu + weight[across[1]] * mu * mean;
    f.own[p] = weight[axis] * mean * mean_of_mu;
  }
  return f;
}

/* A group's coefficients over their eigenvalues. */
static void divide(const struct run *r, int first, int other, struct gmg_complex *line)
{
  const struct gmg_basis *basis = &r->lines->basis[r->pencil->axis];
  const struct factors f = factors_of(r, first, other);
  for (int k = 0; k < basis->n; k++) {
    const double lambda = basis->eigenvalue[k], mean = r->symbol->averaged ? 1 - lambda / 12 : 1;
    double all[GMG_GROUP];
    for (int p = 0; p < GMG_GROUP; p++) {
      all[p] = r->symbol->mass + (f.rest[p] * mean + f.own[p] * lambda);
      all[p] = all[p] == 0 ? INFINITY : all[p]; /* of a constant, which nothing fixes */
    }
    for (int l = 0; l < GMG_FFT_LANES; l++) {
      line[k].re[l] /= all[l];
      line[k].im[l] /= all[GMG_FFT_LANES + l];
    }
  }
}

/* Lines that lie side by side: `line` and `other` are those of the first one in the box. */
static void run_group(const struct run *r, struct gmg_lines_scratch *s, int line, int other)
{
  const int axis = r->pencil->axis;
  const struct gmg_basis *basis = &r->lines->basis[axis];
  const int left = r->width - line, count = left < GMG_GROUP ? left : GMG_GROUP;
  double *at = r->first + line * r->next + other * r->other;
  if (r->task == GMG_LINES_TOUCH)
    memset(s->line, 0, (size_t)basis->n * sizeof *s->line);
  else
    fetch(r, at, count, s->line);
  if (r->task == GMG_LINES_FORWARD || r->task == GMG_LINES_SOLVE)
    gmg_basis_forward(basis, s->fft[axis], s->line, s->work);
  if (r->task == GMG_LINES_SOLVE)
    divide(r, r->box->lower[r->pencil->pair] + line, r->box->lower[r->pencil->other] + other,
           s->line);
  if (r->task == GMG_LINES_BACKWARD || r->task == GMG_LINES_SOLVE)
    gmg_basis_backward(basis, s->fft[axis], s->line, s->work);
  put(r, at, count, s->line);
}

static void run_share(void *work, int thread, int of)
{
  struct run r = *(struct run *)work;
  const struct gmg_storage *storage = r.pencil->storage;
  for (int b = 0; b < storage->layout->local_count; b++) {
    r.box = &storage->layout->box[storage->layout->local[b]];
    const ptrdiff_t stride[3] = {1, storage->stride[b][0], storage->stride[b][1]};
    r.first = r.values + storage->origin[b];
    r.along = stride[r.pencil->axis];
    r.next = stride[r.pencil->pair];
    r.other = stride[r.pencil->other];
    r.width = r.box->upper[r.pencil->pair] - r.box->lower[r.pencil->pair];
    const int planes = r.box->upper[r.pencil->other] - r.box->lower[r.pencil->other],
              groups = (r.width + GMG_GROUP - 1) / GMG_GROUP;
    int from, to;
    gmg_part(planes * groups, thread, of, &from, &to);
    for (int n = from; n < to; n++)
      run_group(&r, &r.lines->scratch[thread], n % groups * GMG_GROUP, n / groups);
  }
}

struct gmg_symbol gmg_lines_symbol(const struct gmg_lines *lines, const double width[3],
                                   double alpha, double b, int averaged)
{
  double volume = 1;
  for (int d = 0; d < 3; d++)
    volume *= width[d] * lines->basis[d].scale;
  struct gmg_symbol symbol = {.mass = volume * alpha, .averaged = averaged};
  for (int d = 0; d < 3; d++)
    symbol.weight[d] = volume * b / (width[d] * width[d]);
  return symbol;
}

void gmg_lines_run(const struct gmg_lines *lines, struct gmg_team *team,
                   const struct gmg_pencil *pencil, enum gmg_lines_task task,
                   const struct gmg_symbol *symbol, double *values)
{
  struct run r = {
    .lines = lines, .pencil = pencil, .symbol = symbol, .task = task, .values = values};
  gmg_team_share(team, lines->threads, run_share, &r);
}

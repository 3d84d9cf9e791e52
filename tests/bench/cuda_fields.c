#include "cuda_fields.h"

#include "mesh/strides.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINE_BYTES = 64 };

static size_t size_of(const struct gmg_field_descriptor *field)
{
  return field->kind == GMG_TABLE ? sizeof(int)
    : field->precision == GMG_F64 ? sizeof(double)
                                  : sizeof(float);
}

static int round_up(int n, int unit)
{
  return (n + unit - 1) / unit * unit;
}

static int ghosts_of(const struct gmg_kernel_descriptor *kernel)
{
  int most = 1;
  for (int f = 0; f < kernel->fields; f++)
    for (int d = 0; d < 3; d++) {
      most = kernel->field[f].halo_lower[d] > most ? kernel->field[f].halo_lower[d] : most;
      most = kernel->field[f].halo_upper[d] > most ? kernel->field[f].halo_upper[d] : most;
    }
  return most;
}

static int begins(const char *name, const char *start)
{
  while (*start && *name == *start)
    name++, start++;
  return !*start;
}

/* What cells that pair two by two make of a table. */
static int table_value(const char *name, int i, int cells)
{
  int value = 2 * i;
  if (begins(name, "hi_"))
    value = 2 * i + 1;
  else if (begins(name, "parent_"))
    value = i >> 1;
  else if (begins(name, "near_"))
    value = (i >> 1) + (i & 1 ? 1 : -1);
  else if (begins(name, "node_")) /* two on either side, those beyond the walls too */
    return ((i + 1) >> 1) - 2 + name[5] - '0';
  else
    return value;
  if (begins(name, "hi_"))
    return value;
  return value < -1 ? -1 : value > cells / 2 ? cells / 2 : value;
}

void bench_fill(void *data, size_t bytes, enum gmg_precision precision, unsigned long long seed)
{
  const size_t count = bytes / (precision == GMG_F64 ? sizeof(double) : sizeof(float));
#pragma omp parallel for schedule(static)
  for (size_t e = 0; e < count; e++) {
    unsigned long long state = (e + 1) * 0x9e3779b97f4a7c15ull + seed * 0xbf58476d1ce4e5b9ull;
    state = (state ^ (state >> 29)) * 0x94d049bb133111ebull;
    const double value = 0.5 + (double)(state >> 11) * 0x1p-53;
    if (precision == GMG_F64)
      ((double *)data)[e] = value;
    else
      ((float *)data)[e] = (float)value;
  }
}

/* Lines and tables lie from `ghost` below their first interior element on. */
static void make_line(struct bench_fields *fields, int f, int cells, int ghost, ptrdiff_t odd,
                      unsigned long long seed)
{
  const struct gmg_field_descriptor *field = &fields->kernel->field[f];
  const int split = field->axis == 0 && odd, low = split ? (ghost + 1) / 2 : ghost;
  const size_t size = size_of(field),
               length = split ? 2 * (size_t)odd + 64 : (size_t)(cells + 2 * ghost + 2);
  fields->field[f].bytes = length * size;
  fields->field[f].origin = (size_t)low * size;
  fields->field[f].data = malloc(length * size);
  if (!fields->field[f].data)
    abort();
  bench_fill(fields->field[f].data, length * size, field->precision, seed);
  if (field->kind != GMG_TABLE)
    return;
  int *const table = fields->field[f].data;
  for (size_t e = 0; e < length; e++)
    table[e] = 0;
  for (int i = 0; i <= cells; i++)
    table[low + (split ? gmg_at(i, odd) : i)] = table_value(field->name, i, cells);
}

/* The share of a field that a run must move once: half of what only the cells of a colour touch. */
static double share(const struct gmg_kernel_descriptor *kernel,
                    const struct gmg_field_descriptor *field, int written)
{
  if (!gmg_sweeps_one_colour(kernel) || field->place != GMG_CELL)
    return 1;
  int halo = 0;
  for (int d = 0; d < 3; d++)
    halo |= field->halo_lower[d] | field->halo_upper[d];
  return written || !halo ? 0.5 : 1;
}

void bench_fields_make(struct bench_fields *fields, const struct gmg_kernel_descriptor *kernel,
                       const int cells[3], int contents, unsigned long long seed)
{
  *fields = (struct bench_fields){.kernel = kernel};
  struct gmg_kernel_box *box = &fields->box;
  const size_t element = kernel->precision == GMG_F64 ? 8 : 4;
  const int ghost = ghosts_of(kernel), low = round_up(ghost, LINE_BYTES / (int)element);
  box->paired = 1;
  const struct gmg_strides own =
    gmg_strides_of(cells[0], ghost, cells[1] + 2 * ghost, element, kernel->rows_stored);
  box->stride[0] = own.row;
  box->stride[1] = own.plane;
  box->odd = own.odd;
  for (int d = 0; d < 3; d++)
    box->cells[d] = cells[d];
  for (int f = 0; f < kernel->fields; f++) {
    const struct gmg_field_descriptor *field = &kernel->field[f];
    int n[3];
    for (int d = 0; d < 3; d++)
      n[d] = field->level == GMG_FINER ? 2 * cells[d]
        : field->level == GMG_COARSER  ? cells[d] / 2
                                       : cells[d];
    const struct gmg_strides s =
      gmg_strides_of(n[0], ghost, n[1] + 2 * ghost, element, kernel->rows_stored);
    if (field->level != GMG_OWN) {
      for (int d = 0; d < 3; d++)
        box->other_cells[d] = n[d];
      box->other_stride[0] = s.row;
      box->other_stride[1] = s.plane;
      box->other_odd = s.odd;
    }
    if (field->kind != GMG_FIELD) {
      make_line(fields, f, n[field->axis], ghost, s.odd, seed + (unsigned)f);
      continue;
    }
    const size_t size = size_of(field);
    fields->field[f].origin = ((size_t)low + (size_t)ghost * (size_t)(s.row + s.plane)) * size;
    fields->field[f].bytes =
      ((size_t)low + (size_t)s.plane * (size_t)(n[2] + 2 * ghost) + (size_t)s.padding) * size;
    fields->bytes += (double)size * n[0] * n[1] * n[2]
      * (field->read * share(kernel, field, 0) + field->written * share(kernel, field, 1));
    if (!contents)
      continue;
    fields->field[f].data = malloc(fields->field[f].bytes);
    if (!fields->field[f].data)
      abort();
    bench_fill(fields->field[f].data, fields->field[f].bytes, field->precision, seed + (unsigned)f);
  }
  for (int s = 0; s < kernel->scalars; s++)
    fields->scalar[s] = 0.875;
  bench_set_colour(fields, 0);
}

void bench_fields_clear(struct bench_fields *fields)
{
  for (int f = 0; f < GMG_MAX_FIELDS; f++)
    free(fields->field[f].data);
  *fields = (struct bench_fields){.kernel = NULL};
}

void bench_set_colour(struct bench_fields *fields, int colour)
{
  for (int s = 0; s < fields->kernel->scalars; s++)
    if (begins(fields->kernel->scalar[s], "colour"))
      fields->scalar[s] = colour;
}

void bench_cuts(const struct bench_fields *fields, double cut[GMG_SUM_BINS])
{
  const int *n = fields->box.cells;
  const double terms = 8.0 * n[0] * n[1] * n[2];
  int length = 2;
  while ((double)(1ull << length) < terms)
    length++;
  const int bits = length < 11 ? 51 : 62 - length;
  for (int b = 0, e = 30 + 52 - bits; b < GMG_SUM_BINS; b++, e -= bits + 1)
    cut[b] = ldexp(1.5, e);
}

#include "kernel_runs.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TILES = 4096, MAX_THREADS = 2, MAX_ROWS = 512 };

/* One kernel in all instruction sets on one set of boxes. */
struct run {
  const struct test_runs *runs;
  struct test_tally *tally;
  const struct gmg_operator_descriptor *op;                   /* NULL: taken as written */
  const struct gmg_kernel_descriptor *kernel[TEST_LIBRARIES]; /* by library */
  struct test_box **box;
  int written, colour, lower[TEST_BOXES][3]; /* written: a field, or -1 */
  int only;
  void *out[TEST_LIBRARIES][TEST_BOXES];
  void *thrown[GMG_MAX_FIELDS][TEST_BOXES]; /* where other outputs go; NULL: no other output */
  struct gmg_reduction total[TEST_LIBRARIES];
};

static void fail(const struct run *run, int library, const char *format, ...)
{
  const struct gmg_kernel_descriptor *kernel = run->kernel[library];
  if (run->tally->failures++ >= TEST_MESSAGES)
    return;
  char said[400];
  va_list list;
  va_start(list, format);
  vsnprintf(said, sizeof said, format, list);
  va_end(list);
  const int(*n)[3] = run->runs->cells;
  fprintf(stderr, "FAILED %s %s %s on %s, boxes %dx%dx%d and %dx%dx%d, colour %d, only %d: %s\n",
          kernel->name, kernel->variant, kernel->precision == GMG_F64 ? "double" : "float",
          run->runs->library[library]->isa, n[0][0], n[0][1], n[0][2], n[1][0], n[1][1], n[1][2],
          run->colour, run->only, said);
}

/* Tiles of a size of their own for every library: no result may depend on it. */
static int make_tiles(const struct run *run, int library, struct gmg_tile *tile)
{
  const struct gmg_kernel_descriptor *kernel = run->kernel[library];
  int count = 0;
  for (int b = 0; b < TEST_BOXES; b++) {
    const int *n = run->box[b]->cells[GMG_OWN], nj = n[1] + kernel->extra[1],
              nk = n[2] + kernel->extra[2];
    const int most = 1 + (int)((run->runs->seed + (uint64_t)library * 5) % 8),
              sj = library ? most : nj, sk = 1 + most / 3;
    for (int k = 0; k < nk; k += sk)
      for (int j = 0; j < nj; j += sj) {
        if (count == MAX_TILES)
          abort();
        tile[count++] =
          (struct gmg_tile){b, j, j + sj < nj ? j + sj : nj, k, k + sk < nk ? k + sk : nk, NULL};
      }
  }
  return count;
}

/* Cuts of a sum of terms up to `bound`, for that many terms; see gmg_reduction. */
static void make_cuts(double bound, size_t terms, double cut[GMG_SUM_BINS])
{
  int exponent = 0, length = 2;
  frexp(bound, &exponent);
  while ((size_t)1 << length < terms)
    length++;
  const int bits = length < 11 ? 51 : 62 - length;
  for (int b = 0, e = exponent + 52 - bits; b < GMG_SUM_BINS; b++, e -= bits + 1)
    cut[b] = ldexp(1.5, e);
}

/* The first cell of a box on the other level: either parity. */
static void find_other_lower(const struct run *run, int b, int lower[3])
{
  for (int d = 0; d < 3; d++)
    lower[d] = 2 * run->lower[b][d];
  lower[b] += (int)(run->runs->seed % 2);
}

/* Fills args->field from the boxes; the written field is run->out, other outputs are thrown away.
 */
static void bind(const struct run *run, int library, void *pointer[GMG_MAX_FIELDS][TEST_BOXES],
                 struct gmg_kernel_box *where, struct gmg_kernel_args *args)
{
  const struct gmg_kernel_descriptor *kernel = run->kernel[library];
  for (int b = 0; b < TEST_BOXES; b++) {
    struct test_box *box = run->box[b];
    memcpy(where[b].cells, box->cells[GMG_OWN], sizeof where[b].cells);
    memcpy(where[b].lower, run->lower[b], sizeof where[b].lower);
    memcpy(where[b].stride, box->stride[GMG_OWN], sizeof where[b].stride);
    where[b].odd = box->odd[GMG_OWN];
    where[b].paired = box->paired;
    for (int f = 0; f < kernel->fields; f++) {
      const struct test_array *array = test_box_find(box, &kernel->field[f]);
      const int level = kernel->field[f].level;
      const ptrdiff_t origin = (char *)array->origin - (char *)array->data;
      pointer[f][b] = f == run->written ? (char *)run->out[library][b] + origin
        : run->thrown[f][b]             ? (char *)run->thrown[f][b] + origin
                                        : array->origin;
      args->field[f] = pointer[f];
      if (level != GMG_OWN) {
        memcpy(where[b].other_cells, box->cells[level], sizeof where[b].other_cells);
        find_other_lower(run, b, where[b].other_lower);
        memcpy(where[b].other_stride, box->stride[level], sizeof where[b].other_stride);
        where[b].other_odd = box->odd[level];
      }
    }
  }
  for (int s = 0; s < kernel->scalars; s++)
    args->scalar[s] = strcmp(kernel->scalar[s], "colour") == 0 ? run->colour
      : strcmp(kernel->scalar[s], "only") == 0                 ? run->only
                                                               : test_scalar(kernel->scalar[s]);
}

static void *make_scratch(const struct run *run, const struct gmg_kernel_descriptor *kernel,
                          struct gmg_kernel_args *args)
{
  int longest = 0;
  ptrdiff_t own = 0;
  for (int b = 0; b < TEST_BOXES; b++) {
    for (int level = 0; level < 3; level++)
      longest = run->box[b]->cells[level][0] > longest ? run->box[b]->cells[level][0] : longest;
    own = args->box[b].stride[0] > own ? args->box[b].stride[0] : own;
  }
  const size_t rows = (size_t)kernel->rows * (size_t)(longest + 64),
               lines = (size_t)kernel->lines * (size_t)own;
  args->scratch_stride = ((rows + lines) * 8 + 256 + GMG_KNOWN_BYTES + 63) / 64 * 64;
  args->scratch = aligned_alloc(64, args->scratch_stride * MAX_THREADS);
  if (args->scratch)
    memset(args->scratch, 0xff, args->scratch_stride * MAX_THREADS);
  return args->scratch;
}

/* Where lines hold the same, told to the first library only: the others must find the same bits
 * without. */
static void note_alike(const struct run *run, struct gmg_uniform_runs alike[TEST_BOXES],
                       int rows[TEST_BOXES][MAX_ROWS])
{
  for (int b = 0; b < TEST_BOXES; b++) {
    const int *n = run->box[b]->cells[GMG_OWN];
    for (int j = 0; j <= n[1]; j++)
      rows[b][j] = run->box[b]->uniform_runs && j > 0 && j < n[1] - 1 ? n[1] - 1 : j + 1;
    alike[b] = (struct gmg_uniform_runs){.rows = rows[b],
                                         .cells = run->box[b]->uniform_runs && n[0] > 2 ? 2 : 0};
  }
}

/* Runs the kernel of a library once. */
static void call(struct run *run, int library, double bound)
{
  const struct gmg_kernel_descriptor *kernel = run->kernel[library];
  void *pointer[GMG_MAX_FIELDS][TEST_BOXES];
  struct gmg_kernel_box where[TEST_BOXES];
  struct gmg_reduction part[MAX_THREADS];
  struct gmg_tile tile[MAX_TILES];
  struct gmg_kernel_args args = {
    .tile = tile, .box = where, .reduction = part, .threads = run->runs->threads};
  memset(where, 0, sizeof where);
  memset(part, 0, sizeof part);
  bind(run, library, pointer, where, &args);
  args.tiles = make_tiles(run, library, tile);
  struct gmg_uniform_runs alike[TEST_BOXES];
  int rows[TEST_BOXES][MAX_ROWS];
  note_alike(run, alike, rows);
  args.uniform_runs = library == 0 ? alike : NULL;
  const int level = kernel->role == GMG_RESTRICT_NORM ? GMG_FINER : GMG_OWN,
            doubled = level == GMG_FINER ? 4 : 1;
  make_cuts(bound,
            (test_box_dense(run->box[0], level) + test_box_dense(run->box[1], level))
              * (size_t)doubled,
            part[0].cut);
  for (int t = 1; t < MAX_THREADS; t++)
    memcpy(part[t].cut, part[0].cut, sizeof part[0].cut);
  void *scratch = make_scratch(run, kernel, &args);
  if (run->runs->calling)
    run->runs->calling(kernel);
  if (library == 1) /* tile by tile, in reverse */
    for (int t = args.tiles - 1; t >= 0; t--)
      kernel->run_tile(&args, &tile[t], t % MAX_THREADS);
  else
    kernel->run(&args);
  free(scratch);
  struct gmg_reduction *total = &run->total[library];
  memset(total, 0, sizeof *total);
  memcpy(total->cut, part[0].cut, sizeof total->cut);
  for (int t = 0; t < MAX_THREADS; t++) {
    for (int b = 0; b < GMG_SUM_BINS; b++)
      total->bin[b] += part[t].bin[b];
    total->most = part[t].most > total->most ? part[t].most : total->most;
  }
  run->tally->runs++;
}

/* Whether an error is rounding. */
static int judge(struct run *run, double got, double expected, double scale)
{
  const struct gmg_kernel_descriptor *kernel = run->kernel[0];
  const enum gmg_precision precision =
    run->written < 0 ? kernel->precision : kernel->field[run->written].precision;
  const double unit = (precision == GMG_F64 ? DBL_EPSILON : FLT_EPSILON) * scale;
  const double error = got == expected ? 0 : fabs(got - expected) / unit;
  double *worst = &run->tally->worst[kernel->role][kernel->precision];
  if (!(error <= *worst))
    *worst = error;
  return error <= TEST_ROUNDING; /* NaN is not */
}

/* Compares the written cells of box b, then puts back what was there before: the array must be as
 * it was. */
static void compare_box(struct run *run, int b, const struct test_reference *reference)
{
  const struct gmg_kernel_descriptor *kernel = run->kernel[0];
  struct test_box *box = run->box[b];
  const struct test_array *array = test_box_find(box, &kernel->field[run->written]);
  const int *n = box->cells[GMG_OWN], *extra = kernel->extra;
  char *out = run->out[0][b];
  for (int k = 0; k < n[2] + extra[2]; k++)
    for (int j = 0; j < n[1] + extra[1]; j++)
      for (int i = 0; i < n[0] + extra[0]; i++) {
        if (gmg_sweeps_one_colour(kernel)
            && test_colour(run->op, run->lower[b], i, j, k) != run->colour)
          continue;
        const size_t at = test_box_at(box, GMG_OWN, i, j, k);
        const size_t offset = test_box_offset(box, &array->field, i, j, k);
        const double got = test_box_value(box, &array->field, out, i, j, k);
        if (!judge(run, got, reference->value[at], reference->scale[at]))
          fail(run, 0, "box %d at (%d, %d, %d): %.17g instead of %.17g, terms of size %g", b, i, j,
               k, got, reference->value[at], reference->scale[at]);
        memcpy(out + offset, (char *)array->data + offset,
               array->field.precision == GMG_F64 ? sizeof(double) : sizeof(float));
      }
  if (memcmp(out, array->data, array->bytes) != 0)
    fail(run, 0, "box %d: '%s' changed outside the cells that are written", b, array->field.name);
}

static void compare_sums(struct run *run, const struct test_reference *reference)
{
  const struct gmg_reduction *total = &run->total[0];
  double got = 0, sum = 0, sum_scale = 0, most = 0, most_scale = 0;
  const int written = run->written;
  run->written = -1; /* sums have the precision of the arithmetic */
  for (int b = GMG_SUM_BINS - 1; b >= 0; b--)
    got += ldexp(total->cut[b] / 1.5, -52) * (double)(int64_t)total->bin[b];
  for (int b = 0; b < TEST_BOXES; b++) {
    sum += reference[b].sum;
    sum_scale += reference[b].sum_scale;
    most = fmax(most, reference[b].most);
    most_scale = fmax(most_scale, reference[b].most_scale);
  }
  if (!judge(run, got, sum, sum_scale))
    fail(run, 0, "sum %.17g instead of %.17g", got, sum);
  if (!judge(run, gmg_sized(total->most), most, most_scale))
    fail(run, 0, "maximum %.17g instead of %.17g", gmg_sized(total->most), most);
  run->written = written;
}

static void compare_libraries(struct run *run)
{
  for (int l = 1; l < run->runs->libraries; l++) {
    if (memcmp(run->total[l].bin, run->total[0].bin, sizeof run->total[0].bin) != 0
        || run->total[l].most != run->total[0].most)
      fail(run, l, "sums differ from those on %s", run->runs->library[0]->isa);
    for (int b = 0; b < TEST_BOXES && run->written >= 0; b++)
      if (memcmp(run->out[l][b], run->out[0][b],
                 test_box_find(run->box[b], &run->kernel[0]->field[run->written])->bytes)
          != 0)
        fail(run, l, "box %d: other bits than on %s", b, run->runs->library[0]->isa);
  }
}

/* Fills out with the written field as it was. */
static void restore(struct run *run)
{
  for (int b = 0; b < TEST_BOXES && run->written >= 0; b++) {
    const struct test_array *array =
      test_box_find(run->box[b], &run->kernel[0]->field[run->written]);
    for (int l = 0; l < run->runs->libraries; l++)
      memcpy(run->out[l][b], array->data, array->bytes);
  }
}

static void run_once(struct run *run, const struct test_reference *reference)
{
  restore(run);
  const double bound = fmax(reference[0].term, reference[1].term) * 4;
  for (int l = 0; l < run->runs->libraries; l++)
    call(run, l, bound);
  compare_libraries(run);
  if (run->written < 0 || run->kernel[0]->role == GMG_RESIDUAL_SINGLE
      || run->kernel[0]->role == GMG_RESTRICT_NORM)
    compare_sums(run, reference);
  for (int b = 0; b < TEST_BOXES && run->written >= 0; b++)
    compare_box(run, b, &reference[b]);
}

/* Every colour by itself, on two corners: indices even and odd. */
static void run_colours(struct run *run, const struct test_reference *reference)
{
  for (int corner = 0; corner < 2; corner++)
    for (run->colour = 0; run->colour < run->op->colours; run->colour++) {
      for (int b = 0; b < TEST_BOXES; b++)
        for (int d = 0; d < 3; d++)
          run->lower[b][d] = run->box[b]->lower[d] + corner * (d == 0 || run->op->parity == 0);
      run_once(run, reference);
    }
}

/* All colours one after the other, in place, against a sweep point by point. */
static void run_literally(struct run *run, int uniform)
{
  double *u[TEST_BOXES];
  const struct gmg_field_descriptor *field = &run->kernel[0]->field[run->written];
  restore(run);
  for (int b = 0; b < TEST_BOXES; b++) {
    const size_t bytes = test_box_dense(run->box[b], GMG_OWN) * sizeof(double);
    u[b] = memcpy(malloc(bytes), test_box_find(run->box[b], field)->dense, bytes);
    memcpy(run->lower[b], run->box[b]->lower, sizeof run->lower[b]);
  }
  for (run->colour = 0; run->colour < run->op->colours; run->colour++) {
    for (int l = 0; l < run->runs->libraries; l++)
      call(run, l, 1);
    for (int b = 0; b < TEST_BOXES; b++)
      test_sweep(run->box[b], run->op, uniform, run->colour, u[b]);
  }
  run->colour = -1;
  compare_libraries(run);
  for (int b = 0; b < TEST_BOXES; b++) {
    struct test_box *box = run->box[b];
    const int *n = box->cells[GMG_OWN];
    for (int k = 0; k < n[2]; k++)
      for (int j = 0; j < n[1]; j++)
        for (int i = 0; i < n[0]; i++) {
          const double got = test_box_value(box, field, run->out[0][b], i, j, k);
          if (!judge(run, got, u[b][test_box_at(box, GMG_OWN, i, j, k)], 8)) /* |u| < 8 */
            fail(run, 0, "after all colours, box %d at (%d, %d, %d): %.17g instead of %.17g", b, i,
                 j, k, got, u[b][test_box_at(box, GMG_OWN, i, j, k)]);
        }
    free(u[b]);
  }
}

/* The kernel for one colour of the same form. */
static const struct gmg_kernel_descriptor *for_one_colour(const struct run *run)
{
  const struct gmg_kernel_descriptor *rows = run->kernel[0];
  for (int k = 0; k < run->op->kernels; k++) {
    const struct gmg_kernel_descriptor *kernel = run->op->kernel[k];
    if (kernel->role == GMG_GAUSS_SEIDEL && kernel->precision == rows->precision
        && kernel->rows_stored == rows->rows_stored && strcmp(kernel->variant, rows->variant) == 0
        && strcmp(kernel->field[run->written].name, rows->field[run->written].name) == 0)
      return kernel;
  }
  abort();
}

/* The colour and after it the other one of its rows, by the kernel for one colour. */
static void run_both_colours(struct run *run)
{
  const struct gmg_kernel_descriptor *rows = run->kernel[0];
  const int colour = run->colour;
  restore(run);
  run->kernel[0] = for_one_colour(run);
  call(run, 0, 1);
  run->colour = colour ^ 1;
  call(run, 0, 1);
  run->colour = colour;
  run->kernel[0] = rows;
}

/* Rows with both of their colours, in either order, on two corners: to the bit what one colour
 * after the other gives. */
static void run_rows(struct run *run)
{
  for (int turn = 0; turn < 2 * run->op->colours; turn++) {
    void *expected[TEST_BOXES];
    run->colour = turn / 2;
    for (int b = 0; b < TEST_BOXES; b++)
      for (int d = 0; d < 3; d++)
        run->lower[b][d] = run->box[b]->lower[d] + turn % 2;
    run_both_colours(run);
    for (int b = 0; b < TEST_BOXES; b++) {
      const size_t bytes = test_box_find(run->box[b], &run->kernel[0]->field[run->written])->bytes;
      expected[b] = memcpy(malloc(bytes), run->out[0][b], bytes);
    }
    restore(run);
    for (int l = 0; l < run->runs->libraries; l++) {
      call(run, l, 1);
      for (int b = 0; b < TEST_BOXES; b++)
        if (memcmp(run->out[l][b], expected[b],
                   test_box_find(run->box[b], &run->kernel[0]->field[run->written])->bytes)
            != 0)
          fail(run, l, "box %d: other bits than one colour after the other", b);
    }
    for (int b = 0; b < TEST_BOXES; b++)
      free(expected[b]);
  }
}

static void look_for_changes(struct run *run)
{
  for (int b = 0; b < TEST_BOXES; b++) {
    const char *name = test_box_changed(run->box[b]);
    if (name)
      fail(run, 0, "changed its input '%s'", name);
  }
}

/* How many ways there are to count residuals: in all cells, and in those of the first or the second
 * colour. */
static int ways_to_count(const struct gmg_kernel_descriptor *kernel)
{
  for (int s = 0; s < kernel->scalars; s++)
    if (strcmp(kernel->scalar[s], "only") == 0)
      return 3;
  return 1;
}

static void make_reference(const struct run *run, int b, int o,
                           struct test_applied *const applied[TEST_BOXES],
                           struct test_reference *reference)
{
  const struct gmg_kernel_descriptor *kernel = run->kernel[0];
  struct test_only only = {.only = run->only};
  memcpy(only.lower[GMG_OWN], run->lower[b], sizeof run->lower[b]);
  find_other_lower(run, b, only.lower[GMG_FINER]);
  if (o < 0)
    test_reference_written(run->box[b], kernel, run->written, spec_find(kernel->name), reference);
  else
    test_reference_derived(run->box[b], applied[b], kernel, &only, reference);
}

/* A copy of the array of a field, or of nothing. */
static void *room_for(const struct run *run, int field, int b)
{
  const struct test_array *array =
    field < 0 ? NULL : test_box_find(run->box[b], &run->kernel[0]->field[field]);
  void *room = malloc(array ? array->bytes : 1);
  if (!room)
    abort();
  return array ? memcpy(room, array->data, array->bytes) : room;
}

/* One output of a kernel, or its sums. */
static void run_output(struct run *run, int o, struct test_applied *const applied[TEST_BOXES])
{
  const struct test_runs *runs = run->runs;
  const struct gmg_kernel_descriptor *kernel = run->kernel[0];
  run->colour = -1;
  for (int b = 0; b < TEST_BOXES; b++) {
    memcpy(run->lower[b], run->box[b]->lower, sizeof run->lower[b]);
    for (int l = 0; l < runs->libraries; l++)
      run->out[l][b] = room_for(run, run->written, b);
    for (int f = 0; f < kernel->fields; f++)
      run->thrown[f][b] =
        kernel->field[f].written && f != run->written ? room_for(run, f, b) : NULL;
  }
  for (run->only = 0; run->only < ways_to_count(kernel); run->only++) {
    struct test_reference reference[TEST_BOXES];
    for (int b = 0; b < TEST_BOXES; b++)
      make_reference(run, b, o, applied, &reference[b]);
    if (gmg_sweeps_one_colour(kernel) && !gmg_is_from_zero(kernel) && runs->literal)
      run_literally(run, kernel->variant[0] != 0);
    if (kernel->role == GMG_GAUSS_SEIDEL_ROWS)
      run_rows(run);
    else if (gmg_sweeps_one_colour(kernel))
      run_colours(run, reference);
    else
      run_once(run, reference);
    for (int b = 0; b < TEST_BOXES; b++)
      test_reference_clear(&reference[b]);
  }
  for (int b = 0; b < TEST_BOXES; b++) {
    for (int l = 0; l < runs->libraries; l++)
      free(run->out[l][b]);
    for (int f = 0; f < kernel->fields; f++)
      free(run->thrown[f][b]);
  }
}

/* One kernel in all libraries. o: its operator, or -1. k: its place among the operator's or the
 * library's kernels. */
static void run_kernel(struct run *run, int o, int k,
                       struct test_applied *const applied[TEST_BOXES])
{
  const struct test_runs *runs = run->runs;
  for (int l = 0; l < runs->libraries; l++)
    run->kernel[l] =
      o < 0 ? runs->library[l]->kernel[k] : runs->library[l]->operator_[o]->kernel[k];
  const struct gmg_kernel_descriptor *kernel = run->kernel[0];
  if (o < 0 && !spec_find(kernel->name)) {
    fail(run, 0, "no spec is registered in tests/support/spec_calls.c");
    return;
  }
  int outputs = 0;
  for (int f = 0; f < kernel->fields; f++)
    outputs += kernel->field[f].written;
  run->written = -1;
  for (int n = 0; n < (outputs ? outputs : 1); n++) {
    do
      run->written += outputs > 0;
    while (outputs > 0 && !kernel->field[run->written].written);
    run_output(run, o, applied);
  }
  if (runs->closely)
    look_for_changes(run);
}

/* The kernels of an operator in one variant. */
static void run_operator(struct run *run, int o, int uniform)
{
  const struct gmg_operator_descriptor *op = run->op = run->runs->library[0]->operator_[o];
  struct test_applied *applied[TEST_BOXES];
  for (int b = 0; b < TEST_BOXES; b++)
    applied[b] = test_applied_make(run->box[b], op, uniform);
  for (int k = 0; k < op->kernels; k++)
    if (op->kernel[k]->precision == run->box[0]->precision
        && op->kernel[k]->rows_stored == run->box[0]->rows
        && (op->kernel[k]->variant[0] != 0) == uniform) {
      if (applied[0])
        run_kernel(run, o, k, applied);
      else
        run->tally->skipped++;
    }
  for (int b = 0; b < TEST_BOXES; b++)
    test_applied_destroy(applied[b]);
}

/* The kernels of a precision and a storage of rows that reach `ghosts` beyond the interior:
 * operators' reach 1. */
static int run_kernels(const struct test_runs *runs, enum gmg_precision precision,
                       enum gmg_rows rows, int ghosts, struct test_tally *tally)
{
  struct test_box *box[TEST_BOXES];
  struct run run = {.runs = runs, .tally = tally, .box = box};
  const struct gmg_kernel_library *library = runs->library[0];
  int changed = 0;
  for (int b = 0; b < TEST_BOXES; b++)
    if (!(box[b] = test_box_make(library, precision, rows, ghosts, runs->cells[b],
                                 runs->seed * TEST_BOXES + (uint64_t)b)))
      abort();
  /* Where α is 0 some loops are others. */
  test_set_alpha(runs->seed % 2 ? 0 : 0.625);
  for (int o = 0; o < library->operators && ghosts == 1; o++)
    for (int uniform = 0; uniform < 2; uniform++)
      run_operator(&run, o, uniform);
  run.op = NULL;
  for (int k = 0; k < library->kernels; k++)
    if (library->kernel[k]->precision == precision && library->kernel[k]->rows_stored == rows
        && test_kernel_ghosts(library->kernel[k]) == ghosts)
      run_kernel(&run, -1, k, NULL);
  for (int b = 0; b < TEST_BOXES; b++) {
    changed |= test_box_changed(box[b]) != NULL;
    test_box_destroy(box[b]);
  }
  return changed;
}

static int run_form(const struct test_runs *runs, enum gmg_precision precision, enum gmg_rows rows,
                    struct test_tally *tally)
{
  enum { MOST_GHOSTS = 3 };
  int changed = 0;
  for (int ghosts = 1; ghosts <= MOST_GHOSTS; ghosts++)
    changed |= run_kernels(runs, precision, rows, ghosts, tally);
  return changed;
}

void test_kernels_run(struct test_runs *runs, struct test_tally *tally)
{
  for (int form = 0; form < 4; form++) {
    const enum gmg_precision precision = form & 1 ? GMG_F32 : GMG_F64;
    const enum gmg_rows rows = form & 2 ? GMG_SPLIT : GMG_PLAIN;
    if (run_form(runs, precision, rows, tally) && !runs->closely) {
      runs->closely = 1;
      run_form(runs, precision, rows, tally);
      runs->closely = 0;
    }
  }
}

void test_tally_add(struct test_tally *total, const struct test_tally *part)
{
  total->runs += part->runs;
  total->failures += part->failures;
  total->skipped += part->skipped;
  for (int r = 0; r < TEST_ROLES; r++)
    for (int p = 0; p < 2; p++)
      if (!(part->worst[r][p] <= total->worst[r][p]))
        total->worst[r][p] = part->worst[r][p];
}

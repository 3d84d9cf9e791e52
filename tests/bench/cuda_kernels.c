/* Every launch form of the generated CUDA kernels on one GPU, in several shapes of thread blocks: first its bits against the
 * OpenMP kernel's, on a small box; then its time, against a copy from device to device in the same run.
 *   cuda_kernels [--cells N,N,...] [--kernels PART,PART,...] [--rows split|plain|all] [--precision double|single|all]
 *                [--form march|queue|between|both] [--default-shapes] [--json FILE]
 * Exit status: 0 good, 1 a kernel's bits differ or it does not compile, 77 no device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_device.h"
#include "cuda_fields.h"
#include "cuda/kernel.h"
#include "isa.h"
#include "jit.h"

enum { MOST_TRIALS = 4096, MOST_SIZES = 8, SLOTS = 16 };

static const struct gmg_cuda_shape shapes[] = {
  {32, 8, 1, 1, 1, 4},   {32, 8, 1, 2, 2, 2},   {32, 8, 1, 2, 2, 3},  {32, 8, 1, 2, 2, 4},   {32, 8, 1, 4, 2, 3},
  {32, 8, 1, 4, 2, 2},   {32, 8, 1, 4, 4, 2},   {32, 8, 1, 8, 1, 4},  {32, 8, 1, 8, 2, 2},   {32, 8, 1, 8, 2, 3},
  {32, 8, 1, 8, 4, 1},   {32, 8, 1, 8, 4, 2},   {32, 8, 1, 16, 1, 3}, {32, 8, 1, 16, 1, 4},  {32, 8, 1, 16, 2, 3},
  {32, 8, 1, 32, 1, 4},  {32, 4, 1, 2, 2, 6},   {32, 4, 1, 4, 2, 6},  {32, 4, 1, 8, 2, 6},   {32, 4, 1, 16, 1, 8},
  {64, 4, 1, 2, 2, 4},   {64, 4, 1, 8, 2, 3},   {64, 4, 1, 32, 1, 4}, {128, 2, 1, 22, 1, 3}, {128, 2, 1, 64, 1, 4},
  {128, 1, 1, 38, 1, 7}, {128, 1, 1, 64, 1, 7}, {32, 7, 1, 38, 1, 4}, {32, 16, 1, 16, 1, 2}, {32, 2, 1, 4, 2, 12},
  {64, 1, 1, 38, 1, 14}, {64, 7, 1, 38, 1, 2}};

static const struct gmg_cuda_shape both_shapes[] = {
  {32, 16, 1, 64, 1, 2}, {32, 16, 1, 32, 1, 1}, {32, 16, 1, 16, 1, 2}, {32, 16, 1, 128, 1, 2},
  {32, 12, 1, 32, 1, 2}, {32, 8, 1, 32, 1, 4},  {64, 8, 1, 32, 1, 2},  {64, 16, 1, 32, 1, 1},
  {32, 32, 1, 32, 1, 1}, {64, 16, 1, 64, 1, 1}, {32, 10, 1, 32, 1, 3}};

struct trial {
  const struct gmg_cuda_kernel *kernel;
  const struct gmg_kernel_descriptor *cpu;
  const struct gmg_cuda_form *form;
  struct gmg_cuda_shape shape;
  struct jit_result compiled;
  struct jit_usage usage;
  int good; /* its bits are right */
  double milliseconds[MOST_SIZES], bytes[MOST_SIZES];
};

static struct {
  int sizes, cells[MOST_SIZES];
  const char *kernels, *form, *json;   /* form: NULL: all */
  int rows, precision, default_shapes; /* enum gmg_rows, enum gmg_precision, or -1 for both */
} options = {.sizes = 2,
             .cells = {256, 512},
             .rows = GMG_SPLIT,
             .precision = GMG_F64,
             .kernels =
               "gauss_seidel,jacobi,chebyshev,residual,restrict_cell,interpolate_linear,interpolate_constant,copy,"
               "dot,axpy"};

static struct trial trial[MOST_TRIALS];
static int trials;
static struct cuda_device device;
static double copy_rate[MOST_SIZES]; /* bytes per second */

static int wanted(const char *name)
{
  for (const char *part = options.kernels; *part;) {
    const size_t length = strcspn(part, ",");
    char word[128];
    snprintf(word, sizeof word, "%.*s", (int)length, part);
    if (length && strstr(name, word))
      return 1;
    part += length + (part[length] == ',');
  }
  return 0;
}

static const struct gmg_kernel_library *best_library(void)
{
  const struct gmg_kernel_library *best = NULL;
  for (int l = 0; gmg_kernel_libraries[l]; l++)
    if (gmg_isa_runs(gmg_kernel_libraries[l]->isa))
      best = gmg_kernel_libraries[l];
  return best;
}

static int same(const struct gmg_kernel_descriptor *cpu, const struct gmg_cuda_kernel *kernel)
{
  return strcmp(cpu->name, kernel->name) == 0 && strcmp(cpu->variant, kernel->variant) == 0
    && cpu->precision == kernel->precision && cpu->rows_stored == kernel->rows_stored;
}

static const struct gmg_kernel_descriptor *on_cpu(const struct gmg_cuda_kernel *kernel)
{
  const struct gmg_kernel_library *library = best_library();
  for (int o = 0; o < library->operators; o++)
    for (int k = 0; k < library->operator_[o]->kernels; k++)
      if (same(library->operator_[o]->kernel[k], kernel))
        return library->operator_[o]->kernel[k];
  for (int k = 0; k < library->kernels; k++)
    if (same(library->kernel[k], kernel))
      return library->kernel[k];
  return NULL;
}

static void add_trial(const struct gmg_cuda_kernel *kernel, const struct gmg_cuda_form *form,
                      struct gmg_cuda_shape shape)
{
  if (trials == MOST_TRIALS || (options.form && strcmp(options.form, form->name) != 0))
    return;
  trial[trials++] = (struct trial){.kernel = kernel, .cpu = on_cpu(kernel), .form = form, .shape = shape};
}

static void plan(void)
{
  for (int n = 0; gmg_cuda_kernels[n]; n++) {
    const struct gmg_cuda_kernel *kernel = gmg_cuda_kernels[n];
    if (!wanted(kernel->name) || strstr(kernel->name, "single")
        || (options.precision >= 0 && (int)kernel->precision != options.precision)
        || (options.rows >= 0 && (int)kernel->rows_stored != options.rows) || strstr(kernel->name, "constant27"))
      continue;
    for (int f = 0; f < kernel->forms; f++) {
      const struct gmg_cuda_form *form = &kernel->form[f];
      add_trial(kernel, form, form->shape);
      for (size_t s = 0; !options.default_shapes && s < sizeof shapes / sizeof *shapes; s++)
        if (memcmp(&shapes[s], &form->shape, sizeof form->shape) != 0)
          add_trial(kernel, form, shapes[s]);
    }
    if (kernel->both)
      add_trial(kernel, kernel->both, kernel->both->shape);
    for (size_t s = 0; kernel->both && !options.default_shapes && s < sizeof both_shapes / sizeof *both_shapes; s++)
      add_trial(kernel, kernel->both, both_shapes[s]);
  }
}

static void compile(struct trial *t)
{
  const size_t size = strlen(gmg_cuda_prelude) + strlen(t->kernel->text) + strlen(t->form->text) + 400;
  char *text = malloc(size);
  if (!text)
    abort();
  snprintf(
    text, size,
    "%s%s#define BLOCK_I %d\n#define BLOCK_J %d\n#define ROWS %d\n#define PLANES %d\n#define UNROLL %d\n#define BLOCKS %d\n%s",
    gmg_cuda_prelude, t->kernel->text, t->shape.block_i, t->shape.block_j, t->shape.rows, t->shape.planes,
    t->shape.unroll, t->shape.blocks, t->form->text);
  jit_compile(text, device.architecture, &t->compiled);
  jit_usage(t->compiled.log, t->form->symbol, &t->usage);
  free(text);
}

static int is_both(const struct trial *t)
{
  return t->form == t->kernel->both;
}

static int written_field(const struct gmg_kernel_descriptor *kernel)
{
  int f = kernel->fields - 1;
  while (f > 0 && !kernel->field[f].written)
    f--;
  return f;
}

/* The shared part of a launch. */
static void launch(const struct trial *t, cuda_function function, struct gmg_cuda_args *args)
{
  const unsigned block[3] = {(unsigned)t->shape.block_i, (unsigned)t->shape.block_j, 1};
  unsigned grid[3];
  gmg_cuda_grid(t->kernel, t->form, &t->shape, args->box.cells, grid);
  const int status = cuda_launch(function, grid, block, args);
  if (status) {
    fprintf(stderr, "%s: launch fails with %d\n", t->form->symbol, status);
    exit(1);
  }
}

static void run_on_cpu(struct bench_fields *fields, struct gmg_reduction *reduction)
{
  void *pointer[GMG_MAX_FIELDS];
  struct gmg_tile tile = {.j1 = fields->box.cells[1] + fields->kernel->extra[1],
                          .k1 = fields->box.cells[2] + fields->kernel->extra[2]};
  struct gmg_kernel_args args = {.tiles = 1, .tile = &tile, .box = &fields->box, .reduction = reduction, .threads = 1};
  for (int f = 0; f < fields->kernel->fields; f++) {
    pointer[f] = (char *)fields->field[f].data + fields->field[f].origin;
    args.field[f] = &pointer[f];
  }
  memcpy(args.scalar, fields->scalar, sizeof args.scalar);
  const int longest =
    fields->box.other_cells[0] > fields->box.cells[0] ? fields->box.other_cells[0] : fields->box.cells[0];
  const size_t rows = (size_t)fields->kernel->rows * (size_t)(longest + 64),
               lines = (size_t)fields->kernel->lines * (size_t)fields->box.stride[0];
  args.scratch_stride = ((rows + lines) * 8 + 256 + GMG_KNOWN_BYTES + 63) / 64 * 64;
  args.scratch = aligned_alloc(64, args.scratch_stride);
  if (!args.scratch)
    abort();
  memset(args.scratch, 0xff, args.scratch_stride);
  fields->kernel->run(&args);
  free(args.scratch);
}

/* Whether the device gives the bits of the CPU, for each of two colours. */
static int verify(struct trial *t, cuda_function function)
{
  const int cells[3] = {72, 38, 22};
  int good = 1;
  for (int colour = 0; colour < 2 && good; colour++) {
    struct bench_fields fields;
    struct gmg_reduction total[2] = {{.most = 0}};
    struct gmg_cuda_args args;
    cuda_memory memory[GMG_MAX_FIELDS];
    bench_fields_make(&fields, t->cpu, cells, 1, 17);
    bench_set_colour(&fields, colour);
    bench_cuts(&fields, total[0].cut);
    total[1] = total[0];
    memset(&args, 0, sizeof args);
    args.box = fields.box;
    memcpy(args.scalar, fields.scalar, sizeof args.scalar);
    const cuda_memory reduction = cuda_allocate(sizeof total[1]);
    cuda_upload(reduction, &total[1], sizeof total[1]);
    memcpy(&args.reduction, &reduction, sizeof reduction);
    const int u = written_field(t->cpu);
    const cuda_memory out = cuda_allocate(fields.field[u].bytes + 1), out_at = out + fields.field[u].origin;
    if (is_both(t)) {
      cuda_upload(out, fields.field[u].data, fields.field[u].bytes);
      memcpy(&args.out, &out_at, sizeof out_at);
    }
    for (int f = 0; f < t->cpu->fields; f++) {
      memory[f] = cuda_allocate(fields.field[f].bytes);
      cuda_upload(memory[f], fields.field[f].data, fields.field[f].bytes);
      const cuda_memory at = memory[f] + fields.field[f].origin;
      memcpy(&args.field[f], &at, sizeof at);
    }
    launch(t, function, &args);
    cuda_wait();
    run_on_cpu(&fields, &total[0]);
    if (is_both(t)) {
      bench_set_colour(&fields, 1 - colour);
      run_on_cpu(&fields, &total[0]);
    }
    cuda_download(&total[1], reduction, sizeof total[1]);
    good = memcmp(&total[0], &total[1], sizeof total[0]) == 0;
    for (int f = 0; f < t->cpu->fields; f++) {
      char *back = malloc(fields.field[f].bytes);
      if (!back)
        abort();
      cuda_download(back, is_both(t) && f == u ? out : memory[f], fields.field[f].bytes);
      good = good && memcmp(back, fields.field[f].data, fields.field[f].bytes) == 0;
      free(back);
      cuda_release(memory[f]);
    }
    cuda_release(out);
    cuda_release(reduction);
    bench_fields_clear(&fields);
  }
  return good;
}

/* Device memory for the largest fields, filled once. */
static cuda_memory slot[SLOTS];
static size_t slot_bytes;

static void prepare_slots(void)
{
  int largest = 0;
  for (int s = 0; s < options.sizes; s++)
    largest = options.cells[s] > largest ? options.cells[s] : largest;
  slot_bytes = (size_t)(largest + 64) * (size_t)(largest + 8) * (size_t)(largest + 8) * sizeof(double);
  void *data = malloc(slot_bytes);
  if (!data)
    abort();
  bench_fill(data, slot_bytes, GMG_F64, 1);
  for (int s = 0; s < SLOTS; s++) {
    slot[s] = cuda_allocate(slot_bytes);
    if (s == 0)
      cuda_upload(slot[0], data, slot_bytes);
    else
      cuda_copy(slot[s], slot[0], slot_bytes);
  }
  cuda_wait();
  free(data);
}

/* The least of five times of as many launches as take some milliseconds, per launch. */
static double least_time(void (*start)(void *), void *context)
{
  double least = 1e30, once = 0;
  for (int n = 0; n < 2; n++) {
    cuda_clock_begin();
    start(context);
    once = cuda_clock_end();
  }
  const int launches = once > 10 ? 1 : once > 0.01 ? (int)(10 / once) + 1 : 1000;
  for (int n = 0; n < 5; n++) {
    cuda_clock_begin();
    for (int l = 0; l < launches; l++)
      start(context);
    const double each = cuda_clock_end() / launches;
    least = each < least ? each : least;
  }
  return least;
}

static void start_copy(void *context)
{
  cuda_copy(slot[1], slot[0], *(const size_t *)context);
}

struct timed {
  const struct trial *trial;
  cuda_function function;
  struct gmg_cuda_args args;
  int colour_at; /* of the scalars; -1 */
};

static void start_kernel(void *context)
{
  struct timed *timed = context;
  launch(timed->trial, timed->function, &timed->args);
  if (timed->colour_at >= 0)
    timed->args.scalar[timed->colour_at] = 1 - timed->args.scalar[timed->colour_at];
}

static int is_finer(const struct gmg_kernel_descriptor *kernel)
{
  for (int f = 0; f < kernel->fields; f++)
    if (kernel->field[f].level == GMG_FINER)
      return 1;
  return 0;
}

static void measure(struct trial *t, cuda_function function, int size)
{
  const int n = options.cells[size] / (is_finer(t->cpu) ? 2 : 1), cells[3] = {n, n, n};
  struct bench_fields fields;
  struct timed timed = {.trial = t, .function = function, .colour_at = -1};
  struct gmg_reduction total = {.most = 0};
  cuda_memory memory[GMG_MAX_FIELDS] = {0};
  int used = 0;
  bench_fields_make(&fields, t->cpu, cells, 0, 17);
  bench_cuts(&fields, total.cut);
  const cuda_memory reduction = cuda_allocate(sizeof total);
  cuda_upload(reduction, &total, sizeof total);
  memcpy(&timed.args.reduction, &reduction, sizeof reduction);
  timed.args.box = fields.box;
  memcpy(timed.args.scalar, fields.scalar, sizeof fields.scalar);
  for (int s = 0; s < t->cpu->scalars; s++)
    if (strcmp(t->cpu->scalar[s], "colour") == 0)
      timed.colour_at = s;
  for (int f = 0; f < t->cpu->fields; f++) {
    cuda_memory at;
    if (t->cpu->field[f].kind == GMG_FIELD) {
      if (used == SLOTS || fields.field[f].bytes > slot_bytes)
        abort();
      at = slot[used++] + fields.field[f].origin;
    } else {
      memory[f] = cuda_allocate(fields.field[f].bytes);
      cuda_upload(memory[f], fields.field[f].data, fields.field[f].bytes);
      at = memory[f] + fields.field[f].origin;
    }
    memcpy(&timed.args.field[f], &at, sizeof at);
  }
  if (is_both(t)) {
    const cuda_memory out = slot[used++] + fields.field[written_field(t->cpu)].origin;
    memcpy(&timed.args.out, &out, sizeof out);
    timed.colour_at = -1;
  }
  t->milliseconds[size] = least_time(start_kernel, &timed);
  t->bytes[size] = is_both(t) ? t->cpu->bytes * n * n * n : fields.bytes;
  for (int f = 0; f < t->cpu->fields; f++)
    if (memory[f])
      cuda_release(memory[f]);
  cuda_release(reduction);
  bench_fields_clear(&fields);
}

static void print_trial(const struct trial *t, int size)
{
  const double rate = t->bytes[size] / t->milliseconds[size] * 1e3;
  printf("%4d^3 %-52s %4d x %2d x %d x %2d / %d / %d %3d regs %8.3f ms %7.0f GB/s %5.1f%%\n", options.cells[size],
         t->form->symbol, t->shape.block_i, t->shape.block_j, t->shape.rows, t->shape.planes, t->shape.unroll,
         t->shape.blocks, t->usage.registers, t->milliseconds[size], rate * 1e-9, 100 * rate / copy_rate[size]);
}

static void write_json(void)
{
  FILE *file = fopen(options.json, "w");
  if (!file) {
    perror(options.json);
    exit(1);
  }
  fprintf(file, "{\"device\": \"%s\", \"trials\": [", device.name);
  int first = 1;
  for (int n = 0; n < trials; n++)
    for (int s = 0; s < options.sizes; s++) {
      const struct trial *t = &trial[n];
      if (t->milliseconds[s] == 0)
        continue;
      const double rate = t->bytes[s] / t->milliseconds[s] * 1e3;
      fprintf(file,
              "%s\n  {\"cells\": %d, \"symbol\": \"%s\", \"kernel\": \"%s\", \"variant\": \"%s\", \"form\": \"%s\", "
              "\"shape\": [%d, %d, %d, %d, %d, %d], \"registers\": %d, \"shared\": %d, \"spilled\": %d, \"equal\": %s, "
              "\"milliseconds\": %.6g, \"bytes\": %.6g, \"of_copy\": %.4g}",
              first ? "" : ",", options.cells[s], t->form->symbol, t->kernel->name, t->kernel->variant, t->form->name,
              t->shape.block_i, t->shape.block_j, t->shape.rows, t->shape.planes, t->shape.unroll, t->shape.blocks,
              t->usage.registers, t->usage.shared, t->usage.spilled, t->good ? "true" : "false", t->milliseconds[s],
              t->bytes[s], rate / copy_rate[s]);
      first = 0;
    }
  fprintf(file, "\n]}\n");
  fclose(file);
}

static int parse(int argc, char **argv)
{
  for (int n = 1; n < argc; n++) {
    const char *name = argv[n];
    if (strcmp(name, "--default-shapes") == 0) {
      options.default_shapes = 1;
      continue;
    }
    if (n + 1 >= argc)
      return 0;
    const char *value = argv[++n];
    if (strcmp(name, "--kernels") == 0)
      options.kernels = value;
    else if (strcmp(name, "--form") == 0)
      options.form = value;
    else if (strcmp(name, "--json") == 0)
      options.json = value;
    else if (strcmp(name, "--rows") == 0)
      options.rows = strcmp(value, "split") == 0 ? GMG_SPLIT : strcmp(value, "plain") == 0 ? GMG_PLAIN : -1;
    else if (strcmp(name, "--precision") == 0)
      options.precision = strcmp(value, "double") == 0 ? GMG_F64 : strcmp(value, "single") == 0 ? GMG_F32 : -1;
    else if (strcmp(name, "--cells") == 0) {
      options.sizes = 0;
      for (char *end; *value && options.sizes < MOST_SIZES; value = *end ? end + 1 : end)
        options.cells[options.sizes++] = (int)strtol(value, &end, 10) / 4 * 4;
    } else {
      return 0;
    }
  }
  return 1;
}

static int run_trials(void)
{
  int failures = 0;
  for (int n = 0; n < trials; n++) {
    struct trial *t = &trial[n];
    if (!t->compiled.cubin) {
      printf("FAILED %s does not compile:\n%s\n", t->form->symbol, t->compiled.log);
      failures++;
      continue;
    }
    cuda_module module = cuda_load(t->compiled.cubin);
    cuda_function function = cuda_find(module, t->form->symbol);
    t->good = function && verify(t, function);
    if (!t->good) {
      printf("FAILED %s: other bits than on the CPU\n", t->form->symbol);
      failures++;
    }
    for (int s = 0; function && s < options.sizes; s++) {
      measure(t, function, s);
      print_trial(t, s);
    }
    fflush(stdout);
    cuda_unload(module);
    jit_clear(&t->compiled);
  }
  return failures;
}

int main(int argc, char **argv)
{
  char why[300];
  if (!parse(argc, argv)) {
    fprintf(stderr,
            "usage: cuda_kernels [--cells N,N,...] [--kernels PART,PART,...] [--rows split|plain|all] "
            "[--precision double|single|all] [--form march|queue|between|both] [--default-shapes] [--json FILE]\n");
    return 2;
  }
  plan();
  printf("%d forms and shapes\n", trials);
  if (!jit_open(why, sizeof why) || !cuda_open(&device, why, sizeof why)) {
    printf("no device: %s\n", why);
    return 77;
  }
  printf("%s, %d processors, %.1f GiB\n", device.name, device.processors, (double)device.memory / 0x1p30);
#pragma omp parallel for schedule(dynamic)
  for (int n = 0; n < trials; n++)
    compile(&trial[n]);
  prepare_slots();
  for (int s = 0; s < options.sizes; s++) {
    size_t bytes = (size_t)options.cells[s] * (size_t)options.cells[s] * (size_t)options.cells[s] * sizeof(double);
    copy_rate[s] = 2.0 * (double)bytes / least_time(start_copy, &bytes) * 1e3;
    printf("%4d^3 copy of a field %.0f GB/s\n", options.cells[s], copy_rate[s] * 1e-9);
  }
  const int failures = run_trials();
  if (options.json)
    write_json();
  printf("%d failures\n", failures);
  return failures > 0;
}

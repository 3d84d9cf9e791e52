/* Every launch form of the generated CUDA kernels on one GPU, in several shapes of thread blocks:
 * first its bits against the OpenMP kernel's, on a small box; then its time, against a copy from
 * device to device in the same run.
 *   cuda_kernels [--cells N,N,...] [--kernels PART,PART,...] [--rows split|plain|all] [--precision
 *     double|single|all] [--form march|queue|between|both|staged] [--default-shapes] [--json FILE]
 * Exit status: 0 good, 1 a kernel's bits differ or it does not compile, 77 no device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_trial.h"
#include "system/isa.h"

enum { MOST_TRIALS = 4096 };

static const struct gmg_cuda_shape shapes[] = {
  {32, 8, 1, 1, 1, 4},   {32, 8, 1, 2, 2, 2},   {32, 8, 1, 2, 2, 3},   {32, 8, 1, 2, 2, 4},
  {32, 8, 1, 4, 2, 3},   {32, 8, 1, 4, 2, 2},   {32, 8, 1, 4, 4, 2},   {32, 8, 1, 8, 1, 4},
  {32, 8, 1, 8, 2, 2},   {32, 8, 1, 8, 2, 3},   {32, 8, 1, 8, 4, 1},   {32, 8, 1, 8, 4, 2},
  {32, 8, 1, 16, 1, 3},  {32, 8, 1, 16, 1, 4},  {32, 8, 1, 16, 2, 3},  {32, 8, 1, 32, 1, 4},
  {32, 4, 1, 2, 2, 6},   {32, 4, 1, 4, 2, 6},   {32, 4, 1, 8, 2, 6},   {32, 4, 1, 16, 1, 8},
  {64, 4, 1, 2, 2, 4},   {64, 4, 1, 8, 2, 3},   {64, 4, 1, 32, 1, 4},  {128, 2, 1, 22, 1, 3},
  {128, 2, 1, 64, 1, 4}, {128, 1, 1, 38, 1, 7}, {128, 1, 1, 64, 1, 7}, {32, 7, 1, 38, 1, 4},
  {32, 16, 1, 16, 1, 2}, {32, 2, 1, 4, 2, 12},  {64, 1, 1, 38, 1, 14}, {64, 7, 1, 38, 1, 2}};

static const struct gmg_cuda_shape staged_shapes[] = {{32, 16, 1, 0, 1, 1},
                                                      {32, 12, 1, 0, 1, 1},
                                                      {32, 14, 1, 0, 1, 1},
                                                      {64, 8, 1, 0, 1, 1},
                                                      {64, 6, 1, 0, 1, 1}};

static struct {
  int sizes, cells[CUDA_TRIAL_SIZES];
  const char *kernels, *form, *json;   /* form: NULL: all */
  int rows, precision, default_shapes; /* enum gmg_rows, enum gmg_precision, or -1 for both */
} options = {.sizes = 2,
             .cells = {256, 512},
             .rows = GMG_SPLIT,
             .precision = GMG_F64,
             .kernels = "gauss_seidel,jacobi,chebyshev,residual,restrict_cell,interpolate_linear,"
                        "interpolate_constant,copy,"
                        "dot,axpy"};

static struct cuda_trial trial[MOST_TRIALS];
static int trials;
static struct cuda_device device;
static double copy_rate[CUDA_TRIAL_SIZES]; /* bytes per second */

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
  trial[trials++] =
    (struct cuda_trial){.kernel = kernel, .cpu = on_cpu(kernel), .form = form, .shape = shape};
}

static void plan(void)
{
  for (int n = 0; gmg_cuda_kernels[n]; n++) {
    const struct gmg_cuda_kernel *kernel = gmg_cuda_kernels[n];
    if (!wanted(kernel->name)
        || (options.precision >= 0 && (int)kernel->precision != options.precision)
        || (options.rows >= 0 && (int)kernel->rows_stored != options.rows))
      continue;
    for (int f = 0; f < kernel->forms; f++) {
      const struct gmg_cuda_form *form = &kernel->form[f];
      add_trial(kernel, form, form->shape);
      for (size_t s = 0; !options.default_shapes && s < sizeof shapes / sizeof *shapes; s++)
        if (memcmp(&shapes[s], &form->shape, sizeof form->shape) != 0)
          add_trial(kernel, form, shapes[s]);
    }
    if (kernel->staged)
      add_trial(kernel, kernel->staged, kernel->staged->shape);
    for (size_t s = 0; kernel->staged && !options.default_shapes
         && s < sizeof staged_shapes / sizeof *staged_shapes;
         s++)
      add_trial(kernel, kernel->staged, staged_shapes[s]);
  }
}

/* What the two colours take one after the other, if that was timed, in the first shape, which is
 * the default. */
static double two_passes(const struct cuda_trial *t, int size)
{
  for (int n = 0; n < trials && &trial[n] != t; n++)
    if (trial[n].kernel == t->kernel)
      return 2 * trial[n].milliseconds[size];
  return 0;
}

static void compare_staged(struct cuda_trial *t, int size)
{
  const double two = two_passes(t, size);
  t->two_passes[size] = two;
  printf("        both colours in one pass %.2f times as fast as one after the other\n",
         two / t->milliseconds[size]);
}

static void print_trial(const struct cuda_trial *t, int size)
{
  const double rate = t->bytes[size] / t->milliseconds[size] * 1e3;
  printf("%4d^3 %-52s %4d x %2d x %d x %2d / %d / %d %3d regs %8.3f ms %7.0f GB/s %5.1f%%\n",
         options.cells[size], t->form->symbol, t->shape.block_i, t->shape.block_j, t->shape.rows,
         t->shape.planes, t->shape.unroll, t->shape.blocks, t->usage.registers,
         t->milliseconds[size], rate * 1e-9, 100 * rate / copy_rate[size]);
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
      const struct cuda_trial *t = &trial[n];
      if (t->milliseconds[s] == 0)
        continue;
      const double rate = t->bytes[s] / t->milliseconds[s] * 1e3;
      fprintf(file,
              "%s\n  {\"cells\": %d, \"symbol\": \"%s\", \"kernel\": \"%s\", \"variant\": \"%s\", "
              "\"form\": \"%s\", "
              "\"shape\": [%d, %d, %d, %d, %d, %d], \"registers\": %d, \"shared\": %d, "
              "\"spilled\": %d, \"equal\": %s, "
              "\"milliseconds\": %.6g, \"bytes\": %.6g, \"of_copy\": %.4g, \"two_passes\": %.6g}",
              first ? "" : ",", options.cells[s], t->form->symbol, t->kernel->name,
              t->kernel->variant, t->form->name, t->shape.block_i, t->shape.block_j, t->shape.rows,
              t->shape.planes, t->shape.unroll, t->shape.blocks, t->usage.registers,
              t->usage.shared, t->usage.spilled, t->good ? "true" : "false", t->milliseconds[s],
              t->bytes[s], rate / copy_rate[s], t->two_passes[s]);
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
      options.rows = strcmp(value, "split") == 0 ? GMG_SPLIT
        : strcmp(value, "plain") == 0            ? GMG_PLAIN
                                                 : -1;
    else if (strcmp(name, "--precision") == 0)
      options.precision = strcmp(value, "double") == 0 ? GMG_F64
        : strcmp(value, "single") == 0                 ? GMG_F32
                                                       : -1;
    else if (strcmp(name, "--cells") == 0) {
      options.sizes = 0;
      for (char *end; *value && options.sizes < CUDA_TRIAL_SIZES; value = *end ? end + 1 : end)
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
    struct cuda_trial *t = &trial[n];
    if (t->form == t->kernel->staged && !cuda_copies_boxes()) {
      printf("%s: not before architecture 9.0\n", t->form->symbol);
      continue;
    }
    if (!t->compiled.cubin) {
      printf("FAILED %s does not compile:\n%s\n", t->form->symbol, t->compiled.log);
      failures++;
      continue;
    }
    cuda_module module = cuda_load(t->compiled.cubin);
    cuda_function function = cuda_find(module, t->form->symbol);
    t->good = function && cuda_trial_verify(t, function);
    if (!t->good) {
      printf("FAILED %s: other bits than on the CPU\n", t->form->symbol);
      failures++;
    }
    for (int s = 0; function && s < options.sizes; s++) {
      cuda_trial_measure(t, function, s, options.cells[s]);
      print_trial(t, s);
      if (t->form == t->kernel->staged)
        compare_staged(t, s);
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
    fprintf(
      stderr,
      "usage: cuda_kernels [--cells N,N,...] [--kernels PART,PART,...] [--rows split|plain|all] "
      "[--precision double|single|all] [--form march|queue|between|both|staged] [--default-shapes] "
      "[--json FILE]\n");
    return 2;
  }
  plan();
  if (!trials) {
    fprintf(stderr,
            "cuda_kernels: no kernel with '%s' in its name has form '%s' in those rows and that "
            "precision\n",
            options.kernels, options.form ? options.form : "any");
    return 2;
  }
  printf("%d forms and shapes\n", trials);
  if (!jit_open(why, sizeof why) || !cuda_open(&device, why, sizeof why)) {
    printf("no device: %s\n", why);
    return 77;
  }
  printf("%s, %d processors, %.1f GiB\n", device.name, device.processors,
         (double)device.memory / 0x1p30);
#pragma omp parallel for schedule(dynamic)
  for (int n = 0; n < trials; n++)
    cuda_trial_compile(&trial[n], device.architecture);
  int largest = 0;
  for (int s = 0; s < options.sizes; s++)
    largest = options.cells[s] > largest ? options.cells[s] : largest;
  cuda_trial_prepare(largest);
  for (int s = 0; s < options.sizes; s++) {
    const size_t bytes = (size_t)options.cells[s] * (size_t)options.cells[s]
      * (size_t)options.cells[s] * sizeof(double);
    copy_rate[s] = 2.0 * (double)bytes / cuda_trial_copy(bytes) * 1e3;
    printf("%4d^3 copy of a field %.0f GB/s\n", options.cells[s], copy_rate[s] * 1e-9);
  }
  const int failures = run_trials();
  if (options.json)
    write_json();
  printf("%d failures\n", failures);
  return failures > 0;
}

#include "nvrtc_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/runtime/cuda_kernel.h"
#include "cuda/runtime/staged.h"
#include "cuda/run/tail_text.h"
#include "jit.h"

enum { MOST_KERNELS = 4096, BATCH = 8 }; /* kernels of a program: the prelude is read once */

struct text {
  char *at;
  size_t length, size;
};

static void append(struct text *text, const char *more)
{
  const size_t length = strlen(more);
  if (text->length + length + 1 > text->size) {
    text->size = 2 * (text->length + length + 1);
    text->at = realloc(text->at, text->size);
    if (!text->at)
      abort();
  }
  memcpy(text->at + text->length, more, length + 1);
  text->length += length;
}

/* Warps that a processor holds, of those that it could: all our architectures have 65536 registers
 * in units of 256 a warp, and 64 warps. */
static double occupancy(int threads, const struct jit_usage *usage, int shared_bytes)
{
  const int warps = threads / 32, of_warp = (usage->registers * 32 + 255) / 256 * 256;
  int blocks = 65536 / (of_warp * warps);
  if (usage->shared && shared_bytes / (usage->shared + 1024) < blocks)
    blocks = shared_bytes / (usage->shared + 1024);
  if (64 / warps < blocks)
    blocks = 64 / warps;
  return blocks * warps / 64.0;
}

/* On many boxes at once a box's arguments take registers, which one kernel does not have: 27 points
 * on each of 8 fine cells. It spills one double. Elimination runs on at most eight cells, and in
 * setup alone. */
static int may_spill(const struct gmg_cuda_kernel *kernel, int many)
{
  if (strstr(kernel->name, "eliminate"))
    return 1;
  return many && kernel->role == GMG_RESTRICT_NORM && strstr(kernel->name, "constant27");
}

/* The forms of one kernel in the log of its program, for one box or for many in a launch. Split
 * rows, which are what the solver takes by default, must not spill. */
static int look_up(const struct gmg_cuda_kernel *kernel, int many, const char *architecture,
                   const char *log)
{
  int failures = 0;
  for (int f = 0; f < kernel->forms + (kernel->staged && !many); f++) {
    const struct gmg_cuda_form *form = f < kernel->forms ? &kernel->form[f] : kernel->staged;
    const int staged = form == kernel->staged, real = kernel->precision == GMG_F64 ? 8 : 4;
    const int threads =
      staged ? gmg_cuda_staged_threads(&form->shape) : form->shape.block_i * form->shape.block_j;
    const int taken = !staged || strcmp(architecture, "sm_90") == 0; /* where it was measured */
    const int strict = kernel->rows_stored == GMG_SPLIT && taken && !may_spill(kernel, many);
    struct jit_usage usage;
    if (!jit_usage(log, form->symbol, &usage)) {
      printf("FAILED %s: the log for %s says nothing of it\n", form->symbol, architecture);
      failures++;
      continue;
    }
    if (staged) /* its size is given at the launch; architectures before 9.0, where it is not taken,
                   have less */
      usage.shared = gmg_cuda_staged_bytes(form, &form->shape, real);
    printf(
      "%s %-72s%s %3d x %2d x %d x %2d %3d registers %6d bytes shared %3.0f%% of all warps%s\n",
      architecture, form->symbol, many ? " many" : "", form->shape.block_i, form->shape.block_j,
      form->shape.rows, form->shape.planes, usage.registers, usage.shared,
      100 * occupancy(threads, &usage, staged ? 233472 : 166912),
      !usage.spilled ? ""
        : strict     ? " FAILED: it spills"
                     : ", spills");
    failures += strict && usage.spilled > 0;
    if (staged && usage.shared > 227 * 1024) {
      printf("FAILED %s: architecture 9.0 has less shared memory\n", form->symbol);
      failures++;
    }
  }
  return failures;
}

static int compile_batch(const struct gmg_cuda_kernel *const *kernel, int count, int many,
                         const char *architecture)
{
  struct text text = {0};
  struct jit_result result;
  int failures = 0;
  append(&text, gmg_cuda_prelude);
  for (int n = 0; n < count; n++) {
    append(&text, kernel[n]->text);
    for (int f = 0; f < kernel[n]->forms; f++) {
      char macros[60] = "";
      if (many)
        snprintf(macros, sizeof macros, "#define MANY\n#define BLOCKS %d\n",
                 kernel[n]->form[f].many_blocks);
      append(&text, macros);
      append(&text, kernel[n]->form[f].text);
    }
    if (kernel[n]->staged && !many)
      append(&text, kernel[n]->staged->text);
  }
  jit_compile(text.at, architecture, &result);
#pragma omp critical
  if (!result.cubin) {
    printf("FAILED for %s, kernels from %s on:\n%s\n", architecture, kernel[0]->symbol, result.log);
    failures = count;
  } else {
    for (int n = 0; n < count; n++)
      failures += look_up(kernel[n], many, architecture, result.log);
  }
  jit_clear(&result);
  free(text.at);
  return failures;
}

int nvrtc_table(const char *const *architecture, int architectures, int every)
{
  const struct gmg_cuda_kernel *chosen[MOST_KERNELS];
  char why[300];
  int kernels = 0, failures = 0, forms = 0;
  if (!jit_open(why, sizeof why)) {
    printf("skipped: no NVRTC: %s\n", why);
    return -1;
  }
  for (int n = 0; gmg_cuda_kernels[n]; n++) {
    if (kernels == MOST_KERNELS) {
      printf("FAILED: more than %d kernels\n", MOST_KERNELS);
      return 1;
    }
    forms += gmg_cuda_kernels[n]->forms + (gmg_cuda_kernels[n]->staged != NULL);
    chosen[kernels++] = gmg_cuda_kernels[n];
  }
  const int batches = (kernels + BATCH - 1) / BATCH;
#pragma omp parallel for schedule(dynamic) reduction(+ : failures)
  for (int n = 0; n < 2 * batches * architectures; n++) {
    const int batch = n / 2 / architectures, first = batch * BATCH;
    if (batch % every)
      continue;
    failures += compile_batch(chosen + first, kernels - first < BATCH ? kernels - first : BATCH,
                              n % 2, architecture[n / 2 % architectures]);
  }
  printf("%d kernels in %d forms, one in %d of them for %d architectures: %d failures\n", kernels,
         forms, every, architectures, failures);
  return failures;
}

int nvrtc_tail(const char *const *architecture, int architectures)
{
  static const char *const name[] = {"variable7_gauss_seidel", "variable7_residual_restrict",
                                     "interpolate_linear",     "set",
                                     "linked27_gauss_seidel",  "linked27_gauss_seidel_rows",
                                     "restrict_owned",         "interpolate_owned",
                                     "apply_inverse"};
  enum { KERNELS = sizeof name / sizeof *name, THREADS = 512 };
  const struct gmg_cuda_kernel *kernel[KERNELS] = {NULL};
  char why[300];
  int failures = 0;
  if (!jit_open(why, sizeof why))
    return -1;
  for (int n = 0; gmg_cuda_kernels[n]; n++)
    for (int k = 0; k < KERNELS; k++)
      if (gmg_cuda_kernels[n]->precision == GMG_F64 && gmg_cuda_kernels[n]->rows_stored == GMG_SPLIT
          && !*gmg_cuda_kernels[n]->variant && strcmp(gmg_cuda_kernels[n]->name, name[k]) == 0)
        kernel[k] = gmg_cuda_kernels[n];
  for (int k = 0; k < KERNELS; k++)
    if (!kernel[k]) {
      printf("FAILED: there is no kernel %s\n", name[k]);
      return 1;
    }
  char *text = gmg_tail_text(kernel, KERNELS, THREADS);
  for (int n = 0; text && n < architectures; n++) {
    struct jit_result result;
    struct jit_usage usage = {0, 0, 0};
    jit_compile(text, architecture[n], &result);
    const int bad = !result.cubin || !jit_usage(result.log, "gmg_tail", &usage) || usage.spilled;
    printf("%s the coarse tail: %d registers, %d bytes shared%s\n", architecture[n],
           usage.registers, usage.shared,
           usage.spilled ? " FAILED: it spills"
             : bad       ? " FAILED:"
                         : "");
    if (!result.cubin)
      printf("%s\n", result.log);
    failures += bad;
    jit_clear(&result);
  }
  failures += !text;
  free(text);
  return failures;
}

#include "cuda_trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/runtime/staged.h"
#include "cuda_fields.h"

void cuda_trial_compile(struct cuda_trial *t, const char *architecture)
{
  const size_t size =
    strlen(gmg_cuda_prelude) + strlen(t->kernel->text) + strlen(t->form->text) + 400;
  char *text = malloc(size);
  if (!text)
    abort();
  snprintf(text, size,
           "%s%s#define BLOCK_I %d\n#define BLOCK_J %d\n#define ROWS %d\n#define PLANES "
           "%d\n#define UNROLL %d\n#define BLOCKS %d\n%s",
           gmg_cuda_prelude, t->kernel->text, t->shape.block_i, t->shape.block_j, t->shape.rows,
           t->shape.planes, t->shape.unroll, t->shape.blocks, t->form->text);
  jit_compile(text, architecture, &t->compiled);
  jit_usage(t->compiled.log, t->form->symbol, &t->usage);
  free(text);
}

/* Whether it does both colours, out of place. */
static int is_staged(const struct cuda_trial *t)
{
  return t->form == t->kernel->staged;
}

static int written_field(const struct gmg_kernel_descriptor *kernel)
{
  int f = kernel->fields - 1;
  while (f > 0 && !kernel->field[f].written)
    f--;
  return f;
}

static int launch_staged(const struct cuda_trial *t, cuda_function function,
                         struct gmg_cuda_args *args)
{
  const int real = t->kernel->precision == GMG_F64 ? 8 : 4;
  const unsigned block[3] = {(unsigned)gmg_cuda_staged_threads(&t->shape), 1, 1};
  struct gmg_cuda_boxes boxes;
  void *parameters[] = {args, &boxes};
  unsigned grid[3];
  memset(&boxes, 0, sizeof boxes);
  gmg_cuda_staged_grid(t->kernel, &t->shape, args->box.cells, cuda_processors(), grid);
  const int status =
    gmg_cuda_staged_encode(t->form, &t->shape, real, args, cuda_encode_tensor, &boxes);
  return status ? status
                : cuda_launch_shared(function, grid, block,
                                     gmg_cuda_staged_bytes(t->form, &t->shape, real), parameters);
}

/* The shared part of a launch. */
static void launch(const struct cuda_trial *t, cuda_function function, struct gmg_cuda_args *args)
{
  const unsigned block[3] = {(unsigned)t->shape.block_i, (unsigned)t->shape.block_j, 1};
  unsigned grid[3];
  if (!is_staged(t))
    gmg_cuda_grid(t->kernel, t->form, &t->shape, args->box.cells, grid);
  const int status =
    is_staged(t) ? launch_staged(t, function, args) : cuda_launch(function, grid, block, args);
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
  struct gmg_kernel_args args = {
    .tiles = 1, .tile = &tile, .box = &fields->box, .reduction = reduction, .threads = 1};
  for (int f = 0; f < fields->kernel->fields; f++) {
    pointer[f] = (char *)fields->field[f].data + fields->field[f].origin;
    args.field[f] = &pointer[f];
  }
  memcpy(args.scalar, fields->scalar, sizeof args.scalar);
  const int longest = fields->box.other_cells[0] > fields->box.cells[0] ? fields->box.other_cells[0]
                                                                        : fields->box.cells[0];
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

/* Those of a second colour: another factor of relaxation. */
static void second_scalars(const struct bench_fields *fields, double *scalar)
{
  memcpy(scalar, fields->scalar, sizeof fields->scalar);
  for (int s = 0; s < fields->kernel->scalars; s++)
    if (strcmp(fields->kernel->scalar[s], "omega") == 0)
      scalar[s] *= 1.25;
}

int cuda_trial_verify(const struct cuda_trial *t, cuda_function function)
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
    second_scalars(&fields, args.then);
    const cuda_memory reduction = cuda_allocate(sizeof total[1]);
    cuda_upload(reduction, &total[1], sizeof total[1]);
    memcpy(&args.reduction, &reduction, sizeof reduction);
    const int u = written_field(t->cpu);
    const cuda_memory out = cuda_allocate(fields.field[u].bytes + 1),
                      out_at = out + fields.field[u].origin;
    if (is_staged(t)) {
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
    if (is_staged(t)) {
      memcpy(fields.scalar, args.then, sizeof fields.scalar);
      bench_set_colour(&fields, 1 - colour);
      run_on_cpu(&fields, &total[0]);
    }
    cuda_download(&total[1], reduction, sizeof total[1]);
    good = memcmp(&total[0], &total[1], sizeof total[0]) == 0;
    for (int f = 0; f < t->cpu->fields; f++) {
      char *back = malloc(fields.field[f].bytes);
      if (!back)
        abort();
      cuda_download(back, is_staged(t) && f == u ? out : memory[f], fields.field[f].bytes);
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

/* Device memory for the largest fields, filled once, each when it is first asked for; one more than
 * a kernel has fields, for what is written out of place. */
static cuda_memory slot[GMG_MAX_FIELDS + 1];
static size_t slot_bytes;

void cuda_trial_prepare(int largest)
{
  slot_bytes =
    (size_t)(largest + 64) * (size_t)(largest + 8) * (size_t)(largest + 8) * sizeof(double);
  void *data = malloc(slot_bytes);
  if (!data)
    abort();
  bench_fill(data, slot_bytes, GMG_F64, 1);
  slot[0] = cuda_allocate(slot_bytes);
  cuda_upload(slot[0], data, slot_bytes);
  cuda_trial_memory(1); /* what copies are timed with */
  free(data);
}

cuda_memory cuda_trial_memory(int n)
{
  if (!slot[n]) {
    slot[n] = cuda_allocate(slot_bytes);
    cuda_copy(slot[n], slot[0], slot_bytes);
    cuda_wait();
  }
  return slot[n];
}

double cuda_trial_least_time(void (*start)(void *), void *context)
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

double cuda_trial_copy(size_t bytes)
{
  return cuda_trial_least_time(start_copy, &bytes);
}

struct timed {
  const struct cuda_trial *trial;
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

void cuda_trial_measure(struct cuda_trial *t, cuda_function function, int size, int cells_along)
{
  const int n = cells_along / (is_finer(t->cpu) ? 2 : 1), cells[3] = {n, n, n};
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
  second_scalars(&fields, timed.args.then);
  for (int s = 0; s < t->cpu->scalars; s++)
    if (strcmp(t->cpu->scalar[s], "colour") == 0)
      timed.colour_at = s;
  for (int f = 0; f < t->cpu->fields; f++) {
    cuda_memory at;
    if (t->cpu->field[f].kind == GMG_FIELD) {
      if (fields.field[f].bytes > slot_bytes)
        abort();
      at = cuda_trial_memory(used++) + fields.field[f].origin;
    } else {
      memory[f] = cuda_allocate(fields.field[f].bytes);
      cuda_upload(memory[f], fields.field[f].data, fields.field[f].bytes);
      at = memory[f] + fields.field[f].origin;
    }
    memcpy(&timed.args.field[f], &at, sizeof at);
  }
  if (is_staged(t)) {
    const cuda_memory out = cuda_trial_memory(used++) + fields.field[written_field(t->cpu)].origin;
    memcpy(&timed.args.out, &out, sizeof out);
    timed.colour_at = -1;
  }
  t->milliseconds[size] = cuda_trial_least_time(start_kernel, &timed);
  t->bytes[size] = is_staged(t) ? t->cpu->bytes * n * n * n : fields.bytes;
  for (int f = 0; f < t->cpu->fields; f++)
    if (memory[f])
      cuda_release(memory[f]);
  cuda_release(reduction);
  bench_fields_clear(&fields);
}

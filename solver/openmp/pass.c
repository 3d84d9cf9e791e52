#include "pass.h"

#include "../memory.h"

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "threads.h"

/* A level whose u, f and coefficients stay in cache gains nothing from a pass. */
enum { MOST_STAGES = 24, LEAST_CELLS = 40 * 40 * 40 };
/* Strips; planes from one wait of a strip for the one before to the next; turns of a wait before others may run. */
enum { MOST_STRIPS = 1024, CHUNK = 8, SPINS = 2000 };

/* How many planes of a strip its first stage has done. */
struct progress {
  atomic_int front;
  char apart[64 - sizeof(atomic_int)]; /* from the next one's cache line */
};

/* One kernel of a pass. A stage on the coarse level (restriction) visits coarse plane c when fine plane hi[c] is due. */
struct stage {
  struct gmg_call *call;
  struct gmg_kernel_args args;
  int lag;            /* planes behind the first stage */
  const int *lo, *hi; /* NULL: a stage on the pass's own level; else the fine planes of a coarse one */
  const int *hi_row;  /* and the last fine row of a coarse row */
  double seconds;     /* spent by the first thread */
};

struct gmg_pass {
  struct gmg_level *level;
  int planes, rows, coarse_planes;
  int strip, strips; /* rows per strip, and how many */
  int stages, lag;   /* the largest lag of a stage */
  struct stage stage[MOST_STAGES];
  struct progress progress[MOST_STRIPS];
};

struct gmg_pass *gmg_pass_create(void)
{
  return gmg_calloc(1, sizeof(struct gmg_pass));
}

void gmg_pass_destroy(struct gmg_pass **pass)
{
  if (!pass)
    return;
  gmg_free(*pass);
  *pass = NULL;
}

/* Planes and rows alike: what is read around a point along k or j. */
static int reach(const struct gmg_field_descriptor *field)
{
  int most = 0;
  for (int d = 1; d < 3; d++) {
    most = field->halo_lower[d] > most ? field->halo_lower[d] : most;
    most = field->halo_upper[d] > most ? field->halo_upper[d] : most;
  }
  return most;
}

/* How many planes `later` must stay behind `earlier`: for what it reads of what that writes, and for what that still reads of
 * what it overwrites. Fields are the same where their data are. */
static int distance(const struct stage *earlier, const struct stage *later)
{
  const struct gmg_kernel_descriptor *a = earlier->call->kernel, *b = later->call->kernel;
  int most = 0;
  for (int m = 0; m < a->fields; m++)
    for (int n = 0; n < b->fields; n++) {
      if (a->field[m].kind != GMG_FIELD || earlier->args.field[m] != later->args.field[n])
        continue;
      if (a->field[m].written && b->field[n].read && reach(&b->field[n]) > most)
        most = reach(&b->field[n]);
      if (a->field[m].read && b->field[n].written && reach(&a->field[m]) > most)
        most = reach(&a->field[m]);
    }
  return most;
}

/* The level whose planes a call sweeps: its own, or the finer one that a restriction reads. */
static int sweeps_finer(const struct gmg_kernel_descriptor *kernel)
{
  for (int f = 0; f < kernel->fields; f++)
    if (kernel->field[f].level == GMG_FINER)
      return 1;
  return 0;
}

/* Kernels of a cycle's way down and up: smoothers, residual with restriction, norm, interpolation. */
static int belongs_to_cycle(const struct gmg_kernel_descriptor *kernel)
{
  if (kernel->role == GMG_GAUSS_SEIDEL || kernel->role == GMG_JACOBI || kernel->role == GMG_CHEBYSHEV
      || kernel->role == GMG_RESIDUAL_RESTRICT || kernel->role == GMG_RESIDUAL_NORM
      || kernel->role == GMG_RESIDUAL_SINGLE)
    return 1;
  for (int f = 0; f < kernel->fields; f++)
    if (kernel->field[f].level == GMG_COARSER)
      return 1;
  return 0;
}

/* Kernels that only read and write where they are, or restrict what they find there: worth taking behind others. */
static int follows(const struct gmg_kernel_descriptor *kernel)
{
  int here = kernel->role == GMG_AS_WRITTEN && !kernel->extra[0] && !kernel->extra[1] && !kernel->extra[2];
  for (int f = 0; f < kernel->fields; f++)
    here = here && kernel->field[f].place == GMG_CELL && reach(&kernel->field[f]) == 0;
  return here;
}

/* A level and its twin have the same cells. */
static int is_swept(const struct gmg_pass *pass, const struct gmg_level *level)
{
  return pass->stages > 0 && (pass->level == level || pass->level == level->twin);
}

static int suits(const struct gmg_pass *pass, const struct gmg_call *call)
{
  const struct gmg_level *level = sweeps_finer(call->kernel) ? call->other : call->level;
  return level && level->layout->count == 1 && level->layout->local_count == 1 && call->exchanges == 0
    && level->local_cells >= LEAST_CELLS && call->args.tiles > 0
    && (belongs_to_cycle(call->kernel) || (is_swept(pass, level) && follows(call->kernel)));
}

/* Behind a restriction only kernels that write nothing can follow: sums. */
static int writes(const struct gmg_kernel_descriptor *kernel)
{
  int any = 0;
  for (int f = 0; f < kernel->fields; f++)
    any |= kernel->field[f].written;
  return any;
}

static const int *table(const struct gmg_call *call, const char *name)
{
  for (int f = 0; f < call->kernel->fields; f++)
    if (strcmp(call->kernel->field[f].name, name) == 0)
      return call->args.field[f][0];
  return NULL;
}

int gmg_pass_take(struct gmg_pass *pass, struct gmg_call *call)
{
  if (!suits(pass, call))
    return 0;
  const int finer = sweeps_finer(call->kernel);
  struct gmg_level *level = finer ? call->other : call->level;
  const struct stage *last = pass->stages ? &pass->stage[pass->stages - 1] : NULL;
  if (last && (!is_swept(pass, level) || pass->stages == MOST_STAGES || (last->hi && writes(call->kernel))))
    gmg_pass_flush(pass);
  struct stage *stage = &pass->stage[pass->stages];
  *stage = (struct stage){.call = call, .args = call->args};
  if (finer) {
    stage->lo = table(call, "lo_k");
    stage->hi = table(call, "hi_k");
    stage->hi_row = table(call, "hi_j");
    if (!stage->lo || !stage->hi || !stage->hi_row)
      return 0;
    pass->coarse_planes = call->level->box[0].cells[2];
  }
  for (int n = 0; n < pass->stages; n++) {
    const int lag = pass->stage[n].lag + distance(&pass->stage[n], stage);
    stage->lag = lag > stage->lag ? lag : stage->lag;
  }
  pass->level = level;
  pass->planes = level->box[0].cells[2];
  pass->rows = level->box[0].cells[1];
  pass->stages++;
  return 1;
}

static void run_part(struct stage *stage, int j0, int j1, int k0, int k1, int thread)
{
  if (k0 >= k1 || j0 >= j1)
    return;
  const struct gmg_tile tile = {.box = 0, .j0 = j0, .j1 = j1, .k0 = k0, .k1 = k1};
  const double begin = thread == 0 ? gmg_seconds() : 0;
  stage->call->kernel->run_tile(&stage->args, &tile, thread);
  if (thread == 0)
    stage->seconds += gmg_seconds() - begin;
}

static int rows_of(const struct stage *stage)
{
  return stage->call->level->box[0].cells[1];
}

static int clamp(int value, int most)
{
  return value < 0 ? 0 : value > most ? most : value;
}

/* The first coarse row whose fine rows do not all lie below `row`. */
static int coarse_row(const struct stage *stage, int row)
{
  int c = 0;
  while (c < rows_of(stage) && stage->hi_row[c] < row)
    c++;
  return c;
}

/* Rows [row[0], row[1]) of each stage in a strip: moved down by its lag, so that what lies above is not ready, and what lies
 * below was done with the strip before. */
static void strip_rows_of(const struct gmg_pass *pass, int strip, int row[MOST_STAGES][2])
{
  const int from = strip * pass->strip, to = from + pass->strip;
  for (int s = 0; s < pass->stages; s++) {
    const struct stage *stage = &pass->stage[s];
    for (int end = 0; end < 2; end++) {
      const int at = strip + end == 0 ? 0 : strip + end == pass->strips ? pass->rows : (end ? to : from) - stage->lag;
      row[s][end] = stage->hi ? coarse_row(stage, at) : clamp(at, pass->rows);
    }
  }
}

/* All stages on the planes where the first one is at `front`. */
static void run_front(struct gmg_pass *pass, int front, const int row[MOST_STAGES][2], int *coarse, int thread)
{
  for (int s = 0; s < pass->stages; s++) {
    struct stage *stage = &pass->stage[s];
    const int plane = front - stage->lag;
    if (plane < 0 || plane >= pass->planes)
      continue;
    if (!stage->hi) {
      run_part(stage, row[s][0], row[s][1], plane, plane + 1, thread);
    } else if (*coarse < pass->coarse_planes && stage->hi[*coarse] <= plane) {
      run_part(stage, row[s][0], row[s][1], *coarse, *coarse + 1, thread);
      ++*coarse;
    }
  }
}

/* Waits until the strip before has got that far. A thread that waits long lets others run. */
static void wait_for(const struct progress *before, int front)
{
  for (int turn = 0; atomic_load_explicit(&before->front, memory_order_acquire) < front; turn++)
    if (turn > SPINS)
      sched_yield();
}

/* Strips go round-robin to the threads, and each follows the one before at a distance. */
static void run_strips(struct gmg_pass *pass, int thread, int team)
{
  const int fronts = pass->planes + pass->lag;
  for (int strip = thread; strip < pass->strips; strip += team) {
    int row[MOST_STAGES][2], coarse = 0;
    strip_rows_of(pass, strip, row);
    for (int front = 0; front < fronts; front++) {
      const int ahead = front + CHUNK < fronts ? front + CHUNK : fronts;
      if (front % CHUNK == 0 && strip > 0 && team > 1)
        wait_for(&pass->progress[strip - 1], ahead);
      run_front(pass, front, row, &coarse, thread);
      if (front + 1 == ahead || (front + 1) % CHUNK == 0)
        atomic_store_explicit(&pass->progress[strip].front, front + 1, memory_order_release);
    }
  }
}

static void count(struct gmg_pass *pass, double seconds)
{
  double total = 0;
  for (int s = 0; s < pass->stages; s++)
    total += pass->stage[s].seconds;
  for (int s = 0; s < pass->stages; s++) {
    const struct gmg_call *call = pass->stage[s].call;
    call->stat->seconds += total > 0 ? seconds * pass->stage[s].seconds / total : 0;
    call->stat->bytes += call->kernel->bytes * (double)call->level->local_cells;
    call->stat->calls++;
  }
}

/* What its stages touch of the pass's own level and its twin: bytes of a cell. */
static size_t count_bytes(const struct gmg_pass *pass)
{
  const void *seen[2 * GMG_MAX_FIELDS];
  size_t bytes = 0;
  int fields = 0;
  for (int s = 0; s < pass->stages; s++) {
    const struct stage *stage = &pass->stage[s];
    const enum gmg_field_level own = stage->hi ? GMG_FINER : GMG_OWN;
    for (int f = 0; f < stage->call->kernel->fields; f++) {
      const struct gmg_field_descriptor *field = &stage->call->kernel->field[f];
      int known = field->kind != GMG_FIELD || field->level != own || fields == 2 * GMG_MAX_FIELDS;
      for (int n = 0; n < fields; n++)
        known |= seen[n] == stage->args.field[f];
      if (known)
        continue;
      seen[fields++] = stage->args.field[f];
      bytes += field->precision == GMG_F64 ? sizeof(double) : sizeof(float);
    }
  }
  return bytes;
}

/* Rows per strip, so that what the stages touch between two visits of a plane fits the second-level cache: all fields, on
 * the planes from the first stage's next to the last stage's previous one. Measured at 256³ with 2 MiB and 11 stages: 12
 * rows are best with six fields, 16 with three; 4 rows take 1.2 times as long, 24 rows 1.2 and 1.05 times. */
static void cut_strips(struct gmg_pass *pass)
{
  enum { LEAST_ROWS = 8, CACHE_IF_UNKNOWN = 1 << 20 };
  const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
  const double row = (double)count_bytes(pass) * (double)pass->level->storage->stride[0][0];
  const double fit = (double)(cache > 0 ? cache : CACHE_IF_UNKNOWN) / (row * (pass->lag + 2));
  const int share = (pass->rows + pass->level->threads - 1) / pass->level->threads;
  const int least = pass->rows / MOST_STRIPS + 1;
  int strip = fit > share ? share : (int)fit / 4 * 4;
  strip = strip < LEAST_ROWS ? LEAST_ROWS : strip;
  pass->strip = strip < least ? least : strip;
  pass->strips = (pass->rows + pass->strip - 1) / pass->strip;
}

void gmg_pass_flush(struct gmg_pass *pass)
{
  if (pass->stages == 0)
    return;
  pass->lag = 0;
  for (int s = 0; s < pass->stages; s++)
    pass->lag = pass->stage[s].lag > pass->lag ? pass->stage[s].lag : pass->lag;
  const int threads = pass->level->threads;
  const double begin = gmg_seconds();
  if (pass->stages == 1) {
    pass->stage[0].call->kernel->run(&pass->stage[0].args);
    pass->stage[0].seconds = gmg_seconds() - begin;
  } else {
    cut_strips(pass);
    for (int strip = 0; strip < pass->strips; strip++)
      atomic_store_explicit(&pass->progress[strip].front, 0, memory_order_relaxed);
#pragma omp parallel num_threads(threads) if (threads > 1)
    run_strips(pass, omp_get_thread_num(), omp_get_num_threads());
  }
  count(pass, gmg_seconds() - begin);
  pass->stages = 0;
}

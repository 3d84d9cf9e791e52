#include "runtime/pass.h"

#include "system/memory.h"

#include "ahead.h"
#include "follow.h"
#include "runtime/traffic.h"
#include "strips.h"
#include "system/gate.h"
#include "system/order.h"
#include "system/team.h"
#include "system/threads.h"

#include <stdatomic.h>

enum {
  MOST_STAGES = 24,
  MOST_SCRATCHES = 12 /* of the stages of a pass; calls that run again in it have one */
};
/* How many planes of a strip its first stage has done. */
struct progress {
  atomic_uint front;
  char apart[64 - sizeof(atomic_uint)]; /* from the next one's cache line */
};

struct gmg_pass {
  struct gmg_level *level;
  int strips, stages;
  int fetches;   /* stages are to find the next planes in cache */
  int planes;    /* from one wait of a strip for the one before it to the next */
  char *scratch; /* room for MOST_SCRATCHES calls, and how much of it the stages have */
  size_t scratch_bytes, scratch_used;
  struct gmg_stage stage[MOST_STAGES];
  struct gmg_strip strip[GMG_MOST_STRIPS];
  struct progress progress[GMG_MOST_STRIPS];
};

struct gmg_pass *gmg_pass_create(void)
{
  return gmg_calloc(1, sizeof(struct gmg_pass));
}

void gmg_pass_destroy(struct gmg_pass **pass)
{
  if (!pass)
    return;
  if (*pass)
    gmg_release(NULL, (*pass)->scratch, (*pass)->scratch_bytes);
  gmg_free(*pass);
  *pass = NULL;
}

int gmg_pass_room(struct gmg_pass *pass, size_t bytes)
{
  if (MOST_SCRATCHES * bytes <= pass->scratch_bytes)
    return 0;
  gmg_pass_flush(pass);
  char *scratch = gmg_allocate(NULL, MOST_SCRATCHES * bytes);
  if (!scratch)
    return -1;
  gmg_release(NULL, pass->scratch, pass->scratch_bytes);
  pass->scratch = scratch;
  pass->scratch_bytes = MOST_SCRATCHES * bytes;
  return 0;
}

void *gmg_pass_scratch(struct gmg_pass *pass)
{
  return pass->scratch;
}

/* Gives a stage scratch: that of an earlier one of the same call, or what is left. Returns 0 where
 * there is none left. */
static int give_scratch(struct gmg_pass *pass, struct gmg_stage *stage)
{
  const size_t bytes = (size_t)stage->call->level->context->threads * stage->args.scratch_stride;
  for (int s = 0; s < pass->stages; s++)
    if (pass->stage[s].call == stage->call) {
      stage->args.scratch = pass->stage[s].args.scratch;
      return 1;
    }
  if (bytes > pass->scratch_bytes - pass->scratch_used)
    return 0;
  stage->args.scratch = bytes ? pass->scratch + pass->scratch_used : NULL;
  pass->scratch_used += bytes;
  return 1;
}

/* How many planes `later` must stay behind `earlier`: for what it reads of what that writes, and
 * for what that still reads of what it overwrites. Fields are the same where their data are. */
static int distance(const struct gmg_stage *earlier, const struct gmg_stage *later)
{
  const struct gmg_kernel_descriptor *a = earlier->call->kernel, *b = later->call->kernel;
  int most = 0;
  for (int m = 0; m < a->fields; m++)
    for (int n = 0; n < b->fields; n++) {
      if (a->field[m].kind != GMG_FIELD || earlier->args.field[m] != later->args.field[n])
        continue;
      if (a->field[m].written && b->field[n].read)
        most = gmg_larger(most, gmg_region_reach(&b->field[n]));
      if (a->field[m].read && b->field[n].written)
        most = gmg_larger(most, gmg_region_reach(&a->field[m]));
    }
  return most;
}

static int has_field_on(const struct gmg_kernel_descriptor *kernel, enum gmg_field_level level)
{
  int any = 0;
  for (int f = 0; f < kernel->fields; f++)
    any |= kernel->field[f].level == level;
  return any;
}

/* The level whose planes a call sweeps: its own, or the finer one that a restriction reads. */
static struct gmg_level *swept(const struct gmg_call *call)
{
  return has_field_on(call->kernel, GMG_FINER) ? call->other : call->level;
}

/* Kernels of a cycle's way down and up: smoothers, residual with restriction, norm, interpolation.
 */
static int belongs_to_cycle(const struct gmg_kernel_descriptor *kernel)
{
  const enum gmg_kernel_role role = kernel->role;
  return gmg_colours_swept(kernel) || role == GMG_JACOBI || role == GMG_CHEBYSHEV
    || role == GMG_RESIDUAL_RESTRICT || role == GMG_RESIDUAL_NORM || role == GMG_RESIDUAL_SINGLE
    || role == GMG_RESTRICT_NORM || role == GMG_NORM_PART || has_field_on(kernel, GMG_COARSER);
}

/* Kernels that only read and write where they are, or restrict what they find there: worth taking
 * after others. */
static int follows(const struct gmg_kernel_descriptor *kernel)
{
  int here =
    kernel->role == GMG_AS_WRITTEN && !kernel->extra[0] && !kernel->extra[1] && !kernel->extra[2];
  for (int f = 0; f < kernel->fields; f++)
    here = here && kernel->field[f].place == GMG_CELL && gmg_region_reach(&kernel->field[f]) == 0;
  return here;
}

/* A level and its twin have the same cells. */
static int is_swept(const struct gmg_pass *pass, const struct gmg_level *level)
{
  return pass->stages > 0 && (pass->level == level || pass->level == level->twin);
}

static int runs_in_passes(const struct gmg_level *level)
{
  return level->choice.passes ? level->choice.passes == GMG_TOGETHER && level->may_pass
                              : !level->unfused_reason;
}

static int suits(const struct gmg_call *call)
{
  const struct gmg_level *level = swept(call);
  return level && runs_in_passes(level) && level->layout->local_count > 0
    && (belongs_to_cycle(call->kernel) || follows(call->kernel));
}

/* After a restriction only kernels that write nothing can follow: sums. */
static int writes(const struct gmg_kernel_descriptor *kernel)
{
  int any = 0;
  for (int f = 0; f < kernel->fields; f++)
    any |= kernel->field[f].written;
  return any;
}

/* Puts a stage after those there are. Returns 0 where ghosts are not deep enough for all of them.
 */
static int append(struct gmg_pass *pass, struct gmg_level *level, const struct gmg_stage *stage)
{
  pass->stage[pass->stages++] = *stage;
  if (!gmg_region_plan(pass->stage, pass->stages, level)) {
    pass->stages--;
    gmg_region_plan(pass->stage, pass->stages, level); /* what the others were without it */
    return 0;
  }
  struct gmg_stage *last = &pass->stage[pass->stages - 1];
  for (int n = 0; n < pass->stages - 1; n++)
    last->lag = gmg_larger(last->lag, pass->stage[n].lag + distance(&pass->stage[n], last));
  pass->level = level;
  return 1;
}

int gmg_pass_take(struct gmg_pass *pass, struct gmg_call *call)
{
  if (!suits(call))
    return 0;
  struct gmg_level *level = swept(call);
  const struct gmg_stage *last = pass->stages ? &pass->stage[pass->stages - 1] : NULL;
  const int most = level->choice.stages ? level->choice.stages : MOST_STAGES;
  if (last
      && (!is_swept(pass, level) || pass->stages >= most || (last->hi && writes(call->kernel))))
    gmg_pass_flush(pass);
  struct gmg_stage stage = {.call = call, .args = call->args};
  if (level != call->level) {
    if (call->last_child[0] < 0 || call->last_child[1] < 0)
      return 0;
    stage.hi_row = call->args.field[call->last_child[0]];
    stage.hi = call->args.field[call->last_child[1]];
  }
  if (give_scratch(pass, &stage) && append(pass, level, &stage))
    return 1;
  gmg_pass_flush(pass);
  return give_scratch(pass, &stage) && append(pass, level, &stage);
}

static void run_part(struct gmg_pass *pass, struct gmg_stage *stage, const struct gmg_tile *tile,
                     int thread, int timed)
{
  if (tile->j0 >= tile->j1)
    return;
  const double begin = timed ? gmg_seconds() : 0;
  stage->call->kernel->run_tile(&stage->args, tile, thread);
  if (stage->followed)
    gmg_follow(stage, pass->level, tile);
  if (timed)
    stage->seconds += gmg_seconds() - begin;
}

/* Only the stages' shares of the time are wanted, and a look at the clock costs as much as a row:
 * one thread looks, at two of eight fronts in turn, since a restriction runs at every other one. */
static int is_timed(const struct gmg_strip *strip, int front, int thread)
{
  enum { MANY_FRONTS = 64 };
  return thread == 0 && (strip->fronts < MANY_FRONTS || front % 8 < 2);
}

/* All stages on the planes where the first one is: at the strip's `turn`th front. */
static void run_front(struct gmg_pass *pass, const struct gmg_strip *strip, int turn,
                      const struct gmg_span span[MOST_STAGES], int *coarse, int thread)
{
  const int box = strip->box, front = strip->plane + turn, timed = is_timed(strip, turn, thread);
  struct gmg_ahead ahead;
  if (pass->fetches)
    gmg_ahead_of(&ahead, pass->stage, span, pass->stages, pass->level, strip, front);
  for (int s = 0; s < pass->stages; s++) {
    struct gmg_stage *stage = &pass->stage[s];
    int plane = front - stage->lag;
    if (stage->hi) {
      const int *hi = stage->hi[box];
      if (plane < 0 || *coarse >= span[s].plane[1] || hi[*coarse] > plane)
        continue;
      plane = (*coarse)++;
    } else if (plane < span[s].plane[0] || plane >= span[s].plane[1]) {
      continue;
    }
    const struct gmg_tile tile = {box,   span[s].row[0], span[s].row[1],
                                  plane, plane + 1,      pass->fetches ? &ahead : NULL};
    run_part(pass, stage, &tile, thread, timed);
  }
}

static void run_strip(struct gmg_pass *pass, int n, int thread, int waits)
{
  struct gmg_gate *gate = gmg_team_gate(pass->level->context->team);
  const struct gmg_strip *strip = &pass->strip[n];
  const int planes = pass->planes;
  struct gmg_span span[MOST_STAGES];
  int coarse = 0;
  for (int s = 0; s < pass->stages; s++)
    span[s] = gmg_strip_span(strip, &pass->stage[s], pass->level);
  for (int front = 0; front < strip->fronts; front++) {
    const int ahead = gmg_smaller(front + planes, strip->fronts);
    if (front % planes == 0 && strip->after >= 0 && waits)
      gmg_gate_wait(gate, &pass->progress[strip->after].front, (unsigned)ahead);
    run_front(pass, strip, front, span, &coarse, thread);
    if (front + 1 == ahead || (front + 1) % planes == 0)
      gmg_gate_set(gate, &pass->progress[n].front, (unsigned)front + 1);
  }
}

/* Each thread has a chunk; where there are fewer threads, the last chunks come first, since others
 * wait for them. */
static void run_chunks(void *work, int thread, int of)
{
  struct gmg_pass *pass = work;
  for (int chunk = pass->strip[pass->strips - 1].chunk - thread; chunk >= 0; chunk -= of)
    for (int n = 0; n < pass->strips; n++)
      if (pass->strip[n].chunk == chunk)
        run_strip(pass, n, thread, of > 1);
}

static void count(struct gmg_pass *pass, double seconds)
{
  const struct gmg_call *call[MOST_STAGES] = {NULL};
  double total = 0, share[MOST_STAGES] = {0}, touched = 0;
  for (int s = 0; s < pass->stages; s++) {
    total += pass->stage[s].seconds;
    call[s] = pass->stage[s].call;
  }
  pass->level->moved += gmg_traffic(call, pass->stages, share, &touched);
  for (int s = 0; s < pass->stages; s++) {
    call[s]->stat->seconds += total > 0 ? seconds * pass->stage[s].seconds / total : 0;
    gmg_call_count(call[s], &(struct gmg_sweep){share[s], touched, 1, 0});
  }
}

/* How many planes a strip lets the one that it follows get ahead, and from one wait for that to the
 * next. Where that one follows another in turn, and so on, the last of them begins so many times as
 * late: that may take a twentieth of what a thread does. */
static int choose_planes(const struct gmg_pass *pass)
{
  enum { MOST_PLANES = 8 };
  const double part = 0.05;
  int chain = 0, followers = 0;
  double fronts = 0;
  for (int n = pass->strips - 1; n >= 0; n--) {
    const int after = pass->strip[n].after;
    fronts += pass->strip[n].fronts;
    followers += after >= 0;
    chain |= after >= 0 && pass->strip[after].after >= 0;
  }
  if (pass->level->choice.planes)
    return pass->level->choice.planes;
  const double planes =
    chain ? part * fronts / (pass->strip[pass->strips - 1].chunk + 1) / followers : MOST_PLANES;
  return planes < 1 ? 1 : gmg_smaller((int)planes, MOST_PLANES);
}

/* All stages in one sweep. */
static void run(struct gmg_pass *pass)
{
  const int threads = pass->level->threads;
  gmg_region_exchange(pass->stage, pass->stages, pass->level);
  const double begin = gmg_seconds();
  for (int s = 0; s < pass->stages; s++)
    gmg_call_forget(&pass->stage[s].args, pass->stage[s].call->level->context->threads);
  gmg_ahead_plan(pass->stage, pass->stages);
  const struct gmg_choice *choice = &pass->level->choice;
  pass->fetches = choice->fetch
    ? choice->fetch == GMG_FETCH_ALWAYS
    : gmg_ahead_pays(pass->level, gmg_strips_cell_bytes(pass->stage, pass->stages));
  pass->strips = gmg_strips_cut(pass->stage, pass->stages, pass->level, pass->strip);
  pass->planes = choose_planes(pass);
  for (int n = 0; n < pass->strips; n++)
    atomic_store_explicit(&pass->progress[n].front, 0, memory_order_relaxed);
  gmg_team_share(pass->level->context->team, threads, run_chunks, pass);
  count(pass, gmg_seconds() - begin);
  for (int s = 0; s < pass->stages; s++)
    gmg_call_note(pass->stage[s].call);
}

void gmg_pass_flush(struct gmg_pass *pass)
{
  if (pass->stages == 1)
    gmg_call_run_alone(pass->stage[0].call, &pass->stage[0].args);
  else if (pass->stages > 1)
    run(pass);
  pass->stages = 0;
  pass->scratch_used = 0;
}

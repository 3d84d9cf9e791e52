#include "launches.h"

#include "ghosts.h"
#include "system/order.h"

#include <string.h>

enum { MOST_PERIOD = 64, LIST = 64 }; /* launches in a list, about */

static struct gmg_step_launches *find(struct gmg_step_launches *list,
                                      const struct gmg_step_launches *wanted)
{
  for (; list; list = list->next)
    if (list->extent == wanted->extent && list->arrays == wanted->arrays
        && memcmp(list->holder, wanted->holder, (size_t)wanted->arrays * sizeof(int)) == 0)
      return list;
  return NULL;
}

/* Adds a copy of the launches to a list. NULL: out of memory, or one of them failed. */
static struct gmg_step_launches *add(struct gmg_step_launches **list,
                                     const struct gmg_step_launches *wanted)
{
  int failed = 0;
  for (int n = 0; n < wanted->count; n++)
    failed |= !wanted->launch[n];
  struct gmg_step_launches *added = failed ? NULL : gmg_calloc(1, sizeof *added);
  if (!added)
    return NULL;
  *added = *wanted;
  added->next = *list;
  *list = added;
  return added;
}

/* ---- kernels ---- */

/* The k-th kernel, those of reductions after the others. */
static const struct gmg_program_kernel *kernel_of(const struct gmg_program *program, int k)
{
  const struct gmg_program_descriptor *made = program->made;
  return k < made->kernels ? &made->kernel[k] : &made->reduction[k - made->kernels].kernel;
}

static struct gmg_step_launches *kernel_launch(struct gmg_program *program, int k, int extent)
{
  struct gmg_placed_program *placed = program->placed;
  const struct gmg_program_kernel *bound = kernel_of(program, k);
  struct gmg_step_launches wanted = {.extent = extent, .arrays = bound->kernel->fields, .count = 1};
  for (int f = 0; f < wanted.arrays; f++)
    wanted.holder[f] = program->holder[bound->array[f]];
  struct gmg_step_launches *known = find(placed->run[k], &wanted);
  if (known)
    return known;
  struct gmg_kernel_launch launch = {.kernel = bound->kernel,
                                     .box = program->extended[extent].box,
                                     .shift = program->extended[extent].shift};
  memcpy(launch.array, wanted.holder, sizeof launch.array);
  wanted.launch[0] = placed->stepping.backend->stepper->prepare_kernel(&placed->stepping, &launch);
  return add(&placed->run[k], &wanted);
}

static void find_scalars(const struct gmg_program *program, int k, double scalar[GMG_MAX_SCALARS])
{
  const struct gmg_program_kernel *bound = kernel_of(program, k);
  memset(scalar, 0, GMG_MAX_SCALARS * sizeof *scalar);
  for (int s = 0; s < bound->kernel->scalars; s++)
    scalar[s] = program->parameter[bound->parameter[s]];
}

void gmg_launches_kernel(struct gmg_program *program, int k, int extent)
{
  struct gmg_stepping *stepping = &program->placed->stepping;
  double scalar[GMG_MAX_SCALARS];
  const struct gmg_step_launches *step = kernel_launch(program, k, extent);
  find_scalars(program, k, scalar);
  if (step)
    stepping->backend->stepper->run(stepping, step->launch[0], scalar);
}

void gmg_launches_reduce(struct gmg_program *program, int reduction, struct gmg_reduction *found)
{
  struct gmg_stepping *stepping = &program->placed->stepping;
  const int k = program->made->kernels + reduction;
  double scalar[GMG_MAX_SCALARS];
  const struct gmg_step_launches *step = kernel_launch(program, k, 0);
  find_scalars(program, k, scalar);
  if (step)
    stepping->backend->stepper->reduce(stepping, step->launch[0], scalar, found);
}

/* ---- ghosts ---- */

static struct gmg_step_launches *exchange_launch(struct gmg_program *program, int a)
{
  struct gmg_placed_program *placed = program->placed;
  struct gmg_step_launches wanted = {.arrays = 1, .holder = {program->holder[a]}};
  struct gmg_step_launches *known = find(placed->exchange[a], &wanted);
  if (known)
    return known;
  wanted.count = program->exchange[a] != NULL;
  if (wanted.count)
    wanted.launch[0] = placed->stepping.backend->stepper->prepare_exchange(
      &placed->stepping, program->exchange[a], wanted.holder[0]);
  return add(&placed->exchange[a], &wanted);
}

/* Images beyond walls that one launch makes. */
struct images {
  struct gmg_reflection *reflection;
  int count;
  const struct gmg_program_rule *rule;
};

static void add_images(const struct gmg_program *program, int a, int axis, int side, int edges,
                       struct images *images)
{
  for (int b = 0; b < program->layout->local_count; b++) {
    struct gmg_reflection *r = &images->reflection[images->count];
    images->count += gmg_program_find_images(program, a, axis, side, b, edges, r);
  }
}

static int are_alike(const struct gmg_program_rule *a, const struct gmg_program_rule *b)
{
  return a->minus == b->minus && memcmp(&a->constant, &b->constant, sizeof a->constant) == 0;
}

/* Adds the images of some axes, those of a rule in a launch. Returns -1 where that failed. */
static int add_walls(struct gmg_program *program, int a, int first, int end, int edges,
                     struct gmg_reflection *room, struct gmg_step_launches *wanted)
{
  struct gmg_stepping *stepping = &program->placed->stepping;
  const struct gmg_program_rule(*wall)[2] = program->made->array[a].wall;
  int done[3][2] = {{0}};
  for (int n = 2 * first; n < 2 * end; n++) {
    struct images images = {.reflection = room, .rule = &wall[n / 2][n % 2]};
    for (int m = n; m < 2 * end; m++) {
      const struct gmg_program_rule *rule = &wall[m / 2][m % 2];
      if (done[m / 2][m % 2] || rule->kind != GMG_WALL_MIRROR || !are_alike(rule, images.rule))
        continue;
      add_images(program, a, m / 2, m % 2, edges, &images);
      done[m / 2][m % 2] = 1;
    }
    if (images.count == 0)
      continue;
    const struct gmg_reflection_launch launch = {.reflection = room,
                                                 .reflections = images.count,
                                                 .array = wanted->holder[0],
                                                 .factor = images.rule->minus ? -1 : 1,
                                                 .constant =
                                                   images.rule->minus ? images.rule->constant : 0};
    wanted->launch[wanted->count] =
      stepping->backend->stepper->prepare_reflections(stepping, &launch);
    if (!wanted->launch[wanted->count++])
      return -1;
  }
  return 0;
}

/* Whether somebody may see ghosts beyond edges: kernels, or a file of fixed ghosts. */
static int needs_edges(const struct gmg_program *program, int a)
{
  int edges = program->block.rounds > 1 || gmg_program_array_kept(program, a) == 2;
  for (int other = 0; other < program->made->arrays; other++)
    edges |= program->made->array[other].corners;
  return edges;
}

static struct gmg_step_launches *wall_launches(struct gmg_program *program, int a)
{
  struct gmg_placed_program *placed = program->placed;
  const int dimensions = program->made->dimensions;
  struct gmg_step_launches wanted = {.arrays = 1, .holder = {program->holder[a]}};
  struct gmg_step_launches *known = find(placed->walls[a], &wanted);
  if (known)
    return known;
  struct gmg_reflection *room =
    gmg_calloc(6 * (size_t)program->layout->local_count + 1, sizeof *room);
  int failed = !room;
  /* Edges are filled along x, then y, then z: the next axis reads what the one before has filled.
   */
  if (!failed && needs_edges(program, a))
    for (int axis = 0; axis < dimensions && !failed; axis++)
      failed = add_walls(program, a, axis, axis + 1, 1, room, &wanted);
  else if (!failed)
    failed = add_walls(program, a, 0, dimensions, 0, room, &wanted);
  gmg_free(room);
  return failed ? NULL : add(&placed->walls[a], &wanted);
}

static void run_all(struct gmg_program *program, const struct gmg_step_launches *step)
{
  struct gmg_stepping *stepping = &program->placed->stepping;
  for (int n = 0; step && n < step->count; n++)
    stepping->backend->stepper->run(stepping, step->launch[n], NULL);
}

void gmg_launches_exchange(struct gmg_program *program, int array)
{
  run_all(program, exchange_launch(program, array));
}

void gmg_launches_walls(struct gmg_program *program, int array)
{
  run_all(program, wall_launches(program, array));
}

/* ---- all of them ---- */

static int prepare_step(struct gmg_program *program, int s)
{
  const struct gmg_program_step *step = &program->made->step[s];
  const int rounds = program->block.rounds;
  if (step->kind == GMG_STEP_GHOSTS)
    return (rounds > 1 || exchange_launch(program, step->which))
        && wall_launches(program, step->which)
      ? 0
      : -1;
  if (step->kind == GMG_STEP_PERMUTE)
    return 0;
  for (int r = 0; r < (rounds > 1 ? rounds : 1); r++)
    if (!kernel_launch(program, step->which,
                       rounds > 1 ? program->block.extent[r * program->made->steps + s] : 0))
      return -1;
  return 0;
}

/* What reductions launch between steps. */
static int prepare_values(struct gmg_program *program)
{
  const struct gmg_program_descriptor *made = program->made;
  for (int r = 0; r < made->reductions; r++) {
    const struct gmg_program_kernel *bound = &made->reduction[r].kernel;
    for (int f = 0; f < bound->kernel->fields; f++)
      if (gmg_block_reach(&bound->kernel->field[f])
          && (!exchange_launch(program, bound->array[f])
              || !wall_launches(program, bound->array[f])))
        return -1;
    if (!kernel_launch(program, made->kernels + r, 0))
      return -1;
  }
  return 0;
}

/* What the arrays' turns make of `holder` in a step. */
static void take_turns(struct gmg_program *program, int s)
{
  const struct gmg_program_step *step = &program->made->step[s];
  if (step->kind == GMG_STEP_PERMUTE)
    gmg_program_turn(program->holder, step);
}

/* Goes through steps until the arrays are where they were. */
static int prepare_all(struct gmg_program *program)
{
  const struct gmg_program_descriptor *made = program->made;
  int home[GMG_PROGRAM_ARRAYS];
  memcpy(home, program->holder, sizeof home);
  for (int period = 1; period <= MOST_PERIOD; period++) {
    for (int a = 0; a < made->arrays && program->block.rounds > 1; a++)
      if (!exchange_launch(program, a))
        return -1;
    if (prepare_values(program))
      return -1;
    for (int s = 0; s < made->steps; s++) {
      if (prepare_step(program, s))
        return -1;
      take_turns(program, s);
    }
    program->placed->period = period;
    if (memcmp(home, program->holder, sizeof home) == 0)
      break;
  }
  memcpy(program->holder, home, sizeof home);
  return 0;
}

int gmg_launches_prepare(struct gmg_program *program)
{
  struct gmg_placed_program *placed = program->placed;
  const int kernels = program->made->kernels + program->made->reductions;
  placed->run = gmg_calloc((size_t)kernels + 1, sizeof *placed->run);
  if (!placed->run || prepare_all(program))
    return -1;
  const int round = placed->period * gmg_larger(program->made->steps, 1);
  placed->together = placed->period * gmg_larger(1, LIST / round);
  return 0;
}

static void free_list(struct gmg_step_launches *list)
{
  while (list) {
    struct gmg_step_launches *next = list->next;
    gmg_free(list);
    list = next;
  }
}

void gmg_launches_free(struct gmg_program *program)
{
  struct gmg_placed_program *placed = program->placed;
  for (int k = 0; placed->run && k < program->made->kernels + program->made->reductions; k++)
    free_list(placed->run[k]);
  gmg_free(placed->run);
  placed->run = NULL;
  for (int a = 0; a < GMG_PROGRAM_ARRAYS; a++) {
    free_list(placed->exchange[a]);
    free_list(placed->walls[a]);
    placed->exchange[a] = placed->walls[a] = NULL;
  }
}

/* ---- lists ---- */

static void flush(struct gmg_program *program)
{
  struct gmg_stepping *stepping = &program->placed->stepping;
  stepping->backend->stepper->flush(stepping);
}

/* Lists begin where the arrays are as they were taken, or have one step: so few differ. */
static void choose_chunk(struct gmg_program *program, int64_t steps)
{
  struct gmg_placed_program *placed = program->placed;
  int home = 1;
  for (int a = 0; a < program->made->arrays; a++)
    home &= program->holder[a] == a;
  placed->pending = 0;
  placed->chunk = !home                ? 1
    : steps >= placed->together        ? placed->together
    : steps >= placed->period && steps ? placed->period
                                       : 1;
}

void gmg_launches_begin(struct gmg_program *program, int64_t steps)
{
  flush(program);
  choose_chunk(program, steps);
}

void gmg_launches_step(struct gmg_program *program, int64_t left)
{
  if (++program->placed->pending < program->placed->chunk)
    return;
  flush(program);
  choose_chunk(program, left);
}

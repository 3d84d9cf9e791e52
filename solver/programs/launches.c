#include "launches.h"

#include "images.h"
#include "system/order.h"

#include <string.h>

enum { MOST_PERIOD = 64, LIST = 64 }; /* launches in a list, about */

static struct gmg_step_launch *find(struct gmg_step_launch *list,
                                    const struct gmg_step_launch *wanted)
{
  const size_t bytes = (size_t)wanted->arrays * sizeof(int);
  for (; list; list = list->next)
    if (list->extent == wanted->extent && list->arrays == wanted->arrays
        && memcmp(list->holder, wanted->holder, bytes) == 0
        && memcmp(list->array, wanted->array, bytes) == 0)
      return list;
  return NULL;
}

/* Adds a copy to a list. NULL: out of memory. */
static struct gmg_step_launch *add(struct gmg_step_launch **list,
                                   const struct gmg_step_launch *wanted)
{
  struct gmg_step_launch *added = gmg_calloc(1, sizeof *added);
  if (!added)
    return NULL;
  *added = *wanted;
  added->next = *list;
  *list = added;
  return added;
}

static void run(struct gmg_program *program, const struct gmg_step_launch *step,
                const double *scalar)
{
  struct gmg_stepping *stepping = &program->placed->stepping;
  if (step && step->launch)
    stepping->backend->stepper->run(stepping, step->launch, scalar);
}

/* ---- ghosts beyond walls ---- */

/* Prepares the launch for all arrays that wait. NULL where that failed. */
static struct gmg_step_launch *prepare_walls(struct gmg_program *program)
{
  struct gmg_placed_program *placed = program->placed;
  struct gmg_stepping *stepping = &placed->stepping;
  struct gmg_step_launch wanted = placed->waiting;
  struct gmg_images_launch images;
  if (gmg_images_find(program, wanted.array, wanted.holder, wanted.arrays, &images))
    return NULL;
  if (images.count)
    wanted.launch = stepping->backend->stepper->prepare_images(stepping, &images);
  const int failed = images.count && !wanted.launch;
  gmg_images_free(&images);
  return failed ? NULL : add(&placed->walls, &wanted);
}

/* The launch for all arrays that wait, of which none is left then; NULL where it failed, or none
 * waited. */
static struct gmg_step_launch *take_walls(struct gmg_program *program)
{
  struct gmg_placed_program *placed = program->placed;
  struct gmg_step_launch *step = NULL;
  if (placed->waiting.arrays) {
    step = find(placed->walls, &placed->waiting);
    step = step ? step : prepare_walls(program);
  }
  placed->waiting.arrays = 0;
  return step;
}

static int waits(const struct gmg_program *program, int holder)
{
  const struct gmg_step_launch *waiting = &program->placed->waiting;
  for (int n = 0; n < waiting->arrays; n++)
    if (waiting->holder[n] == holder)
      return 1;
  return 0;
}

static void add_waiting(struct gmg_program *program, int array)
{
  struct gmg_step_launch *waiting = &program->placed->waiting;
  waiting->array[waiting->arrays] = array;
  waiting->holder[waiting->arrays++] = program->holder[array];
}

void gmg_launches_changed(struct gmg_program *program, int holder)
{
  program->placed->images[holder] = 0;
}

void gmg_launches_walls(struct gmg_program *program, int array)
{
  if (gmg_images_hold(program, array))
    return;
  program->placed->images[program->holder[array]] = 0;
  if (waits(program, program->holder[array]))
    run(program, take_walls(program), NULL);
  add_waiting(program, array);
}

/* Arrays whose ghosts beyond walls steps or a reduction fill with no launch between them. Returns
 * whether that failed. */
static int prepare_waiting(struct gmg_program *program)
{
  return program->placed->waiting.arrays && !take_walls(program) ? -1 : 0;
}

static int prepare_walls_of(struct gmg_program *program, int array)
{
  if (waits(program, program->holder[array]) && prepare_waiting(program))
    return -1;
  add_waiting(program, array);
  return 0;
}

/* ---- kernels ---- */

/* The number of the kernel that takes two steps. */
static int twice_of(const struct gmg_program *program)
{
  return program->made->kernels + program->made->reductions;
}

/* And that of composed steps. */
static int composed_of(const struct gmg_program *program)
{
  return twice_of(program) + 1;
}

/* The k-th kernel, those of reductions after the others. */
static const struct gmg_program_kernel *kernel_of(const struct gmg_program *program, int k)
{
  const struct gmg_program_descriptor *made = program->made;
  return k == twice_of(program) ? &program->placed->twice.bound
    : k == composed_of(program) ? &made->composed->kernel
    : k < made->kernels         ? &made->kernel[k]
                                : &made->reduction[k - made->kernels].kernel;
}

static struct gmg_step_launch *kernel_launch(struct gmg_program *program, int k, int extent)
{
  struct gmg_placed_program *placed = program->placed;
  const struct gmg_program_kernel *bound = kernel_of(program, k);
  struct gmg_step_launch wanted = {.extent = extent, .arrays = bound->kernel->fields};
  for (int f = 0; f < wanted.arrays; f++)
    wanted.holder[f] = program->holder[bound->array[f]];
  struct gmg_step_launch *known = find(placed->run[k], &wanted);
  if (known)
    return known;
  struct gmg_kernel_launch launch = {.kernel = bound->kernel,
                                     .box = program->extended[extent].box,
                                     .shift = program->extended[extent].shift};
  if (k == twice_of(program)) {
    launch.box = placed->twice.box[extent];
    launch.shift = program->extended[0].shift;
  }
  memcpy(launch.array, wanted.holder, sizeof launch.array);
  wanted.launch = placed->stepping.backend->stepper->prepare_kernel(&placed->stepping, &launch);
  return wanted.launch ? add(&placed->run[k], &wanted) : NULL;
}

static void find_scalars(const struct gmg_program *program, int k, double scalar[GMG_MAX_SCALARS])
{
  const struct gmg_program_kernel *bound = kernel_of(program, k);
  memset(scalar, 0, GMG_MAX_SCALARS * sizeof *scalar);
  for (int s = 0; s < bound->kernel->scalars; s++)
    scalar[s] = program->parameter[bound->parameter[s]];
}

/* What a kernel has filled beyond walls of what it wrote. */
static void note_images(struct gmg_program *program, int k)
{
  struct gmg_placed_program *placed = program->placed;
  const struct gmg_program_kernel *bound = kernel_of(program, k);
  for (int f = 0; f < bound->kernel->fields; f++)
    if (bound->kernel->field[f].written)
      placed->images[program->holder[bound->array[f]]] =
        placed->kernels_fill ? 1 + bound->images[f] : 0;
}

void gmg_launches_kernel(struct gmg_program *program, int k, int extent)
{
  double scalar[GMG_MAX_SCALARS];
  run(program, take_walls(program), NULL);
  find_scalars(program, k, scalar);
  run(program, kernel_launch(program, k, extent), scalar);
  note_images(program, k);
}

void gmg_launches_twice(struct gmg_program *program, int other)
{
  double scalar[GMG_MAX_SCALARS];
  run(program, take_walls(program), NULL);
  find_scalars(program, twice_of(program), scalar);
  run(program, kernel_launch(program, twice_of(program), other), scalar);
  gmg_launches_changed(program, program->holder[program->made->twice.turn[1]]);
}

void gmg_launches_composed(struct gmg_program *program)
{
  gmg_launches_kernel(program, composed_of(program), 0);
}

void gmg_launches_reduce(struct gmg_program *program, int reduction, struct gmg_reduction *found)
{
  struct gmg_stepping *stepping = &program->placed->stepping;
  const int k = program->made->kernels + reduction;
  double scalar[GMG_MAX_SCALARS];
  run(program, take_walls(program), NULL);
  const struct gmg_step_launch *step = kernel_launch(program, k, 0);
  find_scalars(program, k, scalar);
  if (step)
    stepping->backend->stepper->reduce(stepping, step->launch, scalar, found);
}

/* ---- ghosts inside the grid ---- */

static struct gmg_step_launch *exchange_launch(struct gmg_program *program, int a)
{
  struct gmg_placed_program *placed = program->placed;
  struct gmg_step_launch wanted = {.arrays = 1, .holder = {program->holder[a]}};
  struct gmg_step_launch *known = find(placed->exchange[a], &wanted);
  if (known)
    return known;
  if (program->exchange[a])
    wanted.launch = placed->stepping.backend->stepper->prepare_exchange(
      &placed->stepping, program->exchange[a], wanted.holder[0]);
  return program->exchange[a] && !wanted.launch ? NULL : add(&placed->exchange[a], &wanted);
}

void gmg_launches_exchange(struct gmg_program *program, int array)
{
  if (waits(program, program->holder[array]))
    run(program, take_walls(program), NULL);
  run(program, exchange_launch(program, array), NULL);
  if (program->block.rounds > 1) /* kernels visit ghosts that it fills, beside walls, too */
    gmg_launches_changed(program, program->holder[array]);
}

/* ---- all of them ---- */

static int prepare_step(struct gmg_program *program, int s)
{
  const struct gmg_program_step *step = &program->made->step[s];
  const int rounds = program->block.rounds;
  if (step->kind == GMG_STEP_GHOSTS)
    return (rounds > 1 || exchange_launch(program, step->which))
        && !prepare_walls_of(program, step->which)
      ? 0
      : -1;
  if (step->kind == GMG_STEP_PERMUTE)
    return 0;
  if (prepare_waiting(program))
    return -1;
  if (step->kind == GMG_STEP_SOLVE)
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
              || prepare_walls_of(program, bound->array[f])))
        return -1;
    if (prepare_waiting(program) || !kernel_launch(program, made->kernels + r, 0))
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

/* What composed steps launch, which then take the place of others. */
static int prepare_composed(struct gmg_program *program)
{
  const struct gmg_program_kernel *bound = &program->made->composed->kernel;
  for (int f = 0; f < bound->kernel->fields; f++)
    if (bound->kernel->field[f].read && prepare_walls_of(program, bound->array[f]))
      return -1;
  if (prepare_waiting(program) || !kernel_launch(program, composed_of(program), 0))
    return -1;
  for (int n = 0; n < program->made->composed->targets; n++) {
    const struct gmg_program_step turn = gmg_program_composed_turn(program->made->composed, n);
    gmg_program_turn(program->holder, &turn);
  }
  return 0;
}

static int prepare_steps(struct gmg_program *program)
{
  const struct gmg_program_descriptor *made = program->made;
  const int steps = program->composing.on ? made->once : made->steps;
  for (int s = 0; s < steps; s++) {
    if ((s == made->once && prepare_waiting(program)) || prepare_step(program, s))
      return -1;
    take_turns(program, s);
  }
  return program->composing.on ? prepare_waiting(program) || prepare_composed(program) : 0;
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
    for (int other = 0; other < 2 && program->placed->twice.on; other++)
      if (!kernel_launch(program, twice_of(program), other))
        return -1;
    if (prepare_values(program) || prepare_steps(program))
      return -1;
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
  placed->kernels_fill = gmg_images_by_kernels(program);
  placed->run = gmg_calloc((size_t)composed_of(program) + 1, sizeof *placed->run);
  if (!placed->run || prepare_all(program))
    return -1;
  const int round = placed->period * gmg_larger(program->made->steps, 1);
  placed->together = placed->period * gmg_larger(1, LIST / round);
  return 0;
}

static void free_list(struct gmg_step_launch *list)
{
  while (list) {
    struct gmg_step_launch *next = list->next;
    gmg_free(list);
    list = next;
  }
}

void gmg_launches_free(struct gmg_program *program)
{
  struct gmg_placed_program *placed = program->placed;
  for (int k = 0; placed->run && k <= composed_of(program); k++)
    free_list(placed->run[k]);
  gmg_free(placed->run);
  free_list(placed->walls);
  placed->run = NULL;
  placed->walls = NULL;
  for (int a = 0; a < GMG_PROGRAM_ARRAYS; a++) {
    free_list(placed->exchange[a]);
    placed->exchange[a] = NULL;
  }
}

void gmg_launches_flush(struct gmg_program *program)
{
  struct gmg_stepping *stepping = &program->placed->stepping;
  run(program, take_walls(program), NULL);
  stepping->backend->stepper->flush(stepping);
}

#include "ghosts.h"

#include "launches.h"
#include "system/order.h"
#include "system/team.h"
#include "system/threads.h"

#include <string.h>

enum { SERIAL_ROWS = 512 };

/* How an array's ghosts inside the grid are filled. */
struct filling {
  int depth, periodic[3];
  enum gmg_exchange_shape shape;
};

static struct filling filling_of(const struct gmg_program *program, int a)
{
  const struct gmg_program_array *array = &program->made->array[a];
  struct filling filling = {.depth = array->ghosts, .shape = array->corners ? GMG_FULL : GMG_STAR};
  for (int d = 0; d < 3; d++)
    filling.periodic[d] = array->wall[d][0].kind == GMG_WALL_PERIODIC;
  if (program->block.rounds > 1) {
    filling.depth = program->block.depth[a];
    filling.shape = GMG_FULL;
    memcpy(filling.periodic, program->periodic, sizeof filling.periodic);
  }
  return filling;
}

int gmg_program_plan_ghosts(struct gmg_program *program)
{
  for (int a = 0; a < program->made->arrays; a++) {
    const struct filling filling = filling_of(program, a);
    for (int like = 0; like < a && !program->exchange[a]; like++) {
      const struct filling other = filling_of(program, like);
      if (memcmp(&filling, &other, sizeof filling) == 0)
        program->exchange[a] = program->exchange[like];
    }
    if (!filling.depth || program->exchange[a])
      continue;
    program->exchange[a] =
      gmg_exchange_ghosts(&program->context->comm, program->storage, filling.shape, filling.depth,
                          filling.periodic, NULL);
    if (!program->exchange[a])
      return -1;
  }
  return 0;
}

void gmg_program_free_ghosts(struct gmg_program *program)
{
  for (int a = 0; a < GMG_PROGRAM_ARRAYS; a++) {
    struct gmg_exchange *exchange = program->exchange[a];
    for (int b = a; b < GMG_PROGRAM_ARRAYS; b++)
      if (program->exchange[b] == exchange)
        program->exchange[b] = NULL;
    gmg_exchange_destroy(&exchange);
  }
}

gmg_status gmg_program_check_ghosts(const struct gmg_program *program)
{
  const struct gmg_program_descriptor *made = program->made;
  for (int a = 0; a < made->arrays; a++)
    for (int d = 0; d < made->dimensions; d++)
      for (int side = 0; side < 2; side++) {
        const struct gmg_program_rule *rule = &made->array[a].wall[d][side];
        const int needed = made->array[a].ghosts + rule->skip;
        if (made->array[a].ghosts && rule->kind == GMG_WALL_MIRROR && program->cells[d] < needed)
          return gmg_fail(program->context, GMG_ERR_ARGUMENT,
                          "program %s: the grid has %d cells along %c, and the ghosts of '%s' "
                          "mirror %d: expected at least so many",
                          made->name, program->cells[d], "xyz"[d], made -> array[a].shown, needed);
      }
  return GMG_OK;
}

/* ---- walls ---- */

/* Ghosts beyond one wall, in one box: rows along i, or for a wall along i their ends. */
struct wall {
  const struct gmg_program *program;
  void *element; /* (0, 0, 0) */
  const struct gmg_program_rule *rule;
  ptrdiff_t stride[3];
  int from[3], to[3]; /* what lies along the wall, in cells of the box */
  int axis, ghosts;
  int ghost[GMG_BLOCK_DEEPEST], source[GMG_BLOCK_DEEPEST]; /* along the axis */
};

/* For values of a type: the images of one row; and those of the ends of rows [j, end) of a plane.
 */
#define GMG_MIRROR(type) \
  static void mirror_##type(const struct wall *wall, int j, int k) \
  { \
    type *const row = (type *)wall->element + j * wall->stride[1] + k * wall->stride[2]; \
    const type constant = (type)wall->rule->constant; \
    const ptrdiff_t stride = wall->stride[wall->axis]; \
    for (int g = 0; g < wall->ghosts; g++) { \
      type *const to = row + wall->ghost[g] * stride; \
      const type *const from = row + wall->source[g] * stride; \
      if (wall->rule->minus) \
        for (int i = wall->from[0]; i < wall->to[0]; i++) \
          to[i] = constant - from[i]; \
      else \
        for (int i = wall->from[0]; i < wall->to[0]; i++) \
          to[i] = from[i]; \
    } \
  } \
  static void mirror_ends_##type(const struct wall *wall, int j, int end, int k) \
  { \
    const type constant = (type)wall->rule->constant; \
    for (int g = 0; g < wall->ghosts; g++) { \
      type *row = (type *)wall->element + j * wall->stride[1] + k * wall->stride[2]; \
      const int to = wall->ghost[g], from = wall->source[g]; \
      if (wall->rule->minus) \
        for (int n = j; n < end; n++, row += wall->stride[1]) \
          row[to] = constant - row[from]; \
      else \
        for (int n = j; n < end; n++, row += wall->stride[1]) \
          row[to] = row[from]; \
    } \
  }
GMG_MIRROR(double)
GMG_MIRROR(float)

/* What a box has beyond both walls of an axis: a row's ends lie near those of the next one. */
struct walls {
  int count;
  struct wall wall[2];
};

static void run_walls(void *work, int thread, int of)
{
  const struct walls *walls = work;
  const struct wall *wall = walls->wall;
  const int rows = wall->to[1] - wall->from[1], planes = wall->to[2] - wall->from[2];
  int first, end;
  gmg_part(rows * planes, thread, of, &first, &end);
  const int wide = wall->program->made->precision == GMG_F64;
  for (int n = first, next; n < end; n = next) {
    const int j = wall->from[1] + n % rows, k = wall->from[2] + n / rows;
    next = gmg_smaller(end, wall->axis ? n + 1 : n + rows - n % rows);
    for (int w = 0; w < walls->count; w++)
      if (wall->axis)
        (wide ? mirror_double : mirror_float)(&wall[w], j, k);
      else
        (wide ? mirror_ends_double : mirror_ends_float)(&wall[w], j, j + next - n, k);
  }
}

/* A part of a box, in its cells: [from, to), ghosts among them. */
struct part {
  const struct gmg_kernel_box *box;
  int from[3], to[3];
};

static struct part whole_part(const struct gmg_kernel_box *box, const int deep[3])
{
  struct part part = {.box = box};
  for (int d = 0; d < 3; d++) {
    part.from[d] = -deep[d];
    part.to[d] = box->cells[d] + deep[d];
  }
  return part;
}

/* Finds the ghosts of a part beyond a wall, of which it has some where it is less far from the wall
 * than they are deep. */
static void find_ghosts(struct wall *wall, const struct part *part, int side, int ghosts)
{
  const int d = wall->axis, cells = wall->program->cells[d], lower = part->box->lower[d],
            skip = wall->rule->skip;
  wall->ghosts = 0;
  for (int g = 0; g < ghosts; g++) {
    const int ghost = side ? cells + g : -1 - g, source = side ? cells - 1 - skip - g : g + skip;
    if (ghost - lower < part->from[d] || ghost - lower >= part->to[d])
      continue;
    wall->ghost[wall->ghosts] = ghost - lower;
    wall->source[wall->ghosts++] = source - lower;
  }
}

static struct part box_part(const struct gmg_program *program, int box)
{
  int deep[3];
  for (int d = 0; d < 3; d++)
    deep[d] = gmg_program_deep(program, d);
  return whole_part(&program->box[box], deep);
}

static void make_wall(const struct gmg_program *program, int array, int axis, int side,
                      const struct part *part, struct wall *wall)
{
  const struct gmg_program_array *made = &program->made->array[array];
  const struct gmg_kernel_box *box = part->box;
  *wall = (struct wall){.program = program,
                        .rule = &made->wall[axis][side],
                        .axis = axis,
                        .stride = {1, box->stride[0], box->stride[1]}};
  find_ghosts(wall, part, side, gmg_program_beyond(program, array));
  for (int d = 0; d < 3; d++) {
    wall->from[d] = d == axis ? 0 : part->from[d];
    wall->to[d] = d == axis ? 1 : part->to[d];
  }
}

/* Returns how many rows there are; 0: nothing. */
static int make_walls(const struct gmg_program *program, int array, int axis,
                      const struct part *part, void *element, struct walls *walls)
{
  walls->count = 0;
  for (int side = 0; side < 2; side++) {
    struct wall *wall = &walls->wall[walls->count];
    if (program->made->array[array].wall[axis][side].kind != GMG_WALL_MIRROR)
      continue;
    make_wall(program, array, axis, side, part, wall);
    wall->element = element;
    walls->count += wall->ghosts > 0;
  }
  const struct wall *wall = walls->wall;
  return walls->count ? (wall->to[1] - wall->from[1]) * (wall->to[2] - wall->from[2]) : 0;
}

static void fill_part(const struct gmg_program *program, int array, const struct part *part,
                      void *element)
{
  struct walls walls;
  for (int axis = 0; axis < program->made->dimensions; axis++)
    if (make_walls(program, array, axis, part, element, &walls))
      run_walls(&walls, 0, 1);
}

void gmg_program_fill_box_walls(const struct gmg_program *program, int array, int box,
                                void *element)
{
  const struct part part = box_part(program, box);
  fill_part(program, array, &part, element);
}

void gmg_program_fill_part_walls(const struct gmg_program *program, int array,
                                 const struct gmg_kernel_box *box, const int deep[3], void *element)
{
  const struct part part = whole_part(box, deep);
  fill_part(program, array, &part, element);
}

void gmg_program_fill_piece_walls(const struct gmg_program *program, int array, int box,
                                  const int from[3], const int to[3], void *element)
{
  const struct part part = {&program->box[box], {from[0], from[1], from[2]}, {to[0], to[1], to[2]}};
  fill_part(program, array, &part, element);
}

void gmg_program_fill_walls(struct gmg_program *program, int array)
{
  struct walls walls;
  if (program->placed) {
    gmg_launches_walls(program, array);
    return;
  }
  for (int axis = 0; axis < program->made->dimensions; axis++)
    for (int b = 0; b < program->layout->local_count; b++) {
      const struct part part = box_part(program, b);
      const int rows = make_walls(program, array, axis, &part, program->element[array][b], &walls);
      if (rows && rows < SERIAL_ROWS)
        run_walls(&walls, 0, 1);
      else if (rows)
        gmg_team_share(program->context->team, program->threads, run_walls, &walls);
    }
}

int gmg_program_exchange(struct gmg_program *program, int array)
{
  void *data = program->data[array];
  if (program->placed) {
    gmg_launches_exchange(program, array);
    return 0;
  }
  return program->exchange[array] ? gmg_exchange_run(program->exchange[array], data, data) : 0;
}

int gmg_program_fill_ghosts(struct gmg_program *program, int array)
{
  const int error = gmg_program_exchange(program, array);
  if (!error)
    gmg_program_fill_walls(program, array);
  return error;
}

int gmg_program_changes(const struct gmg_program_descriptor *made, int array)
{
  for (int s = 0; s < made->steps; s++) {
    const struct gmg_program_step *step = &made->step[s];
    for (int n = 0; n < step->count; n++)
      if (step->cycle[n] == array)
        return 1;
    if (step->kind == GMG_STEP_SOLVE && made->solve[step->which].array[GMG_SOLVE_SOLUTION] == array)
      return 1;
    const struct gmg_program_kernel *bound =
      step->kind == GMG_STEP_RUN ? &made->kernel[step->which] : NULL;
    for (int f = 0; bound && f < bound->kernel->fields; f++)
      if (bound->array[f] == array && bound->kernel->field[f].written)
        return 1;
  }
  return 0;
}

int gmg_program_exchange_all(struct gmg_program *program, int changed)
{
  const double begin = gmg_seconds();
  int error = 0;
  for (int a = 0; a < program->made->arrays && !error; a++)
    if (gmg_program_changes(program->made, a) == changed)
      error = gmg_program_exchange(program, a);
  program->info.ghost_seconds += gmg_seconds() - begin;
  return error;
}

#include "ghosts.h"

#include "system/order.h"
#include "system/team.h"

#include <string.h>

enum { SERIAL_ROWS = 512 };

static void find_periodic(const struct gmg_program_array *array, int periodic[3])
{
  for (int d = 0; d < 3; d++)
    periodic[d] = array->wall[d][0].kind == GMG_WALL_PERIODIC;
}

/* Whether one exchange fills the ghosts of both arrays. */
static int alike(const struct gmg_program_array *a, const struct gmg_program_array *b)
{
  int periodic[2][3];
  find_periodic(a, periodic[0]);
  find_periodic(b, periodic[1]);
  return a->ghosts == b->ghosts && a->corners == b->corners
    && memcmp(periodic[0], periodic[1], sizeof periodic[0]) == 0;
}

int gmg_program_plan_ghosts(struct gmg_program *program)
{
  const struct gmg_program_descriptor *made = program->made;
  for (int a = 0; a < made->arrays; a++) {
    const struct gmg_program_array *array = &made->array[a];
    int periodic[3], like = 0;
    if (!array->ghosts)
      continue;
    while (like < a && !(program->exchange[like] && alike(&made->array[like], array)))
      like++;
    if (like < a) {
      program->exchange[a] = program->exchange[like];
      continue;
    }
    find_periodic(array, periodic);
    program->exchange[a] =
      gmg_exchange_ghosts(&program->context->comm, program->storage,
                          array->corners ? GMG_FULL : GMG_STAR, array->ghosts, periodic, NULL);
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
  int ghost[GMG_PROGRAM_CYCLE], source[GMG_PROGRAM_CYCLE]; /* along the axis */
};

/* For values of a type: the images of one row, or of the ends of one. */
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
  }
GMG_MIRROR(double)
GMG_MIRROR(float)

static void run_wall(void *work, int thread, int of)
{
  const struct wall *wall = work;
  const int rows = wall->to[1] - wall->from[1], planes = wall->to[2] - wall->from[2];
  int first, end;
  gmg_part(rows * planes, thread, of, &first, &end);
  for (int n = first; n < end; n++)
    (wall->program->made->precision == GMG_F64 ? mirror_double : mirror_float)(
      wall, wall->from[1] + n % rows, wall->from[2] + n / rows);
}

/* Finds the ghosts of a box beyond a wall, of which it has some where it is less far from the wall
 * than they are deep. */
static void find_ghosts(struct wall *wall, int box, int side, int deep)
{
  const struct gmg_program *program = wall->program;
  const int d = wall->axis, cells = program->cells[d], lower = program->box[box].lower[d],
            upper = lower + program->box[box].cells[d], skip = wall->rule->skip;
  wall->ghosts = 0;
  for (int g = 0; g < deep; g++) {
    const int ghost = side ? cells + g : -1 - g, source = side ? cells - 1 - skip - g : g + skip;
    if (ghost < lower - deep || ghost >= upper + deep)
      continue;
    wall->ghost[wall->ghosts] = ghost - lower;
    wall->source[wall->ghosts++] = source - lower;
  }
}

static void mirror(struct gmg_program *program, int array, int axis, int side)
{
  const struct gmg_program_array *made = &program->made->array[array];
  struct wall wall = {.program = program, .rule = &made->wall[axis][side], .axis = axis};
  for (int b = 0; b < program->layout->local_count; b++) {
    const struct gmg_kernel_box *box = &program->box[b];
    wall.element = program->element[array][b];
    wall.stride[0] = 1;
    wall.stride[1] = box->stride[0];
    wall.stride[2] = box->stride[1];
    find_ghosts(&wall, b, side, made->ghosts);
    for (int d = 0; d < 3; d++) {
      const int deep = d < program->made->dimensions ? made->ghosts : 0;
      wall.from[d] = d == axis ? 0 : -deep;
      wall.to[d] = d == axis ? 1 : box->cells[d] + deep;
    }
    const int rows = (wall.to[1] - wall.from[1]) * (wall.to[2] - wall.from[2]);
    if (wall.ghosts && rows < SERIAL_ROWS)
      run_wall(&wall, 0, 1);
    else if (wall.ghosts)
      gmg_team_share(program->context->team, program->threads, run_wall, &wall);
  }
}

int gmg_program_fill_ghosts(struct gmg_program *program, int array)
{
  void *data = program->data[array];
  const int error =
    program->exchange[array] ? gmg_exchange_run(program->exchange[array], data, data) : 0;
  for (int axis = 0; axis < program->made->dimensions && !error; axis++)
    for (int side = 0; side < 2; side++)
      if (program->made->array[array].wall[axis][side].kind == GMG_WALL_MIRROR)
        mirror(program, array, axis, side);
  return error;
}

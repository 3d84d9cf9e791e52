#include "images.h"

#include "launches.h"
#include "system/order.h"

#include <string.h>

/* Cells of a box along an axis, counted from its first one: all that lie beyond one wall, or
 * beyond none (side -1). */
struct run {
  int from, to, side;
};

/* An axis of a box: its cells, the box's and ghosts, in runs; and where its tables are. */
struct axis {
  struct run all, run[5]; /* deeper ghosts, those beyond a wall, others, and so on */
  int runs, entry;        /* entry: of cell all.from */
};

/* What is known of the tables: an axis of other boxes has the same. */
struct known {
  int array, axis, lower, cells, entry;
};

/* Images and tables, first counted, then filled in. */
struct list {
  const struct gmg_program *program;
  struct gmg_images *images; /* NULL while they are counted, as are the tables */
  int *source;
  double *sign, *constant;
  struct known *known;
  int count, entries, tables;
};

/* The wall that makes a ghost, cell `cell` of the grid along an axis: its side; -1: none does. */
static int side_of(const struct gmg_program *program, int a, int axis, int cell)
{
  const struct gmg_program_array *array = &program->made->array[a];
  const int side = cell >= 0, depth = side ? cell - program->cells[axis] + 1 : -cell;
  return axis < program->made->dimensions && depth >= 1 && depth <= gmg_program_beyond(program, a)
      && array->wall[axis][side].kind == GMG_WALL_MIRROR
    ? side
    : -1;
}

/* ---- tables ---- */

static void fill_entry(struct list *list, int a, int axis, int lower, int cell)
{
  const struct gmg_program *program = list->program;
  const int side = side_of(program, a, axis, cell), n = list->entries++;
  const struct gmg_program_rule *rule = &program->made->array[a].wall[axis][side > 0];
  if (!list->images)
    return;
  list->source[n] = (side < 0 ? cell
                       : side ? 2 * program->cells[axis] - 1 - rule->skip - cell
                              : rule->skip - 1 - cell)
    - lower;
  list->sign[n] = side >= 0 && rule->minus ? -1 : 1;
  list->constant[n] = side >= 0 && rule->minus ? rule->constant : -0.0;
}

/* Gives an axis of a box its tables: those of a box before it, or new ones. */
static void find_tables(struct list *list, int a, int d, const struct gmg_kernel_box *box,
                        struct axis *axis)
{
  const struct known wanted = {a, d, box->lower[d], box->cells[d], list->entries};
  for (int n = list->tables - 1; n >= 0; n--) {
    const struct known *known = &list->known[n];
    if (known->array == wanted.array && known->axis == wanted.axis && known->lower == wanted.lower
        && known->cells == wanted.cells) {
      axis->entry = known->entry;
      return;
    }
  }
  axis->entry = wanted.entry;
  list->known[list->tables++] = wanted;
  for (int c = axis->all.from; c < axis->all.to; c++)
    fill_entry(list, a, d, wanted.lower, wanted.lower + c);
}

/* ---- images ---- */

/* Cuts an axis of a box in runs. edges: with ghosts beyond other walls, and those of neighbours. */
static void cut_axis(const struct gmg_program *program, int a, int d, int edges,
                     const struct gmg_kernel_box *box, struct axis *axis)
{
  const int deep = gmg_program_deep(program, d);
  *axis = (struct axis){.all = {-deep, box->cells[d] + deep, -1}};
  for (int c = axis->all.from; c < axis->all.to; c++) {
    const int side = side_of(program, a, d, box->lower[d] + c),
              inside = c >= 0 && c < box->cells[d];
    struct run *last = axis->runs ? &axis->run[axis->runs - 1] : NULL;
    if (last && last->side == side && last->to == c)
      last->to++;
    else if (side >= 0 || inside || edges)
      axis->run[axis->runs++] = (struct run){c, c + 1, side};
  }
}

static void add_images(struct list *list, const struct axis axis[3], struct gmg_images images)
{
  for (int d = 0; d < 3; d++)
    images.start[d] = axis[d].entry + images.from[d] - axis[d].all.from;
  if (list->images)
    list->images[list->count] = images;
  list->count++;
}

/* Adds what the runs of axis d hold: beyond a wall with all of the axes before it, elsewhere what
 * these have beyond their walls. */
static void add_runs(struct list *list, const struct axis axis[3], int d, int edges,
                     const struct gmg_kernel_box *box, struct gmg_images images)
{
  for (int n = 0; n < axis[d].runs; n++) {
    const struct run *run = &axis[d].run[n];
    images.from[d] = run->from;
    images.to[d] = run->to;
    for (int e = 0; e < d && run->side >= 0; e++) {
      images.from[e] = edges ? axis[e].all.from : 0;
      images.to[e] = edges ? axis[e].all.to : box->cells[e];
    }
    if (run->side >= 0)
      add_images(list, axis, images);
    else if (d > 0)
      add_runs(list, axis, d - 1, edges, box, images);
  }
}

/* Whether somebody may see ghosts beyond edges: kernels, or a file of fixed ghosts. */
static int needs_edges(const struct gmg_program *program, int a)
{
  int edges = program->block.rounds > 1 || gmg_program_array_kept(program, a) == 2;
  for (int other = 0; other < program->made->arrays; other++)
    edges |= program->made->array[other].corners;
  return edges;
}

static int is_at_wall(const struct axis axis[3])
{
  int any = 0;
  for (int d = 0; d < 3; d++)
    for (int n = 0; n < axis[d].runs; n++)
      any |= axis[d].run[n].side >= 0;
  return any;
}

static void add_array(struct list *list, int a, int holder)
{
  const struct gmg_program *program = list->program;
  const int edges = needs_edges(program, a);
  for (int b = 0; b < program->layout->local_count; b++) {
    const struct gmg_kernel_box *box = &program->box[b];
    struct axis axis[3];
    for (int d = 0; d < 3; d++)
      cut_axis(program, a, d, edges, box, &axis[d]);
    if (!is_at_wall(axis))
      continue;
    for (int d = 0; d < 3; d++)
      find_tables(list, a, d, box, &axis[d]);
    add_runs(list, axis, 2, edges, box, (struct gmg_images){.array = holder, .box = b});
  }
}

int gmg_images_find(const struct gmg_program *program, const int *array, const int *holder,
                    int arrays, struct gmg_images_launch *launch)
{
  const size_t most = 3 * (size_t)arrays * (size_t)program->layout->local_count;
  struct list list = {.program = program, .known = gmg_calloc(most + 1, sizeof *list.known)};
  *launch = (struct gmg_images_launch){.images = NULL};
  for (int n = 0; n < arrays && list.known; n++)
    add_array(&list, array[n], holder[n]);
  const size_t entries = (size_t)list.entries + 1;
  struct gmg_images *images = gmg_calloc((size_t)list.count + 1, sizeof *images);
  list.source = gmg_calloc(entries, sizeof *list.source);
  list.sign = gmg_calloc(entries, sizeof *list.sign);
  list.constant = gmg_calloc(entries, sizeof *list.constant);
  const int failed = !list.known || !images || !list.source || !list.sign || !list.constant;
  list.images = images;
  list.count = list.entries = list.tables = 0;
  for (int n = 0; n < arrays && !failed; n++)
    add_array(&list, array[n], holder[n]);
  gmg_free(list.known);
  *launch = (struct gmg_images_launch){.images = images,
                                       .count = list.count,
                                       .source = list.source,
                                       .sign = list.sign,
                                       .constant = list.constant,
                                       .entries = list.entries};
  if (failed)
    gmg_images_free(launch);
  return failed ? -1 : 0;
}

/* ---- by kernels ---- */

/* Whether a box touches both walls of an axis or is far from them, and is as thick as the deepest
 * source. */
static int is_thick(const struct gmg_program *program, const struct gmg_kernel_box *box, int d,
                    int deepest)
{
  const int before = box->lower[d], after = program->cells[d] - before - box->cells[d];
  return (before == 0 || before >= deepest) && (after == 0 || after >= deepest)
    && box->cells[d] >= deepest;
}

/* Tells boxes where they have walls, and kernels fill what is beyond them; nowhere if not `good`. A
 * box with ghosts that kernels visit ends at walls, and goes on along periodic axes. */
static void tell_walls(const struct gmg_program *program, int good, struct gmg_kernel_box *box)
{
  for (int d = 0; d < program->made->dimensions; d++) {
    const int walls = good && (program->block.rounds <= 1 || !program->periodic[d]);
    box->other_lower[d] = walls && box->lower[d] == 0;
    box->other_cells[d] = walls && box->lower[d] + box->cells[d] == program->cells[d];
  }
}

int gmg_images_by_kernels(struct gmg_program *program)
{
  const struct gmg_program_descriptor *made = program->made;
  const int deepest = made->ghosts + 1; /* a mirror may leave out a cell */
  int good = !program->composing.on;
  for (int b = 0; b < program->layout->local_count; b++)
    for (int d = 0; d < made->dimensions; d++)
      good &= is_thick(program, &program->box[b], d, deepest);
  for (int extent = 0; extent <= program->block.extents; extent++)
    for (int b = 0; b < program->layout->local_count; b++)
      tell_walls(program, good, &program->extended[extent].box[b]);
  return good;
}

static int are_alike(const struct gmg_program_rule *a, const struct gmg_program_rule *b)
{
  return a->kind == b->kind && a->skip == b->skip && a->minus == b->minus
    && memcmp(&a->constant, &b->constant, sizeof a->constant) == 0;
}

int gmg_images_hold(const struct gmg_program *program, int array)
{
  const struct gmg_program_array *made = program->made->array;
  const int of = program->placed->images[program->holder[array]] - 1;
  int good = of >= 0 && made[of].ghosts >= made[array].ghosts;
  for (int side = 0; side < 6 && good; side++)
    good = are_alike(&made[of].wall[side / 2][side % 2], &made[array].wall[side / 2][side % 2]);
  return good;
}

void gmg_images_free(struct gmg_images_launch *launch)
{
  gmg_free(launch->images);
  gmg_free(launch->source);
  gmg_free(launch->sign);
  gmg_free(launch->constant);
  *launch = (struct gmg_images_launch){.images = NULL};
}

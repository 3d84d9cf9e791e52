#include "region.h"

#include "runtime/bind.h"
#include "system/order.h"
#include "system/threads.h"

#include <limits.h>

enum { MOST_WANTED = 16 };

int gmg_region_reach(const struct gmg_field_descriptor *field)
{
  int most = 0;
  for (int d = 1; d < 3; d++)
    most = gmg_larger(most, gmg_larger(field->halo_lower[d], field->halo_upper[d]));
  return most;
}

/* Whether field f of a stage lies on the level that the pass sweeps, or its twin. */
static int is_swept(const struct gmg_stage *stage, int f)
{
  const struct gmg_field_descriptor *field = &stage->call->kernel->field[f];
  return field->kind == GMG_FIELD && field->level == (stage->hi ? GMG_FINER : GMG_OWN);
}

/* How far from its cells a later stage reads what field f of an earlier one is, beyond the ghosts
 * that the later stage visits; -1: it does not read it. along_i: 1 where i counts instead. */
static int reads_from(const struct gmg_stage *later, const struct gmg_stage *earlier, int f,
                      int along_i)
{
  int most = -1;
  for (int n = 0; n < later->call->kernel->fields; n++) {
    const struct gmg_field_descriptor *field = &later->call->kernel->field[n];
    if (!is_swept(later, n) || !field->read || later->args.field[n] != earlier->args.field[f])
      continue;
    const int reach =
      along_i ? field->halo_lower[0] + field->halo_upper[0] : gmg_region_reach(field);
    most = gmg_larger(most, reach);
  }
  return most;
}

/* How many cells or ghosts, in images too, lie beyond a side of a box. */
static int beyond(const struct gmg_level *level, int box, int d, int side)
{
  const struct gmg_kernel_box *own = &level->box[box];
  if (level->axis[d].kind[0] == GMG_PERIODIC)
    return INT_MAX;
  return side ? level->axis[d].cells - own->lower[d] - own->cells[d] : own->lower[d];
}

struct gmg_span gmg_region_span(const struct gmg_stage *stage, const struct gmg_level *level,
                                int box)
{
  const int *cells = stage->call->level->box[box].cells;
  struct gmg_span span = {{0, cells[1]}, {0, cells[2]}};
  if (stage->hi || stage->extent == 0)
    return span;
  for (int end = 0, sign = -1; end < 2; end++, sign = 1) {
    span.row[end] += sign * gmg_smaller(stage->extent, beyond(level, box, 1, end));
    span.plane[end] += sign * gmg_smaller(stage->extent, beyond(level, box, 2, end));
  }
  return span;
}

/* How deep a stage reads the ghosts of the coarser level, by its tables: alike on all ranks. */
static int coarse_reach(const struct gmg_stage *stage)
{
  int most = 0;
  for (int f = 0; f < stage->call->kernel->fields; f++) {
    const struct gmg_field_descriptor *field = &stage->call->kernel->field[f];
    if (field->kind == GMG_TABLE && field->axis > 0)
      most = gmg_larger(most, stage->call->array[f]->reach[stage->extent]);
  }
  return most;
}

static int reads_coarser(const struct gmg_kernel_descriptor *kernel)
{
  for (int f = 0; f < kernel->fields; f++)
    if (kernel->field[f].kind == GMG_FIELD && kernel->field[f].level == GMG_COARSER)
      return 1;
  return 0;
}

/* How deep ghosts must be for what a stage reads of a field beyond those that it visits: of faces
 * along j and k the one above, too. */
static int needs(const struct gmg_field_descriptor *field)
{
  return gmg_larger(gmg_region_reach(field),
                    field->place == GMG_FACE_J || field->place == GMG_FACE_K);
}

static int fits(const struct gmg_stage *stage, const struct gmg_level *level)
{
  const struct gmg_kernel_descriptor *kernel = stage->call->kernel;
  if (stage->extent > level->storage->overlap || (stage->extent > 0 && stage->args.reduction))
    return 0; /* sums are over the cells */
  for (int f = 0; f < kernel->fields; f++)
    if (is_swept(stage, f) && kernel->field[f].read
        && stage->extent + needs(&kernel->field[f]) > level->storage->overlap)
      return 0;
  return stage->extent == 0 || !reads_coarser(kernel)
    || coarse_reach(stage) <= stage->call->other->storage->overlap;
}

int gmg_region_plan(struct gmg_stage *stage, int stages, const struct gmg_level *level)
{
  const int neighbours = level->storage->overlap > 0,
            periodic = level->axis[0].kind[0] == GMG_PERIODIC;
  const int formulas = level->op->boundary == GMG_GHOST_FORMULAS;
  for (int s = stages - 1; s >= 0; s--) {
    stage[s].extent = 0;
    stage[s].followed = 0;
    for (int f = 0; f < stage[s].call->kernel->fields; f++)
      for (int later = s + 1;
           later < stages && is_swept(&stage[s], f) && stage[s].call->kernel->field[f].written;
           later++) {
        const int reach = reads_from(&stage[later], &stage[s], f, 0);
        if (neighbours && reach >= 0 && stage[later].extent + reach > stage[s].extent)
          stage[s].extent = stage[later].extent + reach;
        if ((periodic && reads_from(&stage[later], &stage[s], f, 1) > 0) || (formulas && reach > 0))
          stage[s].followed |= (uint64_t)1 << f;
      }
    if (neighbours && !fits(&stage[s], level))
      return 0;
  }
  return 1;
}

/* Whether stages before s write all of the field that its field f is, and find nothing in it. */
static int is_overwritten(const struct gmg_stage *stage, int s, int f)
{
  for (int earlier = 0; earlier < s; earlier++)
    for (int n = 0; n < stage[earlier].call->kernel->fields; n++) {
      const struct gmg_field_descriptor *field = &stage[earlier].call->kernel->field[n];
      if (is_swept(&stage[earlier], n) && stage[earlier].args.field[n] == stage[s].args.field[f]
          && field->written && !field->read)
        return 1;
    }
  return 0;
}

/* A field whose ghosts are to be filled, by what, and its level. */
struct want {
  struct gmg_level *level;
  struct gmg_level_array *array;
  struct gmg_exchange *exchange;
};

/* How deep stage s finds something in the ghosts of its field f that must come from neighbours, or
 * walls. */
static int finds(const struct gmg_stage *stage, int s, int f, const struct gmg_level *level)
{
  const struct gmg_field_descriptor *field = &stage[s].call->kernel->field[f];
  const int filled = level->overlap || level->op->boundary == GMG_GHOST_FORMULAS;
  /* Coefficients have their ghosts from setup. */
  const int found =
    is_swept(&stage[s], f) && field->read && filled && !stage[s].call->array[f]->coefficient;
  return found && !is_overwritten(stage, s, f) ? stage[s].extent + gmg_region_reach(field) : 0;
}

/* What fills ghosts of that depth: those that kernels need one by one are filled by a smaller
 * message. */
static struct gmg_exchange *exchange_for(const struct gmg_level *level, int depth)
{
  return depth <= gmg_level_exchanged(level) ? level->ghosts[GMG_FULL] : level->overlap;
}

/* A field on the coarser level: all its ghosts, or as many as the call needs by itself. */
static void want_coarser(const struct gmg_call *call, int f, struct want *want)
{
  if (call->other->overlap)
    *want = (struct want){call->other, call->array[f], call->other->overlap};
  for (int n = 0; n < call->exchanges && !call->other->overlap; n++)
    if (call->ghosts[n].to == call->array[f])
      gmg_call_exchange(call, n);
}

/* Fills the ghosts of all that are wanted by one exchange, and takes them off the list. */
static void fill_together(struct want *want, int count, struct gmg_level *level,
                          struct gmg_exchange *exchange)
{
  void *data[MOST_WANTED];
  int fields = 0;
  const double begin = gmg_seconds();
  for (int n = 0; n < count; n++)
    if (want[n].exchange == exchange) {
      data[fields++] = want[n].array->data;
      want[n].array->shared = exchange == level->overlap && want[n].array->number == GMG_NAME_F;
      want[n].exchange = NULL;
    }
  level->context->mpi_error |= gmg_exchange_fill(exchange, data, fields);
  struct gmg_kernel_stat *stat = gmg_exchange_stat(level);
  stat->seconds += gmg_seconds() - begin;
  stat->calls++;
}

static void fill_all(struct want *want, int count)
{
  for (int n = 0; n < count; n++)
    if (want[n].exchange)
      fill_together(want, count, want[n].level, want[n].exchange);
}

/* Adds a field of the swept level, or asks for more of its ghosts. */
static int add(struct want *want, int count, struct gmg_level *level, struct gmg_level_array *array,
               int depth)
{
  struct gmg_exchange *exchange = exchange_for(level, depth);
  for (int n = 0; n < count; n++)
    if (want[n].array == array) {
      want[n].exchange = want[n].exchange == level->overlap ? level->overlap : exchange;
      return count;
    }
  want[count] = (struct want){level, array, exchange};
  return count + 1;
}

void gmg_region_exchange(const struct gmg_stage *stage, int stages, struct gmg_level *level)
{
  struct want want[MOST_WANTED];
  int count = 0;
  for (int s = 0; s < stages; s++)
    for (int f = 0; f < stage[s].call->kernel->fields; f++) {
      const struct gmg_field_descriptor *field = &stage[s].call->kernel->field[f];
      struct gmg_level_array *array = stage[s].call->array[f];
      const int depth = array->shared ? 0 : finds(stage, s, f, level);
      if (field->kind == GMG_FIELD && field->level == GMG_COARSER && !array->shared) {
        want[count].exchange = NULL;
        want_coarser(stage[s].call, f, &want[count]);
        count += want[count].exchange != NULL;
      } else if (depth > 0) {
        count = add(want, count, field->precision == level->precision ? level : level->twin, array,
                    depth);
      }
      if (count == MOST_WANTED) {
        fill_all(want, count);
        count = 0;
      }
    }
  fill_all(want, count);
}

#include "bind.h"

#include "uniform_runs.h"
#include "backend.h"
#include "system/memory.h"
#include "system/order.h"
#include "system/text.h"
#include "pass.h"
#include "traffic.h"

#include <string.h>

/* NULL: out of memory. */
static struct gmg_kernel_stat *find_stat(struct gmg_level *level,
                                         const struct gmg_kernel_descriptor *kernel)
{
  for (int n = 0; n < level->stats; n++)
    if (level->stat[n]->kernel == kernel)
      return level->stat[n];
  struct gmg_kernel_stat **more =
    gmg_realloc(level->stat, ((size_t)level->stats + 1) * sizeof *more);
  if (!more)
    return NULL;
  level->stat = more;
  struct gmg_kernel_stat *stat = gmg_calloc(1, sizeof *stat);
  if (!stat)
    return NULL;
  stat->kernel = kernel;
  return level->stat[level->stats++] = stat;
}

static const char *renamed(const struct gmg_rename *rename, const char *name)
{
  for (; rename && rename->from; rename++)
    if (gmg_same_text(rename->from, name))
      return rename->to;
  return name;
}

/* How many ghosts deep the kernel reads a field of cells. */
static int halo_of(const struct gmg_field_descriptor *field)
{
  int most = 0;
  if (field->kind != GMG_FIELD || field->place != GMG_CELL || !field->read)
    return 0;
  for (int d = 0; d < 3; d++)
    most = gmg_larger(most, gmg_larger(field->halo_lower[d], field->halo_upper[d]));
  return most;
}

struct gmg_kernel_stat *gmg_exchange_stat(struct gmg_level *level)
{
  level->counts_exchanges = 1;
  return &level->exchanges;
}

/* Notes that the kernel needs the ghosts of a field. Derived kernels read as far and as wide as
 * their operator, others edges and corners too. Coefficients have their ghosts from setup. */
static gmg_status need_ghosts(struct gmg_call *call, struct gmg_level *level,
                              struct gmg_level_array *field, int halo)
{
  enum { MOST_GHOSTS = 4 };
  if (field->coefficient)
    return GMG_OK;
  if (halo > gmg_level_exchanged(level))
    return gmg_fail(
      level->context, GMG_ERR_UNSUPPORTED,
      "kernel %s reads '%s' %d cells away, but ghosts of level %d are exchanged %d deep",
      call->kernel->name, field->name, halo, level->index, gmg_level_exchanged(level));
  const enum gmg_exchange_shape shape =
    call->kernel->role == GMG_AS_WRITTEN ? GMG_FULL : level->op->exchange;
  struct gmg_exchange *exchange = level->ghosts[shape];
  if (!exchange)
    return GMG_OK;
  if (call->exchanges == MOST_GHOSTS)
    return gmg_fail(
      level->context, GMG_ERR_UNSUPPORTED,
      "kernel %s reads neighbours in more than %d fields, '%s' among them: more are not exchanged",
      call->kernel->name, MOST_GHOSTS, field->name);
  struct gmg_move *ghosts =
    gmg_realloc(call->ghosts, ((size_t)call->exchanges + 1) * sizeof *ghosts);
  if (!ghosts)
    return gmg_no_memory(level->context, "for kernel %s", call->kernel->name);
  call->ghosts = ghosts;
  ghosts[call->exchanges++] = (struct gmg_move){
    .exchange = exchange, .stat = gmg_exchange_stat(level), .from = field, .to = field};
  return GMG_OK;
}

/* The same kernel in the precision of a level, out of a list. */
static const struct gmg_kernel_descriptor *
find_form(const struct gmg_kernel_descriptor *const *list, int count,
          const struct gmg_kernel_descriptor *kernel, enum gmg_precision precision)
{
  for (int n = 0; n < count; n++)
    if (list[n]->precision == precision && list[n]->rows_stored == kernel->rows_stored
        && list[n]->role == kernel->role && gmg_same_text(list[n]->name, kernel->name)
        && gmg_same_text(list[n]->variant, kernel->variant))
      return list[n];
  return NULL;
}

static const struct gmg_kernel_descriptor *form_for(const struct gmg_level *level,
                                                    const struct gmg_kernel_descriptor *kernel)
{
  const struct gmg_kernel_library *library = level->context->library;
  if (!kernel || kernel->precision == level->precision)
    return kernel;
  if (kernel->role == GMG_AS_WRITTEN)
    return find_form(library->kernel, library->kernels, kernel, level->precision);
  return find_form(level->op->kernel, level->op->kernels, kernel, level->precision);
}

/* filled: the caller fills the ghosts that the kernel reads. */
static gmg_status bind_field(struct gmg_call *call, int f, struct gmg_level *other,
                             const struct gmg_rename *rename, int filled)
{
  const struct gmg_kernel_descriptor *kernel = call->kernel;
  const struct gmg_field_descriptor *field = &kernel->field[f];
  struct gmg_level *level = field->level == GMG_OWN ? call->level : other;
  const char *name = renamed(rename, field->name);
  if (level && field->kind != GMG_TABLE && field->precision != level->precision)
    level = level->twin;
  if (!level)
    return gmg_fail(call->level->context, GMG_ERR_INTERNAL,
                    "kernel %s: there is no level of its precision for '%s'", kernel->name, name);
  const int number = gmg_name(&level->context->names, name);
  struct gmg_level_array *array =
    field->kind == GMG_FIELD ? gmg_level_field(level, number) : gmg_level_find(level, number);
  if (!array && field->kind == GMG_FIELD && number < GMG_FIXED_NAMES && number >= 0)
    return gmg_no_memory(level->context, "for field %s of level %d (%lld cells)", name,
                         level->index, (long long)level->local_cells);
  if (!array || array->kind != field->kind)
    return gmg_fail(level->context, GMG_ERR_OPTION,
                    "kernel %s needs '%s', which the solver does not have", kernel->name, name);
  for (int d = 1; d < 3; d++) /* tables that passes follow */
    if (field->kind == GMG_TABLE && field->axis == d
        && gmg_same_text(field->name, d == 1 ? "hi_j" : "hi_k"))
      call->last_child[d - 1] = (signed char)f;
  call->args.field[f] = array->box;
  call->array[f] = array;
  array->calls++;
  const int halo = filled ? 0 : halo_of(field);
  return halo ? need_ghosts(call, level, array, halo) : GMG_OK;
}

static gmg_status bind_scalars(struct gmg_call *call)
{
  const struct gmg_kernel_descriptor *kernel = call->kernel;
  memset(call->slot, -1, sizeof call->slot);
  for (int n = 0; n < kernel->scalars; n++) {
    const enum gmg_scalar scalar = gmg_scalar_named(kernel->scalar[n]);
    if (scalar == GMG_SCALARS)
      return gmg_fail(call->level->context, GMG_ERR_OPTION,
                      "kernel %s needs the number '%s', which the solver does not have",
                      kernel->name, kernel->scalar[n]);
    call->slot[scalar] = (signed char)n;
  }
  gmg_call_set(call, GMG_SCALAR_B, call->level->b);
  gmg_call_set(call, GMG_SCALAR_ALPHA, call->level->alpha);
  return GMG_OK;
}

/* The level's boxes, with their partners on the other level. */
static struct gmg_kernel_box *pair_boxes(const struct gmg_level *level,
                                         const struct gmg_level *other)
{
  const int count = level->layout->local_count;
  struct gmg_kernel_box *box = gmg_malloc(((size_t)count + 1) * sizeof *box);
  if (!box)
    return NULL;
  for (int b = 0; b < count; b++) {
    box[b] = level->box[b];
    memcpy(box[b].other_cells, other->box[b].cells, sizeof box[b].other_cells);
    memcpy(box[b].other_lower, other->box[b].lower, sizeof box[b].other_lower);
    memcpy(box[b].other_stride, other->box[b].stride, sizeof box[b].other_stride);
    box[b].other_odd = other->box[b].odd;
  }
  return box;
}

/* What a table along i holds at own index i where cells pair two by two (kernel.h). */
static int value_by_rule(enum gmg_table_rule form, int i)
{
  switch (form) {
  case GMG_EVEN_CHILD:
    return 2 * i;
  case GMG_ODD_CHILD:
    return 2 * i + 1;
  case GMG_PARENT:
    return i / 2;
  case GMG_BESIDE:
    return i / 2 + (i % 2 ? 1 : -1);
  case GMG_AROUND_0:
  case GMG_AROUND_1:
  case GMG_AROUND_2:
  case GMG_AROUND_3:
    return (i + 1) / 2 - 2 + (int)form - GMG_AROUND_0;
  default:
    return 0;
  }
}

/* As struct gmg_kernel_box says. */
static int paired_from(const struct gmg_call *call, int b)
{
  const struct gmg_kernel_box *box = &call->box[b];
  const int cells = box->cells[0];
  int ends = 0;
  for (int f = 0; f < call->kernel->fields; f++) {
    const struct gmg_field_descriptor *field = &call->kernel->field[f];
    if (field->kind != GMG_TABLE || field->axis != 0 || field->rule == GMG_NO_RULE)
      continue;
    const int *table = call->args.field[f][b];
    for (int i = 0; i < cells; i++) {
      const int near = gmg_smaller(i, cells - 1 - i);
      if (near >= ends
          && table[box->odd ? gmg_at(i, box->odd) : i] != value_by_rule(field->rule, i))
        ends = near + 1;
    }
  }
  return 2 * ends < cells ? 1 + ends : 0;
}

/* Row buffers, one set per thread. Returns -1 out of memory. */
static int plan_scratch(struct gmg_call *call)
{
  const struct gmg_kernel_descriptor *kernel = call->kernel;
  if (kernel->rows == 0 && kernel->lines == 0)
    return 0;
  int longest = 0;
  ptrdiff_t own = 0;
  for (int b = 0; call->other && b < call->other->layout->local_count; b++)
    longest = gmg_larger(longest, call->other->box[b].cells[0]);
  for (int b = 0; b < call->level->layout->local_count; b++)
    if (call->level->box[b].stride[0] > own)
      own = call->level->box[b].stride[0];
  const size_t row = ((size_t)longest + 64 + 7) / 8 * 64, line = ((size_t)own + 7) / 8 * 64,
               padding = 256 + GMG_KNOWN_BYTES;
  call->args.scratch_stride = (size_t)kernel->rows * row + (size_t)kernel->lines * line + padding;
  return gmg_pass_room(call->level->context->pass,
                       (size_t)call->level->context->threads * call->args.scratch_stride);
}

static gmg_status bind(const struct gmg_kernel_descriptor *kernel, struct gmg_level *own,
                       struct gmg_level *other, const struct gmg_rename *rename, int filled,
                       struct gmg_call **result)
{
  *result = NULL;
  kernel = form_for(own, kernel);
  if (!kernel)
    return gmg_fail(own->context, GMG_ERR_INTERNAL, "a kernel that level %d needs was not built",
                    own->index);
  if (other && other->layout->local_count != own->layout->local_count)
    return gmg_fail(own->context, GMG_ERR_INTERNAL,
                    "kernel %s: level %d and its partner have other boxes", kernel->name,
                    own->index);
  struct gmg_call *call =
    gmg_calloc(1, sizeof *call + (size_t)kernel->fields * sizeof(struct gmg_level_array *));
  if (!call)
    return gmg_no_memory(own->context, "for kernel %s", kernel->name);
  call->level = own;
  call->other = other;
  call->kernel = kernel;
  call->share = own->share ? own->share : own->memory->plans;
  call->last_child[0] = call->last_child[1] = -1;
  call->stat = find_stat(own, kernel);
  const int no_tiles = gmg_call_cut(call);
  call->box = other ? pair_boxes(own, other) : NULL;
  call->args.box = other ? call->box : own->box;
  own->uniform_runs = own->uniform_runs ? own->uniform_runs : gmg_uniform_runs_create(own);
  call->args.uniform_runs = own->uniform_runs;
  gmg_status status = GMG_OK;
  if (!call->stat || no_tiles || (other && !call->box) || !own->uniform_runs || plan_scratch(call))
    status = gmg_no_memory(own->context, "for the tiles of kernel %s", kernel->name);
  for (int f = 0; f < kernel->fields && !status; f++)
    status = bind_field(call, f, other, rename, filled);
  for (int b = 0; call->box && !status && b < own->layout->local_count; b++)
    call->box[b].paired = paired_from(call, b);
  if (!status)
    status = bind_scalars(call);
  if (!status)
    gmg_traffic_note(call);
  if (status)
    gmg_call_destroy(&call);
  *result = call;
  return status;
}

gmg_status gmg_call_bind(const struct gmg_kernel_descriptor *kernel, struct gmg_level *own,
                         struct gmg_level *other, const struct gmg_rename *rename,
                         struct gmg_call **result)
{
  return bind(kernel, own, other, rename, 0, result);
}

void gmg_call_destroy(struct gmg_call **call)
{
  if (!call || !*call)
    return;
  if ((*call)->prepared)
    (*call)->level->context->backend->forget(*call);
  for (int f = 0; f < (*call)->kernel->fields; f++)
    if ((*call)->array[f])
      (*call)->array[f]->calls--;
  gmg_free((*call)->box);
  gmg_free((*call)->ghosts);
  gmg_free(*call);
  *call = NULL;
}

void gmg_calls_destroy(struct gmg_level *level)
{
  for (int n = 0; level && n < level->calls; n++)
    gmg_call_destroy(&level->call[n]);
}

static gmg_status keep(const struct gmg_kernel_descriptor *kernel, struct gmg_level *own,
                       struct gmg_level *other, const struct gmg_rename *rename, int filled,
                       struct gmg_call **call)
{
  enum { ROOM = 16 };
  if (own->calls % ROOM == 0) {
    struct gmg_call **more = gmg_realloc(own->call, (size_t)(own->calls + ROOM) * sizeof *more);
    if (!more)
      return gmg_no_memory(own->context, "for kernel %s", kernel->name);
    own->call = more;
  }
  const gmg_status status = bind(kernel, own, other, rename, filled, call);
  if (!status)
    own->call[own->calls++] = *call;
  return status;
}

gmg_status gmg_call_keep(const struct gmg_kernel_descriptor *kernel, struct gmg_level *own,
                         struct gmg_level *other, const struct gmg_rename *rename,
                         struct gmg_call **call)
{
  return keep(kernel, own, other, rename, 0, call);
}

gmg_status gmg_call_keep_filled(const struct gmg_kernel_descriptor *kernel, struct gmg_level *own,
                                struct gmg_level *other, const struct gmg_rename *rename,
                                struct gmg_call **call)
{
  return keep(kernel, own, other, rename, 1, call);
}

gmg_status gmg_call_once(const struct gmg_kernel_descriptor *kernel, struct gmg_level *own,
                         struct gmg_level *other, const struct gmg_rename *rename, double s)
{
  struct gmg_call *call;
  const gmg_status status = gmg_call_bind(kernel, own, other, rename, &call);
  if (status)
    return status;
  gmg_call_set(call, GMG_SCALAR_S, s);
  gmg_call_run(call);
  gmg_pass_flush(own->context->pass);
  gmg_call_destroy(&call);
  return GMG_OK;
}

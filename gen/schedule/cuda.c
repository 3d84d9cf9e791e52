/* The choice of forms for GPUs, and what they have in common. */
#include "cuda_choices.h"

#include "check/conflict.h"

/* Beyond so many flops a compiler that computes the values of all functions side by side runs out
 * of registers. */
enum { FLOPS_SIDE_BY_SIDE = 1000 };

const char *gen_cuda_form_name(enum gen_cuda_kind kind)
{
  static const char *const name[GEN_KINDS] = {"march",  "queue",  "between", "around",
                                              "linear", "staged", "columns"};
  return name[kind];
}

/* ---- restriction of a residual with its norm: both are made of the same residuals, of the cells
 * that a coarse one covers; each is worked out once, all of them before the first division ---- */

static bool contains(const struct gen_expr *expr, const struct gen_expr *part)
{
  if (gen_expr_equal(expr, part))
    return true;
  for (int n = 0; n < gen_arity(expr); n++)
    if (contains(expr->argument[n], part))
      return true;
  return false;
}

/* The largest part of a norm that reads fields and is in the row's value as well. */
static const struct gen_expr *common_part(const struct gen_kernel *kernel,
                                          const struct gen_expr *norm, const struct gen_expr *value)
{
  if (gen_cuda_reads_field(kernel, norm, NULL) && contains(value, norm))
    return norm;
  for (int n = 0; n < gen_arity(norm); n++) {
    const struct gen_expr *part = common_part(kernel, norm->argument[n], value);
    if (part)
      return part;
  }
  return NULL;
}

static bool find_kept(const struct gen_schedule *schedule, struct gen_parts *parts)
{
  static const char *const name[] = {"0, i)", "1, i)", "2, i)", "3, i)"};
  for (int r = 0; r < schedule->rows; r++)
    for (int n = 0; n < schedule->row[r].norms; n++) {
      const struct gen_expr *part =
        common_part(schedule->kernel, schedule->row[r].norm[n], schedule->row[r].value);
      if (!part || parts->count == (int)(sizeof name / sizeof *name))
        return false;
      gen_add_part(parts, part, name[parts->count]);
    }
  for (int r = 0; r < schedule->rows; r++)
    if (gen_cuda_reads_field(schedule->kernel, schedule->row[r].value, parts))
      return false;
  return parts->count > 0;
}

/* ---- what a restriction reads of the finer level ---- */

static void find_finer(const struct gen_kernel *kernel, const struct gen_expr *expr,
                       struct gen_finer *finer)
{
  for (int n = 0; n < gen_arity(expr); n++)
    find_finer(kernel, expr->argument[n], finer);
  if (expr->kind != GEN_ACCESS || kernel->array[expr->access.array].rank == 1
      || kernel->array[expr->access.array].level != GEN_FINER)
    return;
  int place = 0;
  while (place < finer->arrays && finer->array[place] != expr->access.array)
    place++;
  if (place == finer->arrays)
    finer->array[finer->arrays++] = expr->access.array;
  const int above = expr->access.subscript[GEN_K].offset;
  finer->above[place] = above > finer->above[place] ? above : finer->above[place];
  for (enum gen_axis axis = GEN_J; axis <= GEN_K; axis++) {
    const int table = expr->access.subscript[axis].table;
    int known = 0;
    while (known < finer->tables[axis] && finer->table[axis][known] != table)
      known++;
    if (known == finer->tables[axis] && known < 2)
      finer->table[axis][finer->tables[axis]++] = table;
  }
}

/* ---- forms ---- */

/* Whether each cell's value comes from a place that three tables name, one along each axis, which
 * hold nothing in particular: what moves values between boxes, in blocks that may be thin. */
static bool moves(const struct gen_schedule *schedule, const struct gen_work *work)
{
  const struct gen_kernel *kernel = schedule->kernel;
  int tables = 0, without_rule = 0;
  for (int n = 0; n < kernel->arrays; n++) {
    tables += kernel->array[n].table;
    without_rule += kernel->array[n].table && kernel->array[n].rule == GEN_NO_RULE;
  }
  return work->role == GEN_ROLE_AS_WRITTEN && !gen_finds_most(schedule) && tables == 3
    && without_rule == tables;
}

/* The default first. */
static void list_forms(const struct gen_schedule *schedule, struct gen_cuda_schedule *cuda)
{
  struct gen_cuda_form *const first = &cuda->form[0], *const second = &cuda->form[1];
  cuda->forms = 1;
  if (moves(schedule, &cuda->work) || schedule->kernel->guard.both)
    first->kind = GEN_LINEAR;
  else if (gen_choose_between(schedule, first) || gen_choose_around(schedule, first)
           || gen_choose_columns(schedule, &cuda->work, first))
    cuda->forms = 2; /* the other one marches, too */
  else if (gen_choose_queue(schedule, &cuda->work, second))
    cuda->forms = 2;
  for (int n = 0; n < cuda->forms; n++)
    gen_choose_shape(schedule, cuda, &cuda->form[n]);
}

const struct gen_cuda_schedule *gen_schedule_cuda(const struct gen_schedule *schedule,
                                                  const struct gen_work *work)
{
  struct gen_cuda_schedule *cuda = gen_allocate(sizeof *cuda);
  struct gen_cuda_form *staged = gen_allocate(sizeof *staged);
  struct gen_parts kept = {.prefix = "kept("};
  cuda->work = *work;
  gen_choose_lanes(schedule, cuda);
  gen_choose_phases(schedule, cuda);
  if (find_kept(schedule, &kept))
    cuda->kept = kept;
  cuda->one_by_one = schedule->rows && work->flops > FLOPS_SIDE_BY_SIDE;
  gen_choose_ahead(cuda);
  for (int n = 0; n < schedule->rows && cuda->asks_ahead; n++)
    find_finer(schedule->kernel, schedule->row[n].value, &cuda->finer);
  /* Faster on an H200 for all but those that move four values per cell: the loads of those are then
   * in a worse order. */
  cuda->alternates =
    cuda->phases && gen_is_gauss_seidel(work->role) && (work->reals <= 3 || work->reals > 4);
  for (int n = 0; n < schedule->kernel->arrays; n++)
    cuda->read_once[n] = cuda->alternates && schedule->kernel->array[n].rank > 1
      && !schedule->kernel->array[n].written && gen_reads_of(schedule->kernel, n)->count == 1;
  cuda->by_start = gen_cuda_by_parity(schedule) && schedule->kernel->guard.global;
  list_forms(schedule, cuda);
  cuda->staged = gen_choose_staged(schedule, work, staged) ? staged : NULL;
  return cuda;
}

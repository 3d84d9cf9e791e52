/* What emitters, and the choice of forms for GPUs, ask of a schedule. */
#include "schedule.h"

const char *gen_type_name(enum gen_type type)
{
  return type == GEN_DOUBLE ? "double" : type == GEN_FLOAT ? "float" : "int";
}

const char *gen_real(const struct gen_schedule *schedule)
{
  return gen_type_name(schedule->precision);
}

int gen_real_bytes(const struct gen_schedule *schedule)
{
  return schedule->precision == GEN_DOUBLE ? 8 : 4;
}

int gen_fields(const struct gen_schedule *schedule, int array[GEN_MAX_ARRAYS])
{
  int count = 0;
  for (int n = 0; n < schedule->kernel->arrays; n++)
    if ((schedule->kernel->array[n].read || schedule->kernel->array[n].written)
        && !gen_is_row(schedule, n))
      array[count++] = n;
  return count;
}

bool gen_has_level(const struct gen_schedule *schedule, bool own)
{
  int array[GEN_MAX_ARRAYS];
  const int count = gen_fields(schedule, array);
  for (int n = 0; n < count; n++) {
    const struct gen_array *a = &schedule->kernel->array[array[n]];
    if (a->rank == 4 && (a->level == GEN_OWN) == own)
      return true;
  }
  return false;
}

int gen_loop_extra(const struct gen_kernel *kernel, enum gen_axis axis)
{
  const struct gen_loop *loop = &kernel->loop[axis];
  for (int s = GEN_AXES; s < GEN_MAX_SYMBOLS; s++)
    if (loop->upper.coefficient[s])
      return loop->upper.constant - loop->lower.constant + 1;
  return 0;
}

static bool is_own(const struct gen_kernel *kernel, const struct gen_access *access)
{
  const struct gen_array *array = &kernel->array[access->array];
  for (enum gen_axis axis = GEN_I; axis <= GEN_K; axis++) {
    const struct gen_affine *affine = &access->subscript[axis].affine;
    if (affine->coefficient[axis] != 1
        || affine->constant + kernel->loop[axis].lower.constant != array->first)
      return false;
  }
  return array->rank == 4 && array->level == GEN_OWN && !array->read;
}

bool gen_stores_apart(const struct gen_schedule *schedule)
{
  const struct gen_kernel *kernel = schedule->kernel;
  if (schedule->rows || schedule->layout != GEN_PLAIN || kernel->guard.kind != GEN_EVERYWHERE)
    return false;
  for (enum gen_axis axis = GEN_I; axis <= GEN_K; axis++)
    if (gen_loop_extra(kernel, axis))
      return false;
  for (int n = 0; n < kernel->statements; n++)
    if (kernel->statement[n].kind != GEN_SET
        && (kernel->statement[n].kind != GEN_STORE
            || !is_own(kernel, &kernel->statement[n].target)))
      return false;
  return true;
}

bool gen_reduces(const struct gen_schedule *schedule, enum gen_scalar_role role)
{
  for (int n = 0; n < schedule->kernel->statements; n++) {
    const struct gen_statement *s = &schedule->kernel->statement[n];
    if ((s->kind == GEN_NORM && role != GEN_LARGEST)
        || (s->kind == GEN_REDUCE && schedule->kernel->scalar[s->scalar].role == role))
      return true;
  }
  return false;
}

bool gen_finds_most(const struct gen_schedule *schedule)
{
  return gen_reduces(schedule, GEN_MAX) || gen_reduces(schedule, GEN_SUM)
    || gen_reduces(schedule, GEN_LARGEST);
}

bool gen_is_row(const struct gen_schedule *schedule, int array)
{
  for (int n = 0; n < schedule->rows; n++)
    if (schedule->row[n].array == array)
      return true;
  return false;
}

/* Shapes of thread blocks: defaults as an H200 timed them at 256³ and 512³, of those whose
 * registers are not spilled. */
#include "cuda_choices.h"

enum { MANY_FLOPS = 60, VERY_MANY_FLOPS = 500 };
enum { MANY_STORED = 12, FEW_REALS = 25, MANY_REALS = 45 };

/* A restriction of not very many flops. It asks ahead where a cell moves few bytes for what it
 * computes: too few would be under way otherwise. */
void gen_choose_ahead(struct gen_cuda_schedule *cuda)
{
  const struct gen_work *work = &cuda->work;
  const bool norm = work->role == GEN_ROLE_RESTRICT_NORM;
  cuda->late = (norm || work->role == GEN_ROLE_RESIDUAL_RESTRICT) && work->flops < VERY_MANY_FLOPS;
  cuda->asks_ahead = cuda->late && (norm ? work->reals <= FEW_REALS : work->reals < FEW_REALS);
}

/* Blocks with one row a thread. */
static struct gen_cuda_shape shape(int block_i, int block_j, int planes, int unroll, int blocks)
{
  return (struct gen_cuda_shape){block_i, block_j, 1, planes, unroll, blocks};
}

/* Without a norm more residuals are under way at once, and two blocks have the registers. */
static struct gen_cuda_shape shape_of_restriction(const struct gen_work *work)
{
  if (work->role == GEN_ROLE_RESTRICT_NORM || work->reals < FEW_REALS)
    return shape(32, 4, 8, 1, 3);
  return work->reals > MANY_REALS ? shape(32, 4, 4, 1, 2) : shape(32, 4, 8, 1, 2);
}

static bool divides(const struct gen_schedule *schedule)
{
  const struct gen_kernel *kernel = schedule->kernel;
  for (int n = 0; n < kernel->statements; n++)
    if (gen_cuda_divides(kernel->statement[n].value))
      return true;
  return false;
}

/* Of many fields, what a single plane reads takes all registers. Where a cell reads several rows
 * beside its own, two rows to a thread share them. */
static struct gen_cuda_shape shape_of_columns(const struct gen_schedule *schedule,
                                              const struct gen_work *work)
{
  enum { SEVERAL = 3 };
  if (work->dimensions == 3 && !work->wide && work->reals <= 4
      && gen_rows_beside(schedule) >= SEVERAL)
    return (struct gen_cuda_shape){32, 8, 2, 4, 2, 2};
  const int planes = work->reals > 8 ? 1 : work->reals > 4 ? 2 : 4;
  struct gen_cuda_shape of = shape(32, 4, planes, planes, work->wide ? 3 : 4);
  if (work->dimensions == 2) {
    of.rows = planes;
    of.planes = of.unroll = 1;
  }
  return of;
}

/* Several planes at once, with all the registers that there are, keep the memory busy where nothing
 * that is written is read; sums and interpolation want threads. */
static struct gen_cuda_shape shape_of(const struct gen_schedule *schedule,
                                      const struct gen_cuda_schedule *cuda, enum gen_cuda_kind form)
{
  const struct gen_work *work = &cuda->work;
  if (form == GEN_BETWEEN)
    return shape(128, 2, 64, 1, 4);
  if (form == GEN_AROUND)
    return shape(32, 4, 32, 1, 3);
  if (form == GEN_QUEUE)
    return shape(32, 8, 32, 1, 3);
  if (form == GEN_COLUMNS)
    return shape_of_columns(schedule, work);
  if (schedule->kernel->guard.both) /* of many flops */
    return shape(128, 1, 1, 1, schedule->precision == GEN_FLOAT ? 4 : 3);
  if (form == GEN_LINEAR)
    return shape(256, 1, 2, 1, 4);
  if (cuda->late)
    return shape_of_restriction(work);
  const bool many = work->flops > MANY_FLOPS, reduces = gen_finds_most(schedule),
             single = schedule->precision == GEN_FLOAT;
  if (many && work->reals >= MANY_STORED && !schedule->rows) /* registers are rare there */
    return reduces ? shape(32, 8, 8, 1, 1) : shape(32, 4, 8, 1, single ? 4 : 3);
  if (cuda->phases && (gen_is_gauss_seidel(work->role) || gen_is_from_zero(work->role)))
    return work->reals <= 3 ? shape(32, 8, single ? 16 : 8, 2, 3)
      : work->reals <= 4    ? shape(32, 4, single ? 2 : 4, 2, 6)
                            : shape(32, 8, 2, 2, 2);
  if (cuda->phases && reduces)
    return shape(32, 8, 8, work->role == GEN_ROLE_RESIDUAL_NORM && work->reals > 2 ? 4 : 2, 2);
  for (int n = 0; n < schedule->rows; n++)
    if (schedule->row[n].level == GEN_FINER && reduces)
      return shape(32, 8, 8, 1, 1);
    else if (schedule->row[n].level == GEN_COARSER)
      return shape(32, 8, many ? 8 : 32, 1, many ? 1 : 4);
  if (schedule->rows) /* divisions want registers */
    return shape(32, 8, 8, 1, many ? 1 : divides(schedule) ? 2 : 4);
  if (work->role == GEN_ROLE_AS_WRITTEN)
    return reduces                     ? shape(32, 8, 32, 1, 4)
      : work->wide                     ? shape(32, 8, 8, 8, 2)
      : gen_has_level(schedule, false) ? shape(128, 2, 2, 2, 4)
                                       : shape(64, 4, 2, 2, 4);
  if (many)
    return shape(32, 8, 8, 1, 1);
  if (work->role == GEN_ROLE_CHEBYSHEV || work->role == GEN_ROLE_INVERSE_DIAGONAL)
    return shape(32, 8, 1, 1, 1);
  if (work->reals <= 5)
    return work->role == GEN_ROLE_JACOBI ? shape(32, 4, 2, 2, 6)
      : work->reals <= 3                 ? shape(32, 4, 2, 2, 5)
                                         : shape(32, 8, 2, 2, 2);
  return reduces ? shape(32, 8, 32, 1, 4) : shape(32, 8, 8, 4, 1);
}

/* Thread blocks that must find registers in a launch on many boxes, where the box's arguments take
 * some: so few that none spill. */
static int many_blocks(const struct gen_schedule *schedule, const struct gen_cuda_shape *of)
{
  if (of->blocks == 2 && gen_finds_most(schedule))
    return 1;
  return of->blocks - (of->blocks > 2) - (of->blocks > 3);
}

void gen_choose_shape(const struct gen_schedule *schedule, const struct gen_cuda_schedule *cuda,
                      struct gen_cuda_form *form)
{
  form->shape = shape_of(schedule, cuda, form->kind);
  form->many_blocks = many_blocks(schedule, &form->shape);
}

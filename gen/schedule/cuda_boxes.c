/* What the form SYMBOL_staged copies to shared memory, and the shape of blocks whose copies fit. */
#include "cuda_choices.h"

const struct gen_staged_box *gen_staged_box_of(const struct gen_staged *staged, int array)
{
  for (int n = 0; n < staged->count; n++)
    if (staged->box[n].array == array)
      return &staged->box[n];
  return NULL;
}

/* NULL: there are too many. */
static struct gen_staged_box *add_box(struct gen_staged *staged, int array)
{
  for (int n = 0; n < staged->count; n++)
    if (staged->box[n].array == array)
      return &staged->box[n];
  if (staged->count == GEN_STAGED_BOXES)
    return NULL;
  staged->box[staged->count] = (struct gen_staged_box){.array = array};
  return &staged->box[staged->count++];
}

static void find_line(const struct gen_schedule *schedule, const struct gen_access *access,
                      struct gen_staged *staged)
{
  const struct gen_kernel *kernel = schedule->kernel;
  const struct gen_array *array = &kernel->array[access->array];
  const enum gen_axis axis = array->axis;
  staged->fits = staged->fits && !array->table
    && schedule->field_precision[access->array] == schedule->precision;
  for (int n = 0; n < staged->lines[axis]; n++)
    if (staged->line[axis][n]->array == access->array
        && (axis == GEN_I
            || gen_offset(kernel, staged->line[axis][n], axis) == gen_offset(kernel, access, axis)))
      return;
  if (staged->lines[axis] < GEN_STAGED_LINES)
    staged->line[axis][staged->lines[axis]++] = access;
  else
    staged->fits = false;
}

static void find_box(const struct gen_schedule *schedule, const struct gen_access *access,
                     struct gen_cuda_form *form)
{
  struct gen_staged *staged = &form->staged;
  const struct gen_kernel *kernel = schedule->kernel;
  struct gen_staged_box *box = add_box(staged, access->array);
  for (int a = 0; a < 3; a++) {
    const struct gen_subscript *s = &access->subscript[a];
    const int offset = gen_offset(kernel, access, a), least = a == GEN_K ? 0 : -1;
    staged->fits = staged->fits && s->table < 0 && s->affine.coefficient[a] == 1 && offset <= 1
      && (offset >= least || access->array == form->given);
  }
  staged->fits = staged->fits && box && kernel->array[access->array].level == GEN_OWN
    && schedule->field_precision[access->array] == schedule->precision;
  if (!staged->fits)
    return;
  const int j = gen_offset(kernel, access, GEN_J);
  box->low = j < box->low ? j : box->low;
  box->high = j > box->high ? j : box->high;
  box->beside = box->beside || gen_offset(kernel, access, GEN_I) != 0;
  box->ahead = box->ahead || gen_offset(kernel, access, GEN_K) > 0;
  box->below = box->below || gen_offset(kernel, access, GEN_K) < 0;
}

static void find(const struct gen_schedule *schedule, const struct gen_expr *expr,
                 struct gen_cuda_form *form)
{
  if (expr->kind == GEN_ACCESS && schedule->kernel->array[expr->access.array].rank == 1)
    find_line(schedule, &expr->access, &form->staged);
  else if (expr->kind == GEN_ACCESS)
    find_box(schedule, &expr->access, form);
  for (int n = 0; n < gen_arity(expr); n++)
    find(schedule, expr->argument[n], form);
}

static int size_of(const struct gen_staged_box *box)
{
  return !box->beside && !box->ahead ? 0 : box->beside ? 2 : 1;
}

/* The boxes in the order that was measured: the largest last. */
static void sort_boxes(const struct gen_schedule *schedule, struct gen_staged *staged)
{
  for (int n = 0; n < staged->count; n++) { /* with half as many bytes halves take longer */
    struct gen_staged_box *box = &staged->box[n];
    box->halves = schedule->precision == GEN_DOUBLE && !box->beside && !box->ahead && !box->below;
  }
  for (int n = 1; n < staged->count; n++)
    for (int m = n; m > 0 && size_of(&staged->box[m]) < size_of(&staged->box[m - 1]); m--) {
      const struct gen_staged_box box = staged->box[m];
      staged->box[m] = staged->box[m - 1];
      staged->box[m - 1] = box;
    }
}

static int whole_lines(int reals, int line)
{
  return (reals + line - 1) / line * line;
}

static int box_bytes(const struct gen_schedule *schedule, const struct gen_staged_box *box,
                     const struct gen_cuda_shape *shape)
{
  const int real = gen_real_bytes(schedule), line = 128 / real, half = shape->block_i + 32 / real,
            rows = shape->block_j + 2 + box->high - box->low;
  const int reals = box->halves
    ? 2 * whole_lines((rows - 1) * half, line)
    : whole_lines(rows * 2 * (box->beside ? half + 32 / real : half), line);
  return reals * real;
}

/* As solver/cuda/runtime/staged.h counts them. */
static int shared_bytes(const struct gen_schedule *schedule, const struct gen_cuda_form *form)
{
  const struct gen_staged *staged = &form->staged;
  const struct gen_cuda_shape *shape = &form->shape;
  const int real = gen_real_bytes(schedule), line = 128 / real, odd = shape->block_i + 64 / real;
  int stage = whole_lines(staged->lines[GEN_K], line);
  for (int n = 0; n < staged->count; n++)
    stage += box_bytes(schedule, &staged->box[n], shape) / real;
  const int lines = staged->lines[GEN_I] * 2 * odd + staged->lines[GEN_J] * (shape->block_j + 2);
  return (3 * (stage + whole_lines((shape->block_j + 2) * (shape->block_i + 2), line))
          + whole_lines(lines, line))
    * real
    + 64;
}

/* More under way at once drives what neighbours will read out of the second level of cache. */
static int count_early(const struct gen_schedule *schedule, const struct gen_cuda_form *form)
{
  const struct gen_staged *staged = &form->staged;
  enum { MOST_EARLY = 36 * 1024 };
  int bytes = 0, n = 0;
  while (n < staged->count
         && bytes + box_bytes(schedule, &staged->box[n], &form->shape) <= MOST_EARLY)
    bytes += box_bytes(schedule, &staged->box[n++], &form->shape);
  return n;
}

/* Smaller blocks for more fields than our own operators have. With few fields arithmetic takes the
 * time: blocks with fewer threads. */
static bool choose_shape(const struct gen_schedule *schedule, struct gen_cuda_form *form)
{
  enum { MOST_SHARED = 227 * 1024 }; /* on architecture 9.0 */
  static const int shapes[][2] = {{64, 8}, {32, 16}, {32, 12}, {32, 8}, {32, 4}};
  for (size_t n = form->staged.count > 3 ? 0 : 1; n < sizeof shapes / sizeof *shapes; n++) {
    form->shape = (struct gen_cuda_shape){shapes[n][0], shapes[n][1], 1, 0, 1, 1};
    if (shared_bytes(schedule, form) <= MOST_SHARED)
      return true;
  }
  return false;
}

bool gen_choose_boxes(const struct gen_schedule *schedule, struct gen_cuda_form *form)
{
  struct gen_staged *staged = &form->staged;
  *staged = (struct gen_staged){
    .role = {{"copy plane k + 1", NULL, "32"},
             {"first colour of plane k, two rows each", "pairs", "BLOCK_I * ((BLOCK_J + 2) / 2)"},
             {"the same beside rows", "edge", "(BLOCK_J + 31) / 32 * 32"},
             {"second colour of plane k - 2", NULL, "BLOCK_I * BLOCK_J / 2"}},
    .fits = true};
  find(schedule, schedule->kernel->statement[0].value, form);
  sort_boxes(schedule, staged);
  const struct gen_staged_box *own = staged->fits ? gen_staged_box_of(staged, form->given) : NULL;
  if (!own || !own->ahead || !own->beside || !choose_shape(schedule, form))
    return false;
  staged->early = count_early(schedule, form);
  return true;
}

/* Red and black in one pass, with what both read copied to shared memory a plane ahead, by the copy
 * engine where there is one; docs/performance/gpu-gauss-seidel.md says how and why. */
#include "cuda_choices.h"

/* Two colours by parity, and neighbours in one direction each, one cell away. */
static bool is_star_in_two_colours(const struct gen_schedule *schedule, const struct gen_work *work)
{
  const struct gen_kernel *kernel = schedule->kernel;
  if (!gen_is_gauss_seidel(work->role) || kernel->guard.kind != GEN_PARITY || !kernel->guard.global)
    return false;
  bool along_k = false;
  return !schedule->rows && kernel->statements == 1 && kernel->statement[0].kind == GEN_STORE
    && gen_cuda_star(kernel, kernel->statement[0].value, kernel->statement[0].target.array,
                     &along_k);
}

/* Whether it can be worked out before the first colour's new values are known and anything is
 * divided. */
static bool comes_first(const struct gen_kernel *kernel, const struct gen_expr *expr, int array)
{
  if (gen_cuda_divides(expr))
    return false;
  for (int a = 0; expr->kind == GEN_ACCESS && expr->access.array == array && a < 3; a++)
    if (gen_offset(kernel, &expr->access, a))
      return false;
  for (int n = 0; n < gen_arity(expr); n++)
    if (!comes_first(kernel, expr->argument[n], array))
      return false;
  return true;
}

static void find_parts(const struct gen_kernel *kernel, const struct gen_expr *expr, int array,
                       struct gen_parts *parts)
{
  if (!gen_cuda_reads(expr) || gen_part_of(parts, expr))
    return;
  if (expr->kind != GEN_NEGATE && comes_first(kernel, expr, array) && parts->count < GEN_MAX_CUT) {
    gen_add_part(parts, expr, gen_text("part%d", parts->count));
    return;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    find_parts(kernel, expr->argument[n], array, parts);
}

/* What of plane k - 1 or, where early, of k itself, is read of fields that are copied a plane
 * earlier. */
static void find_apart(const struct gen_kernel *kernel, const struct gen_cuda_form *form,
                       const struct gen_expr *expr, bool early, struct gen_parts *parts)
{
  if (expr->kind == GEN_ACCESS && kernel->array[expr->access.array].rank > 1
      && !gen_part_of(parts, expr)) {
    const struct gen_staged_box *box = gen_staged_box_of(&form->staged, expr->access.array);
    const int k = gen_offset(kernel, &expr->access, GEN_K);
    const bool own =
      !gen_offset(kernel, &expr->access, GEN_I) && !gen_offset(kernel, &expr->access, GEN_J);
    if (early ? box->ahead && k == 0 && (box->array != form->given || own) : k < 0)
      gen_add_part(parts, expr, early ? gen_text("part%d", parts->count) : "below");
  }
  for (int n = 0; n < gen_arity(expr); n++)
    find_apart(kernel, form, expr->argument[n], early, parts);
}

/* The first colour's new value in plane k, from the stages of planes k - 1 and k. late: 1 where
 * rows with cells of this parity start a row later than those with others, which are every second
 * row. Of the second colour what it reads of its own plane in the stage of the one below; all else
 * that it reads; its new value from that and the first colour's. */
static void list_stages(const struct gen_schedule *schedule, const char *symbol,
                        struct gen_cuda_form *form)
{
  const struct gen_kernel *kernel = schedule->kernel;
  const struct gen_expr *value = kernel->statement[0].value;
  const char *t = gen_real(schedule);
  struct gen_cuda_stage *const first = &form->stage[0], *const early = &form->stage[1],
                               *const read = &form->stage[2], *const second = &form->stage[3];
  form->stages = 4;
  *first = (struct gen_cuda_stage){
    .name = "staged_first",
    .given = gen_text("const %s *before, const %s *now, const %s *lines, %s below, int at, int y, "
                      "int parity, int late",
                      t, t, t, t),
    .keep = GEN_KEEP_RESULT,
    .place = GEN_AT_STAGED,
    .scalars = true,
    .gives = {.count = 1, .value = {value}},
    .takes = {.prefix = ""}};
  *early =
    (struct gen_cuda_stage){.name = "staged_early_of",
                            .given = gen_text("const %s *before, int at, int y, int parity", t),
                            .keep = GEN_KEEP_STRUCT,
                            .holder = "staged_early",
                            .place = GEN_AT_STAGED,
                            .second = true};
  *read = (struct gen_cuda_stage){
    .name = "staged_read",
    .given =
      gen_text("const struct %s_staged_early &early, const %s *now, const %s *lines, int at, "
               "int y, int parity, int late",
               symbol, t, t),
    .keep = GEN_KEEP_STRUCT,
    .holder = "staged_parts",
    .place = GEN_AT_STAGED,
    .scalars = true,
    .second = true};
  *second = (struct gen_cuda_stage){.name = "staged_second",
                                    .given = gen_text("const struct %s_staged_parts &in%s", symbol,
                                                      gen_cuda_neighbours(schedule, form->given)),
                                    .keep = GEN_KEEP_RESULT,
                                    .scalars = true,
                                    .second = true,
                                    .neighbours = true,
                                    .gives = {.count = 1, .value = {value}}};
  find_apart(kernel, form, value, false, &first->takes);
  find_apart(kernel, form, value, true, &early->gives);
  find_parts(kernel, value, form->given, &read->gives);
  read->takes = early->gives;
  read->takes.prefix = "early.";
  second->takes = read->gives;
  second->takes.prefix = "in.";
}

bool gen_choose_staged(const struct gen_schedule *schedule, const struct gen_work *work,
                       struct gen_cuda_form *form)
{
  if (!is_star_in_two_colours(schedule, work) || schedule->layout != GEN_SPLIT)
    return false;
  form->kind = GEN_STAGED;
  form->given = schedule->kernel->statement[0].target.array;
  if (!gen_choose_boxes(schedule, form))
    return false;
  list_stages(schedule, work->symbol, form);
  return true;
}

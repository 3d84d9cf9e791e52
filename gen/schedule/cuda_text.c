/* A schedule for GPUs in words, for `--dump schedule --target cuda`. */
#include "cuda.h"

/* What a part is called where it is kept. */
static const char *part_text(const struct gen_parts *parts, int n)
{
  return gen_text("%s%s", parts->prefix ? parts->prefix : "",
                  parts->name[n] ? parts->name[n] : "value");
}

static const char *parts_text(const struct gen_kernel *kernel, const struct gen_parts *parts)
{
  const char *text = "";
  for (int n = 0; n < parts->count; n++)
    text = gen_text("%s        %s = %s\n", text, part_text(parts, n),
                    gen_expr_text(kernel, parts->value[n]));
  return text;
}

static const char *stage_text(const struct gen_kernel *kernel, const struct gen_cuda_stage *stage)
{
  static const char *const keep[] = {[GEN_KEEP_FIELDS] = "stores in fields and sums",
                                     [GEN_KEEP_REGISTERS] = "keeps in registers",
                                     [GEN_KEEP_STRUCT] = "returns in a struct",
                                     [GEN_KEEP_RESULT] = "returns",
                                     [GEN_KEEP_CACHE] = "asks ahead for what is read"};
  static const char *const place[] = {"", "", ", at both cells of a pair", ", at cells in a row",
                                      ", from shared memory"};
  const char *from = "";
  for (int n = 0; n < stage->takes.count; n++)
    from = gen_listed(from, part_text(&stage->takes, n));
  return gen_text("    stage %s(%s): %s%s%s%s\n%s", stage->name, stage->given, keep[stage->keep],
                  place[stage->place], *from ? ", from " : "", from,
                  parts_text(kernel, &stage->gives));
}

static const char *staged_text(const struct gen_kernel *kernel, const struct gen_staged *staged)
{
  const char *text = "";
  for (int n = 0; n < GEN_ROLES_OF_THREADS; n++)
    text = gen_text("%s    %s threads: %s\n", text, staged->role[n].threads, staged->role[n].does);
  for (int n = 0; n < staged->count; n++) {
    const struct gen_staged_box *box = &staged->box[n];
    text = gen_text("%s    copied%s: %s, rows j%+d to j%+d%s%s%s\n", text,
                    n < staged->early ? " early" : "", kernel->array[box->array].given, box->low,
                    box->high, box->beside ? ", cells beside" : "",
                    box->ahead ? ", plane k + 1" : "", box->below ? ", plane k - 1" : "");
  }
  return gen_text("%s    copied lines: %d along i, %d along j, %d along k\n", text,
                  staged->lines[GEN_I], staged->lines[GEN_J], staged->lines[GEN_K]);
}

static const char *form_text(const struct gen_kernel *kernel, const struct gen_cuda_form *form)
{
  static const char *const keeps[GEN_KINDS] = {
    "march along k and keep nothing between planes",
    "march along k with a column of the unknown in registers, and its plane in shared memory",
    "march along k with three coarse planes in registers",
    "march along k with four coarse planes in registers",
    "visit all positions in turn",
    "copy planes to shared memory, or do one of two colours",
    "have 16 bytes of neighbouring cells each, in rows and planes that follow one another"};
  const struct gen_cuda_shape *of = &form->shape;
  const char *text = gen_text(
    "  form %s: blocks of %d x %d threads, %s planes, %d unrolled, registers for %d blocks; "
    "threads %s\n",
    gen_cuda_form_name(form->kind), of->block_i, of->block_j,
    of->planes ? gen_text("%d", of->planes) : "all", of->unroll, of->blocks, keeps[form->kind]);
  if (form->kind == GEN_STAGED)
    text = gen_text("%s%s", text, staged_text(kernel, &form->staged));
  for (int n = 0; n < form->stages; n++)
    text = gen_text("%s%s", text, stage_text(kernel, &form->stage[n]));
  return text;
}

const char *gen_cuda_schedule_text(const struct gen_schedule *schedule,
                                   const struct gen_cuda_schedule *cuda)
{
  const struct gen_kernel *kernel = schedule->kernel;
  const char *text = gen_text(
    "schedule %s on a GPU: a position is %d x %d x %d cells%s%s%s%s\n", cuda->work.symbol,
    gen_cuda_step(schedule, GEN_I), gen_cuda_step(schedule, GEN_J), gen_cuda_step(schedule, GEN_K),
    cuda->threads > 1 ? gen_text(", which %d threads can share", cuda->threads) : "",
    cuda->asks_ahead ? ", children are asked for ahead" : "",
    cuda->alternates ? ", odd colours go backwards" : "",
    cuda->kept.count ? "; worked out once for norm and value:" : "");
  text = gen_text("%s%s", text, parts_text(kernel, &cuda->kept));
  for (int n = 0; n < cuda->phases; n++)
    text = gen_text("%s%s", text, stage_text(kernel, &cuda->phase[n]));
  for (int n = 0; n < cuda->forms; n++)
    text = gen_text("%s%s", text, form_text(kernel, &cuda->form[n]));
  return cuda->staged ? gen_text("%s%s", text, form_text(kernel, cuda->staged)) : text;
}

/* A stage of a form as a device function: where along i it is, the rows that it reads, and what it
 * works out, left where the stage says. */
#include "emit/emit.h"

#include <string.h>

static const char *returned(const struct gen_emitter *emitter, const struct gen_cuda_stage *stage)
{
  if (stage->keep == GEN_KEEP_STRUCT)
    return gen_text("struct %s_%s", emitter->symbol, stage->holder);
  return stage->keep == GEN_KEEP_RESULT ? gen_real(emitter->schedule) : "void";
}

static void emit_struct(struct gen_emitter *emitter, const struct gen_cuda_stage *stage)
{
  gen_line(emitter->writer, "%s {", returned(emitter, stage));
  for (int n = 0; n < stage->gives.count; n++)
    gen_line(emitter->writer, "%s %s;", gen_real(emitter->schedule), stage->gives.name[n]);
  gen_line(emitter->writer, "};\n\n");
}

/* Whether an index in the text of what is read begins with `start` ("same", "next"). */
static bool starts(const struct gen_emitter *emitter, const struct gen_cuda_stage *stage,
                   const char *start)
{
  for (int n = 0; n < stage->gives.count; n++)
    if (gen_starts(emitter, stage->gives.value[n], start))
      return true;
  for (int n = 0; n < emitter->kernel->statements; n++)
    if (stage->keep == GEN_KEEP_FIELDS && stage->use & GEN_READS
        && gen_starts(emitter, emitter->kernel->statement[n].value, start))
      return true;
  return false;
}

static void emit_place(struct gen_emitter *emitter, const struct gen_cuda_stage *stage)
{
  const bool next = stage->neighbours || starts(emitter, stage, "next");
  if (stage->place == GEN_AT_STAGED) {
    if (starts(emitter, stage, "same"))
      gen_line(emitter->writer, "const int same = parity * place::odd;");
    if (next)
      gen_line(emitter->writer, "const int next = parity ? 1 : place::odd;");
  } else if (emitter->halves) {
    gen_emit_half(emitter, "odd", true, next);
  } else if (stage->place == GEN_AT_PARITY) {
    gen_line(emitter->writer, "const int i = %s;",
             gen_cuda_step(emitter->schedule, GEN_I) > 1 ? "2 * at + parity" : "at");
  }
}

/* The row buffer as a function of i, put together from what is given. */
static void emit_function(const struct gen_emitter *emitter, const struct gen_cuda_stage *stage,
                          struct gen_names *declared)
{
  const struct gen_row *row = &emitter->schedule->row[0];
  struct gen_emitter inside = *emitter;
  inside.row = row;
  inside.halves = false;
  inside.parts = &stage->row;
  gen_declare_outside(&inside, row->value, &stage->row, declared);
  gen_line(emitter->writer, "const auto %s = [&](int i) -> %s { return %s; };",
           emitter->kernel->array[row->array].name, gen_real(emitter->schedule),
           gen_emit_expr(&inside, row->value));
}

/* Pointers to rows, and values of lines along j and k. */
static void declare(struct gen_emitter *emitter, const struct gen_cuda_stage *stage)
{
  struct gen_names declared = {0};
  if (stage->row.count)
    emit_function(emitter, stage, &declared);
  for (int n = 0; n < stage->gives.count; n++)
    if (emitter->staged)
      gen_declare_copied(emitter, stage->gives.value[n], &declared);
    else
      gen_declare_outside(emitter, stage->gives.value[n], &stage->takes, &declared);
  for (int n = 0; n < emitter->kernel->statements && stage->keep == GEN_KEEP_FIELDS; n++) {
    const struct gen_statement *statement = &emitter->kernel->statement[n];
    if (statement->kind == GEN_STORE)
      gen_declare_target(emitter, &statement->target, &declared);
    gen_declare_outside(emitter, statement->value, &stage->takes, &declared);
  }
}

/* The loop over the stage's cells along i, if it has more than one. */
static void emit_loop(struct gen_emitter *emitter, const struct gen_cuda_stage *stage)
{
  const char *type = gen_real(emitter->schedule);
  if (stage->where)
    gen_line(emitter->writer,
             "#pragma unroll\n"
             "for (int n = 0; n < %d; n++) {\n"
             "const int i = %s;",
             stage->values, stage->where);
  else if (stage->values)
    gen_line(emitter->writer,
             "#pragma unroll\n"
             "for (int i = 0; i < %d; i++)",
             stage->values);
  if (stage->place != GEN_AT_PAIR)
    return;
  gen_line(emitter->writer,
           "#pragma unroll\n"
           "for (int parity = 0; parity < 2; parity++) {");
  if (stage->picks)
    gen_line(emitter->writer,
             "%s around[4];\n"
             "#pragma unroll\n"
             "for (int m = 0; m < 4; m++)\n"
             "around[m] = parity & later ? row[m + 1] : row[m];\n"
             "const auto %s = [&](int m) -> %s { return around[m]; };",
             type, emitter->kernel->array[emitter->schedule->row[0].array].name, type);
  emit_place(emitter, stage);
  for (int n = 0; n < stage->tables; n++)
    gen_line(emitter->writer, "const int %s_at = %s;",
             emitter->kernel->array[stage->table[n].array].name, stage->table[n].holds);
}

/* Whether the access is in the thread's own column, here or above: all else is a neighbour's, or
 * has been read before. */
static bool comes_new(const struct gen_emitter *emitter, const struct gen_access *access)
{
  const struct gen_array *array = &emitter->kernel->array[access->array];
  if (array->rank == 1 || array->level != GEN_OWN)
    return false;
  for (int a = 0; a < 3; a++) {
    const struct gen_subscript *s = &access->subscript[a];
    const int offset = gen_offset(emitter->kernel, access, a);
    if (s->table >= 0 || s->affine.coefficient[a] != 1 || (a == GEN_K ? offset < 0 : offset != 0))
      return false;
  }
  return true;
}

/* Takes no registers; when the turn comes the values are no farther away than the second level of
 * cache. */
static void emit_asks(struct gen_emitter *emitter, const struct gen_expr *expr,
                      struct gen_names *rows, struct gen_names *known)
{
  if (expr->kind == GEN_ACCESS && comes_new(emitter, &expr->access)) {
    gen_declare_rows(emitter, expr, rows);
    const char *text = gen_emit_access(emitter, &expr->access);
    const int row = (int)strcspn(text, "["), index = (int)strlen(text) - row - 2;
    if (gen_first_time(known, text))
      gen_line(emitter->writer, "%.*s.ahead(%.*s);", row, text, index, text + row + 1);
  }
  for (int n = 0; n < gen_arity(expr); n++)
    emit_asks(emitter, expr->argument[n], rows, known);
}

static void emit_values(struct gen_emitter *emitter, const struct gen_cuda_stage *stage)
{
  struct gen_writer *writer = emitter->writer;
  struct gen_names rows = {0}, known = {0};
  emit_loop(emitter, stage);
  switch (stage->keep) {
  case GEN_KEEP_FIELDS:
    gen_emit_statements(emitter);
    break;
  case GEN_KEEP_REGISTERS:
    gen_line(writer, "value[%s] = %s;",
             stage->place == GEN_AT_PAIR ? "parity"
               : stage->where            ? "n"
                                         : "i",
             gen_emit_expr(emitter, stage->gives.value[0]));
    break;
  case GEN_KEEP_STRUCT:
    for (int n = 0; n < stage->gives.count; n++)
      gen_line(writer, "to.%s = %s;", stage->gives.name[n],
               gen_emit_expr(emitter, stage->gives.value[n]));
    gen_line(writer, "return to;");
    break;
  case GEN_KEEP_RESULT:
    gen_line(writer, "return %s;", gen_emit_expr(emitter, stage->gives.value[0]));
    break;
  case GEN_KEEP_CACHE:
    for (int n = 0; n < emitter->kernel->statements; n++)
      emit_asks(emitter, emitter->kernel->statement[n].value, &rows, &known);
    break;
  }
  if (stage->place == GEN_AT_PAIR || stage->where)
    gen_line(writer, "}");
}

void gen_emit_cuda_stage(const struct gen_emitter *form, const struct gen_cuda_stage *stage)
{
  struct gen_emitter inside = *form, *const emitter = &inside;
  const bool sums = stage->keep == GEN_KEEP_FIELDS && gen_finds_most(form->schedule),
             staged = stage->place == GEN_AT_STAGED, holds = stage->keep == GEN_KEEP_STRUCT;
  emitter->parts = &stage->takes;
  emitter->row = stage->in_other_row ? &form->schedule->row[0] : NULL;
  emitter->halves = staged || stage->place == GEN_AT_PAIR
    || (stage->place == GEN_AT_PARITY && form->schedule->layout == GEN_SPLIT);
  emitter->then = stage->second;
  emitter->neighbours_given = stage->neighbours;
  if (holds)
    emit_struct(emitter, stage);
  gen_open_cuda(emitter, returned(emitter, stage), stage->name,
                gen_text("%s%s", stage->given, sums ? ", struct gmg_partial *partial" : ""));
  if (staged)
    gen_line(emitter->writer, "typedef struct %s_place place;", emitter->symbol);
  if (stage->scalars)
    gen_emit_scalars(emitter);
  if (stage->use)
    gen_emit_cuda_box(emitter, stage->use);
  if (holds && staged)
    gen_line(emitter->writer, "%s to;", returned(emitter, stage));
  if (sums && stage->use & GEN_READS)
    gen_emit_cuda_partial(emitter);
  if (stage->place != GEN_AT_PAIR) /* it is known there in a loop only */
    emit_place(emitter, stage);
  if (sums && !(stage->use & GEN_READS))
    gen_emit_cuda_partial(emitter);
  declare(emitter, stage);
  if (holds && !staged)
    gen_line(emitter->writer, "%s to;", returned(emitter, stage));
  emit_values(emitter, stage);
  gen_line(emitter->writer, "}\n\n");
}

/* "at, j, k, parity", or "i, j, k": the arguments of one cell. */
static const char *arguments(const struct gen_cuda_schedule *cuda)
{
  return cuda->phase[0].place == GEN_AT_I ? "i, j, k" : "at, j, k, parity";
}

void gen_emit_cuda_phases(struct gen_emitter *emitter)
{
  const struct gen_schedule *schedule = emitter->schedule;
  const struct gen_cuda_schedule *cuda = emitter->unit->cuda;
  struct gen_writer *writer = emitter->writer;
  const bool pairs = gen_cuda_in_pairs(schedule), reduces = gen_finds_most(schedule),
             parity = gen_cuda_by_parity(schedule);
  gen_emit_cuda_comment(emitter);
  for (int n = 0; n < cuda->phases; n++)
    gen_emit_cuda_stage(emitter, &cuda->phase[n]);
  gen_open_cuda(emitter, "void", "cell",
                gen_text("int %s, int j, int k%s%s%s", gen_cuda_position(schedule, GEN_I),
                         parity ? ", int parity" : "", pairs ? ", int cells" : "",
                         reduces ? ", struct gmg_partial *partial" : ""));
  if (parity)
    gen_line(writer,
             "const struct gmg_kernel_box *const box = &args->box;\n"
             "if (2 * at + parity >= %s)\n"
             "return;",
             gen_cuda_end(emitter, GEN_I));
  if (pairs)
    gen_line(writer, "for (int parity = 0; parity < cells; parity++) {");
  gen_line(writer, "%s_finish(args, %s, %s_prepare(args, %s)%s);", emitter->symbol, arguments(cuda),
           emitter->symbol, arguments(cuda), reduces ? ", partial" : "");
  if (pairs)
    gen_line(writer, "}");
  gen_line(writer, "}\n\n");
}

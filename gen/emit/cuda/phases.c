/* Kernels that divide, in two phases: a division is many instructions with a branch among them, and
 * what is read after it waits for it. So a thread first works out the parts of its values that have
 * no division in them, for UNROLL planes, whose loads are all under way at once; then it divides
 * and stores. */
#include "emit/emit.h"

#include <string.h>

/* Whether it can be worked out in the first phase: no division is in it, nor a value that the
 * second one sets. */
static bool comes_first(const struct gen_kernel *kernel, const struct gen_expr *expr)
{
  if (expr->kind == GEN_SCALAR && kernel->scalar[expr->scalar].role != GEN_PARAMETER)
    return false;
  if (expr->kind == GEN_DIVIDE || expr->kind == GEN_SQRT)
    return false;
  for (int n = 0; n < gen_arity(expr); n++)
    if (!comes_first(kernel, expr->argument[n]))
      return false;
  return true;
}

/* How many parts there are at most. */
static int count_parts(const struct gen_kernel *kernel, const struct gen_expr *expr)
{
  int count = 0;
  if (comes_first(kernel, expr))
    return gen_cuda_reads(expr);
  for (int n = 0; n < gen_arity(expr); n++)
    count += count_parts(kernel, expr->argument[n]);
  return count;
}

bool gen_cuda_in_phases(const struct gen_schedule *schedule)
{
  const struct gen_kernel *kernel = schedule->kernel;
  bool divided = false;
  int parts = 0;
  if (schedule->rows || kernel->guard.kind == GEN_LATTICE)
    return false;
  for (int n = 0; n < kernel->arrays; n++)
    if (kernel->array[n].table
        || (kernel->array[n].read && kernel->array[n].written
            && !gen_cuda_reads_before(schedule, n)))
      return false;
  for (int n = 0; n < kernel->statements; n++) {
    divided = divided || gen_cuda_divides(kernel->statement[n].value);
    parts += count_parts(kernel, kernel->statement[n].value);
  }
  return divided && parts <= GEN_MAX_CUT / 2;
}

/* The largest parts that come first and read anything. */
static void find_parts(const struct gen_kernel *kernel, const struct gen_expr *expr,
                       const char *name, struct gen_parts *parts)
{
  if (!gen_cuda_reads(expr) || gen_part_of(parts, expr))
    return;
  if (comes_first(kernel, expr)) {
    int alike = 0;
    const char *called =
      expr->kind == GEN_ACCESS ? gen_text("%s_at", kernel->array[expr->access.array].name) : name;
    for (int n = 0; n < parts->count; n++)
      alike += strncmp(parts->name[n], called, strlen(called)) == 0;
    parts->value[parts->count] = expr;
    parts->name[parts->count++] = alike ? gen_text("%s_%d", called, alike + 1) : called;
    return;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    find_parts(kernel, expr->argument[n], expr->kind == GEN_DIVIDE && n == 1 ? "divisor" : "term",
               parts);
}

static void find_all_parts(struct gen_emitter *emitter, struct gen_parts *parts)
{
  for (int n = 0; n < emitter->kernel->statements; n++)
    find_parts(emitter->kernel, emitter->kernel->statement[n].value, "term", parts);
}

static bool by_halves(const struct gen_emitter *emitter)
{
  return emitter->schedule->layout == GEN_SPLIT;
}

/* "int at, int j, int k, int parity", or "int i, int j, int k": of one cell. */
static const char *parameters(const struct gen_emitter *emitter)
{
  if (by_halves(emitter) || gen_cuda_by_parity(emitter->schedule))
    return "int at, int j, int k, int parity";
  return "int i, int j, int k";
}

static const char *arguments(const struct gen_emitter *emitter)
{
  return by_halves(emitter) || gen_cuda_by_parity(emitter->schedule) ? "at, j, k, parity"
                                                                     : "i, j, k";
}

/* Where along i the cell is. */
static void emit_place(struct gen_emitter *emitter, bool next)
{
  if (by_halves(emitter))
    gen_emit_half(emitter, "odd", true, next);
  else if (gen_cuda_by_parity(emitter->schedule))
    gen_line(emitter->writer, "const int i = 2 * at + parity;");
}

static void emit_prepare(struct gen_emitter *emitter, const struct gen_parts *parts)
{
  struct gen_names rows = {0};
  bool next = false;
  gen_open_cuda(emitter, gen_text("struct %s_parts", emitter->symbol), "prepare",
                parameters(emitter));
  gen_emit_scalars(emitter);
  gen_emit_cuda_box(emitter, GEN_READS);
  for (int n = 0; n < parts->count; n++)
    next = next || gen_starts(emitter, parts->value[n], "next");
  emit_place(emitter, next);
  for (int n = 0; n < parts->count; n++)
    gen_declare_rows(emitter, parts->value[n], &rows);
  gen_line(emitter->writer, "struct %s_parts to;", emitter->symbol);
  for (int n = 0; n < parts->count; n++)
    gen_line(emitter->writer, "to.%s = %s;", parts->name[n],
             gen_emit_expr(emitter, parts->value[n]));
  gen_line(emitter->writer,
           "return to;\n"
           "}");
}

static void emit_finish(struct gen_emitter *emitter, const struct gen_parts *parts)
{
  const struct gen_kernel *kernel = emitter->kernel;
  struct gen_names rows = {0};
  bool stores = false;
  gen_open_cuda(emitter, "void", "finish",
                gen_text("%s, const struct %s_parts &in%s", parameters(emitter), emitter->symbol,
                         gen_finds_most(emitter->schedule) ? ", struct gmg_partial *partial" : ""));
  gen_emit_scalars(emitter);
  for (int n = 0; n < kernel->statements; n++)
    stores = stores || kernel->statement[n].kind == GEN_STORE;
  if (stores) {
    gen_emit_cuda_box(emitter, GEN_STORES);
    emit_place(emitter, false);
  }
  if (gen_finds_most(emitter->schedule))
    gen_emit_cuda_partial(emitter);
  for (int n = 0; n < kernel->statements; n++)
    if (kernel->statement[n].kind == GEN_STORE)
      gen_declare_target(emitter, &kernel->statement[n].target, &rows);
  emitter->parts = parts;
  gen_emit_statements(emitter);
  emitter->parts = NULL;
  gen_line(emitter->writer, "}");
}

/* Both phases at the position's cells. */
static void emit_cell(struct gen_emitter *emitter)
{
  const struct gen_schedule *schedule = emitter->schedule;
  struct gen_writer *writer = emitter->writer;
  const bool pairs = gen_cuda_in_pairs(schedule), reduces = gen_finds_most(schedule),
             parity = gen_cuda_by_parity(schedule);
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
  gen_line(writer, "%s_finish(args, %s, %s_prepare(args, %s)%s);", emitter->symbol,
           arguments(emitter), emitter->symbol, arguments(emitter), reduces ? ", partial" : "");
  if (pairs)
    gen_line(writer, "}");
  gen_line(writer, "}");
}

/* Where a cell moves few bytes, too few would be under way otherwise. */
static bool asks_ahead(const struct gen_unit *unit)
{
  return gen_is_gauss_seidel(unit->role) && unit->reals <= 3;
}

void gen_emit_cuda_phases(struct gen_emitter *emitter)
{
  struct gen_emitter inside = *emitter;
  struct gen_parts parts = {.prefix = "in."};
  inside.halves = by_halves(emitter);
  inside.alternates = gen_cuda_alternates(emitter->unit);
  find_all_parts(emitter, &parts);
  gen_emit_cuda_comment(emitter);
  gen_emit_cuda_struct(&inside, "parts", &parts);
  emit_prepare(&inside, &parts);
  gen_line(emitter->writer, "\n");
  emit_finish(&inside, &parts);
  gen_line(emitter->writer, "\n");
  if (asks_ahead(emitter->unit))
    gen_emit_cuda_ahead(&inside, parameters(emitter));
  emit_cell(emitter);
  gen_line(emitter->writer, "\n");
}

static void emit_phase(struct gen_emitter *emitter, const char *planes, const char *call,
                       bool pairs)
{
  gen_line(emitter->writer,
           "#pragma unroll\n"
           "for (int m = %s; m++)%s",
           planes, pairs ? " {" : "");
  if (pairs)
    gen_line(emitter->writer,
             "#pragma unroll\n"
             "for (int p = 0; p < 2; p++)");
  gen_line(emitter->writer, "%s", call);
  if (pairs)
    gen_line(emitter->writer, "}");
}

void gen_emit_cuda_planes_in_phases(struct gen_emitter *emitter, const char *parity)
{
  const bool pairs = gen_cuda_in_pairs(emitter->schedule);
  const char *where = pairs ? "i, j, k0 + m, p" : gen_text("i, j, k0 + m%s", parity);
  const char *in = pairs ? "in[m - n][p]" : "in[m - n]";
  gen_line(emitter->writer,
           "#pragma unroll 1\n"
           "for (int n = 0; n < PLANES; n += UNROLL) {\n"
           "struct %s_parts in[UNROLL]%s;",
           emitter->symbol, pairs ? "[2]" : "");
  if (asks_ahead(emitter->unit)) {
    gen_line(emitter->writer, "if (n + UNROLL < PLANES) {");
    emit_phase(emitter, "n + UNROLL; m < n + 2 * UNROLL",
               gen_text("%s_ahead(&args, %s);", emitter->symbol, where), pairs);
    gen_line(emitter->writer, "}");
  }
  emit_phase(emitter, "n; m < n + UNROLL",
             gen_text("%s = %s_prepare(&args, %s);", in, emitter->symbol, where), pairs);
  emit_phase(emitter, "n; m < n + UNROLL",
             gen_text("%s_finish(&args, %s, %s%s);", emitter->symbol, where, in,
                      gen_finds_most(emitter->schedule) ? ", &partial" : ""),
             pairs);
  gen_line(emitter->writer, "}");
}

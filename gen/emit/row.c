/* What a kernel does along one row: j and k are fixed, i runs. */
#include "check/conflict.h"
#include "emit.h"
#include "row_buffer.h"

static const char axis_letter[] = "ijk";

int gen_guard_symbol(const struct gen_guard *guard)
{
  for (int s = GEN_AXES; s < GEN_MAX_SYMBOLS; s++)
    if (guard->sum.coefficient[s])
      return s;
  return -1;
}

/* Of the statements in the loop over the kernel's own cells. */
static bool reduces_here(const struct gen_schedule *schedule, enum gen_scalar_role role)
{
  for (int n = 0; n < schedule->kernel->statements; n++) {
    const struct gen_statement *s = &schedule->kernel->statement[n];
    if (s->kind == GEN_REDUCE && schedule->kernel->scalar[s->scalar].role == role)
      return true;
  }
  return false;
}

bool gen_in_lanes(const struct gen_schedule *schedule)
{
  const struct gen_kernel *kernel = schedule->kernel;
  if (kernel->kind != GEN_AS_WRITTEN || kernel->guard.kind != GEN_EVERYWHERE || schedule->rows > 0
      || gen_in_runs(schedule) || gen_reduces(schedule, GEN_MAX)
      || gen_reduces(schedule, GEN_LARGEST))
    return false;
  int sums = 0;
  for (int n = 0; n < kernel->statements; n++) {
    if (kernel->statement[n].kind != GEN_REDUCE && kernel->statement[n].kind != GEN_SET)
      return false;
    sums += kernel->statement[n].kind == GEN_REDUCE;
  }
  return sums > 0;
}

bool gen_most_in_single(const struct gen_schedule *schedule)
{
  return schedule->precision == GEN_FLOAT && gen_reduces(schedule, GEN_MAX);
}

static bool split(const struct gen_emitter *emitter)
{
  return emitter->schedule->layout == GEN_SPLIT;
}

const char *gen_signed_text(int constant)
{
  return constant ? gen_text(" + %d", constant) : "";
}

void gen_emit_half(struct gen_emitter *emitter, const char *odd, bool same, bool next)
{
  if (same)
    gen_line(emitter->writer, "const ptrdiff_t same = gmg_at(parity, %s);", odd);
  if (next)
    gen_line(emitter->writer, "const ptrdiff_t next = gmg_at(parity + 1, %s);", odd);
}

void gen_emit_statement_halves(struct gen_emitter *emitter, bool next)
{
  bool same = false;
  for (int n = 0; n < emitter->kernel->statements; n++) {
    const struct gen_statement *statement = &emitter->kernel->statement[n];
    if (statement->kind == GEN_NORM) {
      same = same || emitter->cuda;
      continue;
    }
    same = same || statement->kind == GEN_STORE || gen_starts(emitter, statement->value, "same");
    next = next || gen_starts(emitter, statement->value, "next");
  }
  gen_emit_half(emitter, "odd", same, next);
}

void gen_emit_start(struct gen_emitter *emitter)
{
  const struct gen_guard *guard = &emitter->kernel->guard;
  struct gen_writer *writer = emitter->writer;
  if (guard->kind == GEN_LATTICE) {
    gen_line(writer, "const int start = gmg_first(box->lower[0], %s %% %d, %d);",
             guard->both ? "(colour + half)" : "colour", guard->modulus[0], guard->modulus[0]);
    return;
  }
  if (guard->global) {
    gen_line(writer,
             "const int start = (box->lower[0] + box->lower[1] + box->lower[2] + j + k + colour + "
             "%d) & 1;",
             guard->remainder);
    return;
  }
  const char *sum = "";
  int constant = guard->sum.constant + guard->remainder;
  for (int a = 0; a < 3; a++) {
    constant += guard->sum.coefficient[a] * emitter->kernel->loop[a].lower.constant;
    if (a != GEN_I && guard->sum.coefficient[a])
      sum = gen_text("%s%d * %c + ", sum, guard->sum.coefficient[a], axis_letter[a]);
  }
  const int symbol = gen_guard_symbol(guard);
  if (symbol >= 0)
    sum = gen_text("%s%d * %s + ", sum, guard->sum.coefficient[symbol],
                   emitter->kernel->symbol[symbol].name);
  gen_line(writer, "const int start = (%s%d) & 1;", sum, constant);
}

void gen_emit_statements(struct gen_emitter *emitter)
{
  bool set[GEN_MAX_SCALARS] = {false};
  for (int n = 0; n < emitter->kernel->statements; n++) {
    const struct gen_statement *statement = &emitter->kernel->statement[n];
    if (statement->kind == GEN_NORM)
      continue;
    const char *value = gen_emit_expr(emitter, statement->value);
    if (statement->kind == GEN_STORE) {
      gen_line(emitter->writer, "%s = %s;",
               emitter->store_to ? emitter->store_to
                 : emitter->kept ? gen_text("kept_%s[i - from]",
                                            emitter->kernel->array[statement->target.array].name)
                                 : gen_emit_target(emitter, &statement->target),
               value);
    } else if (statement->kind == GEN_SET) {
      gen_line(emitter->writer, "%s%s = %s;",
               set[statement->scalar] ? "" : gen_text("%s ", gen_real(emitter->schedule)),
               emitter->kernel->scalar[statement->scalar].name, value);
      set[statement->scalar] = true;
    } else {
      gen_emit_reduce(emitter, statement);
    }
  }
}

void gen_emit_loop(struct gen_emitter *emitter, const char *head)
{
  const bool sum = reduces_here(emitter->schedule, GEN_SUM),
             most = sum || reduces_here(emitter->schedule, GEN_MAX)
    || reduces_here(emitter->schedule, GEN_LARGEST);
  gen_emit_simd(emitter, sum, most);
  gen_line(emitter->writer, "%s", head);
  gen_emit_statements(emitter);
  gen_line(emitter->writer, "}");
}

/* Asks for what the loop will read: its few instructions a byte keep too few loads under way else.
 */
static void emit_soon(struct gen_emitter *emitter, const char *index)
{
  gen_line(emitter->writer,
           "{\n"
           "const int %s = first;",
           index);
  for (int n = 0; n < emitter->kernel->arrays; n++) {
    const struct gen_accesses *reads = gen_reads_of(emitter->kernel, n);
    if (emitter->kernel->array[n].rank > 1 && reads->count)
      gen_line(emitter->writer, "gmg_soon(&%s);", gen_emit_access(emitter, reads->access[0]));
  }
  gen_line(emitter->writer, "}");
}

/* Every lane has its own sums, so that they are not added up at the end of each row: the loop is
 * GMG_LANES cells long. */
static void emit_in_lanes(struct gen_emitter *emitter, const char *index, const char *count)
{
  struct gen_writer *writer = emitter->writer;
  gen_line(writer,
           "const int count = %s;\n"
           "int first = 0;\n"
           "for (; first + GMG_LANES <= count; first += GMG_LANES) {",
           count);
  emit_soon(emitter, index);
  gen_line(writer,
           "#pragma omp simd\n"
           "for (int lane = 0; lane < GMG_LANES; lane++) {\n"
           "const int %s = first + lane;",
           index);
  gen_emit_statements(emitter);
  gen_line(writer,
           "}\n"
           "}\n"
           "for (int lane = 0; first + lane < count; lane++) {\n"
           "const int %s = first + lane;",
           index);
  gen_emit_statements(emitter);
  gen_line(writer, "}");
}

/* Cell by cell, in steps. */
static void emit_cells(struct gen_emitter *emitter, const char *start, int step)
{
  const int extra = gen_loop_extra(emitter->kernel, GEN_I);
  gen_emit_lines(emitter,
                 gen_text("for (int i = 0; i < box->cells[0]%s; i++) {", gen_signed_text(extra)));
  if (gen_in_lanes(emitter->schedule)) {
    emit_in_lanes(emitter, "i", gen_text("box->cells[0]%s", gen_signed_text(extra)));
    return;
  }
  gen_emit_loop(emitter,
                gen_text("for (int i = %s; i < box->cells[0]%s; %s) {", start,
                         gen_signed_text(extra), step == 1 ? "i++" : gen_text("i += %d", step)));
}

/* Whether a row is simpler where its cells pair two by two. */
static bool has_paired(const struct gen_emitter *emitter)
{
  for (int n = 0; n < emitter->kernel->statements; n++)
    if (emitter->kernel->statement[n].kind != GEN_NORM
        && gen_has_paired(emitter, emitter->kernel->statement[n].value))
      return true;
  return false;
}

const char *gen_count_text(const struct gen_emitter *emitter)
{
  return gen_text("(box->cells[0]%s - parity) / 2",
                  gen_signed_text(gen_loop_extra(emitter->kernel, GEN_I) + 1));
}

/* The elements of a parity: all alike, or without a look at tables where cells pair two by two. */
static void emit_elements(struct gen_emitter *half)
{
  struct gen_emitter paired = *half;
  paired.paired = true;
  const char *count = gen_count_text(half);
  gen_emit_lines(half, gen_text("for (int at = 0; at < %s; at++) {", count));
  if (gen_in_lanes(half->schedule)) {
    emit_in_lanes(half, "at", count);
    return;
  }
  if (!has_paired(&paired)) {
    gen_emit_loop(half, gen_text("for (int at = 0; at < %s; at++) {", count));
    return;
  }
  gen_line(half->writer,
           "const int count = %s;\n"
           "const int from = gmg_paired_from(box, parity, count);\n"
           "const int end = gmg_paired_to(box, parity, count);",
           count);
  gen_emit_loop(half, "for (int at = 0; at < from; at++) {");
  gen_emit_loop(&paired, "for (int at = from; at < end; at++) {");
  gen_emit_loop(half, "for (int at = end; at < count; at++) {");
}

/* The cells of one parity, or of both after each other, contiguously. */
static void emit_halves(struct gen_emitter *emitter, const char *start)
{
  struct gen_emitter half = *emitter;
  half.halves = true;
  gen_line(emitter->writer, "%s", start ? "{" : "for (int parity = 0; parity < 2; parity++) {");
  if (start)
    gen_line(emitter->writer, "const int parity = %s;", start);
  gen_emit_statement_halves(&half, gen_lines_start(&half, "next"));
  emit_elements(&half);
  gen_line(emitter->writer, "}");
}

void gen_emit_row(struct gen_emitter *emitter)
{
  const struct gen_kernel *kernel = emitter->schedule->kernel;
  struct gen_names declared = {0};
  for (int n = 0; n < emitter->schedule->rows; n++)
    gen_emit_row_buffer(emitter, &emitter->schedule->row[n], &declared);
  gen_declare_statements(emitter, &declared);
  const bool coloured = kernel->guard.kind != GEN_EVERYWHERE;
  const int step = !coloured ? 1 : kernel->guard.kind == GEN_PARITY ? 2 : kernel->guard.modulus[0];
  if (kernel->guard.both)
    gen_line(emitter->writer, "for (int half = 0; half < 2; half++) {");
  if (step > 1)
    gen_emit_start(emitter);
  const char *start = step > 1 ? "start" : "0";
  if (!split(emitter) || step > 2)
    emit_cells(emitter, start, step);
  else
    emit_halves(emitter, step == 2 ? start : NULL);
  if (kernel->guard.both)
    gen_line(emitter->writer, "}");
}

void gen_emit_scratch(struct gen_emitter *emitter)
{
  const struct gen_schedule *schedule = emitter->schedule;
  const char *type = gen_real(schedule);
  gen_line(emitter->writer,
           "%s *const scratch = (%s *)((char *)args->scratch + (size_t)thread * "
           "args->scratch_stride%s) + 16;",
           type, type,
           emitter->line_sets->own.count + emitter->line_sets->others ? " + GMG_KNOWN_BYTES" : "");
  const int own = emitter->line_sets->own.count;
  const char *lines = own ? gen_text("%d * box->stride[0] + ", own) : "";
  for (int n = 0; n < schedule->rows; n++)
    gen_line(emitter->writer,
             "%s *const %s = scratch + %s%d * (size_t)((box->other_cells[0] + 63) / 16 * 16);",
             type, schedule->kernel->array[schedule->row[n].array].name, lines, n);
  for (int n = 0; n < schedule->rows && split(emitter); n++)
    if (schedule->row[n].level == GEN_FINER) {
      gen_line(emitter->writer, "const ptrdiff_t row_odd = (box->other_cells[0] + 32) / 16 * 8;");
      break;
    }
  gen_declare_zeros(emitter);
  gen_declare_lines(emitter, emitter->line_sets);
}

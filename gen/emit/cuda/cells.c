/* CUDA C of all cells of a box by threads in any number: functions that do one position, and the
 * one that visits all. */
#include "emit/emit.h"
#include "emit/template.h"

#include <string.h>

void gen_open_cuda(struct gen_emitter *emitter, const char *returns, const char *name,
                   const char *parameters)
{
  gen_line(emitter->writer,
           "static __device__ __forceinline__ %s %s_%s(const struct gmg_cuda_args *args, %s)\n"
           "{",
           returns, emitter->symbol, name, parameters);
}

void gen_emit_cuda_box(struct gen_emitter *emitter, enum gen_use use)
{
  gen_line(emitter->writer, "const struct gmg_kernel_box *const box = &args->box;");
  gen_emit_cuda_fields(emitter, use);
}

void gen_emit_cuda_comment(struct gen_emitter *emitter)
{
  const struct gen_schedule *schedule = emitter->schedule;
  int array[GEN_MAX_ARRAYS];
  struct gen_argument argument[GEN_MAX_SCALARS];
  const int fields = gen_fields(schedule, array), scalars = gen_arguments(schedule, argument);
  gen_emit_comment(emitter->writer, emitter->unit->comment);
  const char *written = "", *read = "", *given = "";
  for (int n = 0; n < fields; n++) {
    const struct gen_array *a = &schedule->kernel->array[array[n]];
    const char **list = a->written ? &written : &read;
    *list = gen_listed(*list, a->given);
  }
  for (int n = 0; n < scalars; n++)
    given = gen_listed(given, argument[n].given);
  gen_line(emitter->writer, " * Writes:  %s", *written ? written : "nothing but sums");
  if (*read)
    gen_line(emitter->writer, " * Reads:   %s", read);
  if (*given)
    gen_line(emitter->writer, " * Scalars: %s", given);
  gen_line(emitter->writer,
           " * Storage: %s, %s rows; per cell %g flops, %g compulsory bytes\n"
           " * Source:  %s */",
           gen_real(schedule), schedule->layout == GEN_SPLIT ? "split" : "plain",
           emitter->unit->flops, emitter->unit->reals * gen_real_bytes(schedule),
           emitter->unit->source);
}

void gen_emit_cuda_cell(struct gen_emitter *emitter)
{
  const struct gen_schedule *schedule = emitter->schedule;
  if (emitter->lanes)
    gen_line(emitter->writer,
             "/* The same of the parts that eight neighbouring threads of a warp have worked out, "
             "by the first of them. */");
  else if (emitter->shared)
    gen_line(emitter->writer,
             "/* The same by two neighbouring threads of a warp, each for one child along i. */");
  else
    gen_emit_cuda_comment(emitter);
  const char *parameters =
    gen_text("int %s, int %s, int %s%s%s%s%s%s%s", gen_cuda_position(schedule, GEN_I),
             gen_cuda_position(schedule, GEN_J), gen_cuda_position(schedule, GEN_K),
             gen_cuda_by_parity(schedule) ? ", int parity" : "",
             schedule->kernel->guard.both ? ", int half" : "",
             gen_cuda_in_pairs(schedule) ? ", int cells" : "",
             gen_cuda_knows_paired(schedule) ? ", bool paired" : "",
             emitter->lanes      ? gen_text(", int child, bool inside, %s part", gen_real(schedule))
               : emitter->shared ? ", bool odd_child, bool inside"
                                 : "",
             gen_finds_most(schedule) ? ", struct gmg_partial *partial" : "");
  gen_open_cuda(emitter, "void",
                emitter->lanes      ? "sum"
                  : emitter->shared ? "child"
                                    : "cell",
                parameters);
  gen_emit_scalars(emitter);
  gen_emit_cuda_box(emitter, GEN_USES);
  if (gen_finds_most(schedule))
    gen_emit_cuda_partial(emitter);
  gen_emit_cuda_body(emitter);
  gen_line(emitter->writer, "}\n\n");
}

/* The parity along i of the colour's cells in a row. */
static void emit_parity(struct gen_emitter *emitter)
{
  gen_open_cuda(emitter, "int", "parity", "int j, int k");
  if (emitter->schedule->kernel->guard.global)
    gen_line(emitter->writer, "const struct gmg_kernel_box *const box = &args->box;");
  struct gen_argument argument[GEN_MAX_SCALARS];
  const int last = gen_arguments(emitter->schedule, argument) - 1;
  if (last >= 0 && argument[last].colour)
    gen_line(emitter->writer, "const int %s = (int)args->scalar[%d];", argument[last].name, last);
  gen_emit_start(emitter);
  gen_line(emitter->writer,
           "return start;\n"
           "}\n"
           "\n");
}

/* Cells in turn; or with several threads for each, whole warps, so that they can hand one another
 * values. */
static void emit_visit(struct gen_emitter *emitter)
{
  struct gen_writer *writer = emitter->writer;
  const int each = emitter->lanes ? 8 : emitter->shared ? 2 : 1;
  const char *more = gen_cuda_more(emitter, "args->box.", "at"), *call = "cell", *last = "";
  if (each > 1) {
    gen_line(writer,
             "for (int n = thread; (n & ~31) < %d * positions; n += threads) {\n"
             "const int position = gmg_least(n / %d, positions - 1);",
             each, each);
    last = gen_text(", n %% %d, n < %d * positions", each, each);
    call = "child";
  } else {
    gen_line(writer, "for (int n = thread; n < positions; n += threads) {");
  }
  gen_line(writer,
           "const int row = gmg_quotient(%s, positions_i);\n"
           "const int at = %s - row * positions_i;\n"
           "const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;",
           each > 1 ? "position" : "n", each > 1 ? "position" : "n");
  if (emitter->lanes) {
    gen_line(writer, "const %s part = %s_part(args, at, j, k%s, n %% 8);",
             gen_real(emitter->schedule), emitter->symbol, more);
    last = gen_text("%s, part", last);
    call = "sum";
  }
  gen_line(writer,
           "%s_%s(args, at, j, k%s%s%s%s);\n"
           "}",
           emitter->symbol, call,
           gen_cuda_by_parity(emitter->schedule)
             ? gen_text(", %s_parity(args, j, k)", emitter->symbol)
             : "",
           more, last, gen_finds_most(emitter->schedule) ? ", &partial" : "");
}

/* Rows in turn, each by threads of one warp, so that the cells of its second colour find the new
 * values of the first. */
static void emit_rows(struct gen_emitter *emitter)
{
  gen_line(emitter->writer,
           "const int width = gmg_row_threads(positions_i), rows = positions / positions_i;\n"
           "for (int n = thread; (n & ~31) < width * rows; n += threads) {\n"
           "const int row = gmg_quotient(n, width);\n"
           "const int k = gmg_quotient(row, positions_j), j = row - k * positions_j;\n"
           "#pragma unroll 1\n"
           "for (int half = 0; half < 2; half++) {\n"
           "#pragma unroll 1\n"
           "for (int at = n & (width - 1); at < positions_i && row < rows; at += width)\n"
           "%s_cell(args, at, j, k, half);\n"
           "__syncwarp();\n"
           "}\n"
           "}",
           emitter->symbol);
}

/* Eight threads for each cell, where there are so many. */
static void emit_visits(struct gen_emitter *emitter)
{
  struct gen_emitter by_two = *emitter;
  by_two.lanes = NULL;
  if (emitter->kernel->guard.both) {
    emit_rows(emitter);
    return;
  }
  if (emitter->lanes) {
    gen_line(emitter->writer, "if (8 * positions <= threads) {");
    emit_visit(emitter);
    gen_line(emitter->writer,
             "return;\n"
             "}");
  }
  emit_visit(&by_two);
}

struct gen_emitter gen_cuda_emitter(struct gen_writer *writer, const struct gen_unit *unit)
{
  return (struct gen_emitter){.unit = unit,
                              .symbol = unit->symbol,
                              .schedule = unit->schedule,
                              .kernel = unit->schedule->kernel,
                              .writer = writer,
                              .cuda = true};
}

void gen_emit_cuda_cells(struct gen_writer *writer, const struct gen_unit *unit)
{
  const struct gen_schedule *schedule = unit->schedule;
  struct gen_emitter emitter = gen_cuda_emitter(writer, unit);
  if (gen_reduces(schedule, GEN_LARGEST))
    gen_emit_template(writer, gen_template_largest, (struct gen_word[]){{0}});
  if (unit->cuda->phases)
    gen_emit_cuda_phases(&emitter);
  else
    gen_emit_cuda_cell(&emitter);
  if (gen_cuda_by_parity(schedule))
    emit_parity(&emitter);
  emitter.shared = unit->cuda->threads > 1;
  if (emitter.shared)
    gen_emit_cuda_cell(&emitter);
  emitter.lanes = unit->cuda->threads == 8 ? &unit->cuda->lanes : NULL;
  if (emitter.lanes)
    gen_emit_cuda_lanes(&emitter);
  gen_line(
    writer,
    "static __device__ void %s_cells(const struct gmg_cuda_args *args, int thread, int threads)\n"
    "{\n"
    "const int positions_i = %s;\n"
    "const int positions_j = %s;\n"
    "const int positions = positions_i * positions_j * (%s);",
    unit->symbol, gen_cuda_positions(schedule, "args->box.", GEN_I),
    gen_cuda_positions(schedule, "args->box.", GEN_J),
    gen_cuda_positions(schedule, "args->box.", GEN_K));
  gen_emit_cuda_sums_begin(writer, schedule);
  emit_visits(&emitter);
  gen_emit_cuda_sums_end(writer, schedule, "args->");
  gen_line(writer, "}\n\n");
}

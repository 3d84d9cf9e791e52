/* The kernel SYMBOL_staged itself: what the threads of a block do in turn. Its functions are those
 * of gen/emit/cuda/staged.c. */
#include "staged.h"

#include "emit/template.h"

/* Lines along i and j: those along k come with the stages. */
static void emit_lines(struct gen_emitter *emitter, const struct gen_staged *staged)
{
  const struct gen_schedule *schedule = emitter->schedule;
  struct gen_writer *writer = emitter->writer;
  const char *type = gen_real(schedule);
  if (staged->lines[GEN_I])
    gen_line(writer,
             "for (int n = thread; n < 2 * place::odd; n += place::threads) {\n"
             "const int pair = n %% place::odd - place::unit, half = n / place::odd, i = 2 * (at0 "
             "+ pair) + half;");
  for (int n = 0; n < staged->lines[GEN_I]; n++) {
    const struct gen_access *access = staged->line[GEN_I][n];
    gen_line(writer,
             "lines[place::%s_place + pair + half * place::odd] = i >= 0 && i <= box->cells[0] ? "
             "((const %s *)args.field[%d])[gmg_at(i, box->odd)] : 0;",
             gen_row_name(emitter, access), type, gen_cuda_field_of(schedule, access->array));
  }
  if (staged->lines[GEN_I])
    gen_line(writer, "}");
  if (staged->lines[GEN_J])
    gen_line(writer,
             "if (thread < BLOCK_J + 2) {\n"
             "const int j = gmg_least(j0 + thread > 0 ? j0 + thread - 1 : 0, box->cells[1] - 1);");
  for (int n = 0; n < staged->lines[GEN_J]; n++) {
    const struct gen_access *access = staged->line[GEN_J][n];
    gen_line(writer, "lines[place::%s_place + thread - 1] = ((const %s *)args.field[%d])[j%s];",
             gen_row_name(emitter, access), type, gen_cuda_field_of(schedule, access->array),
             gen_signed_text(gen_offset(schedule->kernel, access, GEN_J)));
  }
  if (staged->lines[GEN_J])
    gen_line(writer, "}");
}

void gen_emit_cuda_staged_march(struct gen_emitter *emitter, const struct gen_staged *staged)
{
  const struct gen_schedule *schedule = emitter->schedule;
  const struct gen_word words[] = {
    {"SYMBOL", emitter->symbol},
    {"REAL", gen_real(schedule)},
    {"UNKNOWN", schedule->kernel->array[emitter->given].name},
    {"FIELD", gen_text("%d", gen_cuda_field_of(schedule, emitter->given))},
    {"COLOUR", gen_text("%d", gen_scalar_of_colour(schedule))},
    {"REMAINDER", gen_text("%d", schedule->kernel->guard.remainder)},
    {0}};
  const char *rest = gen_emit_template(emitter->writer, gen_template_staged, words);
  emitter->writer->indent++;
  emit_lines(emitter, staged);
  emitter->writer->indent--;
  gen_emit_template(emitter->writer, rest, words);
}

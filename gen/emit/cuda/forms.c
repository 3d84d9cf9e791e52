/* The form of a launch: its stages, and the kernel whose threads go through the box with them. */
#include "emit/emit.h"
#include "emit/template.h"

static const char *const macro[] = {"BLOCK_I", "BLOCK_J", "ROWS", "PLANES", "UNROLL", "BLOCKS"};
enum { MACROS = sizeof macro / sizeof *macro };

void gen_emit_cuda_shape(struct gen_writer *writer, const struct gen_cuda_shape *of)
{
  const int value[MACROS] = {of->block_i, of->block_j, of->rows,
                             of->planes,  of->unroll,  of->blocks};
  for (int n = 0; n < MACROS; n++)
    gen_line(writer,
             "#ifndef %s\n"
             "#define %s %d\n"
             "#endif",
             macro[n], macro[n], value[n]);
}

void gen_emit_cuda_shape_end(struct gen_writer *writer)
{
  for (int n = 0; n < MACROS; n++)
    gen_line(writer, "#undef %s", macro[n]);
  gen_line(writer, "#undef MANY\n\n");
}

static const char *fields_of(const struct gen_schedule *schedule, const int table[])
{
  return gen_text("%d, %d, %d, %d", gen_cuda_field_of(schedule, table[0]),
                  gen_cuda_field_of(schedule, table[1]), gen_cuda_field_of(schedule, table[2]),
                  gen_cuda_field_of(schedule, table[3]));
}

/* A main loop that stands in gen/templates/, with its words. */
static void emit_template(struct gen_emitter *emitter, const struct gen_cuda_form *form,
                          const char *text)
{
  const struct gen_schedule *schedule = emitter->schedule;
  const bool split = schedule->layout == GEN_SPLIT, reduces = gen_finds_most(schedule);
  const struct gen_array *array = schedule->kernel->array;
  const int *const table = form->plane;
  const struct gen_word words[] = {
    {"SYMBOL", emitter->symbol},
    {"REAL", gen_real(schedule)},
    {"COLUMN_FIELDS", fields_of(schedule, form->column)},
    {"PLANE_FIELDS", fields_of(schedule, table)},
    {"FIELD_OF_PARENT", gen_text("%d", gen_cuda_field_of(schedule, table[0]))},
    {"FIELD_OF_NEAR", gen_text("%d", gen_cuda_field_of(schedule, table[1]))},
    {"FIELDS", gen_text("%d", gen_fields(schedule, (int[GEN_MAX_ARRAYS]){0}))},
    {"FIELD", gen_text("%d", gen_cuda_field_of(schedule, form->given))},
    {"UNKNOWN", array[form->given].name},
    {"PARENT", array[table[0]].name},
    {"NEAR", array[table[1]].name},
    {"CELLS", split ? "2" : "1"},
    {"PLACE", split ? "gmg_at(i, box->odd)" : "i"},
    {"COLOUR", gen_text("%d", gen_scalar_of_colour(schedule))},
    {"REMAINDER", gen_text("%d", schedule->kernel->guard.remainder)},
    {"END_I", gen_cuda_positions(schedule, "args.box.", GEN_I)},
    {"END_J", gen_cuda_positions(schedule, "args.box.", GEN_J)},
    {"END_K", gen_cuda_positions(schedule, "args.box.", GEN_K)},
    {"SUMS ", reduces ? "" : NULL},
    {"MORE",
     form->kind != GEN_QUEUE ? gen_cuda_more(emitter, "args.box.", "at")
       : reduces             ? ", &partial"
                             : ""},
    {0}};
  const char *rest = gen_emit_template(emitter->writer, text, words);
  if (!rest)
    return;
  emitter->writer->indent++;
  gen_emit_cuda_copied_lines(emitter, &form->staged);
  emitter->writer->indent--;
  gen_emit_template(emitter->writer, rest, words);
}

/* In a staged form u is read, and another array is written. */
static const struct gen_schedule *without_store(const struct gen_schedule *schedule, int given)
{
  struct gen_schedule *copy = gen_allocate(sizeof *copy);
  *copy = *schedule;
  copy->kernel = gen_allocate(sizeof *copy->kernel);
  *copy->kernel = *schedule->kernel;
  copy->kernel->array[given].written = false;
  return copy;
}

void gen_emit_cuda_form(struct gen_writer *writer, const struct gen_unit *unit,
                        const struct gen_cuda_form *form)
{
  static const char *const text[GEN_KINDS] = {[GEN_QUEUE] = gen_template_queue,
                                              [GEN_BETWEEN] = gen_template_between,
                                              [GEN_AROUND] = gen_template_around,
                                              [GEN_STAGED] = gen_template_staged};
  struct gen_emitter emitter = gen_cuda_emitter(writer, unit);
  emitter.given = form->given;
  gen_emit_cuda_shape(writer, &form->shape);
  if (form->kind == GEN_STAGED) {
    emitter.schedule = without_store(unit->schedule, form->given);
    emitter.kernel = emitter.schedule->kernel;
    emitter.staged = &form->staged;
    gen_emit_cuda_copies(&emitter, &form->staged);
  }
  for (int n = 0; n < form->stages; n++)
    gen_emit_cuda_stage(&emitter, &form->stage[n]);
  if (text[form->kind])
    emit_template(&emitter, form, text[form->kind]);
  else if (form->kind == GEN_COLUMNS)
    gen_emit_cuda_columns(&emitter);
  else
    (form->kind == GEN_LINEAR ? gen_emit_cuda_linear : gen_emit_cuda_march)(&emitter);
  gen_emit_cuda_shape_end(writer);
}

void gen_emit_cuda_form_descriptor(struct gen_writer *writer, const struct gen_unit *unit,
                                   int place)
{
  const struct gen_cuda_form *form = &unit->cuda->form[place];
  const char *name = gen_cuda_form_name(form->kind);
  const struct gen_cuda_shape *of = &form->shape;
  gen_line(
    writer,
    "{.name = \"%s\", .symbol = \"%s_%s\", .text = %s_text_%d, .shape = {%d, %d, %d, %d, %d, %d}, "
    ".linear = %d, .many_blocks = %d, .columns = %d},",
    name, unit->symbol, name, unit->symbol, place, of->block_i, of->block_j, of->rows, of->planes,
    of->unroll, of->blocks, form->kind == GEN_LINEAR, form->many_blocks,
    form->kind == GEN_COLUMNS ? gen_cuda_columns(unit->schedule) : 1);
}

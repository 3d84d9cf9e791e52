/* CUDA C of a file's kernels: as readable text, and as C that holds the text in strings with what a
 * launcher must know. */
#include "units.h"

#include "emit/template.h"

#include <string.h>

void gen_emit_cuda_prelude(struct gen_writer *writer)
{
  gen_emit_template(writer, gen_template_prelude, &(struct gen_word){0});
  gen_line(writer, "\n");
}

void gen_emit_cuda_unit(struct gen_writer *writer, const struct gen_unit *unit)
{
  gen_emit_cuda_cells(writer, unit);
  for (int form = 0; form < unit->cuda->forms; form++)
    gen_emit_cuda_form(writer, unit, &unit->cuda->form[form]);
  if (unit->cuda->staged)
    gen_emit_cuda_form(writer, unit, unit->cuda->staged);
  if (unit->twice)
    gen_emit_cuda_twice(writer, unit);
}

void gen_dump_cuda_schedules(const struct gen_job *job, const struct gen_file *file,
                             struct gen_writer *writer)
{
  for (int n = 0; n < file->kernels; n++) {
    struct gen_unit *units;
    const int count = gen_units(job, file, n, &units);
    for (int k = 0; k < count; k++) {
      const char *text = gen_cuda_schedule_text(units[k].schedule, units[k].cuda);
      gen_write_bytes(writer, text, strlen(text));
    }
  }
}

void gen_emit_cuda_text(const struct gen_job *job, const struct gen_file *file,
                        struct gen_writer *writer)
{
  gen_emit_cuda_prelude(writer);
  for (int n = 0; n < file->kernels; n++) {
    struct gen_unit *units;
    const int count = gen_units(job, file, n, &units);
    for (int k = 0; k < count; k++)
      gen_emit_cuda_unit(writer, &units[k]);
  }
}

/* The text as a string, line by line. */
static void emit_string(struct gen_writer *writer, const struct gen_writer *text)
{
  for (const char *line = text->text ? text->text : ""; *line;) {
    const char *escaped = "";
    for (; *line && *line != '\n'; line++)
      escaped = gen_text(*line == '"' || *line == '\\' ? "%s\\%c" : "%s%c", escaped, *line);
    line += *line == '\n';
    gen_raw(writer, gen_text("\"%s\\n\"", escaped));
  }
}

static void emit_named_string(struct gen_writer *writer, const char *name, struct gen_writer *text)
{
  gen_line(writer, "static const char %s[] =", name);
  writer->indent++;
  emit_string(writer, text);
  writer->indent--;
  gen_line(writer, ";");
  gen_writer_clear(text);
}

static void emit_forms(struct gen_writer *writer, const struct gen_unit *unit)
{
  struct gen_writer text = {0};
  for (int form = 0; form < unit->cuda->forms; form++) {
    gen_emit_cuda_form(&text, unit, &unit->cuda->form[form]);
    emit_named_string(writer, gen_text("%s_text_%d", unit->symbol, form), &text);
  }
  gen_line(writer, "static const struct gmg_cuda_form %s_forms[] = {", unit->symbol);
  for (int form = 0; form < unit->cuda->forms; form++)
    gen_emit_cuda_form_descriptor(writer, unit, form);
  gen_line(writer, "};");
  if (!unit->cuda->staged)
    return;
  gen_emit_cuda_form(&text, unit, unit->cuda->staged);
  emit_named_string(writer, gen_text("%s_text_staged", unit->symbol), &text);
  gen_emit_cuda_staged_descriptor(writer, unit);
}

/* The descriptor of a kernel with so many forms, but for its end. more: what its name ends in; then
 * no other file knows it. */
static void emit_descriptor(struct gen_writer *writer, const struct gen_unit *unit,
                            const char *more, int forms, const char *form)
{
  const struct gen_schedule *schedule = unit->schedule;
  int array[GEN_MAX_ARRAYS];
  gen_line(writer, "%sconst struct gmg_cuda_kernel gmg_cuda_%s%s = {", *more ? "static " : "",
           unit->symbol, more);
  gen_emit_identity(writer, unit);
  gen_line(writer, ".symbol = \"%s\", .text = %s_text,", unit->symbol, unit->symbol);
  gen_line(writer, ".fields = %d, .step = {%d, %d, %d}, .extra = {%d, %d, %d}, .reduces = %d,",
           gen_fields(schedule, array), gen_cuda_step(schedule, GEN_I),
           gen_cuda_step(schedule, GEN_J), gen_cuda_step(schedule, GEN_K),
           gen_loop_extra(schedule->kernel, GEN_I), gen_loop_extra(schedule->kernel, GEN_J),
           gen_loop_extra(schedule->kernel, GEN_K), gen_finds_most(schedule));
  gen_line(writer, ".lanes = %d, .flops = %g, .bytes = %g, .forms = %d, .form = %s,",
           unit->cuda->threads, unit->flops, unit->reals * gen_real_bytes(schedule), forms, form);
}

/* Two steps in one pass: a kernel by itself, with the same text of a cell. */
static void emit_twice(struct gen_writer *writer, const struct gen_unit *unit)
{
  struct gen_writer text = {0};
  gen_emit_cuda_twice(&text, unit);
  emit_named_string(writer, gen_text("%s_text_twice", unit->symbol), &text);
  gen_emit_cuda_twice_descriptor(writer, unit);
  emit_descriptor(writer, unit, "_twice", 1, gen_text("&%s_twice_form", unit->symbol));
  gen_line(writer,
           "};\n"
           "\n");
}

void gen_emit_cuda_kernel(struct gen_writer *writer, const struct gen_unit *unit)
{
  struct gen_writer text = {0};
  gen_emit_cuda_cells(&text, unit);
  emit_named_string(writer, gen_text("%s_text", unit->symbol), &text);
  emit_forms(writer, unit);
  emit_descriptor(writer, unit, "", unit->cuda->forms, gen_text("%s_forms", unit->symbol));
  if (unit->cuda->staged)
    gen_line(writer, ".staged = &%s_staged,", unit->symbol);
  gen_line(writer,
           "};\n"
           "\n");
  if (unit->twice)
    emit_twice(writer, unit);
}

void gen_emit_cuda_file(const struct gen_job *job, const struct gen_file *file,
                        struct gen_writer *writer)
{
  gen_line(writer,
           "/* Made by gmg-gen from %s. Change that file, not this one. */\n"
           "#include \"cuda/runtime/cuda_kernel.h\"\n"
           "\n",
           file->path);
  for (int n = 0; n < file->kernels; n++) {
    struct gen_unit *units;
    const int count = gen_units(job, file, n, &units);
    for (int k = 0; k < count; k++)
      gen_emit_cuda_kernel(writer, &units[k]);
  }
}

static void emit_list(const struct gen_job *job, struct gen_writer *writer, const char *format)
{
  for (int f = 0; f < job->files; f++)
    for (int n = 0; n < job->file[f].kernels; n++) {
      struct gen_unit *units;
      const int count = gen_units(job, &job->file[f], n, &units);
      for (int k = 0; k < count; k++)
        gen_line(writer, "%s", gen_text(format, units[k].symbol));
    }
}

void gen_emit_cuda_registry(const struct gen_job *job, struct gen_writer *writer)
{
  struct gen_writer text = {0};
  gen_line(writer,
           "/* Made by gmg-gen: all kernels for GPUs. */\n"
           "#include \"cuda/runtime/cuda_kernel.h\"\n"
           "\n");
  gen_emit_cuda_prelude(&text);
  emit_named_string(writer, "prelude", &text);
  gen_line(writer,
           "const char *const gmg_cuda_prelude = prelude;\n"
           "\n");
  emit_list(job, writer, "extern const struct gmg_cuda_kernel gmg_cuda_%s;");
  gen_line(writer,
           "\n"
           "const struct gmg_cuda_kernel *const gmg_cuda_kernels[] = {");
  emit_list(job, writer, "&gmg_cuda_%s,");
  gen_line(writer,
           "NULL\n"
           "};");
}

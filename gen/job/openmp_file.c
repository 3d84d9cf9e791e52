/* Whole files of emitted text: kernels with their descriptors, operators, the registry. */
#include "derive/relaxation.h"
#include "units.h"

void gen_emit_prelude(struct gen_writer *writer, const char *path)
{
  gen_line(writer,
           "/* Made by gmg-gen from %s. Change that file, not this one. */\n"
           "#include <math.h>\n"
           "#include <omp.h>\n"
           "#include <stddef.h>\n"
           "\n"
           "#include \"kernel.h\"\n"
           "\n"
           "#ifndef GMG_ISA\n"
           "#define GMG_ISA native\n"
           "#endif\n"
           "#define GMG_PASTE(name, isa) name##_##isa\n"
           "#define GMG_EXPAND(name, isa) GMG_PASTE(name, isa)\n"
           "#define GMG_SYMBOL(name) GMG_EXPAND(name, GMG_ISA)\n"
           "\n",
           path);
}

static bool has_lattice(const struct gen_file *file)
{
  for (int n = 0; n < file->kernels; n++)
    if (file->operator_[n] && file->operator_[n]->colouring.kind == GEN_LATTICE)
      return true;
  return false;
}

/* Relaxation factors for every shape of cells. Returns what the descriptor says of them. */
static const char *emit_relaxation(struct gen_writer *writer, const struct gen_operator *op)
{
  struct gen_factors found[GEN_SHAPES];
  for (int shape = 0; shape < GEN_SHAPES; shape++)
    if (!gen_find_factors(op, shape, &found[shape]))
      return "NULL";
  gen_line(writer, "static const struct gmg_relaxation %s_relaxation[GMG_SHAPES] = {",
           op->source->name);
  for (int shape = 0; shape < GEN_SHAPES; shape++) {
    const double *after = found[shape].factor[0], *before = found[shape].factor[1];
    gen_line(writer, "[%s] = {{{%g, %g, %g, %g}, {%g, %g, %g, %g}}, %g},", gen_shape_names[shape],
             after[0], after[1], after[2], after[3], before[0], before[1], before[2], before[3],
             found[shape].jacobi);
  }
  gen_line(writer, "};");
  return gen_text("%s_relaxation", op->source->name);
}

static void emit_operator(struct gen_writer *writer, const struct gen_operator *op,
                          const struct gen_unit *units, int count)
{
  gen_line(writer, "static const struct gmg_kernel_descriptor *const %s_kernels[] = {",
           op->source->name);
  for (int n = 0; n < count; n++)
    gen_line(writer, "&%s_kernel,", units[n].symbol);
  gen_line(writer, "};");
  const bool parity = op->colouring.kind == GEN_PARITY;
  const char *relaxation = emit_relaxation(writer, op);
  const char *comment = "";
  for (const char *c = op->source->comment; *c; c++)
    comment = gen_text(*c == '\n'                  ? "%s "
                         : *c == '"' || *c == '\\' ? "%s\\%c"
                                                   : "%s%c",
                       comment, *c);
  gen_line(writer,
           "const struct gmg_operator_descriptor GMG_SYMBOL(gmg_operator_%s) = {\n"
           ".name = \"%s\",\n"
           ".comment = \"%s\",\n"
           ".boundary = %s, .exchange = %s, .ghost = %d,",
           op->source->name, op->source->name, comment,
           op->folded ? "GMG_FOLDED_CONDUCTANCES" : "GMG_GHOST_FORMULAS",
           op->star ? "GMG_STAR" : "GMG_FULL", op->reach);
  gen_line(writer,
           ".colours = %d, .parity = %d, .modulus = {%d, %d, %d},\n"
           ".relaxation = %s,\n"
           ".kernels = %d, .kernel = %s_kernels,\n"
           "};\n"
           "\n",
           op->colours, parity, parity ? 2 : op->colouring.modulus[0],
           parity ? 2 : op->colouring.modulus[1], parity ? 2 : op->colouring.modulus[2], relaxation,
           count, op->source->name);
}

void gen_emit_file(const struct gen_job *job, const struct gen_file *file,
                   struct gen_writer *writer)
{
  gen_emit_prelude(writer, file->path);
  if (has_lattice(file))
    gen_line(writer,
             "/* Distance from index `at` to the next one that is congruent to digit. */\n"
             "static inline int gmg_first(int at, int digit, int modulus)\n"
             "{\n"
             "const int distance = (digit - at %% modulus) %% modulus;\n"
             "return distance < 0 ? distance + modulus : distance;\n"
             "}\n"
             "\n");
  for (int n = 0; n < file->kernels; n++) {
    struct gen_unit *units;
    const int count = gen_units(job, file, n, &units);
    for (int k = 0; k < count; k++) {
      gen_emit_openmp(writer, &units[k]);
      gen_emit_descriptor(writer, &units[k]);
    }
    if (file->operator_[n])
      emit_operator(writer, file->operator_[n], units, count);
  }
}

/* Returns how many are listed. */
static int emit_list(const struct gen_job *job, struct gen_writer *writer, bool operators,
                     bool declare)
{
  int count = 0;
  for (int f = 0; f < job->files; f++)
    for (int n = 0; n < job->file[f].kernels; n++) {
      const char *name = job->file[f].kernel[n]->name;
      if ((job->file[f].operator_[n] != NULL) != operators)
        continue;
      count += operators ? 1 : GEN_FORMS;
      if (operators)
        gen_line(writer,
                 declare
                   ? "extern const struct gmg_operator_descriptor GMG_SYMBOL(gmg_operator_%s);"
                   : "&GMG_SYMBOL(gmg_operator_%s),",
                 name);
      else
        for (int form = 0; form < GEN_FORMS; form++)
          gen_line(writer,
                   declare
                     ? "extern const struct gmg_kernel_descriptor GMG_SYMBOL(gmg_kernel_%s_%s);"
                     : "&GMG_SYMBOL(gmg_kernel_%s_%s),",
                   name, gen_form_suffix[form]);
    }
  return count;
}

void gen_emit_registry(const struct gen_job *job, struct gen_writer *writer)
{
  gen_emit_prelude(writer, "the files of operators/");
  gen_line(writer,
           "#ifndef GMG_ISA_NAME\n"
           "#define GMG_ISA_NAME \"native\"\n"
           "#endif\n"
           "\n");
  const int operators = emit_list(job, writer, true, true);
  const int kernels = emit_list(job, writer, false, true);
  gen_line(writer,
           "\n"
           "static const struct gmg_operator_descriptor *const operators[] = {");
  emit_list(job, writer, true, false);
  gen_line(writer,
           "NULL\n"
           "};\n"
           "static const struct gmg_kernel_descriptor *const kernels[] = {");
  emit_list(job, writer, false, false);
  gen_line(writer,
           "NULL\n"
           "};\n"
           "const struct gmg_kernel_library GMG_SYMBOL(%s) = {.isa = GMG_ISA_NAME, .operators = "
           "%d, .operator_ = operators, .kernels = %d, .kernel = kernels};",
           job->library, operators, kernels);
}

void gen_emit_libraries(const struct gen_job *job, const char *const *isa, int isas,
                        struct gen_writer *writer)
{
  gen_line(writer,
           "/* Made by gmg-gen: the instruction sets that were built, the best last. */\n"
           "#include \"kernel.h\"\n"
           "\n");
  const char *list = "";
  for (int n = 0; n < isas; n++) {
    char name[64];
    size_t length = 0;
    for (const char *c = isa[n]; *c && length < sizeof name - 1; c++)
      name[length++] = *c == '-' ? '_' : *c;
    name[length] = 0;
    gen_line(writer, "extern const struct gmg_kernel_library %s_%s;", job->library, name);
    list = gen_text("%s&%s_%s, ", list, job->library, name);
  }
  gen_line(writer, "const struct gmg_kernel_library *const %s[] = {%sNULL};", job->library, list);
}

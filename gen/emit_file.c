/* Whole files of emitted text: kernels with their descriptors, operators, the registry. */
#include "compile.h"

#include <string.h>

#include "canonical.h"
#include "explain.h"

static void emit_prelude(struct gen_writer *writer, const char *path)
{
  gen_line(writer, "/* Made by gmg-gen from %s. Change that file, not this one. */", path);
  gen_line(writer, "#include <math.h>");
  gen_line(writer, "#include <omp.h>");
  gen_line(writer, "#include <stddef.h>");
  gen_blank(writer);
  gen_line(writer, "#include \"kernel.h\"");
  gen_blank(writer);
  gen_line(writer, "#ifndef GMG_ISA");
  gen_line(writer, "#define GMG_ISA native");
  gen_line(writer, "#endif");
  gen_line(writer, "#define GMG_PASTE(name, isa) name##_##isa");
  gen_line(writer, "#define GMG_EXPAND(name, isa) GMG_PASTE(name, isa)");
  gen_line(writer, "#define GMG_SYMBOL(name) GMG_EXPAND(name, GMG_ISA)");
  gen_blank(writer);
}

static bool has_lattice(const struct gen_file *file)
{
  for (int n = 0; n < file->kernels; n++)
    if (file->operator_[n] && file->operator_[n]->colouring.kind == GEN_LATTICE)
      return true;
  return false;
}

static const char *role_comment(enum gen_role role)
{
  static const char *const comment[] = {
    [GEN_ROLE_APPLY] = "w = A u",
    [GEN_ROLE_RESIDUAL] = "r = f - A u",
    [GEN_ROLE_INVERSE_DIAGONAL] = "dinv = 1 / the diagonal of A, boundary formulas folded in",
    [GEN_ROLE_JACOBI] = "One weighted Jacobi iteration: w = u + omega dinv (f - A u)",
    [GEN_ROLE_GAUSS_SEIDEL] =
      "One Gauss-Seidel sweep over the cells of one colour, in place: u += omega (f - A u) / diagonal",
    [GEN_ROLE_CHEBYSHEV] = "One Chebyshev step: w = u + c1 (u - w) + c2 dinv (f - A u), w holding the iterate before u",
    [GEN_ROLE_RESIDUAL_RESTRICT] = "coarse = restriction of f - A u; the residual is never stored",
    [GEN_ROLE_RESIDUAL_NORM] = "Sum of squares and maximum of (f - A u) / volume",
    [GEN_ROLE_RESIDUAL_SINGLE] = "single = s (f - A u), with the sum of squares and the maximum of (f - A u) / volume",
    [GEN_ROLE_RESTRICT_NORM] =
      "coarse = restriction of f - A u, by weights of 0 and 1 along j and k, with the sum of squares "
      "and the\nmaximum of (f - A u) / volume; the residual is never stored"};
  return comment[role];
}

/* Is the name in a list separated by commas? */
static bool listed(const char *list, const char *name)
{
  const size_t length = strlen(name);
  for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
    if ((at == list || at[-1] == ',') && (at[length] == 0 || at[length] == ','))
      return true;
  return false;
}

/* A kernel is emitted for both layouts of rows, in both precisions. */
enum { FORMS = 4 };
static const struct form {
  enum gen_layout layout;
  enum gen_type precision;
  const char *suffix;
} forms[FORMS] = {{GEN_PLAIN, GEN_DOUBLE, "f64"},
                  {GEN_PLAIN, GEN_FLOAT, "f32"},
                  {GEN_SPLIT, GEN_DOUBLE, "f64_split"},
                  {GEN_SPLIT, GEN_FLOAT, "f32_split"}};

/* The schedule in one precision, with the fields that are asked for in float. */
static const struct gen_schedule *schedule_in(const struct gen_job *job, const struct gen_kernel *kernel,
                                              enum gen_layout layout, enum gen_type precision)
{
  struct gen_schedule *schedule = gen_schedule(job->session, kernel, layout, precision);
  for (int n = 0; n < schedule->kernel->arrays; n++)
    if (job->single && listed(job->single, schedule->kernel->array[n].name))
      schedule->field_precision[n] = GEN_FLOAT;
  return schedule;
}

/* Emits one kernel in all forms. Returns the symbol without their suffixes. */
static const char *emit_kernel(const struct gen_job *job, const struct gen_file *file, struct gen_writer *writer,
                               const struct gen_kernel *kernel, enum gen_role role, const char *variant,
                               const char *comment)
{
  struct gen_session *session = job->session;
  const char *base = *variant ? gen_text(session, "%s_%s", kernel->name, variant) : kernel->name;
  for (int n = 0; n < FORMS; n++) {
    struct gen_unit unit = {.schedule = schedule_in(job, kernel, forms[n].layout, forms[n].precision),
                            .role = role,
                            .variant = variant,
                            .source = file->path,
                            .source_hash = file->hash,
                            .comment = comment,
                            .flops = gen_flops(kernel),
                            .reals = gen_bytes(kernel, 1.0),
                            .symbol = gen_text(session, "%s_%s", base, forms[n].suffix)};
    gen_emit_openmp(session, writer, &unit);
    gen_emit_descriptor(session, writer, &unit);
  }
  return base;
}

static void emit_operator(const struct gen_job *job, const struct gen_file *file, struct gen_writer *writer,
                          const struct gen_operator *op)
{
  struct gen_session *session = job->session;
  const char *base[GEN_MAX_DERIVED];
  for (int n = 0; n < op->count; n++) {
    const struct gen_derived *derived = &op->derived[n];
    base[n] =
      emit_kernel(job, file, writer, derived->kernel, derived->role, derived->variant, role_comment(derived->role));
  }
  gen_open(writer, "static const struct gmg_kernel_descriptor *const %s_kernels[] = {", op->source->name);
  for (int n = 0; n < op->count; n++)
    for (int form = 0; form < FORMS; form++)
      gen_line(writer, "&%s_%s_kernel,", base[n], forms[form].suffix);
  gen_close(writer, "};");
  const bool parity = op->colouring.kind == GEN_PARITY;
  const char *comment = "";
  for (const char *c = op->source->comment; *c; c++)
    comment = gen_text(session, *c == '\n' ? "%s " : *c == '"' || *c == '\\' ? "%s\\%c" : "%s%c", comment, *c);
  gen_open(writer, "const struct gmg_operator_descriptor GMG_SYMBOL(gmg_operator_%s) = {", op->source->name);
  gen_line(writer, ".name = \"%s\",", op->source->name);
  gen_line(writer, ".comment = \"%s\",", comment);
  gen_line(writer, ".boundary = %s, .exchange = %s, .ghost = %d,",
           op->folded ? "GMG_FOLDED_CONDUCTANCES" : "GMG_GHOST_FORMULAS", op->star ? "GMG_STAR" : "GMG_FULL",
           op->reach);
  gen_line(writer, ".colours = %d, .parity = %d, .modulus = {%d, %d, %d},", op->colours, parity,
           parity ? 2 : op->colouring.modulus[0], parity ? 2 : op->colouring.modulus[1],
           parity ? 2 : op->colouring.modulus[2]);
  gen_line(writer, ".kernels = %d, .kernel = %s_kernels,", FORMS * op->count, op->source->name);
  gen_close(writer, "};");
  gen_blank(writer);
}

void gen_emit_file(const struct gen_job *job, const struct gen_file *file, struct gen_writer *writer)
{
  struct gen_session *session = job->session;
  emit_prelude(writer, file->path);
  if (has_lattice(file)) {
    gen_line(writer, "/* Distance from index `at` to the next one that is congruent to digit. */");
    gen_line(writer, "static inline int gmg_first(int at, int digit, int modulus)");
    gen_open(writer, "{");
    gen_line(writer, "const int distance = (digit - at %% modulus) %% modulus;");
    gen_line(writer, "return distance < 0 ? distance + modulus : distance;");
    gen_close(writer, "}");
    gen_blank(writer);
  }
  for (int n = 0; n < file->kernels; n++) {
    if (file->operator_[n]) {
      emit_operator(job, file, writer, file->operator_[n]);
      continue;
    }
    struct gen_kernel *kernel = gen_clone(session, file->kernel[n], file->kernel[n]->name);
    gen_canonical(session, kernel);
    gen_mark_accesses(kernel);
    emit_kernel(job, file, writer, kernel, GEN_ROLE_AS_WRITTEN, "", *kernel->comment ? kernel->comment : kernel->name);
  }
}

static void emit_list(const struct gen_job *job, struct gen_writer *writer, bool operators, bool declare)
{
  for (int f = 0; f < job->files; f++) {
    for (int n = 0; n < job->file[f].kernels; n++) {
      const char *name = job->file[f].kernel[n]->name;
      if ((job->file[f].operator_[n] != NULL) != operators)
        continue;
      if (operators)
        gen_line(writer,
                 declare ? "extern const struct gmg_operator_descriptor GMG_SYMBOL(gmg_operator_%s);"
                         : "&GMG_SYMBOL(gmg_operator_%s),",
                 name);
      else
        for (int form = 0; form < FORMS; form++)
          gen_line(writer,
                   declare ? "extern const struct gmg_kernel_descriptor GMG_SYMBOL(gmg_kernel_%s_%s);"
                           : "&GMG_SYMBOL(gmg_kernel_%s_%s),",
                   name, forms[form].suffix);
    }
  }
}

void gen_emit_registry(const struct gen_job *job, struct gen_writer *writer)
{
  emit_prelude(writer, "the files of operators/");
  gen_line(writer, "#ifndef GMG_ISA_NAME");
  gen_line(writer, "#define GMG_ISA_NAME \"native\"");
  gen_line(writer, "#endif");
  gen_blank(writer);
  int operators = 0, kernels = 0;
  for (int f = 0; f < job->files; f++)
    for (int n = 0; n < job->file[f].kernels; n++)
      job->file[f].operator_[n] ? operators++ : kernels++;
  emit_list(job, writer, true, true);
  emit_list(job, writer, false, true);
  gen_blank(writer);
  gen_open(writer, "static const struct gmg_operator_descriptor *const operators[] = {");
  emit_list(job, writer, true, false);
  gen_line(writer, "NULL");
  gen_close(writer, "};");
  gen_open(writer, "static const struct gmg_kernel_descriptor *const kernels[] = {");
  emit_list(job, writer, false, false);
  gen_line(writer, "NULL");
  gen_close(writer, "};");
  gen_line(writer,
           "const struct gmg_kernel_library GMG_SYMBOL(%s) = {.isa = GMG_ISA_NAME, .operators = %d, "
           ".operator_ = operators, .kernels = %d, .kernel = kernels};",
           job->library, operators, FORMS * kernels);
}

void gen_emit_libraries(const struct gen_job *job, const char *const *isa, int isas, struct gen_writer *writer)
{
  gen_line(writer, "/* Made by gmg-gen: the instruction sets that were built, the best last. */");
  gen_line(writer, "#include \"kernel.h\"");
  gen_blank(writer);
  const char *list = "";
  for (int n = 0; n < isas; n++) {
    char name[64];
    size_t length = 0;
    for (const char *c = isa[n]; *c && length < sizeof name - 1; c++)
      name[length++] = *c == '-' ? '_' : *c;
    name[length] = 0;
    gen_line(writer, "extern const struct gmg_kernel_library %s_%s;", job->library, name);
    list = gen_text(job->session, "%s&%s_%s, ", list, job->library, name);
  }
  gen_line(writer, "const struct gmg_kernel_library *const %s[] = {%sNULL};", job->library, list);
}

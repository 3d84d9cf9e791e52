/* Reductions of a whole program in C: functions that return their values, to the last bit those of
 * solver/programs/value.c. */
#include "program.h"

/* The sums of solver/runtime/binned.c, in two passes: the first finds the largest term. */
static const char sums_text[] =
  "/* What a pass over all cells finds: the largest size of a term, and two sums of multiples of\n"
  " * quanta that the cuts say, which do not depend on the order of the terms. */\n"
  "struct pass {\n"
  "double cut[2];\n"
  "uint64_t bin[2];\n"
  "int64_t most;\n"
  "};\n"
  "\n"
  "static inline uint64_t bits_of(double x)\n"
  "{\n"
  "uint64_t bits;\n"
  "memcpy(&bits, &x, sizeof bits);\n"
  "return bits;\n"
  "}\n"
  "\n"
  "static inline double number_of(uint64_t bits)\n"
  "{\n"
  "double x;\n"
  "memcpy(&x, &bits, sizeof x);\n"
  "return x;\n"
  "}\n"
  "\n";

static const char cuts_text[] =
  "/* After the first pass: cuts for so many terms. Returns the power of two above all of them. "
  "*/\n"
  "static inline int make_cuts(const int cells[3], struct pass *pass)\n"
  "{\n"
  "const int64_t terms = (int64_t)cells[0] * cells[1] * cells[2];\n"
  "const double most = number_of((uint64_t)pass->most);\n"
  "int length = 2, exponent = most > 0 ? 1000 : -1000;\n"
  "while (length < 62 && (int64_t)1 << length < terms)\n"
  "length++;\n"
  "const int bits = length < 11 ? 51 : 62 - length;\n"
  "if (most > 0 && isfinite(most))\n"
  "frexp(most, &exponent);\n"
  "int e = exponent;\n"
  "for (int b = 0; b < 2; b++) {\n"
  "e += 52 - bits;\n"
  "e = e > 1000 ? 1000 : e < -1000 ? -1000 : e;\n"
  "pass->cut[b] = ldexp(1.5, e);\n"
  "e -= 53;\n"
  "}\n"
  "return exponent;\n"
  "}\n"
  "\n"
  "static inline double sum_of(const struct pass *pass)\n"
  "{\n"
  "const double small = ldexp(pass->cut[1] / 1.5, -52) * (double)(int64_t)pass->bin[1];\n"
  "return small + ldexp(pass->cut[0] / 1.5, -52) * (double)(int64_t)pass->bin[0];\n"
  "}\n"
  "\n";

static const char order_text[] =
  "/* An integer for each number, in their order: -0 below 0, NaN above all else; and back. */\n"
  "static inline int64_t order_of(double x)\n"
  "{\n"
  "const int64_t bits = (int64_t)bits_of(x);\n"
  "return isnan(x) ? INT64_MAX : bits < 0 ? bits ^ INT64_MAX : bits;\n"
  "}\n"
  "\n"
  "static inline double in_order(int64_t place)\n"
  "{\n"
  "return number_of((uint64_t)(place < 0 ? place ^ INT64_MAX : place));\n"
  "}\n"
  "\n";

static const char term_text[] = "const int64_t size = (int64_t)bits_of(fabs(term));\n"
                                "most = size > most ? size : most;\n"
                                "const double shifted = term + pass->cut[0];\n"
                                "bin0 += bits_of(shifted) - bits_of(pass->cut[0]);\n"
                                "term -= shifted - pass->cut[0];\n"
                                "bin1 += bits_of(term + pass->cut[1]) - bits_of(pass->cut[1]);";

static const char *head_of(const struct gen_program *program)
{
  return gen_text("const int cells[3], %s *const *array, const double *parameter",
                  program->type == GEN_FLOAT ? "float" : "double");
}

static void emit_pass(struct gen_writer *writer, const struct gen_program *program,
                      const struct gen_reduction *reduction, const struct gen_kernel *kernel,
                      bool threads)
{
  const bool sum = reduction->kind == GEN_REDUCTION_SUM;
  gen_line(writer,
           "static void pass_%s(%s, struct pass *pass)\n"
           "{\n"
           "const ptrdiff_t row = ROW, plane = PLANE, first = FIRST;",
           reduction->name, head_of(program));
  gen_emit_program_names(writer, program, &reduction->kernel, kernel);
  gen_line(writer,
           sum ? "uint64_t bin0 = 0, bin1 = 0;\n"
                 "int64_t most = 0;\n"
                 "(void)parameter;"
               : "int64_t most = INT64_MIN;\n"
                 "(void)parameter;");
  if (threads)
    gen_line(writer,
             "#pragma omp parallel for collapse(2) schedule(static) %sreduction(max : most)",
             sum ? "reduction(+ : bin0, bin1) " : "");
  gen_line(writer,
           "for (int k = 0; k < cells[2]; k++)\n"
           "for (int j = 0; j < cells[1]; j++)\n"
           "for (int i = 0; i < cells[0]; i++) {\n"
           "const ptrdiff_t at = i + j * row + k * plane;");
  const char *value = gen_program_value_text(program, kernel, kernel->statement[0].value);
  if (sum)
    gen_line(writer, "double term = %s;\n%s", value, term_text);
  else
    gen_line(writer,
             "const int64_t place = order_of(%s);\n"
             "most = place > most ? place : most;",
             value);
  gen_line(writer,
           "}\n"
           "%spass->most = most;\n"
           "}\n"
           "\n",
           sum ? "pass->bin[0] = bin0;\n"
                 "pass->bin[1] = bin1;\n"
               : "");
}

static void emit_value(struct gen_writer *writer, const struct gen_program *program,
                       const struct gen_reduction *reduction)
{
  const struct gen_program_kernel *bound = &reduction->kernel;
  gen_line(writer,
           "/* %s between two steps. Fills the ghosts that it reads. */\n"
           "double %s_value_%s(%s)\n"
           "{\n"
           "struct pass pass = {.most = 0};",
           reduction->name, program->name, reduction->name, head_of(program));
  for (int a = 0; a < bound->kernel->arrays; a++)
    if (gen_reads_neighbours(bound->kernel, a))
      gen_line(writer, "ghosts_%s(cells, array);", program->array[bound->array[a]].name);
  gen_line(writer, "pass_%s(cells, array, parameter, &pass);", reduction->name);
  if (reduction->kind == GEN_REDUCTION_SUM)
    gen_line(writer,
             "const double most = number_of((uint64_t)pass.most);\n"
             "const int exponent = make_cuts(cells, &pass);\n"
             "pass_%s(cells, array, parameter, &pass);\n"
             "return !isfinite(most) ? most : exponent > 900 ? INFINITY : sum_of(&pass);",
             reduction->name);
  else
    gen_line(writer, "return %sin_order(pass.most);",
             reduction->kind == GEN_REDUCTION_MIN ? "-" : "");
  gen_line(writer, "}\n\n");
}

void gen_emit_program_values(struct gen_writer *writer, const struct gen_program *program,
                             struct gen_kernel *const *kernel, bool threads)
{
  bool kinds[3] = {false};
  for (int r = 0; r < program->reductions; r++)
    kinds[program->reduction[r].kind] = true;
  if (program->reductions)
    gen_line(writer, "%s", sums_text);
  if (kinds[GEN_REDUCTION_SUM])
    gen_line(writer, "%s", cuts_text);
  if (kinds[GEN_REDUCTION_MIN] || kinds[GEN_REDUCTION_MAX])
    gen_line(writer, "%s", order_text);
  for (int r = 0; r < program->reductions; r++) {
    emit_pass(writer, program, &program->reduction[r], kernel[r], threads);
    emit_value(writer, program, &program->reduction[r]);
  }
}

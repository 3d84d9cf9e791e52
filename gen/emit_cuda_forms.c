/* Launch forms of CUDA kernels: how the positions of a box are spread over thread blocks. */
#include "emit.h"

/* The paper's form: thread blocks over i and j, each thread marching along k, here through a chunk of planes. */
static const struct cuda_form {
  const char *name, *comment;
  int block_i, block_j, rows, planes;
} forms[] = {
  {"march", "Thread blocks over i and j; each thread marches through PLANES planes along k.", 32, 8, 1, 8},
};

int gen_cuda_forms(const struct gen_unit *unit)
{
  (void)unit;
  return sizeof forms / sizeof *forms;
}

static void emit_shape(struct gen_writer *writer, const char *macro, int value)
{
  gen_line(writer, "#ifndef %s", macro);
  gen_line(writer, "#define %s %d", macro, value);
  gen_line(writer, "#endif");
}

void gen_emit_cuda_form(struct gen_session *session, struct gen_writer *writer, const struct gen_unit *unit, int form)
{
  const struct gen_schedule *schedule = unit->schedule;
  const struct cuda_form *f = &forms[form];
  const bool reduces = gen_finds_most(schedule);
  emit_shape(writer, "BLOCK_I", f->block_i);
  emit_shape(writer, "BLOCK_J", f->block_j);
  emit_shape(writer, "ROWS", f->rows);
  emit_shape(writer, "PLANES", f->planes);
  gen_line(writer, "/* %s */", f->comment);
  gen_line(writer, "extern \"C\" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J)");
  gen_line(writer, "%s_%s(const __grid_constant__ struct gmg_cuda_args args)", unit->symbol, f->name);
  gen_open(writer, "{");
  gen_line(writer, "const int i = (int)(blockIdx.x * BLOCK_I + threadIdx.x);");
  gen_line(writer, "const int j0 = (int)(blockIdx.y * BLOCK_J * ROWS + threadIdx.y);");
  gen_line(writer, "const int k0 = (int)(blockIdx.z * PLANES);");
  gen_line(writer, "const int end_i = %s;", gen_cuda_positions(session, schedule, "args.box.", GEN_I));
  gen_line(writer, "const int end_j = %s;", gen_cuda_positions(session, schedule, "args.box.", GEN_J));
  gen_line(writer, "const int end_k = gmg_least(k0 + PLANES, %s);",
           gen_cuda_positions(session, schedule, "args.box.", GEN_K));
  if (reduces)
    gen_line(writer, "struct gmg_partial partial = {};");
  gen_open(writer, "for (int k = k0; k < end_k; k++) {");
  gen_line(writer, "#pragma unroll");
  gen_open(writer, "for (int row = 0; row < ROWS; row++)");
  gen_line(writer, "if (i < end_i && j0 + row * BLOCK_J < end_j)");
  gen_line(writer, "  %s_cell(&args, i, j0 + row * BLOCK_J, k%s);", unit->symbol, reduces ? ", &partial" : "");
  gen_close(writer, NULL);
  gen_close(writer, "}");
  if (reduces)
    gen_line(writer, "gmg_add(args.reduction, &partial);");
  gen_close(writer, "}");
  gen_line(writer, "#undef BLOCK_I");
  gen_line(writer, "#undef BLOCK_J");
  gen_line(writer, "#undef ROWS");
  gen_line(writer, "#undef PLANES");
  gen_blank(writer);
}

void gen_emit_cuda_form_descriptor(struct gen_session *session, struct gen_writer *writer, const struct gen_unit *unit,
                                   int form)
{
  const struct cuda_form *f = &forms[form];
  (void)session;
  gen_line(writer, "{.name = \"%s\", .symbol = \"%s_%s\", .text = %s_text_%d, .shape = {%d, %d, %d, %d}},", f->name,
           unit->symbol, f->name, unit->symbol, form, f->block_i, f->block_j, f->rows, f->planes);
}

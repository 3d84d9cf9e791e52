/* The OpenMP back end of the compiler: one C function per scheduled kernel. */
#include "emit/emit.h"

#include <string.h>

static const enum gen_axis slow_axes[] = {GEN_K, GEN_J};
static const char axis_letter[] = "ijk";

static bool uses_scalar(const struct gen_schedule *schedule, int index)
{
  for (int n = 0; n < schedule->kernel->statements; n++)
    if (gen_reads_scalar(schedule->kernel->statement[n].value, index))
      return true;
  for (int n = 0; n < schedule->rows; n++)
    if (gen_reads_scalar(schedule->row[n].value, index))
      return true;
  return false;
}

void gen_prefix_names(struct gen_schedule *schedule)
{
  struct gen_kernel *kernel = schedule->kernel;
  for (int n = 0; n < kernel->arrays; n++) {
    kernel->array[n].given = kernel->array[n].name;
    if (!gen_is_row(schedule, n))
      kernel->array[n].name = gen_text("a_%s", kernel->array[n].name);
  }
  for (int n = 0; n < kernel->scalars; n++) {
    kernel->scalar[n].given = kernel->scalar[n].name;
    kernel->scalar[n].name = gen_text("s_%s", kernel->scalar[n].name);
  }
  for (int n = GEN_AXES; n < kernel->symbols; n++) {
    kernel->symbol[n].given = kernel->symbol[n].name;
    kernel->symbol[n].name = gen_text("s_%s", kernel->symbol[n].name);
  }
}

int gen_arguments(const struct gen_schedule *schedule,
                  struct gen_argument argument[GEN_MAX_SCALARS])
{
  const struct gen_kernel *kernel = schedule->kernel;
  const int symbol = gen_guard_symbol(&kernel->guard);
  int count = 0;
  for (int n = 0; n < kernel->scalars; n++)
    if (kernel->scalar[n].role == GEN_PARAMETER && uses_scalar(schedule, n))
      argument[count++] =
        (struct gen_argument){kernel->scalar[n].given, kernel->scalar[n].name, false};
  if (kernel->guard.kind != GEN_EVERYWHERE && kernel->guard.global)
    argument[count++] = (struct gen_argument){"colour", "colour", true};
  else if (kernel->guard.kind == GEN_PARITY && symbol >= 0)
    argument[count++] =
      (struct gen_argument){kernel->symbol[symbol].given, kernel->symbol[symbol].name, true};
  return count;
}

int gen_scalar_of_colour(const struct gen_schedule *schedule)
{
  struct gen_argument argument[GEN_MAX_SCALARS];
  const int last = gen_arguments(schedule, argument) - 1;
  return last >= 0 && argument[last].colour ? last : -1;
}

static void emit_fields(struct gen_emitter *emitter)
{
  int array[GEN_MAX_ARRAYS];
  const int count = gen_fields(emitter->schedule, array);
  for (int n = 0; n < count; n++) {
    const struct gen_array *a = &emitter->kernel->array[array[n]];
    const char *type =
      a->table ? "int" : gen_type_name(emitter->schedule->field_precision[array[n]]);
    gen_line(emitter->writer, "%s%s *const %s = args->field[%d][tile->box];",
             a->written ? "" : "const ", type, a->name, n);
  }
  if (gen_has_level(emitter->schedule, true))
    gen_line(emitter->writer,
             "const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];");
  if (emitter->schedule->layout == GEN_SPLIT)
    gen_line(emitter->writer, "const ptrdiff_t odd = box->odd;");
  if (emitter->schedule->layout == GEN_SPLIT && gen_has_level(emitter->schedule, false))
    gen_line(emitter->writer, "const ptrdiff_t other_odd = box->other_odd;");
  if (gen_has_level(emitter->schedule, false))
    gen_line(emitter->writer,
             "const ptrdiff_t other_stride_j = box->other_stride[0], other_stride_k = "
             "box->other_stride[1];");
}

void gen_emit_scalars(struct gen_emitter *emitter)
{
  struct gen_argument argument[GEN_MAX_SCALARS];
  const int count = gen_arguments(emitter->schedule, argument);
  const char *from = emitter->then ? "then" : "scalar";
  for (int n = 0; n < count; n++) {
    if (argument[n].colour && emitter->cuda && gen_cuda_by_parity(emitter->schedule))
      continue; /* only the parity depends on it */
    const enum gen_type precision = emitter->schedule->precision;
    const char *type = argument[n].colour ? "int" : gen_type_name(precision);
    gen_line(emitter->writer, "const %s %s = %sargs->%s[%d];", type, argument[n].name,
             argument[n].colour         ? "(int)"
               : precision == GEN_FLOAT ? "(float)"
                                        : "",
             from, n);
  }
}

/* The loops over j and k inside a tile: every row, or those of a lattice colour. */
static void emit_slow_loops(struct gen_emitter *emitter)
{
  const struct gen_guard *guard = &emitter->kernel->guard;
  struct gen_writer *writer = emitter->writer;
  for (int n = 0; n < 2; n++) {
    const enum gen_axis axis = slow_axes[n];
    const char c = axis_letter[axis];
    const char *end = gen_text("tile->%c1", c);
    if (guard->kind == GEN_LATTICE && guard->modulus[axis] > 1) {
      const int divisor = axis == GEN_J ? guard->modulus[0] : guard->modulus[0] * guard->modulus[1];
      gen_line(writer,
               "for (int %c = tile->%c0 + gmg_first(box->lower[%d] + tile->%c0, colour / %d %% %d, "
               "%d); %c < %s; %c += %d) {",
               c, c, (int)axis, c, divisor, guard->modulus[axis], guard->modulus[axis], c, end, c,
               guard->modulus[axis]);
    } else {
      gen_line(writer, "for (int %c = tile->%c0; %c < %s; %c++) {", c, c, c, end, c);
    }
  }
  gen_line(writer, "gmg_fetch(tile->ahead);");
}

static void emit_lanes_end(struct gen_writer *writer)
{
  gen_line(writer,
           "for (int lane = 0; lane < GMG_LANES; lane++) {\n"
           "total->bin[0] += bin0[lane];\n"
           "total->bin[1] += bin1[lane];\n"
           "total->most = most_of[lane] > total->most ? most_of[lane] : total->most;\n"
           "}\n"
           "total->bin[0] -= terms * gmg_bits(cut0);\n"
           "total->bin[1] -= terms * gmg_bits(cut1);");
}

static void emit_reduction_end(struct gen_emitter *emitter, bool sum, bool most)
{
  struct gen_writer *writer = emitter->writer;
  const struct gen_kernel *kernel = emitter->kernel;
  const bool counted = kernel->guard.kind == GEN_EVERYWHERE;
  const int extra = gen_loop_extra(kernel, GEN_I);
  gen_line(writer, "struct gmg_reduction *const total = &args->reduction[thread];");
  int norms = 0;
  for (int n = 0; n < kernel->statements; n++)
    norms += kernel->statement[n].kind == GEN_NORM;
  if (sum && counted)
    gen_line(writer,
             "const uint64_t terms = (uint64_t)(tile->k1 - tile->k0) * (uint64_t)(tile->j1 - "
             "tile->j0) * (uint64_t)%s;",
             norms     ? gen_text("(%d * box->other_cells[0])", norms)
               : extra ? gen_text("(box->cells[0] + %d)", extra)
                       : "box->cells[0]");
  if (gen_in_lanes(emitter->schedule)) {
    emit_lanes_end(writer);
    return;
  }
  for (int b = 0; sum && b < gen_bins(emitter->schedule); b++)
    gen_line(writer,
             counted ? "total->bin[%d] += bin%d - terms * gmg_bits(cut%d);"
                     : "total->bin[%d] += bin%d;",
             b, b, b);
  if (!most)
    return;
  if (gen_most_in_single(emitter->schedule))
    gen_line(writer, "const int64_t largest = gmg_size(gmg_sized_single(most_of));");
  gen_line(writer, "total->most = %s > total->most ? %s : total->most;",
           gen_most_in_single(emitter->schedule) ? "largest" : "most_of",
           gen_most_in_single(emitter->schedule) ? "largest" : "most_of");
}

/* Whether no statement before the n-th stores in its array. */
static bool is_first(const struct gen_kernel *kernel, int n)
{
  for (int m = 0; m < n; m++)
    if (kernel->statement[m].kind == GEN_STORE
        && kernel->statement[m].target.array == kernel->statement[n].target.array)
      return false;
  return true;
}

/* Of a tile, parts of rows that are kept until they are stored past the caches. */
static void emit_streams(struct gen_emitter *emitter)
{
  struct gen_writer *writer = emitter->writer;
  const struct gen_kernel *kernel = emitter->kernel;
  const char *type = gen_real(emitter->schedule);
  struct gen_emitter inside = *emitter;
  struct gen_names declared = {0};
  inside.kept = true;
  gen_line(writer,
           "if (args->stream) {\n"
           "enum { kept = GMG_STREAM_BYTES / sizeof(%s) };",
           type);
  for (int n = 0; n < kernel->arrays; n++)
    if (kernel->array[n].written)
      gen_line(writer, "%s kept_%s[kept] __attribute__((aligned(64)));", type,
               kernel->array[n].name);
  emit_slow_loops(emitter);
  gen_declare_statements(emitter, &declared);
  gen_line(writer,
           "for (int from = 0; from < box->cells[0]; from += kept) {\n"
           "const int to = from + kept < box->cells[0] ? from + kept : box->cells[0];");
  gen_emit_loop(&inside, "for (int i = from; i < to; i++) {");
  for (int n = 0; n < kernel->statements; n++)
    if (kernel->statement[n].kind == GEN_STORE && is_first(kernel, n))
      gen_line(writer, "gmg_stream(%s + from, kept_%s, (size_t)(to - from) * sizeof(%s));",
               gen_row_name(emitter, &kernel->statement[n].target),
               kernel->array[kernel->statement[n].target.array].name, type);
  gen_line(writer,
           "}\n"
           "}\n"
           "}\n"
           "gmg_streamed();\n"
           "return;\n"
           "}");
}

/* The function that visits one tile. */
static void emit_tile(struct gen_emitter *emitter)
{
  struct gen_writer *writer = emitter->writer;
  const bool buffers = emitter->schedule->rows > 0 || emitter->lines->count > 0;
  const bool sum = gen_reduces(emitter->schedule, GEN_SUM),
             most = gen_finds_most(emitter->schedule);
  gen_line(writer,
           "static void %s_tile(const struct gmg_kernel_args *args, const struct gmg_tile *tile, "
           "int thread)\n"
           "{",
           emitter->symbol);
  gen_emit_scalars(emitter);
  if (sum)
    gen_line(writer, "const double cut0 = args->reduction->cut[0]%s;",
             gen_bins(emitter->schedule) > 1 ? ", cut1 = args->reduction->cut[1]" : "");
  gen_line(writer, "const struct gmg_kernel_box *const box = &args->box[tile->box];");
  emit_fields(emitter);
  if (buffers)
    gen_emit_scratch(emitter);
  else if (!sum && !most)
    gen_line(writer, "(void)thread;");
  const bool lanes = gen_in_lanes(emitter->schedule);
  if (sum)
    gen_line(writer,
             lanes ? "uint64_t bin0[GMG_LANES] = {0}, bin1[GMG_LANES] = {0};"
               : gen_bins(emitter->schedule) > 1 ? "uint64_t bin0 = 0, bin1 = 0;"
                                                 : "uint64_t bin0 = 0;");
  if (lanes)
    gen_line(writer, "int64_t most_of[GMG_LANES] = {0};");
  else if (most)
    gen_line(writer, "%s most_of = %s;",
             gen_most_in_single(emitter->schedule) ? "int32_t" : "int64_t",
             gen_reduces(emitter->schedule, GEN_LARGEST) ? "INT64_MIN" : "0");
  if (emitter->unit->streams && !buffers)
    emit_streams(emitter);
  if (gen_in_runs(emitter->schedule)) {
    gen_emit_runs(emitter);
  } else {
    emit_slow_loops(emitter);
    gen_emit_row(emitter);
    gen_line(writer,
             "}\n"
             "}");
  }
  if (sum || most)
    emit_reduction_end(emitter, sum, most);
  gen_line(writer, "}\n\n");
}

void gen_emit_openmp(struct gen_writer *writer, const struct gen_unit *unit)
{
  struct gen_line_sets sets = {.others = 0};
  struct gen_emitter emitter = {.unit = unit,
                                .symbol = unit->symbol,
                                .schedule = unit->schedule,
                                .kernel = unit->schedule->kernel,
                                .writer = writer,
                                .lines = &sets.own,
                                .line_sets = &sets};
  gen_find_lines(unit->schedule, &sets);
  gen_emit_comment(writer, unit->comment);
  gen_line(writer, " * From %s; per cell %g flops, %g compulsory bytes. */", unit->source,
           unit->flops, unit->reals * gen_real_bytes(unit->schedule));
  emit_tile(&emitter);
  gen_line(
    writer,
    "static void %s(const struct gmg_kernel_args *args)\n"
    "{\n"
    "#pragma omp parallel for schedule(static) num_threads(args->threads) if (args->threads > 1)\n"
    "for (int t = 0; t < args->tiles; t++)\n"
    "%s_tile(args, &args->tile[t], omp_get_thread_num());\n"
    "}\n"
    "\n",
    unit->symbol, unit->symbol);
}

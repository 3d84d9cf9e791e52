/* SYMBOL_march and SYMBOL_linear, whose threads keep nothing between positions: how the positions
 * of a box are spread over thread blocks. */
#include "emit/emit.h"

/* Residuals are restricted from four rows of children, of which a thread that marches along k has
 * read none before. */
static void emit_ahead(struct gen_emitter *emitter)
{
  const struct gen_schedule *schedule = emitter->schedule;
  const struct gen_kernel *kernel = schedule->kernel;
  struct gen_writer *writer = emitter->writer;
  const struct gen_finer *finer = &emitter->unit->cuda->finer;
  const bool split = schedule->layout == GEN_SPLIT;
  gen_line(writer,
           "/* Asks for what cell (i, j, k) of a paired box will read: its children, and the "
           "plane above them for neighbours. */");
  gen_open_cuda(emitter, "void", "ahead", "int i, int j, int k");
  gen_emit_cuda_box(emitter, GEN_READS);
  gen_line(writer, "const ptrdiff_t first = %s;", split ? "i" : "2 * i");
  for (int n = 0; n < finer->arrays; n++) {
    const char *name = kernel->array[finer->array[n]].name;
    gen_line(writer, "if (%s.leads(first)) {", name);
    for (int k = 0; k < finer->tables[GEN_K]; k++)
      for (int j = 0; j < finer->tables[GEN_J]; j++) {
        const char *at = gen_text("%s[j] * other_stride_j + %s[k] * other_stride_k%s",
                                  kernel->array[finer->table[GEN_J][j]].name,
                                  kernel->array[finer->table[GEN_K][k]].name,
                                  finer->above[n] ? " + other_stride_k" : "");
        gen_line(writer, "%s.ahead(%s + first);", name, at);
        if (split)
          gen_line(writer, "%s.ahead(%s + other_odd + first);", name, at);
      }
    gen_line(writer, "}");
  }
  gen_line(writer, "}\n\n");
}

static void emit_phase(struct gen_emitter *emitter, const char *planes, const char *call,
                       bool pairs)
{
  gen_line(emitter->writer,
           "#pragma unroll\n"
           "for (int m = %s; m++)%s",
           planes, pairs ? " {" : "");
  if (pairs)
    gen_line(emitter->writer,
             "#pragma unroll\n"
             "for (int p = 0; p < 2; p++)");
  gen_line(emitter->writer, "%s", call);
  if (pairs)
    gen_line(emitter->writer, "}");
}

static void emit_phases(struct gen_emitter *emitter, const char *parity)
{
  const bool pairs = gen_cuda_in_pairs(emitter->schedule);
  const char *where = pairs ? "i, j, k0 + m, p" : gen_text("i, j, k0 + m%s", parity);
  const char *in = pairs ? "in[m - n][p]" : "in[m - n]";
  gen_line(emitter->writer,
           "#pragma unroll 1\n"
           "for (int n = 0; n < PLANES; n += UNROLL) {\n"
           "struct %s_parts in[UNROLL]%s;",
           emitter->symbol, pairs ? "[2]" : "");
  if (emitter->unit->cuda->phases > 2) {
    gen_line(emitter->writer, "if (n + UNROLL < PLANES) {");
    emit_phase(emitter, "n + UNROLL; m < n + 2 * UNROLL",
               gen_text("%s_ahead(&args, %s);", emitter->symbol, where), pairs);
    gen_line(emitter->writer, "}");
  }
  emit_phase(emitter, "n; m < n + UNROLL",
             gen_text("%s = %s_prepare(&args, %s);", in, emitter->symbol, where), pairs);
  emit_phase(emitter, "n; m < n + UNROLL",
             gen_text("%s_finish(&args, %s, %s%s);", emitter->symbol, where, in,
                      gen_finds_most(emitter->schedule) ? ", &partial" : ""),
             pairs);
  gen_line(emitter->writer, "}");
}

/* PLANES planes, all of them there: their number is known, so that the loads of several can be
 * under way at once. */
static void emit_whole(struct gen_emitter *emitter, const char *parity, const char *more)
{
  struct gen_writer *writer = emitter->writer;
  if (emitter->unit->cuda->phases) {
    emit_phases(emitter, parity);
    return;
  }
  const bool ahead = emitter->unit->cuda->asks_ahead;
  gen_line(writer,
           "#pragma unroll UNROLL\n"
           "for (int n = 0; n < PLANES; n++)%s",
           ahead ? " {" : "");
  if (ahead)
    gen_line(writer,
             "if (n + 1 < PLANES)\n"
             "%s_ahead(&args, i, j, k0 + n + 1);",
             emitter->symbol);
  gen_line(writer, "%s_cell(&args, i, j, k0 + n%s%s%s);", emitter->symbol, parity, more,
           gen_finds_most(emitter->schedule) ? ", &partial" : "");
  if (ahead)
    gen_line(writer, "}");
}

/* Any planes in turn. Where they are long, what they read is not known before: registers would hold
 * what only this needs. */
static void emit_rest(struct gen_emitter *emitter)
{
  struct gen_writer *writer = emitter->writer;
  const bool parity = gen_cuda_by_parity(emitter->schedule), late = emitter->unit->cuda->late;
  const char *at = late ? "at" : "i", *row = late ? "row" : "j";
  gen_line(writer,
           "#pragma unroll 1\n"
           "for (int k = k0; k < end_k; k++)%s",
           late ? " {" : "");
  if (late)
    gen_line(writer, "const int at = gmg_after(i, (double)k), row = gmg_after(j, (double)k);");
  gen_line(writer, "%s_cell(&args, %s, %s, k%s%s%s);", emitter->symbol, at, row,
           parity ? gen_text(", %s_parity(&args, %s, k)", emitter->symbol, row) : "",
           gen_cuda_more(emitter, "args.box.", at),
           gen_finds_most(emitter->schedule) ? ", &partial" : "");
  if (late)
    gen_line(writer, "}");
}

/* Along k; the common case by itself, with what is known of it, so that all that does not depend on
 * k is worked out once. */
static void emit_marches(struct gen_emitter *emitter)
{
  const struct gen_schedule *schedule = emitter->schedule;
  struct gen_writer *writer = emitter->writer;
  const struct gen_cuda_schedule *cuda = emitter->unit->cuda;
  const bool pairs = gen_cuda_in_pairs(schedule), paired = gen_cuda_knows_paired(schedule),
             by_parity = gen_cuda_by_parity(schedule);
  const int extra = gen_loop_extra(schedule->kernel, GEN_I);
  const char *condition = "k0 + PLANES == end_k", *n = cuda->phases ? "m" : "n", *parity = "";
  if (pairs || by_parity)
    condition = gen_text("%s && 2 * i + 1 < args.box.cells[0]%s", condition, extra ? " + 1" : "");
  if (paired)
    condition = gen_text("%s && args.box.paired == 1", condition);
  if (cuda->phases)
    condition = gen_text("%s && PLANES %% UNROLL == 0", condition);
  if (cuda->by_start) { /* the parity is known in the text: it tells where all loads are */
    gen_line(writer, "if (%s && %s_parity(&args, j, k0) == 0) {", condition, emitter->symbol);
    emit_whole(emitter, gen_text(", %s & 1", n), "");
    gen_line(writer, "} else if (%s) {", condition);
    emit_whole(emitter, gen_text(", (%s + 1) & 1", n), "");
  } else {
    if (by_parity)
      parity = gen_text(", %s_parity(&args, j, k0 + %s)", emitter->symbol, n);
    gen_line(writer, "if (%s) {", condition);
    emit_whole(emitter, parity, gen_text("%s%s", pairs ? ", 2" : "", paired ? ", true" : ""));
  }
  gen_line(writer, "} else {");
  emit_rest(emitter);
  gen_line(writer, "}");
}

/* Blocks start in the order of their numbers. */
static void emit_first_plane(struct gen_emitter *emitter)
{
  if (emitter->unit->cuda->alternates) {
    gen_line(emitter->writer,
             "const bool back = (int)args.scalar[%d] & 1;\n"
             "const int k0 = (back ? block.blocks_k - 1 - block.k : block.k) * PLANES;",
             gen_scalar_of_colour(emitter->schedule));
  } else {
    gen_line(emitter->writer, "const int k0 = block.k * PLANES;");
  }
}

static int count_fields(const struct gen_emitter *emitter)
{
  int array[GEN_MAX_ARRAYS];
  return gen_fields(emitter->schedule, array);
}

void gen_emit_cuda_open(struct gen_emitter *emitter, const char *form)
{
  gen_line(emitter->writer,
           "extern \"C\" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)\n"
           "%s_%s(const __grid_constant__ struct gmg_cuda_args launch)\n"
           "{",
           emitter->symbol, form);
}

/* The box that a thread block is of, and its place there: as templates of the other forms have it.
 */
void gen_emit_cuda_block(struct gen_emitter *emitter, const char *const positions[3])
{
  gen_line(emitter->writer,
           "#ifdef MANY\n"
           "struct gmg_cuda_args args;\n"
           "gmg_take_box<%d>(&args, &launch);\n"
           "const int blocks_i = gmg_blocks(%s, BLOCK_I);\n"
           "const int blocks_j = gmg_blocks(%s, BLOCK_J * ROWS);\n"
           "const int blocks_k = gmg_blocks(%s, PLANES);\n"
           "const struct gmg_block block = gmg_block_of(&launch, blocks_i, blocks_j, blocks_k);\n"
           "if (block.k >= blocks_k)\n"
           "return;\n"
           "#else\n"
           "const struct gmg_cuda_args &args = launch;\n"
           "const struct gmg_block block = {(int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, "
           "(int)gridDim.z};\n"
           "#endif",
           count_fields(emitter), positions[0], positions[1], positions[2]);
}

/* Thread blocks over the positions of a box, one row after the other. */
void gen_emit_cuda_linear(struct gen_emitter *emitter)
{
  gen_line(emitter->writer,
           "/* Thread blocks over all positions in turn; each thread visits PLANES of them. */");
  gen_emit_cuda_open(emitter, "linear");
  gen_line(emitter->writer,
           "#ifdef MANY\n"
           "struct gmg_cuda_args args;\n"
           "gmg_take_box<%d>(&args, &launch);\n"
           "const int block = (int)(blockIdx.x %% (unsigned)launch.each), blocks = launch.each;\n"
           "#else\n"
           "const struct gmg_cuda_args &args = launch;\n"
           "const int block = (int)blockIdx.x, blocks = (int)gridDim.x;\n"
           "#endif\n"
           "const int thread = (int)(threadIdx.y * BLOCK_I + threadIdx.x);\n"
           "%s_cells(&args, block * (BLOCK_I * BLOCK_J) + thread, blocks * (BLOCK_I * BLOCK_J));\n"
           "}",
           count_fields(emitter), emitter->symbol);
}

/* The head of SYMBOL_march, and what part of the box its threads visit. */
static void emit_head(struct gen_emitter *emitter)
{
  const char *const positions[] = {gen_cuda_positions(emitter->schedule, "args.box.", GEN_I),
                                   gen_cuda_positions(emitter->schedule, "args.box.", GEN_J),
                                   gen_cuda_positions(emitter->schedule, "args.box.", GEN_K)};
  gen_emit_cuda_open(emitter, "march");
  gen_emit_cuda_block(emitter, positions);
  gen_line(emitter->writer,
           "const int i = block.i * BLOCK_I + (int)threadIdx.x;\n"
           "const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;");
  emit_first_plane(emitter);
  gen_line(emitter->writer,
           "const int end_i = %s;\n"
           "const int end_j = gmg_least(j0 + BLOCK_J * ROWS, %s);\n"
           "const int end_k = gmg_least(k0 + PLANES, %s);",
           positions[0], positions[1], positions[2]);
}

void gen_emit_cuda_march(struct gen_emitter *emitter)
{
  struct gen_writer *writer = emitter->writer;
  if (emitter->unit->cuda->asks_ahead)
    emit_ahead(emitter);
  gen_emit_cuda_images(emitter, "images");
  gen_line(writer,
           "/* Thread blocks over i and j; each thread marches through PLANES planes along k. */");
  emit_head(emitter);
  gen_emit_cuda_sums_begin(writer, emitter->schedule);
  gen_line(writer, "for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {");
  emit_marches(emitter);
  gen_emit_cuda_images_calls(emitter);
  gen_line(writer, "}");
  gen_emit_cuda_sums_end(writer, emitter->schedule, "args.");
  gen_line(writer, "}");
}

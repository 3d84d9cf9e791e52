/* Launch forms of CUDA kernels: how the positions of a box are spread over thread blocks. */
#include "emit/emit.h"

enum form { MARCH, QUEUE, BETWEEN, AROUND, LINEAR };
enum { MANY_FLOPS = 60, VERY_MANY_FLOPS = 500 };
enum { MANY_STORED = 12, FEW_REALS = 25, MANY_REALS = 45 };

static const char *const form_name[] = {"march", "queue", "between", "around", "linear"};

static bool restricts(const struct gen_unit *unit)
{
  return (unit->role == GEN_ROLE_RESIDUAL_RESTRICT || unit->role == GEN_ROLE_RESTRICT_NORM)
    && unit->flops < VERY_MANY_FLOPS;
}

/* Where a cell moves few bytes for what it computes, too few would be under way otherwise. */
static bool asks_ahead(const struct gen_unit *unit)
{
  return restricts(unit)
    && (unit->role == GEN_ROLE_RESTRICT_NORM ? unit->reals <= FEW_REALS : unit->reals < FEW_REALS);
}

/* Blocks with one row a thread. */
static struct gen_cuda_shape shape(int block_i, int block_j, int planes, int unroll, int blocks)
{
  return (struct gen_cuda_shape){block_i, block_j, 1, planes, unroll, blocks};
}

/* Without a norm more residuals are under way at once, and two blocks have the registers. */
static struct gen_cuda_shape shape_of_restriction(const struct gen_unit *unit)
{
  if (unit->role == GEN_ROLE_RESTRICT_NORM || unit->reals < FEW_REALS)
    return shape(32, 4, 8, 1, 3);
  return unit->reals > MANY_REALS ? shape(32, 4, 4, 1, 2) : shape(32, 4, 8, 1, 2);
}

static bool divides(const struct gen_unit *unit)
{
  const struct gen_kernel *kernel = unit->schedule->kernel;
  for (int n = 0; n < kernel->statements; n++)
    if (gen_cuda_divides(kernel->statement[n].value))
      return true;
  return false;
}

/* Defaults as an H200 timed them at 256³ and 512³, of those whose registers are not spilled.
 * Several planes at once, with all the registers that there are, keep the memory busy where nothing
 * that is written is read; sums and interpolation want threads. */
static struct gen_cuda_shape shape_of(const struct gen_unit *unit, enum form form)
{
  if (form == BETWEEN)
    return shape(128, 2, 64, 1, 4);
  if (form == AROUND)
    return shape(32, 4, 32, 1, 3);
  if (form == QUEUE)
    return shape(32, 8, 32, 1, 3);
  if (unit->schedule->kernel->guard.both) /* of many flops */
    return shape(128, 1, 1, 1, unit->schedule->precision == GEN_FLOAT ? 4 : 3);
  if (form == LINEAR)
    return shape(256, 1, 2, 1, 4);
  if (restricts(unit))
    return shape_of_restriction(unit);
  const bool many = unit->flops > MANY_FLOPS, reduces = gen_finds_most(unit->schedule),
             single = unit->schedule->precision == GEN_FLOAT;
  if (many && unit->reals >= MANY_STORED && !unit->schedule->rows) /* registers are rare there */
    return reduces ? shape(32, 8, 8, 1, 1) : shape(32, 4, 8, 1, single ? 4 : 3);
  if (gen_cuda_in_phases(unit->schedule)
      && (gen_is_gauss_seidel(unit->role) || gen_is_from_zero(unit->role)))
    return unit->reals <= 3 ? shape(32, 8, single ? 16 : 8, 2, 3)
      : unit->reals <= 4    ? shape(32, 4, single ? 2 : 4, 2, 6)
                            : shape(32, 8, 2, 2, 2);
  if (gen_cuda_in_phases(unit->schedule) && reduces)
    return shape(32, 8, 8, unit->role == GEN_ROLE_RESIDUAL_NORM && unit->reals > 2 ? 4 : 2, 2);
  for (int n = 0; n < unit->schedule->rows; n++)
    if (unit->schedule->row[n].level == GEN_FINER && reduces)
      return shape(32, 8, 8, 1, 1);
    else if (unit->schedule->row[n].level == GEN_COARSER)
      return shape(32, 8, many ? 8 : 32, 1, many ? 1 : 4);
  if (unit->schedule->rows) /* divisions want registers */
    return shape(32, 8, 8, 1, many ? 1 : divides(unit) ? 2 : 4);
  if (unit->role == GEN_ROLE_AS_WRITTEN)
    return reduces                           ? shape(32, 8, 32, 1, 4)
      : unit->wide                           ? shape(32, 8, 8, 8, 2)
      : gen_has_level(unit->schedule, false) ? shape(128, 2, 2, 2, 4)
                                             : shape(64, 4, 2, 2, 4);
  if (many)
    return shape(32, 8, 8, 1, 1);
  if (unit->role == GEN_ROLE_CHEBYSHEV || unit->role == GEN_ROLE_INVERSE_DIAGONAL)
    return shape(32, 8, 1, 1, 1);
  if (unit->reals <= 5)
    return unit->role == GEN_ROLE_JACOBI ? shape(32, 4, 2, 2, 6)
      : unit->reals <= 3                 ? shape(32, 4, 2, 2, 5)
                                         : shape(32, 8, 2, 2, 2);
  return reduces ? shape(32, 8, 32, 1, 4) : shape(32, 8, 8, 4, 1);
}

/* Whether each cell's value comes from a place that three tables name, one along each axis, which
 * hold nothing in particular: what moves values between boxes, in blocks that may be thin. */
static bool moves(const struct gen_unit *unit)
{
  const struct gen_kernel *kernel = unit->schedule->kernel;
  int tables = 0, without_rule = 0;
  for (int n = 0; n < kernel->arrays; n++) {
    tables += kernel->array[n].table;
    without_rule += kernel->array[n].table && kernel->array[n].rule == GEN_NO_RULE;
  }
  return unit->role == GEN_ROLE_AS_WRITTEN && !gen_finds_most(unit->schedule) && tables == 3
    && without_rule == tables;
}

/* The forms of a kernel, the default first. */
static int list_forms(const struct gen_unit *unit, enum form list[2])
{
  const bool between = gen_cuda_between(unit->schedule);
  if (moves(unit) || unit->schedule->kernel->guard.both) {
    list[0] = LINEAR;
    return 1;
  }
  const bool around = gen_cuda_around(unit->schedule);
  list[0] = between ? BETWEEN : around ? AROUND : MARCH;
  list[1] = between || around ? MARCH : QUEUE;
  return between || around || gen_cuda_queued(unit) >= 0 ? 2 : 1;
}

int gen_cuda_forms(const struct gen_unit *unit)
{
  enum form list[2];
  return list_forms(unit, list);
}

static enum form form_of(const struct gen_unit *unit, int place)
{
  enum form list[2];
  list_forms(unit, list);
  return list[place];
}

/* Thread blocks that must find registers in a launch on many boxes, where the box's arguments take
 * some: so few that none spill. */
static int many_blocks(const struct gen_unit *unit, const struct gen_cuda_shape *of)
{
  if (of->blocks == 2 && gen_finds_most(unit->schedule))
    return 1;
  return of->blocks - (of->blocks > 2) - (of->blocks > 3);
}

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

/* PLANES planes, all of them there: their number is known, so that the loads of several can be
 * under way at once. */
static void emit_whole(struct gen_emitter *emitter, const char *parity, const char *more)
{
  struct gen_writer *writer = emitter->writer;
  if (gen_cuda_in_phases(emitter->schedule)) {
    gen_emit_cuda_planes_in_phases(emitter, parity);
    return;
  }
  const bool ahead = asks_ahead(emitter->unit);
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
  const bool parity = gen_cuda_by_parity(emitter->schedule), late = restricts(emitter->unit);
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
  const bool pairs = gen_cuda_in_pairs(schedule), paired = gen_cuda_knows_paired(schedule),
             by_parity = gen_cuda_by_parity(schedule),
             alternates = by_parity && schedule->kernel->guard.global;
  const int extra = gen_loop_extra(schedule->kernel, GEN_I);
  const char *condition = "k0 + PLANES == end_k", *parity = "";
  if (pairs || by_parity)
    condition = gen_text("%s && 2 * i + 1 < args.box.cells[0]%s", condition, extra ? " + 1" : "");
  if (paired)
    condition = gen_text("%s && args.box.paired == 1", condition);
  if (gen_cuda_in_phases(schedule))
    condition = gen_text("%s && PLANES %% UNROLL == 0", condition);
  if (alternates) { /* known in the text: it tells where all loads are */
    gen_line(writer, "if (%s && %s_parity(&args, j, k0) == 0) {", condition, emitter->symbol);
    emit_whole(emitter, gen_cuda_in_phases(schedule) ? ", m & 1" : ", n & 1", "");
    gen_line(writer, "} else if (%s) {", condition);
    emit_whole(emitter, gen_cuda_in_phases(schedule) ? ", (m + 1) & 1" : ", (n + 1) & 1", "");
  } else {
    parity = by_parity ? gen_text(", %s_parity(&args, j, k0 + %s)", emitter->symbol,
                                  gen_cuda_in_phases(schedule) ? "m" : "n")
                       : "";
    gen_line(writer, "if (%s) {", condition);
    emit_whole(emitter, parity, gen_text("%s%s", pairs ? ", 2" : "", paired ? ", true" : ""));
  }
  gen_line(writer, "} else {");
  emit_rest(emitter);
  gen_line(writer, "}");
}

/* Faster on an H200 for all but those that move four values per cell: the loads of those are then
 * in a worse order. */
bool gen_cuda_alternates(const struct gen_unit *unit)
{
  return gen_is_gauss_seidel(unit->role) && gen_cuda_in_phases(unit->schedule)
    && (unit->reals <= 3 || unit->reals > 4);
}

/* Blocks start in the order of their numbers. */
static void emit_first_plane(struct gen_emitter *emitter)
{
  if (gen_cuda_alternates(emitter->unit)) {
    gen_line(emitter->writer,
             "const bool back = (int)args.scalar[%d] & 1;\n"
             "const int k0 = (back ? block.blocks_k - 1 - block.k : block.k) * PLANES;",
             gen_scalar_of_colour(emitter->schedule));
  } else {
    gen_line(emitter->writer, "const int k0 = block.k * PLANES;");
  }
}

static const char *positions(const struct gen_emitter *emitter, enum gen_axis axis)
{
  return gen_cuda_positions(emitter->schedule, "args.box.", axis);
}

static int count_fields(const struct gen_emitter *emitter)
{
  int array[GEN_MAX_ARRAYS];
  return gen_fields(emitter->schedule, array);
}

static void emit_open(struct gen_emitter *emitter, enum form form)
{
  gen_line(emitter->writer,
           "extern \"C\" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)\n"
           "%s_%s(const __grid_constant__ struct gmg_cuda_args launch)\n"
           "{",
           emitter->symbol, form_name[form]);
}

/* The box that a thread block is of, and its place there: as templates of the other forms have it.
 */
static void emit_block(struct gen_emitter *emitter)
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
           count_fields(emitter), positions(emitter, GEN_I), positions(emitter, GEN_J),
           positions(emitter, GEN_K));
}

/* Thread blocks over the positions of a box, one row after the other. */
static void emit_linear(struct gen_emitter *emitter)
{
  gen_line(emitter->writer,
           "/* Thread blocks over all positions in turn; each thread visits PLANES of them. */");
  emit_open(emitter, LINEAR);
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
  emit_open(emitter, MARCH);
  emit_block(emitter);
  gen_line(emitter->writer,
           "const int i = block.i * BLOCK_I + (int)threadIdx.x;\n"
           "const int j0 = block.j * BLOCK_J * ROWS + (int)threadIdx.y;");
  emit_first_plane(emitter);
  gen_line(emitter->writer,
           "const int end_i = %s;\n"
           "const int end_j = gmg_least(j0 + BLOCK_J * ROWS, %s);\n"
           "const int end_k = gmg_least(k0 + PLANES, %s);",
           positions(emitter, GEN_I), positions(emitter, GEN_J), positions(emitter, GEN_K));
}

void gen_emit_cuda_form(struct gen_writer *writer, const struct gen_unit *unit, int place)
{
  const enum form form = form_of(unit, place);
  const struct gen_cuda_shape of = shape_of(unit, form);
  struct gen_emitter emitter = gen_cuda_emitter(writer, unit);
  if (form == BETWEEN) {
    gen_emit_cuda_between(&emitter, &of);
    return;
  }
  if (form == AROUND) {
    gen_emit_cuda_around(&emitter, &of);
    return;
  }
  if (form == QUEUE) {
    gen_emit_cuda_queue(&emitter, &of);
    return;
  }
  gen_emit_cuda_shape(writer, &of);
  if (form == LINEAR) {
    emit_linear(&emitter);
    gen_emit_cuda_shape_end(writer);
    return;
  }
  if (asks_ahead(unit))
    gen_emit_cuda_ahead_finer(&emitter);
  gen_emit_cuda_images(&emitter);
  gen_line(writer,
           "/* Thread blocks over i and j; each thread marches through PLANES planes along k. */");
  emit_head(&emitter);
  gen_emit_cuda_sums_begin(writer, unit->schedule);
  gen_line(writer, "for (int j = j0; i < end_i && j < end_j; j += BLOCK_J) {");
  emit_marches(&emitter);
  gen_emit_cuda_images_calls(&emitter);
  gen_line(writer, "}");
  gen_emit_cuda_sums_end(writer, unit->schedule, "args.");
  gen_line(writer, "}");
  gen_emit_cuda_shape_end(writer);
}

void gen_emit_cuda_form_descriptor(struct gen_writer *writer, const struct gen_unit *unit,
                                   int place)
{
  const enum form form = form_of(unit, place);
  const struct gen_cuda_shape of = shape_of(unit, form);
  gen_line(
    writer,
    "{.name = \"%s\", .symbol = \"%s_%s\", .text = %s_text_%d, .shape = {%d, %d, %d, %d, %d, %d}, "
    ".linear = %d, .many_blocks = %d},",
    form_name[form], unit->symbol, form_name[form], unit->symbol, place, of.block_i, of.block_j,
    of.rows, of.planes, of.unroll, of.blocks, form == LINEAR, many_blocks(unit, &of));
}

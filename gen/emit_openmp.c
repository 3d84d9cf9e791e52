/* The OpenMP back end of the compiler: one C function per scheduled kernel. */
#include "emit.h"

#include <string.h>

static const enum gen_axis slow_axes[] = {GEN_K, GEN_J};
static const char axis_letter[] = "ijk";

int gen_fields(const struct gen_schedule *schedule, int array[GEN_MAX_ARRAYS])
{
  int count = 0;
  for (int n = 0; n < schedule->kernel->arrays; n++)
    if ((schedule->kernel->array[n].read || schedule->kernel->array[n].written) && !gen_is_row(schedule, n))
      array[count++] = n;
  return count;
}

static bool reads_scalar(const struct gen_expr *expr, int index)
{
  if (expr->kind == GEN_SCALAR && expr->scalar == index)
    return true;
  for (int n = 0; n < gen_arity(expr->kind); n++)
    if (reads_scalar(expr->argument[n], index))
      return true;
  return false;
}

static bool uses_scalar(const struct gen_schedule *schedule, int index)
{
  for (int n = 0; n < schedule->kernel->statements; n++)
    if (reads_scalar(schedule->kernel->statement[n].value, index))
      return true;
  for (int n = 0; n < schedule->rows; n++)
    if (reads_scalar(schedule->row[n].value, index))
      return true;
  return false;
}

/* The integer parameter that a guard as written contains: its colour. -1 if none. */
static int guard_symbol(const struct gen_guard *guard)
{
  for (int s = GEN_AXES; s < GEN_MAX_SYMBOLS; s++)
    if (guard->sum.coefficient[s])
      return s;
  return -1;
}

int gen_scalar_names(const struct gen_schedule *schedule, const char *name[GEN_MAX_SCALARS])
{
  const struct gen_kernel *kernel = schedule->kernel;
  int count = 0;
  for (int n = 0; n < kernel->scalars; n++)
    if (kernel->scalar[n].role == GEN_PARAMETER && uses_scalar(schedule, n))
      name[count++] = kernel->scalar[n].name;
  if (kernel->guard.kind != GEN_EVERYWHERE && kernel->guard.global)
    name[count++] = "colour";
  else if (kernel->guard.kind == GEN_PARITY && guard_symbol(&kernel->guard) >= 0)
    name[count++] = kernel->symbol[guard_symbol(&kernel->guard)].name;
  return count;
}

int gen_loop_extra(const struct gen_kernel *kernel, enum gen_axis axis)
{
  const struct gen_loop *loop = &kernel->loop[axis];
  for (int s = GEN_AXES; s < GEN_MAX_SYMBOLS; s++)
    if (loop->upper.coefficient[s])
      return loop->upper.constant - loop->lower.constant + 1;
  return 0;
}

static bool has_level(const struct gen_schedule *schedule, bool own)
{
  int array[GEN_MAX_ARRAYS];
  const int count = gen_fields(schedule, array);
  for (int n = 0; n < count; n++) {
    const struct gen_array *a = &schedule->kernel->array[array[n]];
    if (a->rank == 4 && (a->level == GEN_OWN) == own)
      return true;
  }
  return false;
}

static void emit_fields(struct gen_emitter *emitter)
{
  int array[GEN_MAX_ARRAYS];
  const int count = gen_fields(emitter->schedule, array);
  for (int n = 0; n < count; n++) {
    const struct gen_array *a = &emitter->schedule->kernel->array[array[n]];
    const char *type = a->table ? "int" : gen_type_name(emitter->schedule->field_precision[array[n]]);
    gen_line(emitter->writer, "%s%s *const %s = args->field[%d][tile->box];", a->written ? "" : "const ", type, a->name,
             n);
  }
  if (has_level(emitter->schedule, true))
    gen_line(emitter->writer, "const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];");
  if (has_level(emitter->schedule, false))
    gen_line(emitter->writer,
             "const ptrdiff_t other_stride_j = box->other_stride[0], other_stride_k = box->other_stride[1];");
}

static void emit_scalars(struct gen_emitter *emitter)
{
  const char *name[GEN_MAX_SCALARS];
  const int count = gen_scalar_names(emitter->schedule, name);
  const bool coloured = emitter->schedule->kernel->guard.kind != GEN_EVERYWHERE;
  const char *type = gen_type_name(emitter->schedule->precision);
  for (int n = 0; n < count; n++) {
    const bool colour = coloured && n == count - 1 && gen_find_scalar(emitter->schedule->kernel, name[n]) < 0;
    if (colour)
      gen_line(emitter->writer, "const int %s = (int)args->scalar[%d];", name[n], n);
    else if (emitter->schedule->precision == GEN_FLOAT)
      gen_line(emitter->writer, "const float %s = (float)args->scalar[%d];", name[n], n);
    else
      gen_line(emitter->writer, "const %s %s = args->scalar[%d];", type, name[n], n);
  }
}

static const struct gen_scalar *reduced(const struct gen_schedule *schedule, enum gen_scalar_role role, int *index)
{
  for (int n = 0; n < schedule->kernel->statements; n++) {
    const struct gen_statement *s = &schedule->kernel->statement[n];
    if (s->kind == GEN_REDUCE && schedule->kernel->scalar[s->scalar].role == role) {
      *index = n;
      return &schedule->kernel->scalar[s->scalar];
    }
  }
  return NULL;
}

static void emit_row_buffer(struct gen_emitter *emitter, const struct gen_row *row, struct gen_names *declared)
{
  const struct gen_kernel *kernel = emitter->schedule->kernel;
  struct gen_emitter inside = *emitter;
  inside.in_row = true;
  inside.row_first = kernel->array[row->array].first;
  gen_declare_rows(&inside, row->value, declared);
  gen_line(emitter->writer, "#pragma omp simd");
  const char *from = row->halo ? gen_text(emitter->session, "-%d", row->halo) : "0";
  const char *to =
    row->halo ? gen_text(emitter->session, "box->other_cells[0] + %d", row->halo) : "box->other_cells[0]";
  gen_open(emitter->writer, "for (int i = %s; i < %s; i++)", from, to);
  gen_line(emitter->writer, "%s[i] = %s;", kernel->array[row->array].name, gen_emit_expr(&inside, row->value));
  gen_close(emitter->writer, NULL);
}

/* Where along i a row of the colour starts. */
static void emit_start(struct gen_emitter *emitter)
{
  const struct gen_kernel *kernel = emitter->schedule->kernel;
  const struct gen_guard *guard = &kernel->guard;
  struct gen_writer *writer = emitter->writer;
  if (guard->kind == GEN_LATTICE) {
    gen_line(writer, "const int start = gmg_first(box->lower[0], colour %% %d, %d);", guard->modulus[0],
             guard->modulus[0]);
    return;
  }
  if (guard->global) {
    gen_line(writer, "const int start = (box->lower[0] + box->lower[1] + box->lower[2] + j + k + colour + %d) & 1;",
             guard->remainder);
    return;
  }
  const char *sum = "";
  int constant = guard->sum.constant + guard->remainder;
  for (int a = 0; a < 3; a++) {
    constant += guard->sum.coefficient[a] * kernel->loop[a].lower.constant;
    if (a != GEN_I && guard->sum.coefficient[a])
      sum = gen_text(emitter->session, "%s%d * %c + ", sum, guard->sum.coefficient[a], axis_letter[a]);
  }
  const int symbol = guard_symbol(guard);
  if (symbol >= 0)
    sum = gen_text(emitter->session, "%s%d * %s + ", sum, guard->sum.coefficient[symbol], kernel->symbol[symbol].name);
  gen_line(writer, "const int start = (%s%d) & 1;", sum, constant);
}

static void emit_reduce(struct gen_emitter *emitter, const struct gen_statement *statement)
{
  struct gen_writer *writer = emitter->writer;
  const char *value = gen_emit_expr(emitter, statement->value);
  if (emitter->schedule->kernel->scalar[statement->scalar].role == GEN_MAX) {
    gen_line(writer, "const double size = %s;", value);
    gen_line(writer, "most_of = size > most_of ? size : most_of;");
    return;
  }
  gen_line(writer, "double term = %s;", value);
  for (int b = 0; b < 3; b++) {
    gen_line(writer, "const double part%d = (term + cut%d) - cut%d;", b, b, b);
    gen_line(writer, "bin%d += part%d;", b, b);
    if (b < 2)
      gen_line(writer, "term -= part%d;", b);
  }
}

static void emit_statements(struct gen_emitter *emitter)
{
  const struct gen_kernel *kernel = emitter->schedule->kernel;
  bool set[GEN_MAX_SCALARS] = {false};
  for (int n = 0; n < kernel->statements; n++) {
    const struct gen_statement *statement = &kernel->statement[n];
    const char *value = gen_emit_expr(emitter, statement->value);
    if (statement->kind == GEN_STORE) {
      gen_line(emitter->writer, "%s = %s;", gen_emit_access(emitter, &statement->target), value);
    } else if (statement->kind == GEN_SET) {
      gen_line(emitter->writer, "%s%s = %s;",
               set[statement->scalar] ? ""
                                      : gen_text(emitter->session, "%s ", gen_type_name(emitter->schedule->precision)),
               kernel->scalar[statement->scalar].name, value);
      set[statement->scalar] = true;
    } else {
      emit_reduce(emitter, statement);
    }
  }
}

static void emit_row_loop(struct gen_emitter *emitter)
{
  const struct gen_schedule *schedule = emitter->schedule;
  const struct gen_kernel *kernel = schedule->kernel;
  struct gen_writer *writer = emitter->writer;
  struct gen_names declared = {0};
  for (int n = 0; n < schedule->rows; n++)
    emit_row_buffer(emitter, &schedule->row[n], &declared);
  for (int n = 0; n < kernel->statements; n++) {
    if (kernel->statement[n].kind == GEN_STORE)
      gen_declare_target(emitter, &kernel->statement[n].target, &declared);
    gen_declare_rows(emitter, kernel->statement[n].value, &declared);
  }
  int index;
  const bool sum = reduced(schedule, GEN_SUM, &index), most = reduced(schedule, GEN_MAX, &index);
  const char *step = "i++", *start = "0";
  if (kernel->guard.kind != GEN_EVERYWHERE) {
    emit_start(emitter);
    start = "start";
    step =
      kernel->guard.kind == GEN_PARITY ? "i += 2" : gen_text(emitter->session, "i += %d", kernel->guard.modulus[0]);
  }
  gen_line(writer, "#pragma omp simd%s%s", sum ? " reduction(+ : bin0, bin1, bin2)" : "",
           most ? " reduction(max : most_of)" : "");
  const int extra = gen_loop_extra(kernel, GEN_I);
  gen_open(writer, "for (int i = %s; i < box->cells[0]%s; %s) {", start, extra ? " + 1" : "", step);
  emit_statements(emitter);
  gen_close(writer, "}");
}

/* The loops over j and k inside a tile: every row, or those of a lattice colour. */
static int emit_slow_loops(struct gen_emitter *emitter)
{
  const struct gen_kernel *kernel = emitter->schedule->kernel;
  const struct gen_guard *guard = &kernel->guard;
  struct gen_writer *writer = emitter->writer;
  for (int n = 0; n < 2; n++) {
    const enum gen_axis axis = slow_axes[n];
    const char c = axis_letter[axis];
    const char *end = gen_text(emitter->session, "tile->%c1", c);
    if (guard->kind == GEN_LATTICE && guard->modulus[axis] > 1) {
      const int divisor = axis == GEN_J ? guard->modulus[0] : guard->modulus[0] * guard->modulus[1];
      gen_open(
        writer,
        "for (int %c = tile->%c0 + gmg_first(box->lower[%d] + tile->%c0, colour / %d %% %d, %d); %c < %s; %c += %d) {",
        c, c, (int)axis, c, divisor, guard->modulus[axis], guard->modulus[axis], c, end, c, guard->modulus[axis]);
    } else {
      gen_open(writer, "for (int %c = tile->%c0; %c < %s; %c++) {", c, c, c, end, c);
    }
  }
  return 2;
}

static void emit_reduction_end(struct gen_emitter *emitter, bool sum, bool most)
{
  struct gen_writer *writer = emitter->writer;
  gen_line(writer, "struct gmg_reduction *const total = &args->reduction[thread];");
  for (int b = 0; sum && b < 3; b++)
    gen_line(writer, "total->bin[%d] += bin%d;", b, b);
  if (most)
    gen_line(writer, "total->most = most_of > total->most ? most_of : total->most;");
}

static void emit_scratch(struct gen_emitter *emitter)
{
  const struct gen_schedule *schedule = emitter->schedule;
  const char *type = gen_type_name(schedule->precision);
  gen_line(emitter->writer,
           "%s *const scratch = (%s *)((char *)args->scratch + (size_t)thread * args->scratch_stride) + 16;", type,
           type);
  for (int n = 0; n < schedule->rows; n++)
    gen_line(emitter->writer, "%s *const %s = scratch + %d * (size_t)((box->other_cells[0] + 63) / 16 * 16);", type,
             schedule->kernel->array[schedule->row[n].array].name, n);
}

/* The function that visits one tile. */
static void emit_tile(struct gen_emitter *emitter, const struct gen_unit *unit)
{
  struct gen_writer *writer = emitter->writer;
  const bool rows = unit->schedule->rows > 0;
  int index;
  const bool sum = reduced(unit->schedule, GEN_SUM, &index), most = reduced(unit->schedule, GEN_MAX, &index);
  gen_line(writer, "static void %s_tile(const struct gmg_kernel_args *args, const struct gmg_tile *tile, int thread)",
           unit->symbol);
  gen_open(writer, "{");
  emit_scalars(emitter);
  if (sum)
    gen_line(writer,
             "const double cut0 = args->reduction->cut[0], cut1 = args->reduction->cut[1], "
             "cut2 = args->reduction->cut[2];");
  gen_line(writer, "const struct gmg_kernel_box *const box = &args->box[tile->box];");
  emit_fields(emitter);
  if (rows)
    emit_scratch(emitter);
  else if (!sum && !most)
    gen_line(writer, "(void)thread;");
  if (sum)
    gen_line(writer, "double bin0 = 0, bin1 = 0, bin2 = 0;");
  if (most)
    gen_line(writer, "double most_of = 0;");
  const int loops = emit_slow_loops(emitter);
  emit_row_loop(emitter);
  for (int n = 0; n < loops; n++)
    gen_close(writer, "}");
  if (sum || most)
    emit_reduction_end(emitter, sum, most);
  gen_close(writer, "}");
  gen_blank(writer);
}

void gen_emit_openmp(struct gen_session *session, struct gen_writer *writer, const struct gen_unit *unit)
{
  struct gen_emitter emitter = {.session = session, .schedule = unit->schedule, .writer = writer};
  const double width = unit->schedule->precision == GEN_DOUBLE ? 8 : 4;
  const char *opening = "/* ";
  for (const char *line = unit->comment; *line; opening = " * ") {
    const size_t length = strcspn(line, "\n");
    gen_line(writer, "%s%.*s", opening, (int)length, line);
    line += length + (line[length] == '\n');
  }
  gen_line(writer, " * From %s; per cell %g flops, %g compulsory bytes. */", unit->source, unit->flops,
           unit->reals * width);
  emit_tile(&emitter, unit);
  gen_line(writer, "static void %s(const struct gmg_kernel_args *args)", unit->symbol);
  gen_open(writer, "{");
  gen_line(writer, "#pragma omp parallel for schedule(static) num_threads(args->threads) if (args->threads > 1)");
  gen_open(writer, "for (int t = 0; t < args->tiles; t++)");
  gen_line(writer, "%s_tile(args, &args->tile[t], omp_get_thread_num());", unit->symbol);
  gen_close(writer, NULL);
  gen_close(writer, "}");
  gen_blank(writer);
}

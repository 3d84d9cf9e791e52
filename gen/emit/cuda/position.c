/* The CUDA back end of the compiler: what a thread does at one position of a box. A position stands
 * for one cell; for the two of a pair in split rows; for those of one colour among them. */
#include "emit/emit.h"

static bool split(const struct gen_schedule *schedule)
{
  return schedule->layout == GEN_SPLIT;
}

static bool lattice(const struct gen_schedule *schedule)
{
  return schedule->kernel->guard.kind == GEN_LATTICE;
}

/* Where threads count something else than cells, parameters are called otherwise. */
const char *gen_cuda_position(const struct gen_schedule *schedule, enum gen_axis axis)
{
  static const char *const cell[] = {"i", "j", "k"}, *const other[] = {"at", "row", "plane"};
  return gen_cuda_step(schedule, axis) > 1 ? other[axis] : cell[axis];
}

const char *gen_cuda_end(struct gen_emitter *emitter, enum gen_axis axis)
{
  const int extra = gen_loop_extra(emitter->kernel, axis);
  return gen_text(extra ? "box->cells[%d] + %d" : "box->cells[%d]", (int)axis, extra);
}

const char *gen_cuda_positions(const struct gen_schedule *schedule, const char *box,
                               enum gen_axis axis)
{
  const int step = gen_cuda_step(schedule, axis),
            more = gen_loop_extra(schedule->kernel, axis) + step - 1;
  const char *cells = gen_text(more ? "%scells[%d] + %d" : "%scells[%d]", box, (int)axis, more);
  return step > 1 ? gen_text("(%s) / %d", cells, step) : cells;
}

const char *gen_cuda_read_type(const struct gen_emitter *emitter, int array)
{
  const enum gen_type precision = emitter->schedule->field_precision[array];
  return gen_text(emitter->unit->cuda->read_once[array] ? "gmg_read<%s, true>" : "gmg_read<%s>",
                  emitter->kernel->array[array].table ? "int" : gen_type_name(precision));
}

void gen_emit_cuda_fields(struct gen_emitter *emitter, enum gen_use use)
{
  const struct gen_schedule *schedule = emitter->schedule;
  struct gen_writer *writer = emitter->writer;
  int array[GEN_MAX_ARRAYS];
  const int count = gen_fields(schedule, array);
  for (int n = 0; n < count; n++) {
    const struct gen_array *a = &schedule->kernel->array[array[n]];
    const char *type = a->table ? "int" : gen_type_name(schedule->field_precision[array[n]]);
    const bool before = gen_cuda_reads_before(schedule, array[n]);
    const char *number = gen_cuda_lane_field(emitter->lanes, array, count, n);
    if (use & GEN_READS && (!a->written || before) && number)
      gen_line(writer, "const %s %s(args->field[%s]);", gen_cuda_read_type(emitter, array[n]),
               a->name, number);
    if (use & GEN_STORES && a->written)
      gen_line(writer, "const gmg_write<%s> %s%s(args->field[%d]);", type, before ? "new_" : "",
               a->name, n);
  }
  if (gen_has_level(schedule, true))
    gen_line(writer, "const ptrdiff_t stride_j = box->stride[0], stride_k = box->stride[1];");
  if (gen_has_level(schedule, false))
    gen_line(writer,
             "const ptrdiff_t other_stride_j = box->other_stride[0], other_stride_k = "
             "box->other_stride[1];");
  if (split(schedule))
    gen_line(writer, "const ptrdiff_t odd = box->odd;");
  if (split(schedule) && gen_has_level(schedule, false))
    gen_line(writer, "const ptrdiff_t other_odd = box->other_odd;");
}

/* Along j and k, of a lattice colour: the cells of the positions, if they are cells. */
static void emit_lattice(struct gen_emitter *emitter)
{
  const struct gen_guard *guard = &emitter->kernel->guard;
  for (enum gen_axis axis = GEN_K; axis > GEN_I; axis--) {
    const int divisor = axis == GEN_J ? guard->modulus[0] : guard->modulus[0] * guard->modulus[1];
    const char *name = axis == GEN_J ? "j" : "k";
    if (guard->modulus[axis] == 1)
      continue;
    gen_line(emitter->writer,
             "const int %s = gmg_first(box->lower[%d], colour / %d %% %d, %d) + %d * %s;", name,
             (int)axis, divisor, guard->modulus[axis], guard->modulus[axis], guard->modulus[axis],
             gen_cuda_position(emitter->schedule, axis));
    gen_line(emitter->writer,
             "if (%s >= %s)\n"
             "return;",
             name, gen_cuda_end(emitter, axis));
  }
}

/* A function of i that works the parts out for a norm and a coarse value, and kept(n, i), which
 * returns them. */
static void emit_work_out(struct gen_emitter *emitter, const struct gen_parts *parts)
{
  struct gen_writer *writer = emitter->writer;
  const char *type = gen_real(emitter->schedule);
  gen_line(writer, "const auto work_out = [&](int i, %s *to) {", type);
  for (int n = 0; n < parts->count; n++)
    gen_line(writer, "to[%d] = %s;", n, gen_emit_expr(emitter, parts->value[n]));
  gen_line(writer,
           "};\n"
           "%s value_at[2][%d]; /* at the two children along i, the first of which is */\n"
           "int first_child = 0;\n"
           "const auto kept = [&](int n, int i) -> %s { return i == first_child ? value_at[0][n] : "
           "value_at[1][n]; };",
           type, parts->count, type);
}

/* What both the norm and the coarse value are made of, with all the rows that it is read from. */
static void emit_kept(struct gen_emitter *emitter, const struct gen_parts *parts,
                      struct gen_names *declared)
{
  struct gen_emitter inside = *emitter;
  inside.row = &emitter->schedule->row[0];
  for (int n = 0; n < parts->count; n++)
    gen_declare_rows(&inside, parts->value[n], declared);
  emit_work_out(&inside, parts);
}

/* What the OpenMP kernel holds in row buffers: functions of i on the other level. */
static void emit_functions(struct gen_emitter *emitter, bool one_by_one, struct gen_names *declared)
{
  const struct gen_schedule *schedule = emitter->schedule;
  const char *type = gen_real(schedule);
  const struct gen_parts *kept = &emitter->unit->cuda->kept,
                         *known = emitter->lanes ? &emitter->lanes->parts : NULL;
  if (kept->count && !emitter->shared) {
    known = kept;
    emit_kept(emitter, kept, declared);
  }
  if (emitter->lanes)
    gen_emit_cuda_hand_over(emitter);
  one_by_one = one_by_one && !known;
  if (one_by_one)
    gen_line(emitter->writer, "%s done = 0;", type);
  for (int n = 0; n < schedule->rows; n++) {
    const struct gen_row *row = &schedule->row[n];
    struct gen_emitter inside = *emitter;
    inside.row = row;
    inside.parts = known;
    gen_declare_outside(&inside, row->value, emitter->lanes ? known : NULL, declared);
    for (int m = 0; m < row->norms; m++)
      gen_declare_rows(&inside, row->norm[m], declared);
    const char *name = schedule->kernel->array[row->array].name,
               *value = gen_emit_expr(&inside, row->value);
    if (one_by_one)
      gen_line(emitter->writer,
               "const auto %s = [&](int i) -> %s { i = gmg_after(i, done); return done = %s; };",
               name, type, value);
    else
      gen_line(emitter->writer, "const auto %s = [&](int i) -> %s { return %s; };", name, type,
               value);
    if (!row->norms)
      continue;
    gen_line(emitter->writer, "const auto norms%d = [&](int i) {", n);
    if (one_by_one)
      gen_line(emitter->writer, "i = gmg_after(i, done);");
    for (int m = 0; m < row->norms; m++)
      gen_emit_norm(&inside, row->norm[m]);
    if (one_by_one)
      gen_line(emitter->writer, "done = (%s)most_of;", type);
    gen_line(emitter->writer, "};");
  }
}

/* Both cells of a pair, or the one of the colour. */
static void emit_split(struct gen_emitter *emitter, bool coloured)
{
  struct gen_emitter half = *emitter;
  half.halves = true;
  if (coloured) {
    gen_line(emitter->writer,
             "if (2 * at + parity >= %s)\n"
             "return;",
             gen_cuda_end(emitter, GEN_I));
  } else if (gen_cuda_in_pairs(emitter->schedule)) {
    gen_line(emitter->writer,
             "#pragma unroll\n"
             "for (int parity = 0; parity < cells; parity++) {");
  } else {
    gen_line(emitter->writer, "const int at = i / 2, parity = i %% 2;");
  }
  gen_emit_statement_halves(&half, false);
  gen_emit_cuda_cell_statements(&half);
  if (gen_cuda_in_pairs(emitter->schedule))
    gen_line(emitter->writer, "}");
}

static void emit_plain(struct gen_emitter *emitter, int step)
{
  if (step > 1) {
    const char *start = gen_cuda_by_parity(emitter->schedule) ? "parity" : "start";
    gen_line(emitter->writer,
             "const int i = %s + %d * at;\n"
             "if (i >= %s)\n"
             "return;",
             start, step, gen_cuda_end(emitter, GEN_I));
  }
  gen_emit_cuda_cell_statements(emitter);
}

void gen_emit_cuda_body(struct gen_emitter *emitter)
{
  const struct gen_schedule *schedule = emitter->schedule;
  const struct gen_kernel *kernel = schedule->kernel;
  struct gen_names declared = {0};
  const bool coloured = kernel->guard.kind != GEN_EVERYWHERE;
  const int step = gen_cuda_step(schedule, GEN_I);
  if (lattice(schedule))
    emit_lattice(emitter);
  if (coloured && step > 1 && !gen_cuda_by_parity(schedule))
    gen_emit_start(emitter);
  emit_functions(emitter, emitter->unit->cuda->one_by_one, &declared);
  gen_declare_statements(emitter, &declared);
  if (split(schedule) && !lattice(schedule))
    emit_split(emitter, coloured);
  else
    emit_plain(emitter, coloured ? step : 1);
}

void gen_emit_cuda_partial(struct gen_emitter *emitter)
{
  const bool single = gen_most_in_single(emitter->schedule);
  if (gen_reduces(emitter->schedule, GEN_SUM)) {
    const bool both = gen_bins(emitter->schedule) > 1;
    gen_line(emitter->writer,
             "const double cut0 = args->reduction->cut[0]%s;\n"
             "uint64_t &bin0 = partial->bin[0]%s;",
             both ? ", cut1 = args->reduction->cut[1]" : "",
             both ? ", &bin1 = partial->bin[1]" : "");
  }
  gen_line(emitter->writer, "%s &most_of = partial->%s;", single ? "int32_t" : "int64_t",
           single ? "most_single" : "most");
}

const char *gen_cuda_more(struct gen_emitter *emitter, const char *box, const char *at)
{
  const char *text = "";
  if (gen_cuda_in_pairs(emitter->schedule))
    text = gen_text(", gmg_least(2, %scells[0]%s - 2 * %s)", box,
                    gen_loop_extra(emitter->schedule->kernel, GEN_I) ? " + 1" : "", at);
  if (gen_cuda_knows_paired(emitter->schedule))
    text = gen_text("%s, %spaired == 1", text, box);
  return text;
}

int gen_cuda_field_of(const struct gen_schedule *schedule, int array)
{
  int list[GEN_MAX_ARRAYS];
  const int count = gen_fields(schedule, list);
  for (int n = 0; n < count; n++)
    if (list[n] == array)
      return n;
  return 0;
}

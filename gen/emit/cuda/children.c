/* What a cell takes of its two children along i, or of the cells over it: in CUDA a row buffer is a
 * function, and a table says where along i it is wanted. */
#include "emit/emit.h"

/* What a table holds where cells pair two by two; NULL: nothing in particular. */
static const char *known_value(const struct gen_emitter *emitter, enum gen_table_rule rule)
{
  switch (rule) {
  case GEN_EVEN_CHILD: /* of i itself: nothing more complicated is known to be even */
    return "2 * i";
  case GEN_ODD_CHILD:
    return "2 * i + 1";
  case GEN_PARENT:
    return emitter->halves ? "at" : "i / 2";
  case GEN_BESIDE:
    return emitter->halves ? "at + 2 * parity - 1" : "i / 2 + i % 2 * 2 - 1";
  default:
    return NULL;
  }
}

const char *gen_cuda_child(struct gen_emitter *emitter, int table)
{
  struct gen_access access = {.array = table};
  for (int a = 0; a < GEN_AXES; a++)
    access.subscript[a].table = -1;
  access.subscript[GEN_I].affine.constant =
    emitter->kernel->array[table].first - emitter->kernel->loop[GEN_I].lower.constant;
  access.subscript[GEN_I].affine.coefficient[GEN_I] = 1;
  const char *value = gen_emit_access(emitter, &access);
  const char *known = known_value(emitter, emitter->kernel->array[table].rule);
  if (known && emitter->lanes)
    known = gen_text("%s + (child & 1)", known);
  if (known && gen_cuda_knows_paired(emitter->schedule))
    value = gen_text("paired ? %s : %s", known, value);
  return value;
}

/* The same as a constant. after: known no earlier than a first maximum is. */
static void emit_child(struct gen_emitter *emitter, int table, bool after)
{
  const char *name = emitter->kernel->array[table].name, *value = gen_cuda_child(emitter, table);
  gen_line(emitter->writer,
           after ? "const int %s_at = gmg_after(%s, (double)most_of);" : "const int %s_at = %s;",
           name, value);
}

static void emit_norms_at(struct gen_emitter *emitter, const char *child)
{
  for (int n = 0; n < emitter->schedule->rows; n++)
    if (emitter->schedule->row[n].norms)
      gen_line(emitter->writer, "norms%d(%s_at);", n, child);
}

/* Each of the two threads of a cell takes one child: its norms, and the values of functions there,
 * which the first thread, that of the even child, then has both. */
static void emit_shared(struct gen_emitter *emitter, const bool used[GEN_MAX_ARRAYS], bool norms)
{
  const struct gen_schedule *schedule = emitter->schedule;
  const struct gen_kernel *kernel = schedule->kernel;
  int child[2];
  gen_cuda_children(schedule, child);
  const int lo = child[0], hi = child[1];
  const char *first = kernel->array[lo].name, *second = kernel->array[hi].name;
  emit_child(emitter, lo, false);
  emit_child(emitter, hi, false);
  gen_line(emitter->writer, "const int child = odd_child ? %s_at : %s_at;", second, first);
  if (norms) {
    gen_line(emitter->writer, "if (inside && (!odd_child || %s_at != %s_at)) {", second, first);
    for (int n = 0; n < schedule->rows; n++)
      if (schedule->row[n].norms)
        gen_line(emitter->writer, "norms%d(child);", n);
    gen_line(emitter->writer, "}");
  }
  for (int n = 0; n < schedule->rows; n++) {
    const char *name = kernel->array[schedule->row[n].array].name;
    if (!used[schedule->row[n].array])
      continue;
    gen_line(emitter->writer,
             "const %s %s_%s = %s(child), %s_%s = __shfl_down_sync(0xffffffffu, %s_%s, 1);",
             gen_real(schedule), name, first, name, name, second, name, first);
  }
  gen_line(emitter->writer,
           "if (odd_child || !inside)\n"
           "return;");
}

/* Norms over a finer row: every cell of it is the first or the second child of one own cell. The
 * second is known when the first is done with: both at once would need too many registers. */
static void emit_norms(struct gen_emitter *emitter, bool used[GEN_MAX_ARRAYS])
{
  const struct gen_kernel *kernel = emitter->kernel;
  const bool keeps = emitter->unit->cuda->kept.count;
  int child[2];
  gen_cuda_children(emitter->schedule, child);
  const int lo = child[0], hi = child[1];
  emit_child(emitter, lo, false);
  if (keeps) {
    emit_child(emitter, hi, false);
    gen_line(emitter->writer,
             "first_child = %s_at;\n"
             "work_out(%s_at, value_at[0]);\n"
             "work_out(%s_at, value_at[1]);",
             kernel->array[lo].name, kernel->array[lo].name, kernel->array[hi].name);
  }
  emit_norms_at(emitter, kernel->array[lo].name);
  if (!keeps)
    emit_child(emitter, hi, true);
  gen_line(emitter->writer, "if (%s_at != %s_at) {", kernel->array[hi].name,
           kernel->array[lo].name);
  emit_norms_at(emitter, kernel->array[hi].name);
  gen_line(emitter->writer, "}");
  used[lo] = used[hi] = false;
}

void gen_emit_cuda_cell_statements(struct gen_emitter *emitter)
{
  const struct gen_schedule *schedule = emitter->schedule;
  bool used[GEN_MAX_ARRAYS] = {false}, norms = false;
  if (emitter->lanes) {
    gen_emit_cuda_sum(emitter);
    return;
  }
  for (int n = 0; n < schedule->rows; n++)
    norms = norms || schedule->row[n].norms;
  gen_cuda_mark_children(schedule, used);
  if (emitter->shared)
    emit_shared(emitter, used, norms);
  else if (norms)
    emit_norms(emitter, used);
  for (int n = 0; n < schedule->kernel->arrays && !emitter->shared; n++)
    if (used[n] && schedule->kernel->array[n].table)
      emit_child(emitter, n, false);
  gen_emit_statements(emitter);
}

/* ---- eight threads that share a cell, each for one finer cell ---- */

const char *gen_cuda_lane_field(const struct gen_lanes *lanes, const int *array, int count, int n)
{
  for (enum gen_axis axis = GEN_I; lanes && axis <= GEN_K; axis++) {
    if (array[n] == lanes->table[axis][1])
      return NULL;
    for (int m = 0; m < count && array[n] == lanes->table[axis][0]; m++)
      if (array[m] == lanes->table[axis][1])
        return gen_text("child & %d ? %d : %d", 1 << axis, m, n);
  }
  return gen_text("%d", n);
}

/* SYMBOL_part: the formula at one of the finer cells. */
static void emit_formula(struct gen_emitter *emitter)
{
  const struct gen_lanes *lanes = emitter->lanes;
  const struct gen_schedule *schedule = emitter->schedule;
  struct gen_writer *writer = emitter->writer;
  struct gen_emitter inside = *emitter, place = *emitter;
  struct gen_names declared = {0};
  const char *type = gen_real(schedule);
  inside.row = &schedule->row[0];
  gen_line(writer,
           "/* What the value is made of, at one finer cell: bits of `child` are i, j, k. */");
  gen_open_cuda(emitter, type, "part",
                gen_cuda_knows_paired(schedule) ? "int i, int j, int k, bool paired, int child"
                                                : "int i, int j, int k, int child");
  gen_emit_scalars(emitter);
  gen_emit_cuda_box(emitter, GEN_READS);
  gen_declare_rows(&inside, lanes->formula, &declared);
  gen_line(writer, "const auto formula = [&](int i) -> %s { return %s; };", type,
           gen_emit_expr(&inside, lanes->formula));
  if (schedule->layout == GEN_SPLIT) {
    place.halves = true;
    gen_line(writer, "const int at = i / 2, parity = i %% 2;");
    gen_emit_half(&place, "odd", true, false);
  }
  gen_line(writer,
           "return formula(%s);\n"
           "}\n"
           "\n",
           gen_cuda_child(&place, lanes->table[GEN_I][0]));
}

void gen_emit_cuda_lanes(struct gen_emitter *emitter)
{
  struct gen_emitter by_eight = *emitter;
  by_eight.shared = false;
  emit_formula(&by_eight);
  gen_emit_cuda_cell(&by_eight);
}

void gen_emit_cuda_hand_over(struct gen_emitter *emitter)
{
  gen_line(emitter->writer,
           "%s value_at[8] = {part}; /* by thread */\n"
           "#pragma unroll\n"
           "for (int n = 1; n < 8; n++)\n"
           "value_at[n] = __shfl_down_sync(0xffffffffu, part, n);",
           gen_real(emitter->schedule));
}

void gen_emit_cuda_sum(struct gen_emitter *emitter)
{
  struct gen_emitter to_name = *emitter;
  to_name.store_to = gen_text("const %s sum", gen_real(emitter->schedule));
  gen_line(emitter->writer, "const int %s_at = 0, %s_at = 1;",
           emitter->kernel->array[emitter->lanes->table[GEN_I][0]].name,
           emitter->kernel->array[emitter->lanes->table[GEN_I][1]].name);
  gen_emit_statements(&to_name);
  gen_line(emitter->writer,
           "if (child == 0 && inside)\n"
           "%s = sum;",
           gen_emit_target(emitter, &emitter->kernel->statement[0].target));
}

/* Interpolation between planes: a thread that marches along k through the children of one coarse
 * plane after the other needs that plane, the one below and the one above, and of each three values
 * along i. It keeps them in registers; so each is read, and combined along j, once and not for
 * every fine plane. Where cells do not pair two by two, SYMBOL_cell does it. */
#include "emit/emit.h"
#include "emit/template.h"

/* Whether all that the expression reads is in the plane that the table names, and something is. */
static bool in_plane(const struct gen_kernel *kernel, const struct gen_expr *expr, int table,
                     bool *reads)
{
  if (expr->kind == GEN_ACCESS) {
    const struct gen_array *array = &kernel->array[expr->access.array];
    if (array->rank == 1)
      return array->axis == GEN_J;
    *reads = true;
    return expr->access.subscript[GEN_K].table == table && expr->access.subscript[GEN_K].offset == 0
      && expr->access.subscript[GEN_I].table < 0;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    if (!in_plane(kernel, expr->argument[n], table, reads))
      return false;
  return true;
}

/* The largest parts that are in one of the two planes: "here", "beside". false: there is more than
 * one of a plane. */
static bool find_parts(const struct gen_kernel *kernel, const struct gen_expr *expr,
                       const int table[2], struct gen_parts *parts)
{
  for (int t = 0; t < 2; t++) {
    bool reads = false;
    if (!in_plane(kernel, expr, table[t], &reads) || !reads)
      continue;
    if (parts->value[t])
      return false;
    parts->value[t] = expr;
    return true;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    if (!find_parts(kernel, expr->argument[n], table, parts))
      return false;
  return true;
}

const struct gen_expr *gen_cuda_at_k(const struct gen_kernel *kernel, const struct gen_expr *expr)
{
  struct gen_expr *copy = gen_copy(expr);
  if (expr->kind == GEN_ACCESS && kernel->array[expr->access.array].rank > 1) {
    struct gen_subscript *k = &copy->access.subscript[GEN_K];
    *k = (struct gen_subscript){.table = -1};
    k->affine.coefficient[GEN_K] = 1;
    k->affine.constant =
      kernel->array[expr->access.array].first - kernel->loop[GEN_K].lower.constant;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    copy->argument[n] = gen_cuda_at_k(kernel, expr->argument[n]);
  return copy;
}

/* Whether the row is picked by tables along i that hold the parent and the cell beside it. */
static bool picked_between(const struct gen_schedule *schedule, const struct gen_expr *expr)
{
  if (expr->kind == GEN_ACCESS && gen_is_row(schedule, expr->access.array)) {
    const int table = expr->access.subscript[GEN_I].table;
    if (table < 0)
      return false;
    const enum gen_table_rule rule = schedule->kernel->array[table].rule;
    return rule == GEN_PARENT || rule == GEN_BESIDE;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    if (!picked_between(schedule, expr->argument[n]))
      return false;
  return true;
}

struct between {
  int table[2]; /* along k: of the plane that covers a cell, and of the other one */
  struct gen_parts parts;
  const struct gen_expr *plane; /* what is kept of a plane k */
  struct gen_parts own;         /* what is read of the own level: one value at the cell */
};

/* Accesses to the own level's fields, without repetition. */
static void find_own(const struct gen_schedule *schedule, const struct gen_expr *expr,
                     struct gen_parts *own)
{
  if (expr->kind == GEN_ACCESS && schedule->kernel->array[expr->access.array].rank > 1
      && schedule->kernel->array[expr->access.array].level == GEN_OWN && !gen_part_of(own, expr)
      && own->count < GEN_MAX_CUT) {
    own->value[own->count] = expr;
    own->name[own->count++] = "own[parity]";
  }
  for (int n = 0; n < gen_arity(expr); n++)
    find_own(schedule, expr->argument[n], own);
}

static bool understand(const struct gen_schedule *schedule, struct between *between)
{
  const struct gen_kernel *kernel = schedule->kernel;
  *between = (struct between){.table = {-1, -1}};
  if (!gen_cuda_in_pairs(schedule) || schedule->rows != 1 || schedule->row[0].level != GEN_COARSER
      || schedule->row[0].parts || schedule->row[0].norms || kernel->statements != 1
      || kernel->statement[0].kind != GEN_STORE
      || !picked_between(schedule, kernel->statement[0].value))
    return false;
  if (!gen_cuda_tables(schedule->row[0].value, GEN_K, between->table) || between->table[1] < 0
      || !find_parts(kernel, schedule->row[0].value, between->table, &between->parts)
      || !between->parts.value[0] || !between->parts.value[1])
    return false;
  between->own.prefix = "";
  find_own(schedule, kernel->statement[0].value, &between->own);
  if (between->own.count != 1)
    return false;
  between->parts.count = 2;
  between->parts.name[0] = "here[i - at + 1]";
  between->parts.name[1] = "beside[i - at + 1]";
  between->parts.prefix = "";
  between->plane = gen_cuda_at_k(kernel, between->parts.value[0]);
  return gen_expr_equal(between->plane, gen_cuda_at_k(kernel, between->parts.value[1]));
}

bool gen_cuda_between(const struct gen_schedule *schedule)
{
  struct between between;
  return understand(schedule, &between);
}

/* What is kept of coarse plane k: at the cell over the pair, and at those on both sides. */
static void emit_plane(struct gen_emitter *emitter, const struct between *between)
{
  struct gen_emitter inside = *emitter;
  struct gen_names declared = {0};
  const char *type = gen_real(emitter->schedule);
  inside.row = &emitter->schedule->row[0];
  gen_open_cuda(emitter, "void", "plane", gen_text("int at, int j, int k, %s value[3]", type));
  gen_emit_cuda_box(emitter, GEN_READS);
  gen_declare_rows(&inside, between->plane, &declared);
  gen_line(emitter->writer,
           "#pragma unroll\n"
           "for (int n = 0; n < 3; n++) {\n"
           "const int i = at + n - 1;\n"
           "value[n] = %s;\n"
           "}\n"
           "}\n"
           "\n",
           gen_emit_expr(&inside, between->plane));
}

/* What is read of the own level at both cells of the pair: asked for a step before it is needed, it
 * waits in registers. */
static void emit_own(struct gen_emitter *emitter, const struct between *between)
{
  struct gen_emitter half = *emitter;
  struct gen_names declared = {0};
  gen_open_cuda(emitter, "void", "own",
                gen_text("int at, int j, int k, %s value[2]", gen_real(emitter->schedule)));
  gen_emit_cuda_box(emitter, GEN_READS);
  gen_declare_rows(emitter, between->own.value[0], &declared);
  half.halves = true;
  gen_line(emitter->writer,
           "#pragma unroll\n"
           "for (int parity = 0; parity < 2; parity++) {");
  gen_emit_half(&half, "odd", true, false);
  gen_line(emitter->writer,
           "value[parity] = %s;\n"
           "}\n"
           "}\n"
           "\n",
           gen_emit_expr(&half, between->own.value[0]));
}

static void emit_pair(struct gen_emitter *emitter, const struct between *between)
{
  const struct gen_schedule *schedule = emitter->schedule;
  const struct gen_kernel *kernel = schedule->kernel;
  struct gen_writer *writer = emitter->writer;
  struct gen_emitter inside = *emitter, half = *emitter;
  struct gen_names declared = {0};
  const char *type = gen_real(schedule);
  gen_open_cuda(
    emitter, "void", "pair",
    gen_text("int at, int j, int k, const %s here[3], const %s beside[3], const %s own[2]", type,
             type, type));
  gen_emit_scalars(emitter);
  gen_emit_cuda_box(emitter, GEN_USES);
  inside.row = &schedule->row[0];
  inside.parts = &between->parts;
  gen_declare_outside(&inside, schedule->row[0].value, &between->parts, &declared);
  gen_line(writer, "const auto %s = [&](int i) -> %s { return %s; };",
           kernel->array[schedule->row[0].array].name, type,
           gen_emit_expr(&inside, schedule->row[0].value));
  gen_declare_target(emitter, &kernel->statement[0].target, &declared);
  gen_declare_outside(emitter, kernel->statement[0].value, &between->own, &declared);
  half.halves = true;
  half.parts = &between->own;
  gen_line(writer,
           "#pragma unroll\n"
           "for (int parity = 0; parity < 2; parity++) {");
  gen_emit_half(&half, "odd", true, gen_starts(&half, kernel->statement[0].value, "next"));
  for (int n = 0; n < kernel->arrays; n++)
    if (kernel->array[n].rule == GEN_PARENT || kernel->array[n].rule == GEN_BESIDE)
      gen_line(writer, "const int %s_at = %s;", kernel->array[n].name,
               kernel->array[n].rule == GEN_PARENT ? "at" : "at + 2 * parity - 1");
  gen_emit_statements(&half);
  gen_line(writer,
           "}\n"
           "}\n"
           "\n");
}

void gen_emit_cuda_between(struct gen_emitter *emitter, const struct gen_cuda_shape *shape)
{
  const struct gen_schedule *schedule = emitter->schedule;
  struct gen_emitter half = *emitter;
  struct between between;
  understand(schedule, &between);
  gen_emit_cuda_shape(emitter->writer, shape);
  emit_plane(emitter, &between);
  emit_own(emitter, &between);
  emit_pair(emitter, &between);
  half.halves = true;
  gen_emit_cuda_ahead(&half, "int at, int j, int k, int parity");
  const int *const table = between.table;
  const struct gen_word words[] = {
    {"SYMBOL", emitter->symbol},
    {"REAL", gen_real(schedule)},
    {"FIELD_OF_PARENT", gen_text("%d", gen_cuda_field_of(schedule, table[0]))},
    {"FIELD_OF_NEAR", gen_text("%d", gen_cuda_field_of(schedule, table[1]))},
    {"FIELDS", gen_text("%d", gen_fields(schedule, (int[GEN_MAX_ARRAYS]){0}))},
    {"PARENT", schedule->kernel->array[table[0]].name},
    {"NEAR", schedule->kernel->array[table[1]].name},
    {"END_I", gen_cuda_positions(schedule, "args.box.", GEN_I)},
    {"END_J", gen_cuda_positions(schedule, "args.box.", GEN_J)},
    {"END_K", gen_cuda_positions(schedule, "args.box.", GEN_K)},
    {"MORE", gen_cuda_more(emitter, "args.box.", "at")},
    {0}};
  gen_emit_template(emitter->writer, gen_template_between, words);
  gen_emit_cuda_shape_end(emitter->writer);
}

/* Descriptors: what a generated kernel says of itself (solver/kernel.h). */
#include "emit.h"

#include <string.h>

static const char *const place_name[] = {"GMG_CELL", "GMG_FACE_I", "GMG_FACE_J", "GMG_FACE_K"};
static const char *const level_name[] = {"GMG_OWN", "GMG_FINER", "GMG_COARSER"};
static const char *const rule_name[] = {
  [GEN_NO_RULE] = "GMG_NO_RULE",     [GEN_EVEN_CHILD] = "GMG_EVEN_CHILD",
  [GEN_ODD_CHILD] = "GMG_ODD_CHILD", [GEN_PARENT] = "GMG_PARENT",
  [GEN_BESIDE] = "GMG_BESIDE",       [GEN_AROUND_0] = "GMG_AROUND_0",
  [GEN_AROUND_1] = "GMG_AROUND_1",   [GEN_AROUND_2] = "GMG_AROUND_2",
  [GEN_AROUND_3] = "GMG_AROUND_3"};
void gen_emit_comment(struct gen_writer *writer, const char *comment)
{
  const char *opening = "/* ";
  for (const char *line = comment; *line; opening = " * ") {
    const size_t length = strcspn(line, "\n");
    gen_raw(writer, gen_text("%s%.*s", opening, (int)length, line));
    line += length + (line[length] == '\n');
  }
}

struct halo {
  int lower[3], upper[3];
};

/* How far one access reaches beyond the interior of its array's level. */
static void reach(const struct gen_kernel *kernel, const struct gen_access *access,
                  struct halo *halo)
{
  const struct gen_array *array = &kernel->array[access->array];
  for (int a = 0; a < 3; a++) {
    if (array->rank == 1 && (int)array->axis != a)
      continue;
    const struct gen_subscript *s = &access->subscript[a];
    int low, high;
    if (s->table >= 0) {
      const struct gen_array *table = &kernel->array[s->table];
      low = high = table->first + s->offset - array->first;
      low -= table->table_halo;
      high += table->table_halo;
    } else {
      const int coefficient = s->affine.coefficient[a];
      low = s->affine.constant + coefficient * kernel->loop[a].lower.constant - array->first;
      high = low - (coefficient > 1 ? coefficient - 1 : 0);
      if (array->place == (enum gen_place)(GEN_FACE_I + a))
        high += gen_loop_extra(kernel, a) - 1;
      else
        high += gen_loop_extra(kernel, a);
    }
    if (-low > halo->lower[a])
      halo->lower[a] = -low;
    if (high > halo->upper[a])
      halo->upper[a] = high;
  }
}

/* The same over an expression. Returns whether the array occurs in it. */
static bool reach_of(const struct gen_kernel *kernel, const struct gen_expr *expr, int array,
                     struct halo *halo)
{
  bool occurs = expr->kind == GEN_ACCESS && expr->access.array == array;
  if (occurs)
    reach(kernel, &expr->access, halo);
  for (int n = 0; n < gen_arity(expr); n++)
    occurs = reach_of(kernel, expr->argument[n], array, halo) || occurs;
  return occurs;
}

/* Over the kernel as it was before row buffers: those hide nothing, as a table's halo bounds what
 * they read. */
static struct halo halo_of(const struct gen_schedule *schedule, int array)
{
  struct halo halo = {{0}, {0}};
  for (int n = 0; n < schedule->kernel->statements; n++)
    reach_of(schedule->kernel, schedule->kernel->statement[n].value, array, &halo);
  for (int n = 0; n < schedule->rows; n++) {
    const struct gen_row *row = &schedule->row[n];
    struct gen_kernel *kernel = schedule->kernel;
    const struct gen_affine lower = kernel->loop[GEN_I].lower;
    kernel->loop[GEN_I].lower = gen_affine_constant(kernel->array[row->array].first);
    struct halo inside = {{0}, {0}};
    const bool occurs = reach_of(kernel, row->value, array, &inside);
    kernel->loop[GEN_I].lower = lower;
    for (int a = 0; a < 3; a++) {
      const bool along = kernel->array[array].rank == 4 || (int)kernel->array[array].axis == a;
      const int more = occurs && along && a == GEN_I ? row->halo : 0;
      if (inside.lower[a] + more > halo.lower[a])
        halo.lower[a] = inside.lower[a] + more;
      if (inside.upper[a] + more > halo.upper[a])
        halo.upper[a] = inside.upper[a] + more;
    }
  }
  return halo;
}

static void emit_field(struct gen_writer *writer, const struct gen_schedule *schedule, int index)
{
  const struct gen_array *array = &schedule->kernel->array[index];
  struct halo halo = {{0}, {0}};
  if (array->read && !array->table)
    halo = halo_of(schedule, index);
  gen_line(
    writer,
    "{.name = \"%s\", .kind = %s, .place = %s, .axis = %d, .level = %s, .precision = %s, .read = "
    "%d, .written = %d, .halo_lower = {%d, %d, %d}, .halo_upper = {%d, %d, %d}, .rule = %s},",
    array->given,
    array->table         ? "GMG_TABLE"
      : array->rank == 1 ? "GMG_LINE"
                         : "GMG_FIELD",
    place_name[array->place], array->rank == 1 ? (int)array->axis : 0, level_name[array->level],
    schedule->field_precision[index] == GEN_FLOAT ? "GMG_F32" : "GMG_F64", array->read,
    array->written, halo.lower[0], halo.lower[1], halo.lower[2], halo.upper[0], halo.upper[1],
    halo.upper[2], rule_name[array->rule]);
}

void gen_emit_identity(struct gen_writer *writer, const struct gen_unit *unit)
{
  gen_line(writer,
           ".name = \"%s\", .variant = \"%s\", .role = %s, .precision = %s, .rows_stored = %s,",
           unit->schedule->kernel->name, unit->variant, gen_role_name(unit->role),
           unit->schedule->precision == GEN_FLOAT ? "GMG_F32" : "GMG_F64",
           unit->schedule->layout == GEN_SPLIT ? "GMG_SPLIT" : "GMG_PLAIN");
}

void gen_emit_descriptor(struct gen_writer *writer, const struct gen_unit *unit)
{
  const struct gen_schedule *schedule = unit->schedule;
  int array[GEN_MAX_ARRAYS];
  struct gen_argument argument[GEN_MAX_SCALARS];
  const int fields = gen_fields(schedule, array), scalars = gen_arguments(schedule, argument);
  struct gen_line_sets sets = {.others = 0};
  gen_find_lines(schedule, &sets);
  gen_line(writer, "static const struct gmg_field_descriptor %s_fields[] = {", unit->symbol);
  for (int n = 0; n < fields; n++)
    emit_field(writer, schedule, array[n]);
  gen_line(writer, "};");
  const char *list = "NULL";
  for (int n = 0; n < scalars; n++)
    list = gen_text("%s%s\"%s\"", n ? list : "", n ? ", " : "", argument[n].given);
  gen_line(writer, "static const char *const %s_scalars[] = {%s};", unit->symbol, list);
  const char *linkage = unit->role == GEN_ROLE_AS_WRITTEN ? "" : "static ";
  const char *symbol = unit->role == GEN_ROLE_AS_WRITTEN
    ? gen_text("GMG_SYMBOL(gmg_kernel_%s)", unit->symbol)
    : gen_text("%s_kernel", unit->symbol);
  gen_line(writer,
           "extern const struct gmg_cuda_kernel gmg_cuda_%s __attribute__((weak));\n"
           "%sconst struct gmg_kernel_descriptor %s = {",
           unit->symbol, linkage, symbol);
  gen_emit_identity(writer, unit);
  gen_line(writer,
           ".run = %s, .run_tile = %s_tile,\n"
           ".fields = %d, .scalars = %d, .field = %s_fields, .scalar = %s_scalars,",
           unit->symbol, unit->symbol, fields, scalars, unit->symbol, unit->symbol);
  gen_line(writer, ".extra = {%d, %d, %d}, .rows = %d, .lines = %d, .flops = %g, .bytes = %g,",
           gen_loop_extra(schedule->kernel, GEN_I), gen_loop_extra(schedule->kernel, GEN_J),
           gen_loop_extra(schedule->kernel, GEN_K), schedule->rows + sets.others,
           gen_own_lines(schedule, &sets), unit->flops, unit->reals * gen_real_bytes(schedule));
  gen_line(writer,
           ".cuda = &gmg_cuda_%s,\n"
           ".source = \"%s\", .source_hash = \"%s\",\n"
           "};\n"
           "\n",
           unit->symbol, unit->source, unit->source_hash);
}

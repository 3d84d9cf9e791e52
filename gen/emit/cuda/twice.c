/* Two steps of a program in one pass: the first step's values stay in shared memory, with a cell
 * more on every side than the second step visits (gen/templates/twice.cuh). What stands beyond
 * walls is found there by the rules that fill ghosts. */
#include "emit/emit.h"
#include "emit/template.h"
#include "schedule/cuda_choices.h"

static const char axis_letter[] = "ijk";

/* Whether the array is read in one direction at a time. */
static bool is_star(const struct gen_unit *unit)
{
  const struct gen_kernel *kernel = unit->schedule->kernel;
  bool along_k = false, star = true;
  for (int n = 0; n < kernel->statements; n++)
    star = star && gen_cuda_star(kernel, kernel->statement[n].value, unit->twice->array, &along_k);
  return star;
}

/* As many threads as find registers: fewer where other arrays are read, too, or many neighbours. In
 * two dimensions there is one plane. */
static struct gen_cuda_shape shape_of(const struct gen_unit *unit)
{
  enum { FEW_REALS = 2 };
  const bool single = unit->schedule->precision == GEN_FLOAT;
  if (!unit->twice->deep)
    return (struct gen_cuda_shape){64, 8, 4, 1, 1, 2};
  if (single || (is_star(unit) && unit->reals <= FEW_REALS))
    return (struct gen_cuda_shape){64, 8, 2, 64, 1, 2};
  return is_star(unit) ? (struct gen_cuda_shape){64, 6, 2, 64, 1, 2}
                       : (struct gen_cuda_shape){64, 8, 2, 64, 1, 1};
}

/* ---- walls ---- */

static const char *beyond(int axis, int side)
{
  const char c = axis_letter[axis];
  return side ? gen_text("%c >= box->cells[%d] && box->other_cells[%d]", c, axis, axis)
              : gen_text("%c < 0 && box->other_lower[%d]", c, axis);
}

/* The cell inside of which a ghost is the image; NULL: it is none. */
static const char *source_of(const struct gen_wall_rule *rule, int axis, int side)
{
  const char c = axis_letter[axis];
  if (rule->kind == GEN_WALL_PERIODIC)
    return gen_text("%c %c box->cells[%d]", c, side ? '-' : '+', axis);
  if (rule->kind != GEN_WALL_MIRROR)
    return NULL;
  return side ? gen_text("2 * box->cells[%d] - %d - %c", axis, 1 + rule->skip, c)
              : gen_text("%d - %c", rule->skip - 1, c);
}

/* SYMBOL_source_i(box, i): where along the axis the value of cell i is from, which may lie beyond
 * a wall; and SYMBOL_image_i(box, i, value), what it is there. */
static void emit_axis(struct gen_emitter *emitter, int axis)
{
  const struct gen_program_array *of = emitter->unit->twice->of;
  const char *real = gen_real(emitter->schedule), c = axis_letter[axis];
  gen_line(emitter->writer,
           "static __device__ __forceinline__ int %s_source_%c(const struct gmg_kernel_box *box, "
           "int %c)\n"
           "{",
           emitter->symbol, c, c);
  for (int side = 0; side < 2; side++) {
    const char *source = source_of(&of->wall[axis][side], axis, side);
    if (source)
      gen_line(emitter->writer,
               "if (%s)\n"
               "return %s;",
               beyond(axis, side), source);
  }
  gen_line(emitter->writer,
           "(void)box;\n"
           "return %c;\n"
           "}\n"
           "\n"
           "static __device__ __forceinline__ %s %s_image_%c(const struct gmg_kernel_box *box, int "
           "%c, %s value)\n"
           "{",
           c, real, emitter->symbol, c, c, real);
  for (int side = 0; side < 2; side++) {
    const struct gen_wall_rule *rule = &of->wall[axis][side];
    if (rule->kind == GEN_WALL_MIRROR && rule->factor < 0)
      gen_line(emitter->writer,
               emitter->schedule->precision == GEN_FLOAT ? "if (%s)\nreturn (float)%.9g - value;"
                                                         : "if (%s)\nreturn (double)%.17g - value;",
               beyond(axis, side), rule->constant);
  }
  gen_line(emitter->writer,
           "(void)box, (void)%c;\n"
           "return value;\n"
           "}\n"
           "\n",
           c);
}

/* SYMBOL_is_data(box, i, j, k): whether a cell lies beyond a wall where values are data. */
static void emit_data(struct gen_emitter *emitter)
{
  const struct gen_twice *twice = emitter->unit->twice;
  gen_line(emitter->writer,
           "static __device__ __forceinline__ bool %s_is_data(const struct gmg_kernel_box *box, "
           "int i, int j, int k)\n"
           "{\n"
           "(void)box, (void)i, (void)j, (void)k;",
           emitter->symbol);
  for (int side = 0; side < (twice->deep ? 6 : 4); side++)
    if (twice->of->wall[side / 2][side % 2].kind == GEN_WALL_FIXED
        || twice->of->wall[side / 2][side % 2].kind == GEN_WALL_UNSET)
      gen_line(emitter->writer,
               "if (%s)\n"
               "return true;",
               beyond(side / 2, side % 2));
  gen_line(emitter->writer,
           "return false;\n"
           "}\n"
           "\n");
}

/* ---- what is done in a cell ---- */

/* The places where the array is read, each once. */
static void find_places(const struct gen_expr *expr, int array, struct gen_parts *parts)
{
  if (expr->kind == GEN_ACCESS && expr->access.array == array && !gen_part_of(parts, expr)
      && parts->count < GEN_MAX_CUT) {
    parts->value[parts->count] = expr;
    parts->name[parts->count] = gen_text("near%d", parts->count);
    parts->count++;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    find_places(expr->argument[n], array, parts);
}

/* SYMBOL_value: the new value in a cell. near(di, dj, dk) returns that of the array which steps
 * change so many cells away. */
static void emit_value(struct gen_emitter *emitter)
{
  const struct gen_kernel *kernel = emitter->kernel;
  const char *real = gen_real(emitter->schedule);
  struct gen_emitter inside = *emitter;
  struct gen_parts parts = {.prefix = ""};
  struct gen_names declared = {0};
  for (int n = 0; n < kernel->statements; n++)
    find_places(kernel->statement[n].value, emitter->unit->twice->array, &parts);
  gen_line(emitter->writer,
           "/* The new value in a cell. near(di, dj, dk): the old one so many cells away. */\n"
           "template <typename reader>");
  gen_open_cuda(emitter, real, "value", "const reader &near, int i, int j, int k");
  gen_emit_scalars(&inside);
  gen_emit_cuda_box(&inside, GEN_READS);
  for (int n = 0; n < parts.count; n++) {
    const struct gen_access *access = &parts.value[n]->access;
    gen_line(emitter->writer, "const %s %s = near(%d, %d, %d);", real, parts.name[n],
             gen_offset(kernel, access, GEN_I), gen_offset(kernel, access, GEN_J),
             gen_offset(kernel, access, GEN_K));
  }
  for (int n = 0; n < kernel->statements; n++)
    gen_declare_outside(&inside, kernel->statement[n].value, &parts, &declared);
  inside.parts = &parts;
  inside.store_to = gen_text("const %s value", real);
  gen_emit_statements(&inside);
  gen_line(emitter->writer,
           "return value;\n"
           "}\n"
           "\n");
}

void gen_emit_cuda_twice(struct gen_writer *writer, const struct gen_unit *unit)
{
  const struct gen_twice *twice = unit->twice;
  const struct gen_cuda_shape shape = shape_of(unit);
  struct gen_emitter emitter = gen_cuda_emitter(writer, unit);
  const struct gen_word words[] = {
    {"SYMBOL", unit->symbol},
    {"REAL", gen_real(unit->schedule)},
    {"FIELDS", gen_text("%d", gen_fields(unit->schedule, (int[GEN_MAX_ARRAYS]){0}))},
    {"SOURCE", gen_text("%d", gen_cuda_field_of(unit->schedule, twice->array))},
    {"TARGET", gen_text("%d", gen_cuda_field_of(unit->schedule, twice->target))},
    {"DEEP", twice->deep ? "1" : "0"},
    {"SLOTS", twice->deep ? "4" : "1"},
    {"DENSE", is_star(unit) ? "0" : "1"},
    {0}};
  gen_emit_cuda_shape(writer, &shape);
  for (int axis = 0; axis < 3; axis++)
    emit_axis(&emitter, axis);
  emit_data(&emitter);
  emit_value(&emitter);
  gen_emit_template(writer, gen_template_twice, words);
  gen_emit_cuda_shape_end(writer);
}

void gen_emit_cuda_twice_descriptor(struct gen_writer *writer, const struct gen_unit *unit)
{
  const struct gen_cuda_shape of = shape_of(unit);
  gen_line(writer,
           "static const struct gmg_cuda_form %s_twice_form = {.name = \"twice\", .symbol = "
           "\"%s_twice\", .text = %s_text_twice, .shape = {%d, %d, %d, %d, %d, %d}, .many_blocks = "
           "1, .overlap = 1};",
           unit->symbol, unit->symbol, unit->symbol, of.block_i, of.block_j, of.rows, of.planes,
           of.unroll, of.blocks);
}

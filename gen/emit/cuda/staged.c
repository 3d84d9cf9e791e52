/* Red and black in one pass, with what both read copied to shared memory a plane ahead, by the copy
 * engine where there is one; docs/performance/gpu-gauss-seidel.md says how and why. */
#include "staged.h"

#include <string.h>

/* Two colours by parity, and neighbours in one direction each, one cell away. */
static bool is_star_in_two_colours(const struct gen_unit *unit)
{
  const struct gen_kernel *kernel = unit->schedule->kernel;
  if (!gen_is_gauss_seidel(unit->role) || kernel->guard.kind != GEN_PARITY || !kernel->guard.global)
    return false;
  bool along_k = false;
  return !unit->schedule->rows && kernel->statements == 1 && kernel->statement[0].kind == GEN_STORE
    && gen_cuda_star(kernel, kernel->statement[0].value, kernel->statement[0].target.array,
                     &along_k);
}

bool gen_cuda_has_staged(const struct gen_unit *unit)
{
  struct gen_cuda_shape shape;
  if (!is_star_in_two_colours(unit) || unit->schedule->layout != GEN_SPLIT)
    return false;
  const struct gen_staged staged = gen_staged_of(unit->schedule);
  return staged.fits && gen_staged_shape(unit->schedule, &staged, &shape);
}

struct gen_cuda_shape gen_cuda_staged_shape(const struct gen_unit *unit)
{
  const struct gen_staged staged = gen_staged_of(unit->schedule);
  struct gen_cuda_shape shape;
  gen_staged_shape(unit->schedule, &staged, &shape);
  return shape;
}

/* Whether it can be worked out before the first colour's new values are known and anything is
 * divided. */
static bool comes_first(const struct gen_kernel *kernel, const struct gen_expr *expr, int array)
{
  if (gen_cuda_divides(expr))
    return false;
  for (int a = 0; expr->kind == GEN_ACCESS && expr->access.array == array && a < 3; a++)
    if (gen_offset(kernel, &expr->access, a))
      return false;
  for (int n = 0; n < gen_arity(expr); n++)
    if (!comes_first(kernel, expr->argument[n], array))
      return false;
  return true;
}

static void find_parts(struct gen_emitter *emitter, const struct gen_expr *expr, int array,
                       struct gen_parts *parts)
{
  if (!gen_cuda_reads(expr) || gen_part_of(parts, expr))
    return;
  if (expr->kind != GEN_NEGATE && comes_first(emitter->kernel, expr, array)
      && parts->count < GEN_MAX_CUT) {
    parts->value[parts->count] = expr;
    parts->name[parts->count] = gen_text("part%d", parts->count);
    parts->count++;
    return;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    find_parts(emitter, expr->argument[n], array, parts);
}

/* What of plane k - 1 or, where early, of k itself, is read of fields that are copied a plane
 * earlier. */
static void find_apart(struct gen_emitter *emitter, const struct gen_staged *staged,
                       const struct gen_expr *expr, bool early, struct gen_parts *parts)
{
  const struct gen_kernel *kernel = emitter->kernel;
  if (expr->kind == GEN_ACCESS && kernel->array[expr->access.array].rank > 1
      && !gen_part_of(parts, expr) && parts->count < GEN_MAX_CUT) {
    const struct gen_staged_box *box = gen_staged_box_of(staged, expr->access.array);
    const int k = gen_offset(kernel, &expr->access, GEN_K);
    const bool own =
      !gen_offset(kernel, &expr->access, GEN_I) && !gen_offset(kernel, &expr->access, GEN_J);
    if (early ? box->ahead && k == 0 && (box->array != staged->given || own) : k < 0) {
      parts->value[parts->count] = expr;
      parts->name[parts->count] = early ? gen_text("part%d", parts->count) : "below";
      parts->count++;
    }
  }
  for (int n = 0; n < gen_arity(expr); n++)
    find_apart(emitter, staged, expr->argument[n], early, parts);
}

/* Pointers to the rows that an expression reads, but for what has names already; and values of
 * lines along j and k. */
static void declare_rows(struct gen_emitter *emitter, const struct gen_staged *staged,
                         const struct gen_expr *expr, struct gen_names *declared)
{
  const struct gen_kernel *kernel = emitter->kernel;
  const struct gen_array *array =
    expr->kind == GEN_ACCESS ? &kernel->array[expr->access.array] : NULL;
  const char *type = gen_real(emitter->schedule);
  if (gen_part_of(emitter->parts, expr))
    return;
  for (int n = 0; n < gen_arity(expr); n++)
    declare_rows(emitter, staged, expr->argument[n], declared);
  if (!array
      || (emitter->neighbours_given && expr->access.array == emitter->given && array->rank > 1
          && (gen_offset(kernel, &expr->access, GEN_I) || gen_offset(kernel, &expr->access, GEN_J)
              || gen_offset(kernel, &expr->access, GEN_K))))
    return;
  const char *name = gen_row_name(emitter, &expr->access);
  if (!gen_first_time(declared, name))
    return;
  if (array->rank == 1 && array->axis == GEN_I)
    gen_line(emitter->writer, "const %s *const %s = lines + place::%s_place;", type, name, name);
  else if (array->rank == 1)
    gen_line(emitter->writer, "const %s %s = %s[place::%s_place%s];", type, name,
             array->axis == GEN_J ? "lines" : "now", name, array->axis == GEN_J ? " + y" : "");
  else {
    const struct gen_staged_box *box = gen_staged_box_of(staged, expr->access.array);
    const bool halves = box->halves;
    const int j = gen_offset(kernel, &expr->access, GEN_J),
              k = gen_offset(kernel, &expr->access, GEN_K);
    const char *row = gen_text("y%s%s",
                               j == 0    ? ""
                                 : j < 0 ? " - 1"
                                         : " + 1",
                               halves ? " - late" : "");
    gen_line(emitter->writer, "const %s *const %s = %s + place::%s_at + %s * place::%s_row%s;",
             type, name, box->ahead && k == 0 ? "before" : "now", array->name,
             j || halves ? gen_text("(%s)", row) : row, array->name,
             halves ? gen_text(" + parity * place::%s_odd", array->name) : "");
  }
}

static void declare_halves(struct gen_emitter *emitter, const struct gen_expr *const *expr,
                           int count)
{
  bool same = false, next = false;
  for (int n = 0; n < count; n++) {
    same = same || gen_starts(emitter, expr[n], "same");
    next = next || gen_starts(emitter, expr[n], "next");
  }
  if (same)
    gen_line(emitter->writer, "const int same = parity * place::odd;");
  if (next)
    gen_line(emitter->writer, "const int next = parity ? 1 : place::odd;");
}

static void emit_place_and_scalars(struct gen_emitter *emitter, bool scalars)
{
  gen_line(emitter->writer, "typedef struct %s_place place;", emitter->symbol);
  if (scalars)
    gen_emit_scalars(emitter);
}

/* SYMBOL_staged_first: the first colour's new value in plane k, from the stages of planes k - 1 and
 * k. late: 1 where rows with cells of this parity start a row later than those with others, which
 * are every second row. */
static void emit_first(struct gen_emitter *emitter, const struct gen_staged *staged)
{
  const struct gen_expr *value = emitter->kernel->statement[0].value;
  const char *type = gen_real(emitter->schedule);
  struct gen_emitter inside = *emitter;
  struct gen_parts below = {.prefix = ""};
  struct gen_names declared = {0};
  find_apart(emitter, staged, value, false, &below);
  gen_open_cuda(emitter, type, "staged_first",
                gen_text("const %s *before, const %s *now, const %s *lines, %s below, int at, int "
                         "y, int parity, int late",
                         type, type, type, type));
  inside.parts = &below;
  emit_place_and_scalars(emitter, true);
  declare_halves(&inside, &value, 1);
  declare_rows(&inside, staged, value, &declared);
  gen_line(emitter->writer,
           "return %s;\n"
           "}\n"
           "\n",
           gen_emit_expr(&inside, value));
}

static void emit_assignments(struct gen_emitter *inside, const struct gen_staged *staged,
                             const struct gen_parts *parts)
{
  struct gen_names declared = {0};
  declare_halves(inside, parts->value, parts->count);
  for (int n = 0; n < parts->count; n++)
    declare_rows(inside, staged, parts->value[n], &declared);
  for (int n = 0; n < parts->count; n++)
    gen_line(inside->writer, "to.%s = %s;", parts->name[n], gen_emit_expr(inside, parts->value[n]));
  gen_line(inside->writer,
           "return to;\n"
           "}\n"
           "\n");
}

/* The second colour: SYMBOL_staged_early, what it reads of its own plane in the stage of the one
 * below; SYMBOL_staged_read, all else that it reads; SYMBOL_staged_second, its new value from that
 * and the first colour's. */
static void emit_second(const struct gen_emitter *first, const struct gen_staged *staged)
{
  struct gen_emitter second = *first, *const emitter = &second, inside;
  const struct gen_expr *value = emitter->kernel->statement[0].value;
  const char *type = gen_real(emitter->schedule), *symbol = emitter->symbol;
  struct gen_parts early = {.prefix = ""}, parts = {.prefix = "in."};
  second.then = true;
  inside = second;
  find_apart(emitter, staged, value, true, &early);
  find_parts(emitter, value, emitter->given, &parts);
  gen_emit_cuda_struct(emitter, "staged_early", &early);
  gen_open_cuda(emitter, gen_text("struct %s_staged_early", symbol), "staged_early_of",
                gen_text("const %s *before, int at, int y, int parity", type));
  emit_place_and_scalars(emitter, false);
  gen_line(emitter->writer, "struct %s_staged_early to;", symbol);
  emit_assignments(&inside, staged, &early);
  gen_emit_cuda_struct(emitter, "staged_parts", &parts);
  gen_open_cuda(emitter, gen_text("struct %s_staged_parts", symbol), "staged_read",
                gen_text("const struct %s_staged_early &early, const %s *now, const %s *lines, int "
                         "at, int y, int parity, int late",
                         symbol, type, type));
  emit_place_and_scalars(emitter, true);
  gen_line(emitter->writer, "struct %s_staged_parts to;", symbol);
  early.prefix = "early.";
  inside.parts = &early;
  emit_assignments(&inside, staged, &parts);
  gen_open_cuda(emitter, type, "staged_second",
                gen_text("const struct %s_staged_parts &in%s", symbol,
                         gen_cuda_neighbours(type, emitter->kernel->array[emitter->given].name)));
  inside.neighbours_given = true;
  inside.parts = &parts;
  gen_emit_scalars(emitter);
  gen_line(emitter->writer,
           "return %s;\n"
           "}\n"
           "\n",
           gen_emit_expr(&inside, value));
}

void gen_emit_cuda_staged(struct gen_writer *writer, const struct gen_unit *unit)
{
  const struct gen_cuda_shape shape = gen_cuda_staged_shape(unit);
  struct gen_emitter emitter = gen_cuda_emitter(writer, unit);
  struct gen_schedule schedule = *unit->schedule;
  struct gen_kernel *kernel = gen_allocate(sizeof *kernel);
  const struct gen_staged staged = gen_staged_of(unit->schedule);
  *kernel = *unit->schedule->kernel;
  schedule.kernel = kernel;
  emitter.kernel = kernel;
  emitter.schedule = &schedule;
  emitter.given = staged.given;
  emitter.halves = true;
  kernel->array[staged.given].written = false; /* here it is another array that is written */
  gen_emit_cuda_shape(writer, &shape);
  gen_emit_staged_places(&emitter, &staged);
  gen_emit_staged_copy(&emitter, &staged, &shape);
  emit_first(&emitter, &staged);
  emit_second(&emitter, &staged);
  gen_emit_cuda_staged_march(&emitter, &staged);
  gen_emit_cuda_shape_end(writer);
}

void gen_emit_cuda_staged_descriptor(struct gen_writer *writer, const struct gen_unit *unit)
{
  const struct gen_cuda_shape shape = gen_cuda_staged_shape(unit);
  const struct gen_staged staged = gen_staged_of(unit->schedule);
  gen_line(writer, "static const struct gmg_cuda_staged %s_boxes[] = {", unit->symbol);
  for (int n = 0; n < staged.count; n++) {
    const struct gen_staged_box *box = &staged.box[n];
    gen_line(
      writer,
      "{.field = %d, .rows = %d, .low = %d, .beside = %d, .ahead = %d, .below = %d, .halves = %d},",
      gen_cuda_field_of(unit->schedule, box->array), 2 + box->high - box->low, box->low - 1,
      box->beside, box->ahead, box->below, box->halves);
  }
  gen_line(writer, "};");
  gen_line(writer,
           "static const struct gmg_cuda_form %s_staged = {.name = \"staged\", .symbol = "
           "\"%s_staged\", .text = %s_text_staged, .shape = {%d, %d, %d, %d, %d, %d}, .boxes = %d, "
           ".box = %s_boxes, .lines = {%d, %d, %d}};",
           unit->symbol, unit->symbol, unit->symbol, shape.block_i, shape.block_j, shape.rows,
           shape.planes, shape.unroll, shape.blocks, staged.count, unit->symbol,
           staged.lines[GEN_I], staged.lines[GEN_J], staged.lines[GEN_K]);
}

/* Red and black in one pass, with what both read copied to shared memory a plane ahead, by the copy engine where there is one. A thread
 * block has threads that copy, threads of the first colour, which compute plane k with one cell more on each side, and threads of
 * the second, two planes behind: the step from one plane to the next takes no longer than the slowest of the three.
 *
 * Three stages of shared memory take turns. A field that is read in the plane above, too, is copied a plane earlier than the others, so
 * that in plane k everything is in the stages of k - 1 and k; but for u in plane k - 1 at the own cell, which the first colour keeps,
 * and what the second reads in its own plane of such fields, which it keeps from the step before. Boxes start and end at 32 bytes, which
 * is what comes at a time: with 16 the same copies take 1.3 times as long. Where only the cell's own place along i is read, the halves of
 * a row are copied from different places on: even cells have none needed on the left, odd ones none on the right.
 *
 * Measured on an H200, with a barrier of whole warps (bar.sync instead of barrier.sync), against two passes, with variable coefficients, alpha one number: 1.44 to 1.46 times as fast, 1.69 ms at 512³ and
 * 0.214 at 256³; alpha a field: 1.39, 1.95 and 0.248. That is 88 to 92% of a copy's rate for the compulsory bytes, where two passes get
 * 102 to 107: at that rate it would be 1.67 and 1.57 times. The profiler counts 6% more bytes read from memory than compulsory, and 95%
 * of the throughput of the second level of cache; but boxes 11% smaller, without halos along i, take the same time (0.214, 0.243).
 * Thread blocks kept in step, plane by plane, take 0.98 times as long. Slower, as prototypes: rows copied by threads, 16 bytes
 * each, 1.2 times; halves of the outermost rows by themselves 1.0 (alpha a field: 0.98); what lies beside a block read from memory by
 * the threads that need it 1.2; boxes asked for another plane ahead in the second level of cache 1.4; values of two planes in
 * registers, with smaller stages, 1.5. */
#include "emit.h"

#include <string.h>

enum { MOST_BOXES = 8 };

/* A field that is copied: rows from j + low to j + high; whether cells beside the own one along i are read, and in plane k + 1. */
struct box {
  int array, low, high;
  bool beside, ahead;
};

struct boxes {
  int count, given;
  bool fits;
  struct box box[MOST_BOXES];
};

static int offset_of(const struct gen_kernel *kernel, const struct gen_access *access, enum gen_axis axis)
{
  return access->subscript[axis].affine.constant + kernel->loop[axis].lower.constant
    - kernel->array[access->array].first;
}

/* NULL: there is none. */
static const struct box *box_of(const struct boxes *boxes, int array)
{
  for (int n = 0; n < boxes->count; n++)
    if (boxes->box[n].array == array)
      return &boxes->box[n];
  return NULL;
}

/* NULL: there are too many. */
static struct box *add_box(struct boxes *boxes, int array)
{
  if (box_of(boxes, array))
    return &boxes->box[box_of(boxes, array) - boxes->box];
  if (boxes->count == MOST_BOXES)
    return NULL;
  boxes->box[boxes->count] = (struct box){.array = array};
  return &boxes->box[boxes->count++];
}

static void find_boxes(const struct gen_schedule *schedule, const struct gen_expr *expr, struct boxes *boxes)
{
  const struct gen_kernel *kernel = schedule->kernel;
  if (expr->kind == GEN_ACCESS && kernel->array[expr->access.array].rank > 1) {
    const struct gen_access *access = &expr->access;
    struct box *box = add_box(boxes, access->array);
    for (int a = 0; a < 3; a++) {
      const struct gen_subscript *s = &access->subscript[a];
      const int offset = offset_of(kernel, access, (enum gen_axis)a), least = a == GEN_K ? 0 : -1;
      boxes->fits = boxes->fits && s->table < 0 && s->affine.coefficient[a] == 1 && offset <= 1
        && (offset >= least || access->array == boxes->given);
    }
    boxes->fits = boxes->fits && box && kernel->array[access->array].level == GEN_OWN
      && schedule->field_precision[access->array] == schedule->precision;
    if (!boxes->fits)
      return;
    const int j = offset_of(kernel, access, GEN_J);
    box->low = j < box->low ? j : box->low;
    box->high = j > box->high ? j : box->high;
    box->beside = box->beside || offset_of(kernel, access, GEN_I) != 0;
    box->ahead = box->ahead || offset_of(kernel, access, GEN_K) > 0;
  }
  for (int n = 0; n < gen_arity(expr->kind); n++)
    find_boxes(schedule, expr->argument[n], boxes);
}

static struct boxes boxes_of(const struct gen_schedule *schedule)
{
  const struct gen_statement *statement = &schedule->kernel->statement[0];
  struct boxes boxes = {.given = statement->target.array, .fits = true};
  find_boxes(schedule, statement->value, &boxes);
  for (int n = 1; n < boxes.count; n++) /* in the order that was measured: the largest first */
    for (int m = n; m > 0 && boxes.box[m].beside && !boxes.box[m - 1].beside; m--) {
      const struct box box = boxes.box[m];
      boxes.box[m] = boxes.box[m - 1];
      boxes.box[m - 1] = box;
    }
  const struct box *given = boxes.fits ? box_of(&boxes, boxes.given) : NULL;
  boxes.fits = given && given->ahead && given->beside;
  return boxes;
}

static int real_bytes(const struct gen_schedule *schedule)
{
  return schedule->precision == GEN_DOUBLE ? 8 : 4;
}

/* As solver/cuda/staged.h counts them. */
static int shared_bytes(const struct gen_schedule *schedule, const struct boxes *boxes,
                        const struct gen_cuda_shape *shape)
{
  const int real = real_bytes(schedule), line = 128 / real, odd = shape->block_i + 64 / real;
  int list[GEN_MAX_ARRAYS], stage = 0;
  for (int n = 0; n < boxes->count; n++) {
    const struct box *box = &boxes->box[n];
    const int row = 2 * (box->beside ? odd : odd - 32 / real);
    stage += ((shape->block_j + 2 + box->high - box->low) * row + line - 1) / line * line;
  }
  const int plane = ((shape->block_j + 2) * (shape->block_i + 2) + line - 1) / line * line;
  return (3 * (stage + plane) + gen_cuda_lines_of(schedule, list) * 2 * odd) * real + 64;
}

/* With many fields a wide box: narrow ones, in stages nearly as large as shared memory, are 1.1 times slower. Smaller ones for more
 * fields than our own operators have. false: none fits. */
static bool find_shape(const struct gen_schedule *schedule, const struct boxes *boxes, struct gen_cuda_shape *shape)
{
  enum { MOST_SHARED = 227 * 1024 }; /* on architecture 9.0 */
  static const int shapes[][2] = {{32, 16}, {64, 8}, {32, 12}, {32, 8}, {32, 4}};
  for (size_t n = boxes->count > 5; n < sizeof shapes / sizeof *shapes; n++) {
    *shape = (struct gen_cuda_shape){shapes[n][0], shapes[n][1], 1, 0, 1, 1};
    if (shared_bytes(schedule, boxes, shape) <= MOST_SHARED)
      return true;
  }
  return false;
}

bool gen_cuda_has_staged(const struct gen_unit *unit)
{
  struct gen_cuda_shape shape;
  if (!gen_cuda_has_both(unit) || unit->schedule->layout != GEN_SPLIT)
    return false;
  const struct boxes boxes = boxes_of(unit->schedule);
  return boxes.fits && find_shape(unit->schedule, &boxes, &shape);
}

struct gen_cuda_shape gen_cuda_staged_shape(const struct gen_unit *unit)
{
  const struct boxes boxes = boxes_of(unit->schedule);
  struct gen_cuda_shape shape;
  find_shape(unit->schedule, &boxes, &shape);
  return shape;
}

/* Where everything is in shared memory. */
static void emit_places(struct gen_emitter *emitter, const struct boxes *boxes)
{
  const struct gen_kernel *kernel = emitter->schedule->kernel;
  struct gen_writer *writer = emitter->writer;
  const int real = real_bytes(emitter->schedule);
  int line[GEN_MAX_ARRAYS];
  const char *end = "0", *moved = "0";
  gen_line(
    writer,
    "/* Shared memory: three stages, each a box of every field; the first colour's values in three planes; lines");
  gen_line(
    writer,
    " * along i. NAME_at is where in a stage the pair (0, 0) of the block is, NAME_row how long rows are: even cells, and");
  gen_line(writer, " * `odd` behind them the odd ones. */");
  gen_open(writer, "struct %s_place {", emitter->symbol);
  gen_open(writer, "enum {");
  gen_line(writer, "unit = %d, line = %d, odd = BLOCK_I + 2 * unit,", 32 / real, 128 / real);
  for (int n = 0; n < boxes->count; n++) {
    const struct box *box = &boxes->box[n];
    const char *name = kernel->array[box->array].name;
    gen_line(writer, "%s_row = 2 * %s, %s_rows = BLOCK_J + %d, %s_box = %s,", name,
             box->beside ? "odd" : "(odd - unit)", name, 2 + box->high - box->low, name, end);
    gen_line(writer, "%s_at = %s_box + %d * %s_row%s,", name, name, 1 - box->low, name, box->beside ? " + unit" : "");
    end = gen_text(emitter->session, "(%s_box + %s_rows * %s_row + line - 1) / line * line", name, name, name);
    moved = gen_text(emitter->session, "%s%s%s_rows * %s_row", n ? moved : "", n ? " + " : "", name, name);
  }
  gen_line(writer, "stage = %s, moved = %s,", end, moved);
  gen_line(writer, "first_row = BLOCK_I + 2, plane = ((BLOCK_J + 2) * first_row + line - 1) / line * line,");
  gen_line(writer, "bytes = (3 * stage + 3 * plane + %d * 2 * odd) * %d + 64,",
           gen_cuda_lines_of(emitter->schedule, line), real);
  gen_line(
    writer,
    "pairs = BLOCK_I * ((BLOCK_J + 2) / 2), edge = (BLOCK_J + 31) / 32 * 32, threads = 32 + pairs + edge + BLOCK_I * "
    "BLOCK_J");
  gen_close(writer, "};");
  gen_close(writer, "};");
  gen_blank(writer);
}

static void emit_copy(struct gen_emitter *emitter, const struct boxes *boxes)
{
  struct gen_writer *writer = emitter->writer;
  const char *type = gen_type_name(emitter->schedule->precision);
  gen_line(writer, "/* Copies the stage of plane k: of fields that are read above, too, plane k + 1. */");
  gen_line(
    writer,
    "static __device__ __forceinline__ void %s_copy(const struct gmg_cuda_args &args, const struct gmg_cuda_boxes "
    "&boxes, %s *stage, int at, int j, int k, uint64_t *arrived)",
    emitter->symbol, type);
  gen_open(writer, "{");
  gen_line(writer, "typedef struct %s_place place;", emitter->symbol);
  gen_line(writer, "gmg_expect(arrived, place::moved * (int)sizeof(%s));", type);
  for (int n = 0; n < boxes->count; n++) {
    const struct box *box = &boxes->box[n];
    const char *name = emitter->schedule->kernel->array[box->array].name;
    gen_line(
      writer,
      "gmg_copy_box<%s, place::%s_row / 2, place::%s_rows, %s>(stage + place::%s_box, &boxes.box[%d], args.field[%d], "
      "&args.box, at%s, j - %d, %s, arrived);",
      type, name, name, box->beside ? "0" : "place::unit", name, n, gen_cuda_field_of(emitter->schedule, box->array),
      box->beside ? " - place::unit" : "", 1 - box->low, box->ahead ? "k + 1" : "k");
  }
  gen_close(writer, "}");
  gen_blank(writer);
}

/* What of plane k - 1 or, where early, of k itself, is read of fields that are copied a plane earlier. */
static void find_apart(struct gen_emitter *emitter, const struct boxes *boxes, const struct gen_expr *expr, bool early,
                       struct gen_parts *parts)
{
  const struct gen_kernel *kernel = emitter->schedule->kernel;
  if (expr->kind == GEN_ACCESS && kernel->array[expr->access.array].rank > 1 && !gen_part_of(parts, expr)
      && parts->count < GEN_MAX_CUT) {
    const struct box *box = box_of(boxes, expr->access.array);
    const int k = offset_of(kernel, &expr->access, GEN_K);
    const bool own = !offset_of(kernel, &expr->access, GEN_I) && !offset_of(kernel, &expr->access, GEN_J);
    if (early ? box->ahead && k == 0 && (box->array != boxes->given || own) : k < 0) {
      parts->value[parts->count] = expr;
      parts->name[parts->count] = early ? gen_text(emitter->session, "part%d", parts->count) : "below";
      parts->count++;
    }
  }
  for (int n = 0; n < gen_arity(expr->kind); n++)
    find_apart(emitter, boxes, expr->argument[n], early, parts);
}

/* Pointers to the rows that an expression reads, but for what has names already; and values of lines along j and k. */
static void declare_rows(struct gen_emitter *emitter, const struct boxes *boxes, const struct gen_expr *expr,
                         struct gen_names *declared)
{
  const struct gen_kernel *kernel = emitter->schedule->kernel;
  const struct gen_array *array = expr->kind == GEN_ACCESS ? &kernel->array[expr->access.array] : NULL;
  const char *type = gen_type_name(emitter->schedule->precision);
  if (gen_part_of(emitter->parts, expr))
    return;
  for (int n = 0; n < gen_arity(expr->kind); n++)
    declare_rows(emitter, boxes, expr->argument[n], declared);
  if (!array
      || (emitter->neighbours_given && expr->access.array == emitter->given && array->rank > 1
          && (offset_of(kernel, &expr->access, GEN_I) || offset_of(kernel, &expr->access, GEN_J)
              || offset_of(kernel, &expr->access, GEN_K))))
    return;
  const char *name = gen_row_name(emitter, &expr->access);
  if (!gen_first_time(declared, name))
    return;
  if (array->rank == 1 && array->axis == GEN_I) {
    int line[GEN_MAX_ARRAYS], at = 0;
    gen_cuda_lines_of(emitter->schedule, line);
    while (line[at] != expr->access.array)
      at++;
    gen_line(emitter->writer, "const %s *const %s = lines + %d * 2 * place::odd + place::unit;", type, name, at);
  } else if (array->rank == 1) {
    const int offset = offset_of(kernel, &expr->access, array->axis);
    gen_line(emitter->writer, "const %s %s = ((const %s *)args->field[%d])[%s%s];", type, name, type,
             gen_cuda_field_of(emitter->schedule, expr->access.array), array->axis == GEN_J ? "j" : "k",
             gen_signed_text(emitter->session, offset));
  } else {
    const bool ahead = box_of(boxes, expr->access.array)->ahead;
    const int j = offset_of(kernel, &expr->access, GEN_J), k = offset_of(kernel, &expr->access, GEN_K);
    gen_line(emitter->writer, "const %s *const %s = %s + place::%s_at + %s * place::%s_row;", type, name,
             ahead && k == 0 ? "before" : "now", array->name,
             j == 0    ? "y"
               : j < 0 ? "(y - 1)"
                       : "(y + 1)",
             array->name);
  }
}

static void declare_halves(struct gen_emitter *emitter, const struct gen_expr *const *expr, int count)
{
  bool same = false, next = false;
  for (int n = 0; n < count; n++) {
    same = same || gen_starts(emitter, expr[n], "same");
    next = next || gen_starts(emitter, expr[n], "next");
  }
  gen_emit_half(emitter, "place::odd", same, next);
}

static void open_function(struct gen_emitter *emitter, const char *returns, const char *name, const char *arguments)
{
  gen_line(emitter->writer, "static __device__ __forceinline__ %s %s_%s(const struct gmg_cuda_args *args, %s)", returns,
           emitter->symbol, name, arguments);
  gen_open(emitter->writer, "{");
}

static void emit_place_and_scalars(struct gen_emitter *emitter, bool scalars)
{
  gen_line(emitter->writer, "typedef struct %s_place place;", emitter->symbol);
  if (scalars)
    gen_emit_scalars(emitter);
}

/* SYMBOL_staged_first: the first colour's new value in plane k, from the stages of planes k - 1 and k. */
static void emit_first(struct gen_emitter *emitter, const struct boxes *boxes)
{
  const struct gen_expr *value = emitter->schedule->kernel->statement[0].value;
  const char *type = gen_type_name(emitter->schedule->precision);
  struct gen_emitter inside = *emitter;
  struct gen_parts below = {.prefix = ""};
  struct gen_names declared = {0};
  find_apart(emitter, boxes, value, false, &below);
  open_function(
    emitter, type, "staged_first",
    gen_text(emitter->session,
             "const %s *before, const %s *now, const %s *lines, %s below, int at, int y, int parity, int j, int k",
             type, type, type, type));
  inside.parts = &below;
  emit_place_and_scalars(emitter, true);
  declare_halves(&inside, &value, 1);
  declare_rows(&inside, boxes, value, &declared);
  gen_line(emitter->writer, "return %s;", gen_emit_expr(&inside, value));
  gen_close(emitter->writer, "}");
  gen_blank(emitter->writer);
}

static void emit_struct(struct gen_emitter *emitter, const char *name, const struct gen_parts *parts)
{
  gen_open(emitter->writer, "struct %s_%s {", emitter->symbol, name);
  for (int n = 0; n < parts->count; n++)
    gen_line(emitter->writer, "%s %s;", gen_type_name(emitter->schedule->precision), parts->name[n]);
  gen_close(emitter->writer, "};");
  gen_blank(emitter->writer);
}

static void emit_assignments(struct gen_emitter *inside, const struct boxes *boxes, const struct gen_parts *parts)
{
  struct gen_names declared = {0};
  declare_halves(inside, parts->value, parts->count);
  for (int n = 0; n < parts->count; n++)
    declare_rows(inside, boxes, parts->value[n], &declared);
  for (int n = 0; n < parts->count; n++)
    gen_line(inside->writer, "to.%s = %s;", parts->name[n], gen_emit_expr(inside, parts->value[n]));
  gen_line(inside->writer, "return to;");
  gen_close(inside->writer, "}");
  gen_blank(inside->writer);
}

/* The second colour: SYMBOL_staged_early, what it reads of its own plane in the stage of the one below; SYMBOL_staged_read, all else
 * that it reads; SYMBOL_staged_second, its new value from that and the first colour's. */
static void emit_second(struct gen_emitter *emitter, const struct boxes *boxes)
{
  const struct gen_expr *value = emitter->schedule->kernel->statement[0].value;
  struct gen_session *session = emitter->session;
  const char *type = gen_type_name(emitter->schedule->precision), *symbol = emitter->symbol;
  struct gen_parts early = {.prefix = ""}, parts = {.prefix = "in."};
  struct gen_emitter inside = *emitter;
  find_apart(emitter, boxes, value, true, &early);
  gen_cuda_find_parts(emitter, value, emitter->given, &parts);
  emit_struct(emitter, "staged_early", &early);
  open_function(emitter, gen_text(session, "struct %s_staged_early", symbol), "staged_early_of",
                gen_text(session, "const %s *before, int at, int y, int parity", type));
  emit_place_and_scalars(emitter, false);
  gen_line(emitter->writer, "struct %s_staged_early to;", symbol);
  emit_assignments(&inside, boxes, &early);
  emit_struct(emitter, "staged_parts", &parts);
  open_function(
    emitter, gen_text(session, "struct %s_staged_parts", symbol), "staged_read",
    gen_text(
      session,
      "const struct %s_staged_early &early, const %s *now, const %s *lines, int at, int y, int parity, int j, int k",
      symbol, type, type));
  emit_place_and_scalars(emitter, true);
  gen_line(emitter->writer, "struct %s_staged_parts to;", symbol);
  early.prefix = "early.";
  inside.parts = &early;
  emit_assignments(&inside, boxes, &parts);
  open_function(emitter, type, "staged_second",
                gen_text(session, "const struct %s_staged_parts &in%s", symbol,
                         gen_cuda_neighbours(session, type, emitter->schedule->kernel->array[emitter->given].name)));
  inside.neighbours_given = true;
  inside.parts = &parts;
  gen_emit_scalars(emitter);
  gen_line(emitter->writer, "return %s;", gen_emit_expr(&inside, value));
  gen_close(emitter->writer, "}");
  gen_blank(emitter->writer);
}

void gen_emit_cuda_staged(struct gen_session *session, struct gen_writer *writer, const struct gen_unit *unit)
{
  const struct gen_cuda_shape shape = gen_cuda_staged_shape(unit);
  struct gen_schedule schedule = *unit->schedule;
  struct gen_kernel *kernel = gen_allocate(session, sizeof *kernel);
  const struct boxes boxes = boxes_of(unit->schedule);
  *kernel = *unit->schedule->kernel;
  schedule.kernel = kernel;
  struct gen_emitter emitter = {.session = session,
                                .schedule = &schedule,
                                .writer = writer,
                                .given = boxes.given,
                                .halves = true,
                                .symbol = unit->symbol,
                                .cuda = true};
  kernel->array[boxes.given].written = false; /* here it is another array that is written */
  gen_emit_cuda_shape(writer, &shape);
  emit_places(&emitter, &boxes);
  emit_copy(&emitter, &boxes);
  emit_first(&emitter, &boxes);
  emit_second(&emitter, &boxes);
  gen_emit_cuda_staged_march(&emitter);
  gen_emit_cuda_shape_end(writer);
}

void gen_emit_cuda_staged_descriptor(struct gen_writer *writer, const struct gen_unit *unit)
{
  const struct gen_cuda_shape shape = gen_cuda_staged_shape(unit);
  const struct boxes boxes = boxes_of(unit->schedule);
  int line[GEN_MAX_ARRAYS];
  gen_open(writer, "static const struct gmg_cuda_staged %s_boxes[] = {", unit->symbol);
  for (int n = 0; n < boxes.count; n++) {
    const struct box *box = &boxes.box[n];
    gen_line(writer, "{.field = %d, .rows = %d, .low = %d, .beside = %d, .ahead = %d},",
             gen_cuda_field_of(unit->schedule, box->array), 2 + box->high - box->low, box->low - 1, box->beside,
             box->ahead);
  }
  gen_close(writer, "};");
  gen_line(writer,
           "static const struct gmg_cuda_form %s_staged = {.name = \"staged\", .symbol = \"%s_staged\", .text = "
           "%s_text_staged, .shape = {%d, %d, %d, %d, %d, %d}, .boxes = %d, .box = %s_boxes, .lines = %d};",
           unit->symbol, unit->symbol, unit->symbol, shape.block_i, shape.block_j, shape.rows, shape.planes,
           shape.unroll, shape.blocks, boxes.count, unit->symbol, gen_cuda_lines_of(unit->schedule, line));
}

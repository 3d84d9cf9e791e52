/* What the form SYMBOL_staged copies to shared memory: where everything is there, the function
 * SYMBOL_copy, and rows that are read from there. */
#include "emit/emit.h"

/* Places of the lines along i and j, one after the other. */
static void emit_line_places(struct gen_emitter *emitter, const struct gen_staged *staged)
{
  struct gen_writer *writer = emitter->writer;
  for (int n = 0; n < staged->lines[GEN_I]; n++)
    gen_line(writer, "%s_place = %d * 2 * odd + unit,",
             gen_row_name(emitter, staged->line[GEN_I][n]), n);
  for (int n = 0; n < staged->lines[GEN_J]; n++)
    gen_line(writer, "%s_place = %d * 2 * odd + %d * (BLOCK_J + 2) + 1,",
             gen_row_name(emitter, staged->line[GEN_J][n]), staged->lines[GEN_I], n);
  gen_line(writer, "lines = (%d * 2 * odd + %d * (BLOCK_J + 2) + line - 1) / line * line,",
           staged->lines[GEN_I], staged->lines[GEN_J]);
}

static void emit_places(struct gen_emitter *emitter, const struct gen_staged *staged)
{
  struct gen_writer *writer = emitter->writer;
  const int real = gen_real_bytes(emitter->schedule);
  const char *end = "0", *moved = "0", *constants = "", *threads = "";
  gen_line(writer,
           "/* Shared memory: three stages, each a box of every field and the plane's own number "
           "of lines along k; the\n"
           " * first colour's values in three planes; lines along i and j. NAME_at is where in a "
           "stage the pair (0, 0) of\n"
           " * the block is, NAME_place where a line's number is or, along i and j, the block's "
           "first one; NAME_row how\n"
           " * long rows are: even cells, and `odd` behind them the odd ones. Where rows have one "
           "half each, NAME_odd is\n"
           " * how much further away the odd ones are than `odd`. */\n"
           "struct %s_place {\n"
           "enum {\n"
           "unit = %d, line = %d, odd = BLOCK_I + 2 * unit,",
           emitter->symbol, 32 / real, 128 / real);
  for (int n = 0; n < staged->count; n++) {
    const struct gen_staged_box *box = &staged->box[n];
    const char *name = emitter->kernel->array[box->array].name;
    const bool halves = box->halves;
    gen_line(writer, "%s_row = %s%s, %s_rows = BLOCK_J + %d, %s_box = %s,", name,
             halves ? "" : "2 * ", box->beside ? "odd" : "(odd - unit)", name,
             (halves ? 1 : 2) + box->high - box->low, name, end);
    gen_line(writer, "%s_at = %s_box + %d * %s_row%s,", name, name, 1 - box->low, name,
             box->beside ? " + unit" : "");
    end = gen_text("(%s_box + %s_rows * %s_row + line - 1) / line * line", name, name, name);
    if (halves) {
      gen_line(
        writer,
        "%s_half = (%s_rows * %s_row + line - 1) / line * line, %s_odd = %s_half + unit - odd,",
        name, name, name, name, name);
      end = gen_text("%s_box + 2 * %s_half", name, name);
    }
    moved = gen_text("%s%s%s%s_rows * %s_row", n ? moved : "", n ? " + " : "", halves ? "2 * " : "",
                     name, name);
  }
  for (int n = 0; n < staged->lines[GEN_K]; n++)
    gen_line(writer, "%s_place = %s + %d,", gen_row_name(emitter, staged->line[GEN_K][n]), end, n);
  gen_line(writer,
           "stage = %s + %s, moved = %s,\n"
           "first_row = BLOCK_I + 2, plane = ((BLOCK_J + 2) * first_row + line - 1) / line * line,",
           end, staged->lines[GEN_K] ? "line" : "0", moved);
  emit_line_places(emitter, staged);
  for (int n = 0; n < GEN_ROLES_OF_THREADS; n++) {
    const struct gen_cuda_role *role = &staged->role[n];
    threads =
      gen_text("%s%s%s", threads, n ? " + " : "", role->constant ? role->constant : role->threads);
    if (role->constant)
      constants = gen_text("%s%s = %s, ", constants, role->constant, role->threads);
  }
  gen_line(writer,
           "bytes = (3 * stage + 3 * plane + lines) * %d + 64,\n"
           "%sthreads = %s\n"
           "};\n"
           "};\n"
           "\n",
           real, constants, threads);
}

static void emit_copy(struct gen_emitter *emitter, const struct gen_staged *staged)
{
  struct gen_writer *writer = emitter->writer;
  const char *type = gen_real(emitter->schedule);
  gen_line(writer,
           "/* Copies the stage of plane k: of fields that are read above, too, plane k + 1. Not "
           "all at once: the rest when the\n"
           " * stage before, if one is given, is there for the n-th time. start: the first "
           "colour's parity at (0, 0, 0). */\n"
           "static __device__ __forceinline__ void %s_copy(const struct gmg_cuda_args &args, const "
           "struct gmg_cuda_boxes &boxes, %s *stage, int at, int j, int k, int start, uint64_t "
           "*arrived, uint64_t *before, int n)\n"
           "{\n"
           "typedef struct %s_place place;\n"
           "const int parity = (start + j - 1 + k) & 1; /* of the first colour in the row beside "
           "the block's first */\n"
           "gmg_expect(arrived, place::moved * (int)sizeof(%s));",
           emitter->symbol, type, emitter->symbol, type);
  if (staged->early == staged->count)
    gen_line(writer, "(void)before, (void)n; /* they are small */");
  for (int n = 0; n < staged->count; n++) {
    const struct gen_staged_box *box = &staged->box[n];
    const char *name = emitter->kernel->array[box->array].name;
    if (n == staged->early)
      gen_line(writer,
               "if (before)\n"
               "gmg_await(before, n);");
    const int field = gen_cuda_field_of(emitter->schedule, box->array);
    if (box->halves)
      gen_line(writer,
               "gmg_copy_halves<%s, place::%s_row, place::%s_rows, place::%s_half, %d>(stage + "
               "place::%s_box, &boxes.box[%d], args.field[%d], &args.box, at, j - %d, k, parity, "
               "arrived);",
               type, name, name, name, box->low, name, n, field, 1 - box->low);
    else
      gen_line(
        writer,
        "gmg_copy_box<%s, place::%s_row / 2, place::%s_rows, %s, %d, %d>(stage + place::%s_box, "
        "&boxes.box[%d], args.field[%d], &args.box, at%s, j - %d, %s, arrived);",
        type, name, name, box->beside ? "0" : "place::unit", box->low, box->below ? -1 : 0, name, n,
        field, box->beside ? " - place::unit" : "", 1 - box->low, box->ahead ? "k + 1" : "k");
  }
  if (staged->lines[GEN_K])
    gen_line(writer, "const int safe_k = gmg_least(k < 0 ? 0 : k, args.box.cells[2] - 1);");
  for (int n = 0; n < staged->lines[GEN_K]; n++) {
    const struct gen_access *access = staged->line[GEN_K][n];
    gen_line(writer,
             "if (threadIdx.x == 0)\n"
             "stage[place::%s_place] = ((const %s *)args.field[%d])[safe_k%s];",
             gen_row_name(emitter, access), type,
             gen_cuda_field_of(emitter->schedule, access->array),
             gen_signed_text(gen_offset(emitter->kernel, access, GEN_K)));
  }
  gen_line(writer, "}\n\n");
}

void gen_emit_cuda_copies(struct gen_emitter *emitter, const struct gen_staged *staged)
{
  emit_places(emitter, staged);
  emit_copy(emitter, staged);
}

void gen_emit_cuda_copied_lines(struct gen_emitter *emitter, const struct gen_staged *staged)
{
  const struct gen_schedule *schedule = emitter->schedule;
  struct gen_writer *writer = emitter->writer;
  const char *type = gen_real(schedule);
  if (staged->lines[GEN_I])
    gen_line(writer,
             "for (int n = thread; n < 2 * place::odd; n += place::threads) {\n"
             "const int pair = n %% place::odd - place::unit, half = n / place::odd, i = 2 * (at0 "
             "+ pair) + half;");
  for (int n = 0; n < staged->lines[GEN_I]; n++) {
    const struct gen_access *access = staged->line[GEN_I][n];
    gen_line(writer,
             "lines[place::%s_place + pair + half * place::odd] = i >= 0 && i <= box->cells[0] ? "
             "((const %s *)args.field[%d])[gmg_at(i, box->odd)] : 0;",
             gen_row_name(emitter, access), type, gen_cuda_field_of(schedule, access->array));
  }
  if (staged->lines[GEN_I])
    gen_line(writer, "}");
  if (staged->lines[GEN_J])
    gen_line(writer,
             "if (thread < BLOCK_J + 2) {\n"
             "const int j = gmg_least(j0 + thread > 0 ? j0 + thread - 1 : 0, box->cells[1] - 1);");
  for (int n = 0; n < staged->lines[GEN_J]; n++) {
    const struct gen_access *access = staged->line[GEN_J][n];
    gen_line(writer, "lines[place::%s_place + thread - 1] = ((const %s *)args.field[%d])[j%s];",
             gen_row_name(emitter, access), type, gen_cuda_field_of(schedule, access->array),
             gen_signed_text(gen_offset(schedule->kernel, access, GEN_J)));
  }
  if (staged->lines[GEN_J])
    gen_line(writer, "}");
}

/* Pointers to the rows that an expression reads, but for what has names already; and values of
 * lines along j and k. */
void gen_declare_copied(struct gen_emitter *emitter, const struct gen_expr *expr,
                        struct gen_names *declared)
{
  const struct gen_kernel *kernel = emitter->kernel;
  const struct gen_array *array =
    expr->kind == GEN_ACCESS ? &kernel->array[expr->access.array] : NULL;
  const char *type = gen_real(emitter->schedule);
  if (gen_part_of(emitter->parts, expr))
    return;
  for (int n = 0; n < gen_arity(expr); n++)
    gen_declare_copied(emitter, expr->argument[n], declared);
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
    const struct gen_staged_box *box = gen_staged_box_of(emitter->staged, expr->access.array);
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

void gen_emit_cuda_staged_descriptor(struct gen_writer *writer, const struct gen_unit *unit)
{
  const struct gen_cuda_shape *shape = &unit->cuda->staged->shape;
  const struct gen_staged *staged = &unit->cuda->staged->staged;
  gen_line(writer, "static const struct gmg_cuda_staged %s_boxes[] = {", unit->symbol);
  for (int n = 0; n < staged->count; n++) {
    const struct gen_staged_box *box = &staged->box[n];
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
           unit->symbol, unit->symbol, unit->symbol, shape->block_i, shape->block_j, shape->rows,
           shape->planes, shape->unroll, shape->blocks, staged->count, unit->symbol,
           staged->lines[GEN_I], staged->lines[GEN_J], staged->lines[GEN_K]);
}

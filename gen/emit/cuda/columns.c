/* SYMBOL_columns, whose threads each have neighbouring cells along i, as many as are 16 bytes, in
 * ROWS rows and PLANES planes that follow one another. Of a row, what all those cells read is read
 * first, most of it 16 bytes at once; what neighbouring rows and planes read alike, the compiler
 * finds to be the same. */
#include "emit/emit.h"
#include "emit/index.h"
#include "emit/template.h"

/* How far cells read an array to either side, by axis. */
struct reach {
  bool reads;
  int low[3], high[3];
};

static void find_reach(const struct gen_emitter *emitter, const struct gen_expr *expr,
                       struct reach *reach)
{
  for (int n = 0; n < gen_arity(expr); n++)
    find_reach(emitter, expr->argument[n], reach);
  if (expr->kind != GEN_ACCESS)
    return;
  const struct gen_access *access = &expr->access;
  struct reach *of = &reach[access->array];
  for (int axis = 0; axis < 3; axis++) {
    const int at = gen_index_constant(emitter, &emitter->kernel->array[access->array],
                                      &access->subscript[axis].affine, (enum gen_axis)axis);
    of->low[axis] = of->reads && of->low[axis] < at ? of->low[axis] : at;
    of->high[axis] = of->reads && of->high[axis] > at ? of->high[axis] : at;
  }
  of->reads = true;
}

static const char each_row[] = "#pragma unroll\n"
                               "for (int m = 0; m < UNROLL; m++)\n"
                               "#pragma unroll\n"
                               "for (int r = 0; r < ROWS; r++)";

int gen_cuda_columns(const struct gen_schedule *schedule)
{
  return 16 / gen_real_bytes(schedule);
}

/* Reads all rows that the thread's cells read of an array: those that no statement names, the
 * compiler leaves out. */
static void emit_rows(struct gen_emitter *emitter, int array, const struct reach *of)
{
  const char *name = emitter->kernel->array[array].name;
  const int more_j = of->high[GEN_J] - of->low[GEN_J], more_k = of->high[GEN_K] - of->low[GEN_K];
  gen_line(emitter->writer,
           "gmg_window<%s, %d, %d> rows_%s[UNROLL + %d][ROWS + %d];\n"
           "#pragma unroll\n"
           "for (int m = 0; m < UNROLL + %d; m++)\n"
           "#pragma unroll\n"
           "for (int r = 0; r < ROWS + %d; r++)\n"
           "rows_%s[m][r].take(%s + (j + r%s) * stride_j + (k + m%s) * stride_k, first);",
           gen_real(emitter->schedule), of->low[GEN_I], of->high[GEN_I], name, more_k, more_j,
           more_k, more_j, name, name, gen_signed_text(of->low[GEN_J]),
           gen_signed_text(of->low[GEN_K]));
}

/* Names for the rows that an expression reads, at row r of plane m. */
static void name_rows(struct gen_emitter *emitter, const struct gen_expr *expr,
                      const struct reach *reach, struct gen_names *declared)
{
  for (int n = 0; n < gen_arity(expr); n++)
    name_rows(emitter, expr->argument[n], reach, declared);
  if (expr->kind != GEN_ACCESS)
    return;
  const struct gen_access *access = &expr->access;
  const struct gen_array *array = &emitter->kernel->array[access->array];
  const struct reach *of = &reach[access->array];
  const char *name = gen_row_name(emitter, access);
  int above[3];
  for (int axis = 0; axis < 3; axis++)
    above[axis] =
      gen_index_constant(emitter, array, &access->subscript[axis].affine, (enum gen_axis)axis)
      - of->low[axis];
  if (gen_first_time(declared, name))
    gen_line(emitter->writer, "const gmg_window<%s, %d, %d> &%s = rows_%s[m%s][r%s];",
             gen_real(emitter->schedule), of->low[GEN_I], of->high[GEN_I], name, array->name,
             gen_signed_text(above[GEN_K]), gen_signed_text(above[GEN_J]));
}

/* What is stored, and given to the caller. */
static void emit_stores(struct gen_emitter *emitter)
{
  const struct gen_kernel *kernel = emitter->kernel;
  struct gen_names stored = {0};
  for (int n = 0; n < kernel->statements; n++) {
    const struct gen_statement *statement = &kernel->statement[n];
    if (statement->kind != GEN_STORE)
      continue;
    const char *row = gen_row_name(emitter, &statement->target),
               *name = kernel->array[statement->target.array].name;
    if (gen_first_time(&stored, row))
      gen_line(emitter->writer,
               "%s.put(%s + (j + r) * stride_j + (k + m) * stride_k, first);\n"
               "made[m][r].%s = %s;",
               row, name, name, row);
  }
}

static void emit_made(struct gen_emitter *emitter)
{
  gen_line(emitter->writer,
           "/* What a thread makes of a row. */\n"
           "struct %s_made {",
           emitter->symbol);
  for (int n = 0; n < emitter->kernel->arrays; n++)
    if (emitter->kernel->array[n].written)
      gen_line(emitter->writer, "gmg_few<%s> %s;", gen_real(emitter->schedule),
               emitter->kernel->array[n].name);
  gen_line(emitter->writer, "};\n");
}

/* The cells of a row: names for what they read, the statements, and stores. */
static void emit_row(struct gen_emitter *emitter, const struct reach *reach)
{
  const struct gen_kernel *kernel = emitter->kernel;
  struct gen_names declared = {0};
  for (int n = 0; n < kernel->statements; n++)
    name_rows(emitter, kernel->statement[n].value, reach, &declared);
  for (int n = 0; n < kernel->statements; n++)
    if (kernel->statement[n].kind == GEN_STORE
        && gen_first_time(&declared, gen_row_name(emitter, &kernel->statement[n].target)))
      gen_line(emitter->writer, "gmg_few<%s> %s;", gen_real(emitter->schedule),
               gen_row_name(emitter, &kernel->statement[n].target));
  gen_line(emitter->writer,
           "#pragma unroll\n"
           "for (int i = 0; i < %d; i++) {",
           gen_cuda_columns(emitter->schedule));
  gen_emit_statements(emitter);
  gen_line(emitter->writer, "}");
  emit_stores(emitter);
}

static void emit_few(struct gen_emitter *emitter)
{
  const struct gen_kernel *kernel = emitter->kernel;
  struct reach reach[GEN_MAX_ARRAYS] = {{.reads = false}};
  for (int n = 0; n < kernel->statements; n++)
    find_reach(emitter, kernel->statement[n].value, reach);
  gen_line(emitter->writer,
           "/* Cell (i, j, k) and those beside it, from `first` on, in UNROLL planes of ROWS rows. "
           "*/");
  gen_open_cuda(
    emitter, "void", "few",
    gen_text("int first, int j, int k, struct %s_made made[UNROLL][ROWS]", emitter->symbol));
  gen_emit_scalars(emitter);
  gen_emit_cuda_box(emitter, GEN_USES);
  for (int n = 0; n < kernel->arrays; n++)
    if (reach[n].reads)
      emit_rows(emitter, n, &reach[n]);
  gen_line(emitter->writer, "%s {", each_row);
  emit_row(emitter, reach);
  gen_line(emitter->writer,
           "}\n"
           "}\n\n");
}

/* All cells of a thread: after those of several planes, images of theirs, which delay no reads. */
static void emit_whole(struct gen_emitter *emitter)
{
  const int columns = gen_cuda_columns(emitter->schedule);
  const char *const nearest[] = {
    gen_text("gmg_least(first, args.box.cells[0] - %d - first)", columns),
    "gmg_least(j0, args.box.cells[1] - end_j)", "gmg_least(k0, args.box.cells[2] - end_k)"};
  gen_line(emitter->writer,
           "#pragma unroll 1\n"
           "for (int k = k0; k < end_k; k += UNROLL) {\n"
           "struct %s_made made[UNROLL][ROWS];\n"
           "%s_few(&args, first, j0, k, made);",
           emitter->symbol, emitter->symbol);
  if (emitter->unit->images)
    gen_line(emitter->writer,
             "if (%s) {\n"
             "%s\n"
             "%s_few_images(&args, first, j0 + r, k + m, made[m][r]);\n"
             "}",
             gen_cuda_near_walls(emitter, nearest), each_row, emitter->symbol);
  gen_line(emitter->writer, "}");
}

/* Cell by cell, at the ends of a box. */
static void emit_rest(struct gen_emitter *emitter)
{
  gen_line(emitter->writer,
           "#pragma unroll 1\n"
           "for (int k = k0; k < end_k; k++)\n"
           "#pragma unroll 1\n"
           "for (int j = j0; j < end_j; j++)\n"
           "#pragma unroll 1\n"
           "for (int i = first; i < end_i; i++) {\n"
           "%s_cell(&args, i, j, k);",
           emitter->symbol);
  if (emitter->unit->images)
    gen_line(emitter->writer, "%s_cell_images(&args, i, j, k);", emitter->symbol);
  gen_line(emitter->writer, "}");
}

void gen_emit_cuda_columns(struct gen_emitter *emitter)
{
  const int columns = gen_cuda_columns(emitter->schedule);
  const char *const positions[] = {gen_text("(args.box.cells[0] + %d) / %d", columns - 1, columns),
                                   "args.box.cells[1]", "args.box.cells[2]"};
  gen_emit_template(emitter->writer, gen_template_columns, (struct gen_word[]){{0}});
  emit_made(emitter);
  emit_few(emitter);
  gen_emit_cuda_images(emitter, "cell_images");
  gen_emit_cuda_few_images(emitter);
  gen_line(emitter->writer,
           "/* Thread blocks over i, j and k; each thread has %d cells along i, in ROWS rows of "
           "PLANES planes. */",
           columns);
  gen_emit_cuda_open(emitter, "columns");
  gen_emit_cuda_block(emitter, positions);
  gen_line(emitter->writer,
           "const int first = (block.i * BLOCK_I + (int)threadIdx.x) * %d;\n"
           "const int j0 = (block.j * BLOCK_J + (int)threadIdx.y) * ROWS;\n"
           "const int k0 = block.k * PLANES;\n"
           "const int end_i = gmg_least(first + %d, args.box.cells[0]);\n"
           "const int end_j = gmg_least(j0 + ROWS, args.box.cells[1]);\n"
           "const int end_k = gmg_least(k0 + PLANES, args.box.cells[2]);\n"
           "if (first + %d == end_i && j0 + ROWS == end_j && k0 + PLANES == end_k\n"
           "    && PLANES %% UNROLL == 0) {",
           columns, columns, columns);
  emit_whole(emitter);
  gen_line(emitter->writer, "} else {");
  emit_rest(emitter);
  gen_line(emitter->writer,
           "}\n"
           "}");
}

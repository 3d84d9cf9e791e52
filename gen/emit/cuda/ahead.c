/* What a thread will read some planes later, asked for in time: it takes no registers, and when the
 * turn comes the values are no farther away than the second level of cache. */
#include "emit/emit.h"

#include <string.h>

/* Whether the access is in the thread's own column, here or above: all else is a neighbour's, or
 * has been read before. */
static bool comes_new(const struct gen_emitter *emitter, const struct gen_access *access)
{
  const struct gen_array *array = &emitter->kernel->array[access->array];
  if (array->rank == 1 || array->level != GEN_OWN)
    return false;
  for (int a = 0; a < 3; a++) {
    const struct gen_subscript *s = &access->subscript[a];
    const int offset = gen_offset(emitter->kernel, access, a);
    if (s->table >= 0 || s->affine.coefficient[a] != 1 || (a == GEN_K ? offset < 0 : offset != 0))
      return false;
  }
  return true;
}

static void emit_accesses(struct gen_emitter *emitter, const struct gen_expr *expr,
                          struct gen_names *rows, struct gen_names *known)
{
  if (expr->kind == GEN_ACCESS && comes_new(emitter, &expr->access)) {
    gen_declare_rows(emitter, expr, rows);
    const char *text = gen_emit_access(emitter, &expr->access);
    const int row = (int)strcspn(text, "["), index = (int)strlen(text) - row - 2;
    if (gen_first_time(known, text))
      gen_line(emitter->writer, "%.*s.ahead(%.*s);", row, text, index, text + row + 1);
  }
  for (int n = 0; n < gen_arity(expr); n++)
    emit_accesses(emitter, expr->argument[n], rows, known);
}

void gen_emit_cuda_ahead(struct gen_emitter *emitter, const char *parameters)
{
  struct gen_names rows = {0}, known = {0};
  gen_open_cuda(emitter, "void", "ahead", parameters);
  gen_emit_cuda_box(emitter, GEN_READS);
  if (emitter->halves)
    gen_emit_half(emitter, "odd", true, false);
  else if (gen_cuda_by_parity(emitter->schedule))
    gen_line(emitter->writer, "const int i = 2 * at + parity;");
  for (int n = 0; n < emitter->kernel->statements; n++)
    emit_accesses(emitter, emitter->kernel->statement[n].value, &rows, &known);
  gen_line(emitter->writer, "}\n\n");
}

/* What a restriction reads of the finer level. */
struct finer {
  int arrays, array[GEN_MAX_ARRAYS],
    above[GEN_MAX_ARRAYS]; /* above: it is read up to so many planes above the children */
  int tables[GEN_AXES], table[GEN_AXES][2]; /* along j and k: where the children are */
};

static void find_finer(const struct gen_kernel *kernel, const struct gen_expr *expr,
                       struct finer *finer)
{
  for (int n = 0; n < gen_arity(expr); n++)
    find_finer(kernel, expr->argument[n], finer);
  if (expr->kind != GEN_ACCESS || kernel->array[expr->access.array].rank == 1
      || kernel->array[expr->access.array].level != GEN_FINER)
    return;
  int place = 0;
  while (place < finer->arrays && finer->array[place] != expr->access.array)
    place++;
  if (place == finer->arrays)
    finer->array[finer->arrays++] = expr->access.array;
  const int above = expr->access.subscript[GEN_K].offset;
  finer->above[place] = above > finer->above[place] ? above : finer->above[place];
  for (enum gen_axis axis = GEN_J; axis <= GEN_K; axis++) {
    const int table = expr->access.subscript[axis].table;
    int known = 0;
    while (known < finer->tables[axis] && finer->table[axis][known] != table)
      known++;
    if (known == finer->tables[axis] && known < 2)
      finer->table[axis][finer->tables[axis]++] = table;
  }
}

/* Residuals are restricted from four rows of children, of which a thread that marches along k has
 * read none before. */
void gen_emit_cuda_ahead_finer(struct gen_emitter *emitter)
{
  const struct gen_schedule *schedule = emitter->schedule;
  const struct gen_kernel *kernel = schedule->kernel;
  struct gen_writer *writer = emitter->writer;
  struct finer finer = {0};
  const bool split = schedule->layout == GEN_SPLIT;
  for (int n = 0; n < schedule->rows; n++)
    find_finer(kernel, schedule->row[n].value, &finer);
  gen_line(writer,
           "/* Asks for what cell (i, j, k) of a paired box will read: its children, and the "
           "plane above them for neighbours. */");
  gen_open_cuda(emitter, "void", "ahead", "int i, int j, int k");
  gen_emit_cuda_box(emitter, GEN_READS);
  gen_line(writer, "const ptrdiff_t first = %s;", split ? "i" : "2 * i");
  for (int n = 0; n < finer.arrays; n++) {
    const char *name = kernel->array[finer.array[n]].name;
    gen_line(writer, "if (%s.leads(first)) {", name);
    for (int k = 0; k < finer.tables[GEN_K]; k++)
      for (int j = 0; j < finer.tables[GEN_J]; j++) {
        const char *at = gen_text("%s[j] * other_stride_j + %s[k] * other_stride_k%s",
                                  kernel->array[finer.table[GEN_J][j]].name,
                                  kernel->array[finer.table[GEN_K][k]].name,
                                  finer.above[n] ? " + other_stride_k" : "");
        gen_line(writer, "%s.ahead(%s + first);", name, at);
        if (split)
          gen_line(writer, "%s.ahead(%s + other_odd + first);", name, at);
      }
    gen_line(writer, "}");
  }
  gen_line(writer, "}\n\n");
}

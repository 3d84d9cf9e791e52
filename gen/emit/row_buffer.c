/* Row buffers: values along a row of another level, worked out before the own row reads them. */
#include "row_buffer.h"

#include "index.h"

/* One element of a row buffer over a coarser level, in a scope of its own. */
static void emit_element(struct gen_emitter *inside, const struct gen_row *row, const char *where,
                         bool same, bool next)
{
  gen_line(inside->writer,
           "{\n"
           "const int %s;",
           where);
  gen_emit_half(inside, "other_odd", same, next);
  gen_line(inside->writer,
           "%s[2 * at + parity] = %s;\n"
           "}",
           inside->kernel->array[row->array].name, gen_emit_expr(inside, row->value));
}

/* A row buffer over a coarser level is not split: elements of both parities side by side, and what
 * is left at the ends. */
static void emit_pairs(struct gen_emitter *inside, const struct gen_row *row, bool same, bool next)
{
  const int halo = row->halo;
  gen_emit_simd(inside, false, false);
  gen_line(inside->writer, "for (int at = %d; at < (box->other_cells[0]%s) / 2; at++) {",
           -(halo / 2), gen_signed_text(halo));
  emit_element(inside, row, "parity = 0", same, next);
  emit_element(inside, row, "parity = 1", same, next);
  gen_line(inside->writer, "}");
  if (halo % 2)
    emit_element(inside, row, gen_text("parity = 1, at = %d", -(halo + 1) / 2), same, next);
  gen_line(inside->writer, "if ((box->other_cells[0]%s) %% 2 == 1) {", gen_signed_text(halo));
  emit_element(inside, row,
               gen_text("parity = 0, at = (box->other_cells[0]%s) / 2", gen_signed_text(halo)),
               same, next);
  gen_line(inside->writer, "}");
}

static void emit_stored_loop(struct gen_emitter *inside, const struct gen_row *row,
                             const char *head)
{
  gen_emit_simd(inside, row->norms > 0, row->norms > 0);
  gen_line(inside->writer, "%s%s", head, row->norms ? " {" : "");
  for (int n = 0; n < row->norms;
       n++) /* before the store, which the compiler must take to change what both read */
    gen_emit_norm(inside, row->norm[n]);
  gen_line(inside->writer, "%s[%s] = %s;", inside->kernel->array[row->array].name,
           !inside->halves             ? "i"
             : row->level == GEN_FINER ? "to + at"
                                       : "2 * at + parity",
           gen_emit_expr(inside, row->value));
  if (row->norms)
    gen_line(inside->writer, "}");
}

/* The loop over the elements; another one for a field that is 0 everywhere, where that leaves less
 * to do. */
static void emit_stored_loops(struct gen_emitter *inside, const struct gen_row *row,
                              const char *head)
{
  const int scalar = gen_zero_scalar(inside->kernel);
  struct gen_row less = *row;
  less.value = gen_without(inside, row->value, scalar);
  for (int n = 0; n < row->norms; n++)
    less.norm[n] = gen_without(inside, row->norm[n], scalar);
  if (!inside->halves || less.value == row->value) {
    emit_stored_loop(inside, row, head);
    return;
  }
  gen_line(inside->writer, "if (%s == 0) {", inside->kernel->scalar[scalar].name);
  emit_stored_loop(inside, &less, head);
  gen_line(inside->writer, "} else {");
  emit_stored_loop(inside, row, head);
  gen_line(inside->writer, "}");
}

void gen_emit_row_buffer(struct gen_emitter *emitter, const struct gen_row *row,
                         struct gen_names *declared)
{
  struct gen_writer *writer = emitter->writer;
  const bool split = emitter->schedule->layout == GEN_SPLIT;
  struct gen_emitter inside = *emitter;
  inside.row = row;
  inside.halves = split;
  inside.lines = &emitter->line_sets->row[row - emitter->schedule->row];
  gen_declare_rows(&inside, row->value, declared);
  bool same = gen_starts(&inside, row->value, "same"),
       next = gen_starts(&inside, row->value, "next") || gen_lines_start(&inside, "next");
  same = same || gen_lines_start(&inside, "same");
  for (int n = 0; n < row->norms; n++) {
    gen_declare_rows(&inside, row->norm[n], declared);
    same = same || gen_starts(&inside, row->norm[n], "same");
    next = next || gen_starts(&inside, row->norm[n], "next");
  }
  if (!split) {
    const char *head =
      gen_text("for (int i = %s; i < box->other_cells[0]%s; i++)",
               row->halo ? gen_text("-%d", row->halo) : "0", gen_signed_text(row->halo));
    gen_emit_lines(&inside, gen_text("%s {", head));
    emit_stored_loops(&inside, row, head);
    return;
  }
  if (row->level == GEN_COARSER && row->norms == 0 && inside.lines->count == 0) {
    emit_pairs(&inside, row, same, next);
    return;
  }
  gen_line(writer, "for (int parity = 0; parity < 2; parity++) {");
  gen_emit_half(emitter, "other_odd", same, next);
  if (row->level == GEN_FINER)
    gen_line(writer, "const ptrdiff_t to = gmg_at(parity, row_odd);");
  const char *head = gen_text("for (int at = %s; at < (box->other_cells[0]%s - parity) / 2; at++)",
                              row->halo ? gen_text("-((%d + parity) / 2)", row->halo) : "0",
                              gen_signed_text(row->halo + 1));
  const struct gen_expr *only = gen_only_of_row(row);
  if (only) {
    gen_line(writer, "if (%s) {", gen_is_of_colour_text(&inside, only));
    gen_emit_not_zeros(&inside, row);
  }
  inside.counted = only != NULL;
  gen_emit_lines(&inside, gen_text("%s {", head));
  emit_stored_loops(&inside, row, head);
  if (only)
    gen_emit_zeros(&inside, row, head);
  gen_line(writer, "}");
}

/* Row buffers of values that count in the cells of one of two colours: in split rows a parity has
 * all of a colour or none. */
#include "emit.h"

/* The GEN_ONLY outside of whose colour a product is zero; NULL: there is none. */
static const struct gen_expr *only_of(const struct gen_expr *expr)
{
  if (expr->kind == GEN_ONLY)
    return expr;
  if (expr->kind != GEN_MULTIPLY)
    return NULL;
  const struct gen_expr *first = only_of(expr->argument[0]);
  return first ? first : only_of(expr->argument[1]);
}

const struct gen_expr *gen_only_of_row(const struct gen_row *row)
{
  const struct gen_expr *only = only_of(row->value);
  for (int n = 0; n < row->norms && only; n++) {
    const struct gen_expr *other = only_of(row->norm[n]);
    only = other && gen_expr_equal(other->argument[2], only->argument[2]) ? only : NULL;
  }
  return only;
}

/* A row of zeros stays one for the rows after it, of which the same cells count where cells pair
 * two by two. */
static const char *is_zero(struct gen_emitter *inside, const struct gen_row *row)
{
  return gen_text("%s_is_zero[parity]", inside->kernel->array[row->array].name);
}

void gen_declare_zeros(struct gen_emitter *emitter)
{
  const struct gen_schedule *schedule = emitter->schedule;
  for (int n = 0; n < schedule->rows && schedule->layout == GEN_SPLIT; n++)
    if (gen_only_of_row(&schedule->row[n]))
      gen_line(emitter->writer, "int %s_is_zero[2] = {0, 0};",
               schedule->kernel->array[schedule->row[n].array].name);
}

void gen_emit_not_zeros(struct gen_emitter *inside, const struct gen_row *row)
{
  gen_line(inside->writer, "%s = 0;", is_zero(inside, row));
}

void gen_emit_zeros(struct gen_emitter *inside, const struct gen_row *row, const char *head)
{
  struct gen_writer *writer = inside->writer;
  gen_line(writer,
           "} else {\n"
           "if (!%s) {\n"
           "%s\n"
           "%s[%s] = 0;\n"
           "%s = 1;\n"
           "}",
           is_zero(inside, row), head, inside->kernel->array[row->array].name,
           row->level == GEN_FINER ? "to + at" : "2 * at + parity", is_zero(inside, row));
  for (int bin = 0; bin < gen_bins(inside->schedule) && row->norms; bin++)
    gen_line(
      writer,
      "bin%d += (uint64_t)(%d * ((box->other_cells[0] + 1 - parity) / 2)) * gmg_bits(cut%d);", bin,
      row->norms, bin);
  gen_line(writer, "}");
}

#include "rows.h"

#include "check/conflict.h"

/* Ghosts that follow a formula would have to be made anew between the two colours: those along j
 * and k mirror the row. */
void gen_derive_rows(struct gen_operator *op)
{
  struct gen_guard rows = op->colouring;
  struct gen_conflict conflict;
  int n = 0;
  rows.both = rows.kind == GEN_LATTICE && rows.modulus[GEN_I] == 2 && op->folded;
  if (!rows.both)
    return;
  while (op->derived[n].role != GEN_ROLE_GAUSS_SEIDEL)
    n++;
  struct gen_kernel *kernel =
    gen_clone(op->derived[n].kernel, gen_text("%s_gauss_seidel_rows", op->source->name));
  kernel->guard = rows;
  if (!gen_find_conflict(kernel, &rows, &conflict))
    op->derived[op->count++] =
      (struct gen_derived){.role = GEN_ROLE_GAUSS_SEIDEL_ROWS, .variant = "", .kernel = kernel};
}

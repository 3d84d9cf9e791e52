/* What a thread will read some planes later, asked for in time: it takes no registers, and when the turn comes the values are no
 * farther away than the second level of cache. */
#include "emit.h"

#include <string.h>

/* Whether the access is in the thread's own column, here or above: all else is a neighbour's, or has been read before. */
static bool comes_new(const struct gen_emitter *emitter, const struct gen_access *access)
{
  const struct gen_kernel *kernel = emitter->schedule->kernel;
  const struct gen_array *array = &kernel->array[access->array];
  if (array->rank == 1 || array->level != GEN_OWN)
    return false;
  for (int a = 0; a < 3; a++) {
    const struct gen_subscript *s = &access->subscript[a];
    const int offset = s->affine.constant + kernel->loop[a].lower.constant - array->first;
    if (s->table >= 0 || s->affine.coefficient[a] != 1 || (a == GEN_K ? offset < 0 : offset != 0))
      return false;
  }
  return true;
}

static void emit_accesses(struct gen_emitter *emitter, const struct gen_expr *expr, bool once, struct gen_names *rows,
                          struct gen_names *known)
{
  if (expr->kind == GEN_ACCESS && comes_new(emitter, &expr->access)) {
    gen_declare_rows(emitter, expr, rows);
    const char *text = gen_emit_access(emitter, &expr->access);
    const int row = (int)strcspn(text, "["), index = (int)strlen(text) - row - 2;
    if (gen_first_time(known, text))
      gen_line(emitter->writer, "%.*s.%s(%.*s);", row, text, once ? "ahead_once" : "ahead", index, text + row + 1);
  }
  for (int n = 0; n < gen_arity(expr->kind); n++)
    emit_accesses(emitter, expr->argument[n], once, rows, known);
}

void gen_emit_cuda_ahead(struct gen_emitter *emitter, const struct gen_unit *unit, const char *parameters, bool once)
{
  const struct gen_kernel *kernel = emitter->schedule->kernel;
  struct gen_names rows = {0}, known = {0};
  gen_line(emitter->writer, "static __device__ __forceinline__ void %s_ahead(const struct gmg_cuda_args *args, %s)",
           unit->symbol, parameters);
  gen_open(emitter->writer, "{");
  gen_line(emitter->writer, "const struct gmg_kernel_box *const box = &args->box;");
  gen_emit_cuda_fields(emitter, GEN_READS);
  if (emitter->halves)
    gen_emit_half(emitter, "odd", true, false);
  else if (gen_cuda_by_parity(emitter->schedule))
    gen_line(emitter->writer, "const int i = 2 * at + parity;");
  for (int n = 0; n < kernel->statements; n++)
    emit_accesses(emitter, kernel->statement[n].value, once, &rows, &known);
  gen_close(emitter->writer, "}");
  gen_blank(emitter->writer);
}

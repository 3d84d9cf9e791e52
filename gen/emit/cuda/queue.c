/* A register queue along k: a thread keeps the values of its own column in the planes below, here
 * and above, and finds those beside it in a plane of shared memory; only at the edges of a block
 * does it read them. For kernels whose unknown is read at star neighbours and not written. */
#include "emit/emit.h"
#include "emit/template.h"

int gen_cuda_queued(const struct gen_unit *unit)
{
  const struct gen_kernel *kernel = unit->schedule->kernel;
  if (unit->role == GEN_ROLE_AS_WRITTEN || unit->schedule->rows
      || kernel->guard.kind != GEN_EVERYWHERE)
    return -1;
  const int array = gen_find_array(kernel, "a_u");
  bool along_k = false;
  if (array < 0 || kernel->array[array].written || kernel->array[array].level != GEN_OWN)
    return -1;
  for (int n = 0; n < kernel->statements; n++)
    if (!gen_cuda_star(kernel, kernel->statement[n].value, array, &along_k))
      return -1;
  return along_k ? array : -1;
}

/* What is done at one cell, its neighbours given. */
static void emit_cell(struct gen_emitter *emitter)
{
  struct gen_names declared = {0};
  const char *type = gen_real(emitter->schedule), *u = emitter->kernel->array[emitter->given].name;
  const char *list = gen_cuda_neighbours(type, u);
  gen_open_cuda(emitter, "void", "beside",
                gen_text("int at, int parity, int j, int k%s%s", list,
                         gen_finds_most(emitter->schedule) ? ", struct gmg_partial *partial" : ""));
  gen_emit_scalars(emitter);
  gen_emit_cuda_box(emitter, GEN_USES);
  if (gen_finds_most(emitter->schedule))
    gen_emit_cuda_partial(emitter);
  if (emitter->halves)
    gen_emit_half(emitter, "odd", true, true);
  else
    gen_line(emitter->writer, "const int i = at;");
  gen_declare_statements(emitter, &declared);
  gen_emit_statements(emitter);
  gen_line(emitter->writer, "}\n\n");
}

void gen_emit_cuda_queue(const struct gen_emitter *plain, const struct gen_cuda_shape *shape)
{
  const int array = gen_cuda_queued(plain->unit);
  const bool split = plain->schedule->layout == GEN_SPLIT,
             reduces = gen_finds_most(plain->schedule);
  struct gen_emitter emitter = *plain;
  emitter.halves = split;
  emitter.neighbours_given = true;
  emitter.given = array;
  const struct gen_word words[] = {
    {"SYMBOL", plain->symbol},
    {"REAL", gen_real(plain->schedule)},
    {"CELLS", split ? "2" : "1"},
    {"FIELDS", gen_text("%d", gen_fields(plain->schedule, (int[GEN_MAX_ARRAYS]){0}))},
    {"FIELD", gen_text("%d", gen_cuda_field_of(plain->schedule, array))},
    {"PLACE", split ? "gmg_at(i, box->odd)" : "i"},
    {"END_I", gen_cuda_positions(plain->schedule, "args.box.", GEN_I)},
    {"END_J", gen_cuda_positions(plain->schedule, "args.box.", GEN_J)},
    {"END_K", gen_cuda_positions(plain->schedule, "args.box.", GEN_K)},
    {"SUMS ", reduces ? "" : NULL},
    {"MORE", reduces ? ", &partial" : ""},
    {0}};
  gen_emit_cuda_shape(plain->writer, shape);
  emit_cell(&emitter);
  gen_emit_template(plain->writer, gen_template_queue, words);
  gen_emit_cuda_shape_end(plain->writer);
}

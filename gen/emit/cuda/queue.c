/* A register queue along k: a thread keeps the values of its own column in the planes below, here
 * and above, and finds those beside it in a plane of shared memory; only at the edges of a block
 * does it read them. For kernels whose unknown is read at star neighbours and not written. */
#include "emit/emit.h"

int gen_cuda_queued(const struct gen_unit *unit)
{
  const struct gen_kernel *kernel = unit->schedule->kernel;
  if (unit->role == GEN_ROLE_AS_WRITTEN || unit->schedule->rows
      || kernel->guard.kind != GEN_EVERYWHERE)
    return -1;
  const int array = gen_find_array(kernel, "u");
  bool along_k = false;
  if (array < 0 || kernel->array[array].written || kernel->array[array].level != GEN_OWN)
    return -1;
  for (int n = 0; n < kernel->statements; n++)
    if (!gen_cuda_star(kernel, kernel->statement[n].value, array, &along_k))
      return -1;
  return along_k ? array : -1;
}

/* What is done at one cell, its neighbours given. */
static void emit_cell(struct gen_emitter *emitter, const struct gen_unit *unit)
{
  const struct gen_kernel *kernel = unit->schedule->kernel;
  struct gen_writer *writer = emitter->writer;
  struct gen_names declared = {0};
  const char *type = gen_type_name(unit->schedule->precision),
             *u = kernel->array[emitter->given].name;
  const char *list = gen_cuda_neighbours(emitter->session, type, u);
  const bool next = true, halves = emitter->halves;
  gen_line(writer,
           "static __device__ __forceinline__ void %s_beside(const struct gmg_cuda_args *args, int "
           "at, int parity, int j, "
           "int k%s%s)",
           unit->symbol, list,
           gen_finds_most(unit->schedule) ? ", struct gmg_partial *partial" : "");
  gen_open(writer, "{");
  gen_emit_scalars(emitter);
  gen_line(writer, "const struct gmg_kernel_box *const box = &args->box;");
  gen_emit_cuda_fields(emitter, GEN_USES);
  if (gen_finds_most(unit->schedule))
    gen_emit_cuda_partial(emitter);
  if (halves)
    gen_emit_half(emitter, "odd", true, next);
  else
    gen_line(writer, "const int i = at;");
  for (int n = 0; n < kernel->statements; n++) {
    if (kernel->statement[n].kind == GEN_STORE)
      gen_declare_target(emitter, &kernel->statement[n].target, &declared);
    gen_declare_rows(emitter, kernel->statement[n].value, &declared);
  }
  gen_emit_statements(emitter);
  gen_close(writer, "}");
  gen_blank(writer);
}

/* The value of the array at cell i of row j in a plane, and 0 where there is not even a ghost. */
static void emit_value(struct gen_emitter *emitter, const char *type, int field)
{
  struct gen_writer *writer = emitter->writer;
  gen_line(writer, "const struct gmg_kernel_box *const box = &args.box;");
  gen_line(writer, "const gmg_read<%s> u(args.field[%d]);", type, field);
  gen_open(writer, "const auto value = [&](int i, int j, int k) -> %s {", type);
  gen_line(writer,
           "return i <= box->cells[0] && j <= box->cells[1] ? u[%s + j * box->stride[0] + k * "
           "box->stride[1]] : 0;",
           emitter->halves ? "gmg_at(i, box->odd)" : "i");
  gen_close(writer, "};");
}

static void emit_plane(struct gen_emitter *emitter, const struct gen_unit *unit, int cells)
{
  struct gen_writer *writer = emitter->writer;
  const bool pair = cells == 2;
  const char *end = gen_text(emitter->session, "box->cells[0]%s", "");
  gen_line(writer, "#pragma unroll");
  gen_open(writer, "for (int p = 0; p < %d; p++) {", cells);
  gen_line(writer, "above[p] = value(%d * at + p, j, k + 1);", cells);
  gen_line(writer, "plane[k & 1][p][y][x] = here[p];");
  gen_close(writer, "}");
  gen_line(writer, "__syncthreads();");
  gen_line(writer, "#pragma unroll");
  gen_open(writer, "for (int p = 0; p < %d; p++) {", cells);
  gen_line(writer, "const int i = %d * at + p;", cells);
  gen_line(writer, "if (i >= %s || j >= box->cells[1])", end);
  gen_line(writer, "  break;");
  gen_line(writer, "const auto &beside = plane[k & 1];");
  if (pair) {
    gen_line(writer,
             "const auto left = p ? here[0] : x > 0 ? beside[1][y][x - 1] : value(i - 1, j, k);");
    gen_line(writer,
             "const auto right = !p ? here[1] : x < BLOCK_I - 1 ? beside[0][y][x + 1] : value(i + "
             "1, j, k);");
  } else {
    gen_line(writer, "const auto left = x > 0 ? beside[0][y][x - 1] : value(i - 1, j, k);");
    gen_line(writer,
             "const auto right = x < BLOCK_I - 1 ? beside[0][y][x + 1] : value(i + 1, j, k);");
  }
  gen_line(writer, "const auto front = y > 0 ? beside[p][y - 1][x] : value(i, j - 1, k);");
  gen_line(writer, "const auto back = y < BLOCK_J - 1 ? beside[p][y + 1][x] : value(i, j + 1, k);");
  gen_line(writer,
           "%s_beside(&args, at, p, j, k, left, right, front, back, before[p], above[p]%s);",
           unit->symbol, gen_finds_most(unit->schedule) ? ", &partial" : "");
  gen_close(writer, "}");
  gen_line(writer, "#pragma unroll");
  gen_open(writer, "for (int p = 0; p < %d; p++) {", cells);
  gen_line(writer, "before[p] = here[p];");
  gen_line(writer, "here[p] = above[p];");
  gen_close(writer, "}");
}

void gen_emit_cuda_queue(struct gen_session *session, struct gen_writer *writer,
                         const struct gen_unit *unit, const struct gen_cuda_shape *shape)
{
  const struct gen_schedule *schedule = unit->schedule;
  const char *type = gen_type_name(schedule->precision);
  const int array = gen_cuda_queued(unit), cells = schedule->layout == GEN_SPLIT ? 2 : 1;
  const bool reduces = gen_finds_most(schedule);
  struct gen_emitter emitter = {.session = session,
                                .schedule = schedule,
                                .writer = writer,
                                .halves = cells == 2,
                                .neighbours_given = true,
                                .given = array,
                                .cuda = true};
  int list[GEN_MAX_ARRAYS], field = 0;
  const int fields = gen_fields(schedule, list);
  while (field < fields - 1 && list[field] != array)
    field++;
  gen_emit_cuda_shape(writer, shape);
  emit_cell(&emitter, unit);
  gen_line(writer,
           "/* Thread blocks over i and j; each thread marches through PLANES planes along k with "
           "its own column of u in");
  gen_line(writer, " * registers; the plane that it is in is in shared memory. */");
  gen_line(writer, "extern \"C\" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)");
  gen_line(writer, "%s_queue(const __grid_constant__ struct gmg_cuda_args args)", unit->symbol);
  gen_open(writer, "{");
  gen_line(writer, "__shared__ %s plane[2][%d][BLOCK_J][BLOCK_I]; /* of two k, by parity of i */",
           type, cells);
  emit_value(&emitter, type, field);
  gen_line(
    writer,
    "const int x = (int)threadIdx.x, y = (int)threadIdx.y, at = (int)blockIdx.x * BLOCK_I + x;");
  gen_line(writer,
           "const int k0 = (int)blockIdx.z * PLANES, k1 = gmg_least(k0 + PLANES, box->cells[2]);");
  if (reduces)
    gen_line(writer, "struct gmg_partial partial = {};");
  gen_open(writer, "for (int row = 0; row < ROWS; row++) {");
  gen_line(writer, "const int j = ((int)blockIdx.y * ROWS + row) * BLOCK_J + y;");
  gen_line(writer, "%s before[%d], here[%d], above[%d];", type, cells, cells, cells);
  gen_line(writer, "#pragma unroll");
  gen_open(writer, "for (int p = 0; p < %d; p++) {", cells);
  gen_line(writer, "before[p] = value(%d * at + p, j, k0 - 1);", cells);
  gen_line(writer, "here[p] = value(%d * at + p, j, k0);", cells);
  gen_close(writer, "}");
  gen_line(writer, "if (row > 0)");
  gen_line(writer, "  __syncthreads();");
  gen_line(writer, "#pragma unroll UNROLL");
  gen_open(writer, "for (int k = k0; k < k1; k++) {");
  emit_plane(&emitter, unit, cells);
  gen_close(writer, "}");
  gen_close(writer, "}");
  if (reduces)
    gen_line(writer, "gmg_add(args.reduction, &partial);");
  gen_close(writer, "}");
  gen_emit_cuda_shape_end(writer);
}

/* Red and black in one pass: a thread takes a pair of cells of each plane, one of either colour, and marches along k. In plane k it
 * computes the first colour's cell; in plane k - 1 the second colour's, from the first's new values: its own ones, and those
 * that the threads beside it have left in shared memory. Blocks overlap by one pair and one row on each side, where
 * the first colour is computed twice; so they write to another array than they read. What both cells need of memory is
 * read at the beginning of a plane.
 *
 * What bounds it, measured on an H200 at 512³ with variable coefficients, alpha a field (in brackets: one number everywhere). It reads
 * 6.4 GB (5.4) at least and writes 1.1; moved are 7.3 (6.05) and 1.07, as halos are read again, so that at the 4.3 TB/s of two passes
 * it would take 1.95 ms (1.65) at least, a factor of 1.40 (1.51) to their 2.74 (2.48). It takes 2.36 (2.12), 1.16 times as fast: memory
 * gives 3.5 TB/s. That is of the march along k, which the second colour needs: the kernel of one colour gets 4.29 TB/s in marches of 2
 * planes, 4.07 of 8, 3.97 of 16, 3.90 of 32, 3.78 of 64. The second level of cache hands out 624 million pieces of 32 bytes, 56% of what
 * it can. Nothing else came as near, in 20 to 40 shapes each: planes copied to shared memory one to three ahead by threads, 8 bytes at a
 * time, 2.68 (2.19), 16 bytes past the first level of cache 2.90 (2.50); by the copy engine in rows 2.81 (2.44), in boxes 2.65 (2.26).
 * Those copies alone, with nothing computed, take 2.56 (2.13), 2.92 (2.44), 2.57 (2.19) and 2.63 (2.24). Asking for a plane ahead takes
 * 2.2 to 3.2 with one alpha, planes in registers 2.2 to 2.5.
 *
 * With what is read in shared memory a plane ahead, brought there by the copy engine in boxes that begin at 32 bytes, it is 1.4 times as
 * fast as two passes (gen/emit_cuda_staged.c); what is said of copies above is of boxes that did not.
 *
 * What no kernel of this form passes is timed beside it (tests/bench/cuda_limit.c): its bytes, in its tiles, with nothing computed or
 * waited for, take 1.88 ms (1.64), 1.45 (1.50) times as fast as two passes at 512³, 1.48 (1.55) at 256³. Another form was tried, too: one
 * launch in place, in which thread blocks draw tickets and the second colour follows some planes behind the first, so that it finds
 * what it reads in the second level of cache; 1.09 times as fast as two passes, and no more than 1.22 without any waiting: that level
 * hands out 5.4 TB/s, of what then are the bytes of two passes. Plain rows, 16 bytes a load, all that both cells need in registers:
 * 1.10; the same copied to shared memory one or two planes ahead: 0.99. */
#include "emit.h"

#include <string.h>

bool gen_cuda_has_both(const struct gen_unit *unit)
{
  const struct gen_kernel *kernel = unit->schedule->kernel;
  if (!gen_is_gauss_seidel(unit->role) || kernel->guard.kind != GEN_PARITY || !kernel->guard.global)
    return false;
  bool along_k = false;
  return !unit->schedule->rows && kernel->statements == 1 && kernel->statement[0].kind == GEN_STORE
    && gen_cuda_star(kernel, kernel->statement[0].value, kernel->statement[0].target.array, &along_k);
}

struct gen_cuda_shape gen_cuda_both_shape(const struct gen_unit *unit)
{
  return (struct gen_cuda_shape){32, unit->reals <= 4 ? 12 : 16, 1, 32, 1, 2};
}

/* For the cell 2 at + parity: SYMBOL_read_NAME, what comes first; SYMBOL_NAME, its new value. given: values of the neighbours are
 * arguments. */
static void emit_value(struct gen_emitter *emitter, const struct gen_unit *unit, bool given)
{
  const struct gen_kernel *kernel = emitter->schedule->kernel;
  const struct gen_expr *value = kernel->statement[0].value;
  struct gen_writer *writer = emitter->writer;
  struct gen_emitter inside = *emitter;
  struct gen_names declared = {0};
  struct gen_parts parts = {.prefix = "in."};
  const char *type = gen_type_name(emitter->schedule->precision), *u = kernel->array[emitter->given].name,
             *list = given ? gen_cuda_neighbours(emitter->session, type, u) : "";
  const char *name = given ? "second" : "first", *symbol = unit->symbol;
  bool next = false;
  inside.halves = emitter->schedule->layout == GEN_SPLIT;
  inside.then = given;
  gen_cuda_find_parts(emitter, value, given ? emitter->given : -1, &parts);
  gen_open(writer, "struct %s_%s_parts {", symbol, name);
  for (int n = 0; n < parts.count; n++)
    gen_line(writer, "%s %s;", type, parts.name[n]);
  gen_close(writer, "};");
  gen_blank(writer);
  gen_line(
    writer,
    "static __device__ __forceinline__ struct %s_%s_parts %s_read_%s(const struct gmg_cuda_args *args, int at, int "
    "parity, int j, int k)",
    symbol, name, symbol, name);
  gen_open(writer, "{");
  gen_emit_scalars(&inside);
  gen_line(writer, "const struct gmg_kernel_box *const box = &args->box;");
  gen_emit_cuda_fields(&inside, GEN_USES);
  for (int n = 0; n < parts.count; n++)
    next = next || gen_starts(&inside, parts.value[n], "next");
  if (inside.halves)
    gen_emit_half(&inside, "odd", true, next);
  else
    gen_line(writer, "const int i = 2 * at + parity;");
  for (int n = 0; n < parts.count; n++)
    gen_declare_rows(&inside, parts.value[n], &declared);
  gen_line(writer, "struct %s_%s_parts to;", symbol, name);
  for (int n = 0; n < parts.count; n++)
    gen_line(writer, "to.%s = %s;", parts.name[n], gen_emit_expr(&inside, parts.value[n]));
  gen_line(writer, "return to;");
  gen_close(writer, "}");
  gen_blank(writer);
  inside.neighbours_given = given;
  inside.parts = &parts;
  gen_line(
    writer,
    "static __device__ __forceinline__ %s %s_%s(const struct gmg_cuda_args *args, const struct %s_%s_parts &in%s)",
    type, symbol, name, symbol, name, list);
  gen_open(writer, "{");
  gen_emit_scalars(&inside);
  gen_line(writer, "return %s;", gen_emit_expr(&inside, value));
  gen_close(writer, "}");
  gen_blank(writer);
}

static void emit_where(struct gen_emitter *emitter, const char *type)
{
  struct gen_writer *writer = emitter->writer;
  gen_line(writer, "const struct gmg_kernel_box *const box = &args.box;");
  gen_line(writer, "const gmg_read<%s> u(args.field[%d]);", type, gen_cuda_field_of(emitter->schedule, emitter->given));
  gen_line(writer, "%s *const out = (%s *)args.out;", type, type);
  gen_line(writer, "const int x = (int)threadIdx.x, y = (int)threadIdx.y;");
  gen_line(writer, "const int at = (int)blockIdx.x * (BLOCK_I - 2) + x - 1;");
  gen_line(writer, "const int j = (int)blockIdx.y * (BLOCK_J - 2) + y - 1;");
  gen_line(writer, "const int k0 = (int)blockIdx.z * PLANES, k1 = gmg_least(k0 + PLANES, box->cells[2]);");
  gen_line(writer, "const int colour = (int)args.scalar[%d];", gen_scalar_of_colour(emitter->schedule));
  gen_line(writer, "const bool owner = x > 0 && x < BLOCK_I - 1 && y > 0 && y < BLOCK_J - 1;");
  gen_line(writer, "const bool in_row = j >= 0 && j < box->cells[1], beside_row = j >= -1 && j <= box->cells[1];");
}

/* Where an element of the pair's row in a plane is. */
static const char *place(struct gen_emitter *emitter, const char *plane)
{
  return gen_text(emitter->session, "%s + j * box->stride[0] + %s * box->stride[1]",
                  emitter->schedule->layout == GEN_SPLIT ? "gmg_at(i, box->odd)" : "i", plane);
}

static void emit_march(struct gen_emitter *emitter, const struct gen_unit *unit, const char *type)
{
  struct gen_writer *writer = emitter->writer;
  const char *symbol = unit->symbol;
  gen_line(writer, "const int safe_j = gmg_least(j < 0 ? 0 : j, box->cells[1] - 1), last_k = box->cells[2] - 1;");
  gen_line(writer, "%s before = 0, here = 0; /* the first colour's values in planes k - 2 and k - 1 */", type);
  gen_line(writer, "#pragma unroll UNROLL");
  gen_open(writer, "for (int k = k0 - 1; k <= k1; k++) {");
  gen_line(writer, "const int parity = (box->lower[0] + box->lower[1] + box->lower[2] + j + k + colour + %d) & 1;",
           emitter->schedule->kernel->guard.remainder);
  gen_line(writer, "const int i = 2 * at + parity;");
  gen_line(writer, "const bool inside = in_row && i >= 0 && i < box->cells[0];");
  gen_line(writer, "/* Everybody reads, so that nothing is waited for before all is under way. */");
  gen_line(writer, "const int safe = gmg_least(at < 0 ? 0 : at, (box->cells[0] - 1 - parity) / 2);");
  gen_line(writer,
           "const int safe_k = gmg_least(k < 0 ? 0 : k, last_k), below = gmg_least(k < 1 ? 0 : k - 1, last_k);");
  gen_line(writer, "const struct %s_first_parts now = %s_read_first(&args, safe, parity, safe_j, safe_k);", symbol,
           symbol);
  gen_line(writer, "const struct %s_second_parts then = %s_read_second(&args, safe, parity, safe_j, below);", symbol,
           symbol);
  gen_line(writer, "%s above = 0;", type);
  gen_open(writer, "if (inside && k >= 0 && k < box->cells[2]) {");
  gen_line(writer, "above = %s_first(&args, now);", symbol);
  gen_line(writer, "if (owner && k >= k0 && k < k1)");
  gen_line(writer, "  out[%s] = above;", place(emitter, "k"));
  gen_close(writer, NULL);
  gen_open(writer, "} else if (beside_row && i >= -1 && i <= box->cells[0]) {");
  gen_line(writer, "above = u[%s];", place(emitter, "k"));
  gen_close(writer, "}");
  gen_line(writer, "first[k & 1][y][x] = above;");
  gen_open(writer, "if (owner && inside && k > k0) {");
  gen_line(writer, "const %s(*const plane)[BLOCK_I] = first[(k - 1) & 1];", type);
  gen_line(writer, "const %s left = parity ? here : plane[y][x - 1], right = parity ? plane[y][x + 1] : here;", type);
  gen_line(writer, "out[%s] = %s_second(&args, then, left, right, plane[y - 1][x], plane[y + 1][x], before, above);",
           place(emitter, "(k - 1)"), symbol);
  gen_close(writer, "}");
  gen_line(writer, "before = here;");
  gen_line(writer, "here = above;");
  gen_line(writer, "__syncthreads();");
  gen_close(writer, "}");
}

void gen_emit_cuda_both(struct gen_session *session, struct gen_writer *writer, const struct gen_unit *unit)
{
  const struct gen_cuda_shape shape = gen_cuda_both_shape(unit);
  const char *type = gen_type_name(unit->schedule->precision);
  struct gen_schedule schedule = *unit->schedule;
  struct gen_kernel *kernel = gen_allocate(session, sizeof *kernel);
  *kernel = *unit->schedule->kernel;
  schedule.kernel = kernel;
  struct gen_emitter emitter = {.session = session,
                                .schedule = &schedule,
                                .writer = writer,
                                .given = kernel->statement[0].target.array,
                                .cuda = true};
  kernel->array[emitter.given].written = false; /* here it is another array that is written */
  gen_emit_cuda_shape(writer, &shape);
  emit_value(&emitter, unit, false);
  emit_value(&emitter, unit, true);
  gen_line(
    writer,
    "/* One colour and then the other, in one pass and out of place. A thread has a pair of cells, one of either");
  gen_line(
    writer,
    " * colour, and marches through PLANES planes along k: in plane k it computes the first colour, in plane k - 1");
  gen_line(writer,
           " * the second. Blocks overlap by a pair and a row on each side, where only the first is computed. */");
  gen_line(writer, "extern \"C\" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)");
  gen_line(writer, "%s_both(const __grid_constant__ struct gmg_cuda_args args)", unit->symbol);
  gen_open(writer, "{");
  gen_line(writer, "__shared__ %s first[2][BLOCK_J][BLOCK_I]; /* the first colour's values in two planes */", type);
  emit_where(&emitter, type);
  emit_march(&emitter, unit, type);
  gen_close(writer, "}");
  gen_emit_cuda_shape_end(writer);
}

/* The kernel SYMBOL_staged itself: what the threads of a block do in turn. Its functions are those of gen/emit_cuda_staged.c. */
#include "emit.h"

/* Text with the kernel's own words in it: @ the symbol, ~ the type, $ the name of u. */
static void emit_text(struct gen_emitter *emitter, const char *const *line, size_t lines)
{
  const struct gen_kernel *kernel = emitter->schedule->kernel;
  const char *symbol = emitter->symbol, *u = kernel->array[emitter->given].name,
             *type = gen_type_name(emitter->schedule->precision);
  for (size_t n = 0; n < lines; n++) {
    const char *text = "";
    for (const char *c = line[n]; *c; c++)
      text = *c == '@' ? gen_text(emitter->session, "%s%s", text, symbol)
        : *c == '~'    ? gen_text(emitter->session, "%s%s", text, type)
        : *c == '$'    ? gen_text(emitter->session, "%s%s", text, u)
                       : gen_text(emitter->session, "%s%c", text, *c);
    gen_line(emitter->writer, "%s", text);
  }
}

static const char *const head[] = {
  "/* One colour and then the other, in one pass and out of place. Threads of the first colour compute plane k, with a",
  " * cell more on each side than the block's BLOCK_I pairs in BLOCK_J rows; threads of the second plane k - 2; one warp",
  " * copies plane k + 1. */",
  "extern \"C\" __global__ void __launch_bounds__(@_place::threads, 1)",
  "@_staged(const __grid_constant__ struct gmg_cuda_args args, const __grid_constant__ struct gmg_cuda_boxes boxes)",
};

static const char *const body[] = {
  "typedef struct @_place place;",
  "gmg_shared(memory, place::bytes);",
  "~ *const stages = (~ *)memory, *const firsts = stages + 3 * place::stage, *const lines = firsts + 3 * place::plane;",
  "const struct gmg_kernel_box *const box = &args.box;",
  "const gmg_write<~> out(args.out);",
  "const int thread = (int)threadIdx.x, at0 = (int)blockIdx.x * BLOCK_I, j0 = (int)blockIdx.y * BLOCK_J;",
  "const int planes = (box->cells[2] + (int)gridDim.z - 1) / (int)gridDim.z, k0 = (int)blockIdx.z * planes;",
  "const int k1 = gmg_least(k0 + planes, box->cells[2]), steps = k1 - k0 + 3;",
};

static const char *const begin[] = {
  "if (k0 >= k1)",
  "  return;",
  "for (int n = thread; n < 2 * place::odd; n += place::threads) {",
  "  const int i = 2 * (at0 + n % place::odd - place::unit) + n / place::odd;",
};

static const char *const copies[] = {
  "}",
  "if (thread < 3)",
  "  gmg_arrivals(arrived + thread);",
  "gmg_barrier(place::threads);",
  "if (thread < 32) {",
  "  for (int n = 0; n < 2; n++)",
  "    @_copy(args, boxes, stages + n * place::stage, at0, j0, k0 - 2 + n, arrived + n);",
  "  gmg_barrier(place::threads);",
  "#pragma unroll 1",
  "  for (int n = 0, to = 2; n < steps; n++, to = to < 2 ? to + 1 : 0) {",
  "    if (k0 + n <= k1)",
  "      @_copy(args, boxes, stages + to * place::stage, at0, j0, k0 + n, arrived + to);",
  "    gmg_barrier(place::threads);",
  "  }",
  "} else if (thread < 32 + place::pairs + place::edge) {",
  "  /* Two rows each; the last ones the cell beside each row, on the left or on the right. */",
  "  const bool edge = thread >= 32 + place::pairs;",
  "  const int pair = thread - 32, x = pair % BLOCK_I, y0 = edge ? pair - place::pairs : 2 * (pair / BLOCK_I) - 1;",
  "  const int rows = !edge ? 2 : y0 < BLOCK_J ? 1 : 0;",
  "  ~ below[2]; /* u in plane k - 1 at the cell */",
  "#pragma unroll",
  "  for (int r = 0; r < 2; r++) {",
  "    const int j = j0 + y0 + r, parity = (start + j + k0 - 1) & 1, at = !edge ? x : parity ? -1 : BLOCK_I;",
  "    const int i = 2 * (at0 + at) + parity;",
  "    below[r] = 0;",
  "    if (r < rows && j >= -1 && j <= box->cells[1] && i <= box->cells[0] && k0 > 0)",
  "      below[r] = $[gmg_at(i, box->odd) + j * box->stride[0] + (k0 - 2) * box->stride[1]];",
  "  }",
  "  gmg_barrier(place::threads);",
  "  gmg_await(arrived, 0);",
  "  int slot = 0, turn = 0; /* of the stage of plane k - 1, and of the values of plane k */",
  "#pragma unroll 1",
  "  for (int k = k0 - 1; k < k0 - 1 + steps; k++) {",
  "    const int next = slot < 2 ? slot + 1 : 0, next_turn = slot < 2 ? turn : turn + 1;",
  "    if (k <= k1) {",
  "      const ~ *const before = stages + slot * place::stage, *const now = stages + next * place::stage;",
  "      gmg_await(arrived + next, next_turn);",
  "#pragma unroll",
  "      for (int r = 0; r < 2; r++) {",
  "        if (r >= rows)",
  "          continue;",
  "        const int y = y0 + r, j = j0 + y, parity = (start + j + k) & 1, at = !edge ? x : parity ? -1 : BLOCK_I;",
  "        const int i = 2 * (at0 + at) + parity;",
  "        const ~ *const own = before + place::$_at + y * place::$_row;",
  "        ~ above = 0;",
  "        if (i >= 0 && i < box->cells[0] && j >= 0 && j < box->cells[1] && k >= 0 && k < box->cells[2]) {",
  "          above = @_staged_first(&args, before, now, lines, below[r], at, y, parity, j, k);",
  "          if (!edge && y >= 0 && y < BLOCK_J && k >= k0 && k < k1)",
  "            out[gmg_at(i, box->odd) + j * box->stride[0] + k * box->stride[1]] = above;",
  "        } else if (i >= -1 && i <= box->cells[0] && j >= -1 && j <= box->cells[1]) {",
  "          above = own[gmg_at(parity, place::odd) + at];",
  "        }",
  "        below[r] = own[gmg_at(1 - parity, place::odd) + (!edge ? x : parity ? BLOCK_I : -1)];",
  "        firsts[slot * place::plane + (y + 1) * place::first_row + at + 1] = above;",
  "      }",
  "    }",
  "    gmg_barrier(place::threads);",
  "    slot = next;",
  "    turn = next_turn;",
  "  }",
  "} else {",
  "  const int pair = thread - 32 - place::pairs - place::edge, x = pair % BLOCK_I, y = pair / BLOCK_I, j = j0 + y;",
  "  const int safe_j = gmg_least(j, box->cells[1] - 1), last_k = box->cells[2] - 1;",
  "  struct @_staged_parts in = {};",
  "  struct @_staged_early early = {};",
  "  ~ before = 0; /* the first colour's value below */",
  "  gmg_barrier(place::threads);",
  "  gmg_await(arrived, 0); /* for the later stages the first colour has waited, a barrier ago */",
  "#pragma unroll 1",
  "  for (int n = 0, slot = 0; n < steps; n++, slot = slot < 2 ? slot + 1 : 0) {",
  "    const int k = k0 - 1 + n, parity = (start + j + k) & 1; /* of the first colour in planes k and k - 2 */",
  "    if (n >= 2) {",
  "      const int i = 2 * (at0 + x) + 1 - parity, here = (y + 1) * place::first_row + x + 1;",
  "      const ~ *const plane = firsts + (slot < 2 ? slot + 1 : 0) * place::plane + here;",
  "      const ~ own = plane[0], above = firsts[(slot > 0 ? slot - 1 : 2) * place::plane + here];",
  "      if (n >= 3 && j < box->cells[1] && i < box->cells[0])",
  "        out[gmg_at(i, box->odd) + j * box->stride[0] + (k - 2) * box->stride[1]] =",
  "            @_staged_second(&args, in, parity ? plane[-1] : own, parity ? own : plane[1],",
  "            plane[-place::first_row], plane[place::first_row], before, above);",
  "      before = own;",
  "    }",
  "    if (k <= k1) {",
  "      const ~ *const stage = stages + slot * place::stage;",
  "      in = @_staged_read(&args, early, stage, lines, x, y, parity, safe_j, gmg_least(k < 1 ? 0 : k - 1, last_k));",
  "      early = @_staged_early_of(&args, stage, x, y, 1 - parity);",
  "    }",
  "    gmg_barrier(place::threads);",
  "  }",
  "}",
};

void gen_emit_cuda_staged_march(struct gen_emitter *emitter)
{
  const struct gen_schedule *schedule = emitter->schedule;
  struct gen_writer *writer = emitter->writer;
  const char *type = gen_type_name(schedule->precision);
  int line[GEN_MAX_ARRAYS];
  const int lines = gen_cuda_lines_of(schedule, line);
  emit_text(emitter, head, sizeof head / sizeof *head);
  gen_open(writer, "{");
  emit_text(emitter, body, sizeof body / sizeof *body);
  gen_line(writer, "const int start = box->lower[0] + box->lower[1] + box->lower[2] + (int)args.scalar[%d] + %d;",
           gen_scalar_of_colour(schedule), schedule->kernel->guard.remainder);
  gen_line(writer, "const %s *const %s = (const %s *)args.field[%d];", type,
           schedule->kernel->array[emitter->given].name, type, gen_cuda_field_of(schedule, emitter->given));
  gen_line(writer, "uint64_t *const arrived = (uint64_t *)(lines + %d * 2 * place::odd); /* stages so far, by slot */",
           lines);
  emit_text(emitter, begin, sizeof begin / sizeof *begin);
  for (int n = 0; n < lines; n++)
    gen_line(writer,
             "  lines[%d * 2 * place::odd + n] = i >= 0 && i <= box->cells[0] ? ((const %s *)args.field[%d])[gmg_at(i, "
             "box->odd)] : 0;",
             n, type, gen_cuda_field_of(schedule, line[n]));
  if (!lines)
    gen_line(writer, "  (void)i;");
  emit_text(emitter, copies, sizeof copies / sizeof *copies);
  gen_close(writer, "}");
}

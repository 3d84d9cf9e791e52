/* The kernel SYMBOL_staged itself: what the threads of a block do in turn. Its functions are those
 * of gen/emit/cuda/staged.c. */
#include "staged.h"

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
    if (*text)
      gen_line(emitter->writer, "%s", text);
    else
      gen_blank(emitter->writer);
  }
}

/* What is known when parity is: where everything is read, from few places on. */
static const char *const steps[] = {
  "/* Plane k of two rows of the first colour, whose cell in the first row is of this parity. on: "
  "four bits,",
  " * whether the cells are inside, and whether they are stored. below: u in plane k - 1 at the "
  "cells. */",
  "template <int parity>",
  "static __device__ __forceinline__ void @_staged_rows(const struct gmg_cuda_args &args, const ~ "
  "*before, const ~ *now, "
  "const ~ *lines, ~ *first, int x, int y, int on, int to, ~ *below)",
  "{",
  "  typedef struct @_place place;",
  "  const gmg_write<~> out(args.out);",
  "  const ~ *const own = before + place::$_at + y * place::$_row + x;",
  "  const ~ here = own[parity * place::odd], beside = own[(1 - parity) * place::odd];",
  "  const ~ value = @_staged_first(&args, before, now, lines, below[0], x, y, parity, 0);",
  "  const ~ here1 = own[place::$_row + (1 - parity) * place::odd], beside1 = own[place::$_row + "
  "parity * place::odd];",
  "  const ~ value1 = @_staged_first(&args, before, now, lines, below[1], x, y + 1, 1 - parity, "
  "1);",
  "  first[0] = on & 1 ? value : here;",
  "  first[place::first_row] = on & 2 ? value1 : here1;",
  "  if (on & 4)",
  "    out[to + parity * args.box.odd] = value;",
  "  if (on & 8)",
  "    out[to + args.box.stride[0] + (1 - parity) * args.box.odd] = value1;",
  "  below[0] = beside;",
  "  below[1] = beside1;",
  "}",
  "",
  "/* Plane k - 2 of the second colour, whose cell is of the other parity, and what plane k - 1 of "
  "it reads.",
  " * in, early: what it has read; before: the first colour's value in plane k - 3; on: three "
  "bits, whether there",
  " * is a plane k - 2, the cell in it is stored, and there is a plane k. */",
  "template <int parity, int late>",
  "static __device__ __forceinline__ void @_staged_cell(const struct gmg_cuda_args &args, const ~ "
  "*stage, const ~ *lines, "
  "const ~ *plane, const ~ *above, int x, int y, int on, int to, struct @_staged_parts &in, struct "
  "@_staged_early &early, "
  "~ &before)",
  "{",
  "  const gmg_write<~> out(args.out);",
  "  if (on & 1) {",
  "    typedef struct @_place place;",
  "    const ~ own = plane[0], beside = plane[parity ? -1 : 1];",
  "    const ~ value = @_staged_second(&args, in, parity ? beside : own, parity ? own : beside, "
  "plane[-place::first_row], "
  "plane[place::first_row], before, above[0]);",
  "    if (on & 2)",
  "      out[to + (1 - parity) * args.box.odd] = value;",
  "    before = own;",
  "  }",
  "  if (on & 4) {",
  "    in = @_staged_read(&args, early, stage, lines, x, y, parity, late);",
  "    early = @_staged_early_of(&args, stage, x, y, 1 - parity);",
  "  }",
  "}",
  "",
};

static const char *const head[] = {
  "/* One colour and then the other, in one pass and out of place. Threads of the first colour "
  "compute plane k, with a",
  " * cell more on each side than the block's BLOCK_I pairs in BLOCK_J rows; threads of the second "
  "plane k - 2; one",
  " * warp copies plane k + 1. */",
  "extern \"C\" __global__ void __launch_bounds__(@_place::threads, 1)",
  "@_staged(const __grid_constant__ struct gmg_cuda_args args, const __grid_constant__ struct "
  "gmg_cuda_boxes boxes)",
};

static const char *const body[] = {
  "typedef struct @_place place;",
  "gmg_shared(memory, place::bytes);",
  "~ *const stages = (~ *)memory, *const firsts = stages + 3 * place::stage, *const lines = firsts "
  "+ 3 * place::plane;",
  "uint64_t *const arrived = (uint64_t *)(lines + place::lines); /* stages so far, by slot */",
  "const struct gmg_kernel_box *const box = &args.box;",
  "const gmg_write<~> out(args.out);",
  "const int thread = (int)threadIdx.x, at0 = (int)blockIdx.x * BLOCK_I, j0 = (int)blockIdx.y * "
  "BLOCK_J;",
  "const int planes = (box->cells[2] + (int)gridDim.z - 1) / (int)gridDim.z, k0 = (int)blockIdx.z "
  "* planes;",
  "const int k1 = gmg_least(k0 + planes, box->cells[2]), steps = k1 - k0 + 3;",
};

static const char *const begin[] = {
  "if (k0 >= k1)",
  "  return;",
  "for (int n = 0; n < 3 && thread == 0; n++)",
  "  gmg_arrivals(arrived + n);",
  "for (int n = 0; n < 2 && thread < 32; n++)",
  "  @_copy(args, boxes, stages + n * place::stage, at0, j0, k0 - 2 + n, start, arrived + n, 0, "
  "0);",
};

static const char *const copies[] = {
  "if (thread < 32) {",
  "  gmg_barrier(place::threads);",
  "#pragma unroll 1",
  "  for (int n = 0, to = 2; n < steps; n++, to = to < 2 ? to + 1 : 0) {",
  "    uint64_t *const before = arrived + (to > 0 ? to - 1 : 2);",
  "    if (k0 + n <= k1)",
  "      @_copy(args, boxes, stages + to * place::stage, at0, j0, k0 + n, start, arrived + to, "
  "before, (n + 1) / 3);",
  "    gmg_barrier(place::threads);",
  "  }",
  "} else if (thread < 32 + place::pairs) {",
  "  /* The first colour, two rows each. bits: four for either parity of the first row's cell, "
  "whether the cells are",
  "   * inside, and whether they are stored; and four for the planes below and above, where "
  "nothing is stored and",
  "   * perhaps nothing inside. */",
  "  const int column = (thread - 32) % BLOCK_I, row = 2 * ((thread - 32) / BLOCK_I) - 1, j = j0 + "
  "row, last = steps - 2;",
  "  int bits = (k0 > 0 ? 3 : 0) << 8 | (k1 < box->cells[2] ? 3 : 0) << 12, parity = (start + j + "
  "k0 - 1) & 1;",
  "  int to = at0 + column + j * box->stride[0] + (k0 - 1) * box->stride[1], slot = 0, turn = 0;",
  "  ~ below[2] = {0, 0}; /* u in plane k - 1 at the cells */",
  "#pragma unroll",
  "  for (int r = 0; r < 2; r++) {",
  "    const int i = 2 * (at0 + column) + (parity ^ r), stored = row + r >= 0 && row + r < BLOCK_J "
  "? 5 : 1;",
  "    for (int n = 0; n < 2; n++)",
  "      if (j + r >= 0 && j + r < box->cells[1] && 2 * (at0 + column) + (n ^ r) < box->cells[0])",
  "        bits |= stored << (r + 4 * n);",
  "    if (j + r <= box->cells[1] && i <= box->cells[0] && k0 > 0)",
  "      below[r] = $[gmg_at(i, box->odd) + (j + r) * box->stride[0] + (k0 - 2) * box->stride[1]];",
  "  }",
  "  gmg_barrier(place::threads);",
  "  gmg_await(arrived, 0);",
  "#pragma unroll 1",
  "  for (int n = 0; n < steps; n++) { /* plane k0 - 1 + n; slot: of its values, and of the stage "
  "below */",
  "    const int next = slot < 2 ? slot + 1 : 0;",
  "    turn += slot == 2;",
  "    if (n <= last) {",
  "      const int x = gmg_after(column, 0.0), y = gmg_after(row, 0.0);",
  "      const ~ *const before = stages + slot * place::stage, *const now = stages + next * "
  "place::stage;",
  "      ~ *const first = firsts + slot * place::plane + (y + 1) * place::first_row + x + 1;",
  "      const int all = gmg_after(bits, 0.0), on = all >> 4 * parity & (n == 0 ? all >> 8 : n < "
  "last ? 15 : all >> 12) & 15;",
  "      gmg_await(arrived + next, turn);",
  "      if (parity)",
  "        @_staged_rows<1>(args, before, now, lines, first, x, y, on, to, below);",
  "      else",
  "        @_staged_rows<0>(args, before, now, lines, first, x, y, on, to, below);",
  "    }",
  "    gmg_barrier(place::threads);",
  "    slot = next;",
  "    parity = 1 - parity;",
  "    to += box->stride[1];",
  "  }",
  "} else if (thread < 32 + place::pairs + place::edge) {",
  "  /* The first colour's cell beside each row, on the left or on the right. */",
  "  const int y = thread - 32 - place::pairs, j = j0 + y;",
  "  const bool counts = y < BLOCK_J && j < box->cells[1], on_left = at0 > 0, on_right = 2 * (at0 "
  "+ BLOCK_I) < box->cells[0];",
  "  ~ below = 0;",
  "  int slot = 0, turn = 0, parity = (start + j + k0 - 1) & 1;",
  "  const int i = parity ? 2 * at0 - 1 : 2 * (at0 + BLOCK_I);",
  "  if (counts && i <= box->cells[0] && k0 > 0)",
  "    below = $[gmg_at(i, box->odd) + j * box->stride[0] + (k0 - 2) * box->stride[1]];",
  "  gmg_barrier(place::threads);",
  "  gmg_await(arrived, 0);",
  "#pragma unroll 1",
  "  for (int k = k0 - 1; k < k0 - 1 + steps; k++) {",
  "    const int next = slot < 2 ? slot + 1 : 0;",
  "    turn += slot == 2;",
  "    if (k <= k1) {",
  "      const ~ *const before = stages + slot * place::stage, *const now = stages + next * "
  "place::stage;",
  "      gmg_await(arrived + next, turn);",
  "      if (counts) {",
  "        const int x = parity ? -1 : BLOCK_I;",
  "        const ~ *const own = before + place::$_at + y * place::$_row;",
  "        ~ value = own[gmg_at(parity, place::odd) + x];",
  "        if (k >= 0 && k < box->cells[2] && (parity ? on_left : on_right))",
  "          value = @_staged_first(&args, before, now, lines, below, x, y, parity, 1 - (y & 1));",
  "        below = own[gmg_at(1 - parity, place::odd) + BLOCK_I - 1 - x];",
  "        firsts[slot * place::plane + (y + 1) * place::first_row + x + 1] = value;",
  "      }",
  "    }",
  "    gmg_barrier(place::threads);",
  "    slot = next;",
  "    parity = 1 - parity;",
  "  }",
  "} else {",
  "  /* The second colour, two rows each. bits: whether even and odd cells of the rows are inside. "
  "parity: of the first",
  "   * colour in planes k and k - 2. */",
  "  const int pair = thread - 32 - place::pairs - place::edge, column = pair % BLOCK_I, row = 2 * "
  "(pair / BLOCK_I), j = j0 + row;",
  "  int bits = 0, to = at0 + column + j * box->stride[0] + (k0 - 3) * box->stride[1], parity = "
  "(start + j + k0 - 1) & 1;",
  "  for (int n = 0; n < 4; n++)",
  "    if (j + n / 2 < box->cells[1] && 2 * (at0 + column) + (n & 1) < box->cells[0])",
  "      bits |= 1 << n;",
  "  struct @_staged_parts in[2] = {};",
  "  struct @_staged_early early[2] = {};",
  "  ~ before[2] = {0, 0}; /* the first colour's values below */",
  "  gmg_barrier(place::threads);",
  "  gmg_await(arrived, 0); /* for the later stages the first colour has waited, a barrier ago */",
  "#pragma unroll 1",
  "  for (int n = 0, slot = 0; n < steps; n++, slot = slot < 2 ? slot + 1 : 0) { /* plane k - 2, k "
  "as above */",
  "    const int x = gmg_after(column, 0.0), y = gmg_after(row, 0.0), last = n <= steps - 2 ? 4 : "
  "0;",
  "    const int on = last | (n >= 2) | (n >= 3 && bits >> (1 - parity) & 1) << 1;",
  "    const int on1 = last | (n >= 2) | (n >= 3 && bits >> (2 + parity) & 1) << 1;",
  "    const ~ *const stage = stages + slot * place::stage, *const first = firsts + (y + 1) * "
  "place::first_row + x + 1;",
  "    const ~ *const plane = first + (slot < 2 ? slot + 1 : 0) * place::plane;",
  "    const ~ *const above = first + (slot > 0 ? slot - 1 : 2) * place::plane;",
  "    const ~ *const plane1 = plane + place::first_row, *const above1 = above + place::first_row;",
  "    const int to1 = to + box->stride[0];",
  "    if (parity) {",
  "      @_staged_cell<1, 0>(args, stage, lines, plane, above, x, y, on, to, in[0], early[0], "
  "before[0]);",
  "      @_staged_cell<0, 1>(args, stage, lines, plane1, above1, x, y + 1, on1, to1, in[1], "
  "early[1], before[1]);",
  "    } else {",
  "      @_staged_cell<0, 0>(args, stage, lines, plane, above, x, y, on, to, in[0], early[0], "
  "before[0]);",
  "      @_staged_cell<1, 1>(args, stage, lines, plane1, above1, x, y + 1, on1, to1, in[1], "
  "early[1], before[1]);",
  "    }",
  "    gmg_barrier(place::threads);",
  "    parity = 1 - parity;",
  "    to += box->stride[1];",
  "  }",
  "}",
};

/* Lines along i and j: those along k come with the stages. */
static void emit_lines(struct gen_emitter *emitter, const struct gen_staged *staged)
{
  const struct gen_schedule *schedule = emitter->schedule;
  struct gen_writer *writer = emitter->writer;
  const char *type = gen_type_name(schedule->precision);
  if (staged->lines[GEN_I]) {
    gen_open(writer, "for (int n = thread; n < 2 * place::odd; n += place::threads) {");
    gen_line(writer,
             "const int pair = n %% place::odd - place::unit, half = n / place::odd, i = 2 * (at0 "
             "+ pair) + half;");
  }
  for (int n = 0; n < staged->lines[GEN_I]; n++) {
    const struct gen_access *access = staged->line[GEN_I][n];
    gen_line(writer,
             "lines[place::%s_place + pair + half * place::odd] = i >= 0 && i <= box->cells[0] ? "
             "((const %s "
             "*)args.field[%d])[gmg_at(i, box->odd)] : 0;",
             gen_row_name(emitter, access), type, gen_cuda_field_of(schedule, access->array));
  }
  if (staged->lines[GEN_I])
    gen_close(writer, "}");
  if (staged->lines[GEN_J]) {
    gen_open(writer, "if (thread < BLOCK_J + 2) {");
    gen_line(writer,
             "const int j = gmg_least(j0 + thread > 0 ? j0 + thread - 1 : 0, box->cells[1] - 1);");
  }
  for (int n = 0; n < staged->lines[GEN_J]; n++) {
    const struct gen_access *access = staged->line[GEN_J][n];
    gen_line(writer, "lines[place::%s_place + thread - 1] = ((const %s *)args.field[%d])[j%s];",
             gen_row_name(emitter, access), type, gen_cuda_field_of(schedule, access->array),
             gen_signed_text(emitter->session, gen_staged_offset(schedule->kernel, access, GEN_J)));
  }
  if (staged->lines[GEN_J])
    gen_close(writer, "}");
}

void gen_emit_cuda_staged_march(struct gen_emitter *emitter, const struct gen_staged *staged)
{
  const struct gen_schedule *schedule = emitter->schedule;
  struct gen_writer *writer = emitter->writer;
  const char *type = gen_type_name(schedule->precision);
  emit_text(emitter, steps, sizeof steps / sizeof *steps);
  emit_text(emitter, head, sizeof head / sizeof *head);
  gen_open(writer, "{");
  emit_text(emitter, body, sizeof body / sizeof *body);
  gen_line(
    writer,
    "const int start = box->lower[0] + box->lower[1] + box->lower[2] + (int)args.scalar[%d] + %d;",
    gen_scalar_of_colour(schedule), schedule->kernel->guard.remainder);
  gen_line(writer, "const %s *const %s = (const %s *)args.field[%d];", type,
           schedule->kernel->array[emitter->given].name, type,
           gen_cuda_field_of(schedule, emitter->given));
  emit_text(emitter, begin, sizeof begin / sizeof *begin);
  emit_lines(emitter, staged);
  emit_text(emitter, copies, sizeof copies / sizeof *copies);
  gen_close(writer, "}");
}

/* What a block copies to shared memory: where everything is there, and the function SYMBOL_copy
 * (gen/emit/cuda/staged.c). */
#include "staged.h"

/* Places of the lines along i and j, one after the other. */
static void emit_line_places(struct gen_emitter *emitter, const struct gen_staged *staged)
{
  struct gen_writer *writer = emitter->writer;
  for (int n = 0; n < staged->lines[GEN_I]; n++)
    gen_line(writer, "%s_place = %d * 2 * odd + unit,",
             gen_row_name(emitter, staged->line[GEN_I][n]), n);
  for (int n = 0; n < staged->lines[GEN_J]; n++)
    gen_line(writer, "%s_place = %d * 2 * odd + %d * (BLOCK_J + 2) + 1,",
             gen_row_name(emitter, staged->line[GEN_J][n]), staged->lines[GEN_I], n);
  gen_line(writer, "lines = (%d * 2 * odd + %d * (BLOCK_J + 2) + line - 1) / line * line,",
           staged->lines[GEN_I], staged->lines[GEN_J]);
}

void gen_emit_staged_places(struct gen_emitter *emitter, const struct gen_staged *staged)
{
  struct gen_writer *writer = emitter->writer;
  const int real = gen_real_bytes(emitter->schedule);
  const char *end = "0", *moved = "0";
  gen_line(writer,
           "/* Shared memory: three stages, each a box of every field and the plane's own number "
           "of lines along k; the\n"
           " * first colour's values in three planes; lines along i and j. NAME_at is where in a "
           "stage the pair (0, 0) of\n"
           " * the block is, NAME_place where a line's number is or, along i and j, the block's "
           "first one; NAME_row how\n"
           " * long rows are: even cells, and `odd` behind them the odd ones. Where rows have one "
           "half each, NAME_odd is\n"
           " * how much further away the odd ones are than `odd`. */\n"
           "struct %s_place {\n"
           "enum {\n"
           "unit = %d, line = %d, odd = BLOCK_I + 2 * unit,",
           emitter->symbol, 32 / real, 128 / real);
  for (int n = 0; n < staged->count; n++) {
    const struct gen_staged_box *box = &staged->box[n];
    const char *name = emitter->kernel->array[box->array].name;
    const bool halves = box->halves;
    gen_line(writer, "%s_row = %s%s, %s_rows = BLOCK_J + %d, %s_box = %s,", name,
             halves ? "" : "2 * ", box->beside ? "odd" : "(odd - unit)", name,
             (halves ? 1 : 2) + box->high - box->low, name, end);
    gen_line(writer, "%s_at = %s_box + %d * %s_row%s,", name, name, 1 - box->low, name,
             box->beside ? " + unit" : "");
    end = gen_text("(%s_box + %s_rows * %s_row + line - 1) / line * line", name, name, name);
    if (halves) {
      gen_line(
        writer,
        "%s_half = (%s_rows * %s_row + line - 1) / line * line, %s_odd = %s_half + unit - odd,",
        name, name, name, name, name);
      end = gen_text("%s_box + 2 * %s_half", name, name);
    }
    moved = gen_text("%s%s%s%s_rows * %s_row", n ? moved : "", n ? " + " : "", halves ? "2 * " : "",
                     name, name);
  }
  for (int n = 0; n < staged->lines[GEN_K]; n++)
    gen_line(writer, "%s_place = %s + %d,", gen_row_name(emitter, staged->line[GEN_K][n]), end, n);
  gen_line(writer,
           "stage = %s + %s, moved = %s,\n"
           "first_row = BLOCK_I + 2, plane = ((BLOCK_J + 2) * first_row + line - 1) / line * line,",
           end, staged->lines[GEN_K] ? "line" : "0", moved);
  emit_line_places(emitter, staged);
  gen_line(writer,
           "bytes = (3 * stage + 3 * plane + lines) * %d + 64,\n"
           "pairs = BLOCK_I * ((BLOCK_J + 2) / 2), edge = (BLOCK_J + 31) / 32 * 32, threads = 32 + "
           "pairs + edge + BLOCK_I * BLOCK_J / 2\n"
           "};\n"
           "};\n"
           "\n",
           real);
}

void gen_emit_staged_copy(struct gen_emitter *emitter, const struct gen_staged *staged,
                          const struct gen_cuda_shape *shape)
{
  struct gen_writer *writer = emitter->writer;
  const char *type = gen_real(emitter->schedule);
  const int early = gen_staged_early(emitter->schedule, staged, shape);
  gen_line(writer,
           "/* Copies the stage of plane k: of fields that are read above, too, plane k + 1. Not "
           "all at once: the rest when the\n"
           " * stage before, if one is given, is there for the n-th time. start: the first "
           "colour's parity at (0, 0, 0). */\n"
           "static __device__ __forceinline__ void %s_copy(const struct gmg_cuda_args &args, const "
           "struct gmg_cuda_boxes &boxes, %s *stage, int at, int j, int k, int start, uint64_t "
           "*arrived, uint64_t *before, int n)\n"
           "{\n"
           "typedef struct %s_place place;\n"
           "const int parity = (start + j - 1 + k) & 1; /* of the first colour in the row beside "
           "the block's first */\n"
           "gmg_expect(arrived, place::moved * (int)sizeof(%s));",
           emitter->symbol, type, emitter->symbol, type);
  if (early == staged->count)
    gen_line(writer, "(void)before, (void)n; /* they are small */");
  for (int n = 0; n < staged->count; n++) {
    const struct gen_staged_box *box = &staged->box[n];
    const char *name = emitter->kernel->array[box->array].name;
    if (n == early)
      gen_line(writer,
               "if (before)\n"
               "gmg_await(before, n);");
    const int field = gen_cuda_field_of(emitter->schedule, box->array);
    if (box->halves)
      gen_line(writer,
               "gmg_copy_halves<%s, place::%s_row, place::%s_rows, place::%s_half, %d>(stage + "
               "place::%s_box, &boxes.box[%d], args.field[%d], &args.box, at, j - %d, k, parity, "
               "arrived);",
               type, name, name, name, box->low, name, n, field, 1 - box->low);
    else
      gen_line(
        writer,
        "gmg_copy_box<%s, place::%s_row / 2, place::%s_rows, %s, %d, %d>(stage + place::%s_box, "
        "&boxes.box[%d], args.field[%d], &args.box, at%s, j - %d, %s, arrived);",
        type, name, name, box->beside ? "0" : "place::unit", box->low, box->below ? -1 : 0, name, n,
        field, box->beside ? " - place::unit" : "", 1 - box->low, box->ahead ? "k + 1" : "k");
  }
  if (staged->lines[GEN_K])
    gen_line(writer, "const int safe_k = gmg_least(k < 0 ? 0 : k, args.box.cells[2] - 1);");
  for (int n = 0; n < staged->lines[GEN_K]; n++) {
    const struct gen_access *access = staged->line[GEN_K][n];
    gen_line(writer,
             "if (threadIdx.x == 0)\n"
             "stage[place::%s_place] = ((const %s *)args.field[%d])[safe_k%s];",
             gen_row_name(emitter, access), type,
             gen_cuda_field_of(emitter->schedule, access->array),
             gen_signed_text(gen_offset(emitter->kernel, access, GEN_K)));
  }
  gen_line(writer, "}\n\n");
}

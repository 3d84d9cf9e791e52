/* Ghosts beyond walls that are images of what a program's kernel writes: the thread that writes a
 * cell near a wall writes its images, too, while the row's ends are at hand. After all cells of a
 * thread, so that it delays no reads of theirs. */
#include "emit/emit.h"

static const char *const stride[] = {"", " * box->stride[0]", " * box->stride[1]"};

/* How near walls across an axis cells have images; 0: nowhere. */
static int depth_of(const struct gen_unit *unit, int axis)
{
  int most = 0;
  for (int n = 0; n < unit->images; n++)
    for (int side = 0; side < 2; side++) {
      const struct gen_program_array *of = unit->image[n].of;
      const struct gen_wall_rule *rule = &of->wall[axis][side];
      const int depth = of->ghosts + rule->skip;
      most = rule->kind == GEN_WALL_MIRROR && depth > most ? depth : most;
    }
  return most;
}

/* Whether a cell at that place along the axis has an image beyond the wall: of any cell of a box
 * there, and at `at`. */
static const char *has_image(const struct gen_program_array *of, int axis, int side, const char *at)
{
  const int skip = of->wall[axis][side].skip;
  return side
    ? gen_text("(unsigned)(box->cells[%d] - %d - %s) < %du", axis, 1 + skip, at, of->ghosts)
    : gen_text("(unsigned)(%s - %d) < %du", at, skip, of->ghosts);
}

static const char *wall_there(int axis, int side)
{
  return gen_text(side ? "box->other_cells[%d]" : "box->other_lower[%d]", axis);
}

/* How far the image is from its cell along the axis. */
static const char *distance(const struct gen_program_array *of, int axis, int side, const char *at)
{
  const int skip = of->wall[axis][side].skip;
  return side ? gen_text("2 * (box->cells[%d] - %s) - %d", axis, at, 1 + skip)
              : gen_text("%d - 2 * %s", skip - 1, at);
}

static const char *image_of(const struct gen_emitter *emitter, const struct gen_wall_rule *rule,
                            const char *value)
{
  const bool single = emitter->schedule->precision == GEN_FLOAT;
  if (rule->factor >= 0)
    return value;
  return gen_text("(%s)(%s) - %s", gen_real(emitter->schedule),
                  gen_text(single ? "(float)%.9g" : "%.17g", rule->constant), value);
}

/* The images beyond one wall: the condition, and the store. */
static void emit_wall(struct gen_emitter *emitter, const struct gen_program_array *of, int axis,
                      int side)
{
  static const char *const at[] = {"i", "j", "k"};
  gen_line(emitter->writer,
           "if (%s && %s)\n"
           "cell[(%s)%s] = %s;",
           wall_there(axis, side), has_image(of, axis, side, at[axis]),
           distance(of, axis, side, at[axis]), stride[axis],
           image_of(emitter, &of->wall[axis][side], "*cell"));
}

/* Likewise of neighbouring cells whose values a thread has made, beyond a wall across i: a
 * statement for each cell that may be the wall's n-th, so that all that is indexed is known. */
static void emit_few_beside(struct gen_emitter *emitter, const struct gen_program_array *of,
                            int side, const char *made)
{
  const struct gen_wall_rule *rule = &of->wall[0][side];
  const int columns = gen_cuda_columns(emitter->schedule);
  gen_line(emitter->writer, "if (%s) {", wall_there(0, side));
  for (int n = rule->skip; n < rule->skip + of->ghosts; n++)
    for (int c = side ? 0 : n % columns; c < (side ? columns : n % columns + 1); c++)
      gen_line(emitter->writer,
               "if (%s == %d)\n"
               "cell[%d] = %s;",
               side ? "box->cells[0] - first" : "first", side ? n + 1 + c : n - c,
               side ? c + 2 * n + 1 - rule->skip : c - 2 * n - 1 + rule->skip,
               image_of(emitter, rule, gen_text("%s.value[%d]", made, c)));
  gen_line(emitter->writer, "}");
}

/* Images of neighbouring cells beyond a wall across any axis, 16 bytes at once across j and k. */
static void emit_few(struct gen_emitter *emitter, const struct gen_program_array *of, int axis,
                     int side, const char *made)
{
  static const char *const at[] = {"first", "j", "k"};
  const int columns = gen_cuda_columns(emitter->schedule);
  if (axis == 0) {
    emit_few_beside(emitter, of, side, made);
    return;
  }
  gen_line(emitter->writer,
           "if (%s && %s) {\n"
           "%s image[%d];\n"
           "#pragma unroll\n"
           "for (int c = 0; c < %d; c++)\n"
           "image[c] = %s;\n"
           "gmg_put_few(cell + (%s)%s, image);\n"
           "}",
           wall_there(axis, side), has_image(of, axis, side, at[axis]), gen_real(emitter->schedule),
           columns, columns,
           image_of(emitter, &of->wall[axis][side], gen_text("%s.value[c]", made)),
           distance(of, axis, side, at[axis]), stride[axis]);
}

/* Of all arrays and walls. few: the cells along i from `first` on, whose values are `made`. */
static void emit_images(struct gen_emitter *emitter, bool few)
{
  const struct gen_unit *unit = emitter->unit;
  const char *type = gen_real(emitter->schedule);
  gen_line(emitter->writer,
           "const struct gmg_kernel_box *const box = &args->box;\n"
           "const ptrdiff_t at = %s + j * box->stride[0] + k * box->stride[1];",
           few ? "first" : "i");
  for (int n = 0; n < unit->images; n++) {
    const struct gen_program_array *of = unit->image[n].of;
    const char *name = emitter->kernel->array[unit->image[n].array].name;
    gen_line(emitter->writer,
             "{\n"
             "%s *const cell = (%s *)args->field[%d] + at;",
             type, type, gen_cuda_field_of(emitter->schedule, unit->image[n].array));
    for (int side = 0; side < 6; side++) {
      if (of->wall[side / 2][side % 2].kind != GEN_WALL_MIRROR)
        continue;
      if (few)
        emit_few(emitter, of, side / 2, side % 2, gen_text("made.%s", name));
      else
        emit_wall(emitter, of, side / 2, side % 2);
    }
    gen_line(emitter->writer, "}");
  }
}

void gen_emit_cuda_images(struct gen_emitter *emitter, const char *name)
{
  if (!emitter->unit->images)
    return;
  gen_line(emitter->writer,
           "/* What stands beyond walls of the images of a cell that was written. The box says at\n"
           "   which of its ends walls are: other_lower, other_cells. */");
  gen_open_cuda(emitter, "void", name, "int i, int j, int k");
  emit_images(emitter, false);
  gen_line(emitter->writer, "}\n\n");
}

void gen_emit_cuda_few_images(struct gen_emitter *emitter)
{
  if (!emitter->unit->images)
    return;
  gen_line(emitter->writer, "/* Likewise of neighbouring cells, whose values are at hand. */");
  gen_open_cuda(emitter, "void", "few_images",
                gen_text("int first, int j, int k, const struct %s_made &made", emitter->symbol));
  emit_images(emitter, true);
  gen_line(emitter->writer, "}\n\n");
}

const char *gen_cuda_near_walls(const struct gen_emitter *emitter, const char *const nearest[3])
{
  const char *condition = "";
  for (int axis = 0; axis < 3; axis++)
    if (depth_of(emitter->unit, axis))
      condition = gen_text("%s%s%s < %d", condition, *condition ? " || " : "", nearest[axis],
                           depth_of(emitter->unit, axis));
  return condition;
}

void gen_emit_cuda_images_calls(struct gen_emitter *emitter)
{
  static const char *const nearest[] = {"gmg_least(i, args.box.cells[0] - 1 - i)",
                                        "gmg_least(j, args.box.cells[1] - 1 - j)",
                                        "gmg_least(k0, args.box.cells[2] - end_k)"};
  if (!emitter->unit->images)
    return;
  gen_line(emitter->writer,
           "if (%s)\n"
           "for (int k = k0; k < end_k; k++)\n"
           "%s_images(&args, i, j, k);",
           gen_cuda_near_walls(emitter, nearest), emitter->symbol);
}

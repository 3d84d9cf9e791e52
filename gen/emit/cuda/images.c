/* Ghosts beyond walls that are images of what a program's kernel writes: the thread that writes a
 * cell near a wall writes its images, too, while the row's ends are at hand. After all cells of a
 * thread, so that it delays no reads of theirs. */
#include "emit/emit.h"

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

/* The images beyond one wall: the condition, and the store. */
static void emit_wall(struct gen_emitter *emitter, const struct gen_program_array *of, int axis,
                      int side)
{
  static const char *const at[] = {"i", "j", "k"},
                           *const step[] = {"", " * box->stride[0]", " * box->stride[1]"};
  const struct gen_wall_rule *rule = &of->wall[axis][side];
  const bool single = emitter->schedule->precision == GEN_FLOAT;
  const char *value = "*cell",
             *constant = gen_text(single ? "(float)%.9g" : "%.17g", rule->constant);
  if (rule->kind != GEN_WALL_MIRROR)
    return;
  if (rule->factor < 0)
    value = gen_text("(%s)(%s) - *cell", gen_real(emitter->schedule), constant);
  if (side)
    gen_line(emitter->writer,
             "if (box->other_cells[%d] && (unsigned)(box->cells[%d] - %d - %s) < %du)\n"
             "cell[(2 * (box->cells[%d] - %s) - %d)%s] = %s;",
             axis, axis, 1 + rule->skip, at[axis], of->ghosts, axis, at[axis], 1 + rule->skip,
             step[axis], value);
  else
    gen_line(emitter->writer,
             "if (box->other_lower[%d] && (unsigned)(%s - %d) < %du)\n"
             "cell[(%d - 2 * %s)%s] = %s;",
             axis, at[axis], rule->skip, of->ghosts, rule->skip - 1, at[axis], step[axis], value);
}

void gen_emit_cuda_images(struct gen_emitter *emitter)
{
  const struct gen_unit *unit = emitter->unit;
  const char *type = gen_real(emitter->schedule);
  if (!unit->images)
    return;
  gen_line(emitter->writer,
           "/* What stands beyond walls of the images of a cell that was written. The box says at\n"
           "   which of its ends walls are: other_lower, other_cells. */");
  gen_open_cuda(emitter, "void", "images", "int i, int j, int k");
  gen_line(emitter->writer,
           "const struct gmg_kernel_box *const box = &args->box;\n"
           "const ptrdiff_t at = i + j * box->stride[0] + k * box->stride[1];");
  for (int n = 0; n < unit->images; n++) {
    gen_line(emitter->writer,
             "{\n"
             "%s *const cell = (%s *)args->field[%d] + at;",
             type, type, gen_cuda_field_of(emitter->schedule, unit->image[n].array));
    for (int side = 0; side < 6; side++)
      emit_wall(emitter, unit->image[n].of, side / 2, side % 2);
    gen_line(emitter->writer, "}");
  }
  gen_line(emitter->writer, "}\n\n");
}

void gen_emit_cuda_images_calls(struct gen_emitter *emitter)
{
  static const char *const nearest[] = {"gmg_least(i, args.box.cells[0] - 1 - i)",
                                        "gmg_least(j, args.box.cells[1] - 1 - j)",
                                        "gmg_least(k0, args.box.cells[2] - end_k)"};
  const char *condition = "";
  if (!emitter->unit->images)
    return;
  for (int axis = 0; axis < 3; axis++)
    if (depth_of(emitter->unit, axis))
      condition = gen_text("%s%s%s < %d", condition, *condition ? " || " : "", nearest[axis],
                           depth_of(emitter->unit, axis));
  gen_line(emitter->writer,
           "if (%s)\n"
           "for (int k = k0; k < end_k; k++)\n"
           "%s_images(&args, i, j, k);",
           condition, emitter->symbol);
}

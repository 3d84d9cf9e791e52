/* A program as C. */
#include "program.h"

#include <string.h>

static const char axis_letter[] = "ijk";

static const char *real_of(const struct gen_program *program)
{
  return program->type == GEN_FLOAT ? "float" : "double";
}

/* ---- kernels ---- */

struct serial {
  const struct gen_kernel *kernel;
  bool single;
};

static const char *access_text(const struct gen_kernel *kernel, const struct gen_access *access)
{
  static const char *const unit[] = {"", " * row", " * plane"};
  const char *text = gen_text("a_%s[at", kernel->array[access->array].name);
  for (int axis = 0; axis < GEN_BOX; axis++) {
    const int offset = access->subscript[axis].affine.constant;
    if (offset)
      text = gen_text("%s %c %d%s", text, offset < 0 ? '-' : '+', offset < 0 ? -offset : offset,
                      unit[axis]);
  }
  return gen_text("%s]", text);
}

static const char *number_text(double number, bool single)
{
  const char *text = gen_text(single ? "%.9g" : "%.17g", number);
  if (!strpbrk(text, ".en"))
    text = gen_text("%s.0", text);
  return single ? gen_text("%sf", text) : text;
}

static const char *special(const struct gen_style *style, const struct gen_expr *expr, int least)
{
  const struct serial *serial = style->data;
  (void)least;
  switch (expr->kind) {
  case GEN_NUMBER:
    return number_text(expr->number, serial->single);
  case GEN_SCALAR:
    return gen_text("s_%s", serial->kernel->scalar[expr->scalar].name);
  case GEN_ACCESS:
    return access_text(serial->kernel, &expr->access);
  default:
    return NULL;
  }
}

const char *gen_program_value_text(const struct gen_program *program,
                                   const struct gen_kernel *kernel, const struct gen_expr *value)
{
  const struct serial serial = {kernel, program->type == GEN_FLOAT};
  const struct gen_style style = {special, &serial, serial.single ? "f" : ""};
  return gen_words(&style, value, 0);
}

void gen_emit_program_names(struct gen_writer *writer, const struct gen_program *program,
                            const struct gen_program_kernel *bound, const struct gen_kernel *kernel)
{
  const char *real = real_of(program);
  for (int a = 0; a < kernel->arrays; a++)
    gen_line(writer, "%s%s *const a_%s = array[%d] + first;",
             kernel->array[a].written ? "" : "const ", real, kernel->array[a].name,
             bound->array[a]);
  for (int s = 0; s < kernel->scalars; s++)
    for (int p = 0; kernel->scalar[s].role == GEN_PARAMETER && p < program->scalars; p++)
      if (strcmp(program->scalar[p].name, kernel->scalar[s].name) == 0)
        gen_line(writer, "const %s s_%s = (%s)parameter[%d];", real, kernel->scalar[s].name, real,
                 p);
}

static void emit_statement(struct gen_writer *writer, const struct gen_program *program,
                           const struct gen_kernel *kernel, const struct gen_statement *statement)
{
  gen_line(writer, "%s = %s;",
           statement->kind == GEN_STORE ? access_text(kernel, &statement->target)
                                        : gen_text("s_%s", kernel->scalar[statement->scalar].name),
           gen_program_value_text(program, kernel, statement->value));
}

static void emit_kernel(struct gen_writer *writer, const struct gen_program *program,
                        const struct gen_program_kernel *bound, const struct gen_kernel *kernel,
                        bool threads)
{
  const char *real = real_of(program);
  gen_line(writer,
           "static void kernel_%s(const int cells[3], %s *const *array, const double *parameter)\n"
           "{\n"
           "const ptrdiff_t row = ROW, plane = PLANE, first = FIRST;",
           kernel->name, real);
  gen_emit_program_names(writer, program, bound, kernel);
  gen_line(writer, "(void)parameter;");
  if (threads)
    gen_line(writer, "#pragma omp parallel for collapse(2) schedule(static)");
  for (int axis = GEN_K; axis >= GEN_I; axis--)
    gen_line(writer, "for (int %c = 0; %c < cells[%d]; %c++) {", axis_letter[axis],
             axis_letter[axis], axis, axis_letter[axis]);
  gen_line(writer, "const ptrdiff_t at = i + j * row + k * plane;");
  for (int s = 0; s < kernel->scalars; s++)
    if (kernel->scalar[s].role == GEN_PRIVATE)
      gen_line(writer, "%s s_%s;", real, kernel->scalar[s].name);
  for (int s = 0; s < kernel->statements; s++)
    emit_statement(writer, program, kernel, &kernel->statement[s]);
  gen_line(writer,
           "}\n"
           "}\n"
           "}\n"
           "}\n"
           "\n");
}

/* ---- ghosts ---- */

/* Loops over what lies along a wall: j, k and i but for the axis itself. */
static void emit_along(struct gen_writer *writer, int axis, const char *const from[3],
                       const char *const to[3])
{
  for (int d = 2; d >= 0; d--)
    if (d != axis)
      gen_line(writer, "for (int %c = %s; %c < %s; %c++) {", axis_letter[d], from[d],
               axis_letter[d], to[d], axis_letter[d]);
}

static void emit_end(struct gen_writer *writer)
{
  gen_line(writer,
           "}\n"
           "}");
}

/* The place of a cell whose index along the axis is given. */
static const char *place(int axis, const char *index)
{
  return gen_text("%s + %s * row + %s * plane", axis == 0 ? index : "i", axis == 1 ? index : "j",
                  axis == 2 ? index : "k");
}

static const char *depth_of(const struct gen_program *program, int d)
{
  return d < program->dimensions ? gen_text("%d", gen_program_ghosts(program)) : "0";
}

/* Periodic images, of ghosts along axes before, too. */
static void emit_periodic(struct gen_writer *writer, const struct gen_program *program,
                          const struct gen_program_array *array, int axis)
{
  const char *from[3], *to[3];
  for (int d = 0; d < 3; d++) {
    const bool whole = d < axis && array->wall[d][0].kind == GEN_WALL_PERIODIC;
    from[d] = whole ? gen_text("-%s", depth_of(program, d)) : "0";
    to[d] = whole ? gen_text("cells[%d] + %s", d, depth_of(program, d)) : gen_text("cells[%d]", d);
  }
  emit_along(writer, axis, from, to);
  gen_line(writer,
           "for (int g = 0; g < %s; g++) {\n"
           "u[%s] = u[%s];\n"
           "u[%s] = u[%s];\n"
           "}",
           depth_of(program, axis), place(axis, "(-1 - g)"),
           place(axis, gen_text("wrap(-1 - g, cells[%d])", axis)),
           place(axis, gen_text("(cells[%d] + g)", axis)),
           place(axis, gen_text("wrap(g, cells[%d])", axis)));
  emit_end(writer);
}

static void emit_mirror(struct gen_writer *writer, const struct gen_program *program,
                        const struct gen_program_array *array, int axis, int side)
{
  const struct gen_wall_rule *rule = &array->wall[axis][side];
  const char *from[3], *to[3];
  for (int d = 0; d < 3; d++) {
    from[d] = gen_text("-%s", depth_of(program, d));
    to[d] = gen_text("cells[%d] + %s", d, depth_of(program, d));
  }
  emit_along(writer, axis, from, to);
  const char *inside = side ? gen_text("(cells[%d] - %d - g)", axis, 1 + rule->skip)
                            : gen_text("(g + %d)", rule->skip);
  gen_line(writer, "for (int g = 0; g < %s; g++)\nu[%s] = %su[%s];", depth_of(program, axis),
           place(axis, side ? gen_text("(cells[%d] + g)", axis) : "(-1 - g)"),
           rule->factor > 0
             ? ""
             : gen_text("%s - ", number_text(rule->constant, program->type == GEN_FLOAT)),
           place(axis, inside));
  emit_end(writer);
}

static void emit_ghosts(struct gen_writer *writer, const struct gen_program *program, int index)
{
  const struct gen_program_array *array = &program->array[index];
  gen_line(writer,
           "static void ghosts_%s(const int cells[3], %s *const *array)\n"
           "{\n"
           "const ptrdiff_t row = ROW, plane = PLANE, first = FIRST;\n"
           "%s *const u = array[%d] + first;",
           array->name, real_of(program), real_of(program), index);
  for (int axis = 0; axis < program->dimensions; axis++)
    if (array->wall[axis][0].kind == GEN_WALL_PERIODIC)
      emit_periodic(writer, program, array, axis);
  for (int axis = 0; axis < program->dimensions; axis++)
    for (int side = 0; side < 2; side++)
      if (array->wall[axis][side].kind == GEN_WALL_MIRROR)
        emit_mirror(writer, program, array, axis, side);
  gen_line(writer,
           "(void)u, (void)row, (void)plane;\n"
           "}\n"
           "\n");
}

/* ---- the whole ---- */

static void emit_step(struct gen_writer *writer, const struct gen_program *program,
                      const struct gen_step *step)
{
  if (step->kind == GEN_STEP_RUN)
    gen_line(writer, "kernel_%s(cells, array, parameter);",
             program->kernel[step->kernel].kernel->name);
  if (step->kind == GEN_STEP_GHOSTS)
    gen_line(writer, "ghosts_%s(cells, array);", program->array[step->array].name);
  if (step->kind != GEN_STEP_PERMUTE)
    return;
  gen_line(writer, "first = array[%d];", step->cycle[0]);
  for (int n = 0; n + 1 < step->count; n++)
    gen_line(writer, "array[%d] = array[%d];", step->cycle[n], step->cycle[n + 1]);
  gen_line(writer, "array[%d] = first;", step->cycle[step->count - 1]);
}

static void emit_head(struct gen_writer *writer, const struct gen_program *program)
{
  const int ghosts = gen_program_ghosts(program);
  const char *list = "";
  for (int a = 0; a < program->arrays; a++)
    list = gen_listed(list, program->array[a].name);
  gen_line(
    writer,
    "/* Made by gmg-gen from %s. Change that file, not this one.\n"
    " * Arrays: %s; each has %d ghosts on every side%s, i fastest.\n"
    " * Compile with -ffp-contract=off, as the order of operations is part of the meaning. */\n"
    "#include <math.h>\n"
    "#include <stddef.h>\n"
    "%s"
    "\n"
    "#define ROW (cells[0] + %d)\n"
    "#define PLANE (ROW * (ptrdiff_t)(cells[1] + %d))\n"
    "#define FIRST (%s * PLANE + %d * ROW + %d)\n"
    "\n"
    "/* The cell that index n is an image of, of so many. */\n"
    "static inline int wrap(int n, int cells)\n"
    "{\n"
    "return (n %% cells + cells) %% cells;\n"
    "}\n"
    "\n",
    program->path, list, ghosts, program->dimensions == 3 ? "" : " in i and j",
    program->reductions ? "#include <stdint.h>\n#include <string.h>\n" : "", 2 * ghosts, 2 * ghosts,
    depth_of(program, 2), ghosts, ghosts);
}

void gen_emit_program(struct gen_writer *writer, const struct gen_program *program,
                      struct gen_kernel *const *kernel, struct gen_kernel *const *value,
                      bool threads)
{
  bool filled[GEN_MAX_PROGRAM_ARRAYS] = {false}, permutes = false;
  emit_head(writer, program);
  gen_emit_initial(writer, program);
  for (int k = 0; k < program->kernels; k++)
    emit_kernel(writer, program, &program->kernel[k], kernel[k], threads);
  for (int s = 0; s < program->steps; s++) {
    const struct gen_step *step = &program->step[s];
    permutes = permutes || step->kind == GEN_STEP_PERMUTE;
    filled[step->array] = filled[step->array] || step->kind == GEN_STEP_GHOSTS;
  }
  for (int r = 0; r < program->reductions; r++)
    for (int a = 0; a < value[r]->arrays; a++)
      if (gen_reads_neighbours(value[r], a))
        filled[program->reduction[r].kernel.array[a]] = true;
  for (int a = 0; a < program->arrays; a++)
    if (filled[a])
      emit_ghosts(writer, program, a);
  gen_emit_program_values(writer, program, value, threads);
  gen_line(writer,
           "/* Takes the steps so many times; array[n]: the first ghost of an array; the pointers\n"
           " * are permuted. */\n"
           "void %s_steps(const int cells[3], long times, %s **array, const double *parameter)\n"
           "{",
           program->name, real_of(program));
  if (permutes)
    gen_line(writer, "%s *first;", real_of(program));
  for (int s = 0; s < program->once; s++)
    emit_step(writer, program, &program->step[s]);
  gen_line(writer, "for (long n = 0; n < times; n++) {");
  for (int s = program->once; s < program->steps; s++)
    emit_step(writer, program, &program->step[s]);
  gen_line(writer,
           "}\n"
           "}");
}

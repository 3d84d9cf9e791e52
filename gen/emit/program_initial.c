/* Initial values of a program's arrays, as C. */
#include "program.h"

/* Whether an array with such an expression comes first. */
static bool is_first(const struct gen_program *program, int index)
{
  return program->array[index].age == 0 && program->array[index].initial;
}

void gen_emit_initial_values(struct gen_writer *writer, const struct gen_program *program)
{
  for (int a = 0; a < program->arrays; a++)
    if (is_first(program, a))
      gen_line(writer,
               "/* At first, in the cell `at`, which may lie beyond the walls. */\n"
               "static double initial_%s(const int cells[3], const int at[3], const double "
               "*parameter)\n"
               "{\n"
               "const double i = at[0], j = at[1], k = at[2];\n"
               "const double nx = cells[0], ny = cells[1], nz = cells[2];\n"
               "const double x = (i + 0.5) / nx, y = (j + 0.5) / ny, z = (k + 0.5) / nz;\n"
               "(void)x, (void)y, (void)z, (void)parameter;\n"
               "return %s;\n"
               "}\n"
               "\n",
               program->array[a].name, program->array[a].initial);
}

bool gen_has_initial_values(const struct gen_program *program)
{
  for (int a = 0; a < program->arrays; a++)
    if (is_first(program, a))
      return true;
  return false;
}

const char *gen_initial_name(const struct gen_program *program, int array)
{
  const int of = program->array[array].of;
  return program->array[of].initial ? gen_text("initial_%s", program->array[of].name) : "NULL";
}

void gen_emit_initial(struct gen_writer *writer, const struct gen_program *program)
{
  const char *real = program->type == GEN_FLOAT ? "float" : "double";
  const int ghosts = gen_program_ghosts(program), along_k = program->dimensions == 3 ? ghosts : 0;
  if (!gen_has_initial_values(program))
    return;
  gen_emit_initial_values(writer, program);
  gen_line(writer,
           "/* Fills the arrays that the file gives initial values, ghosts too, and their past\n"
           " * values with the same; leaves others as they are. */\n"
           "void %s_initial(const int cells[3], %s *const *array, const double *parameter)\n"
           "{\n"
           "const ptrdiff_t row = ROW, plane = PLANE, first = FIRST;\n"
           "int at[3];",
           program->name, real);
  gen_line(writer,
           "for (at[2] = -%d; at[2] < cells[2] + %d; at[2]++)\n"
           "for (at[1] = -%d; at[1] < cells[1] + %d; at[1]++)\n"
           "for (at[0] = -%d; at[0] < cells[0] + %d; at[0]++) {\n"
           "const ptrdiff_t to = first + at[0] + at[1] * row + at[2] * plane;",
           along_k, along_k, ghosts, ghosts, ghosts, ghosts);
  for (int a = 0; a < program->arrays; a++)
    if (program->array[program->array[a].of].initial)
      gen_line(writer, "array[%d][to] = (%s)%s(cells, at, parameter);", a, real,
               gen_initial_name(program, a));
  gen_line(writer,
           "}\n"
           "}\n"
           "\n");
}

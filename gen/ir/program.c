#include "program.h"

#include <string.h>

int gen_program_ghosts(const struct gen_program *program)
{
  int most = 0;
  for (int a = 0; a < program->arrays; a++)
    most = program->array[a].ghosts > most ? program->array[a].ghosts : most;
  return most;
}

bool gen_add_step(struct gen_program *program, int at, struct gen_step step)
{
  if (program->steps == GEN_MAX_STEPS)
    return gen_reject(step.where, "more than %d steps", GEN_MAX_STEPS);
  at = at < 0 ? program->steps : at;
  memmove(&program->step[at + 1], &program->step[at],
          (size_t)(program->steps - at) * sizeof *program->step);
  program->step[at] = step;
  program->steps++;
  return true;
}

void gen_program_make_loops(struct gen_kernel *kernel, int first)
{
  static const char *const extents[] = {"boxes", "nk", "nj", "ni"};
  kernel->symbols = 2 * GEN_AXES;
  for (int axis = 0; axis < GEN_AXES; axis++) {
    const int symbol = 2 * GEN_AXES - 1 - axis, from = axis == GEN_BOX ? 0 : first;
    kernel->symbol[axis].name = gen_axis_names[axis];
    kernel->symbol[symbol].name = extents[GEN_AXES - 1 - axis];
    kernel->loop[axis] = (struct gen_loop){.where = kernel->where,
                                           .lower = gen_affine_constant(from),
                                           .upper = gen_affine_constant(from - 1)};
    kernel->loop[axis].upper.coefficient[symbol] = 1;
  }
}

void gen_program_add_array(const struct gen_program *program, int index, int first,
                           struct gen_program_kernel *bound)
{
  struct gen_kernel *kernel = bound->kernel;
  struct gen_array *array = &kernel->array[kernel->arrays];
  *array = (struct gen_array){.name = program->array[index].name,
                              .where = program->array[index].where,
                              .type = program->type,
                              .rank = 4,
                              .first = first,
                              .restricted = true};
  for (int axis = 0; axis < GEN_AXES; axis++) {
    array->extent[axis] = gen_affine_constant(axis == GEN_BOX ? 0 : 2 * first);
    array->extent[axis].coefficient[2 * GEN_AXES - 1 - axis] = 1;
  }
  bound->array[kernel->arrays++] = index;
}

/* Whether an expression reads an array of the kernel elsewhere than at the point it is at. */
static bool reads_neighbours(const struct gen_expr *expr, int array)
{
  bool reads = false;
  for (int axis = 0; expr->kind == GEN_ACCESS && expr->access.array == array && axis < GEN_BOX;
       axis++)
    reads = reads || expr->access.subscript[axis].affine.constant != 0;
  for (int n = 0; n < gen_arity(expr) && !reads; n++)
    reads = reads_neighbours(expr->argument[n], array);
  return reads;
}

bool gen_reads_neighbours(const struct gen_kernel *kernel, int array)
{
  for (int s = 0; s < kernel->statements; s++)
    if (reads_neighbours(kernel->statement[s].value, array))
      return true;
  return false;
}

const char *const gen_reduction_words[] = {"sum", "min", "max"};

const char *const gen_solve_words[] = {"alpha",  "beta", "beta_x",   "beta_y",
                                       "beta_z", "rhs",  "solution", NULL};

int gen_solve_axis(int word)
{
  return word >= GEN_SOLVE_BETA_X && word <= GEN_SOLVE_BETA_Z ? word - GEN_SOLVE_BETA_X : -1;
}

static const char *reduction_text(const struct gen_program *program,
                                  const struct gen_reduction *reduction)
{
  const struct gen_kernel *kernel = reduction->kernel.kernel;
  const struct gen_expr *value = kernel->statement[0].value;
  const char *ghosts = "";
  if (reduction->kind == GEN_REDUCTION_MIN)
    value = value->argument[0];
  for (int a = 0; a < kernel->arrays; a++)
    if (gen_reads_neighbours(kernel, a))
      ghosts = gen_listed(ghosts, program->array[reduction->kernel.array[a]].name);
  return gen_text("  reduce %s = %s of %s%s%s\n", reduction->name,
                  gen_reduction_words[reduction->kind], gen_expr_text(kernel, value),
                  *ghosts ? "; ghosts of " : "", ghosts);
}

static const char *array_text(const struct gen_program *program, int index)
{
  static const char *const side[] = {"lo", "hi"};
  const struct gen_program_array *array = &program->array[index];
  const char *text = gen_text("  array %s", array->name);
  if (array->age > 0)
    text = gen_text("%s: %s", text, array->shown);
  else if (array->age == GEN_AGE_NEXT)
    text = gen_text("%s: room for the next values of %s", text, program->array[array->of].name);
  if (array->ghosts)
    text = gen_text("%s; ghosts %d deep%s", text, array->ghosts,
                    array->corners ? ", edges and corners too" : "");
  if (array->age == 0 && array->initial)
    text = gen_text("%s; initial values", text);
  for (int d = 0; array->age == 0 && d < program->dimensions; d++)
    for (int s = 0; s < 2; s++)
      if (array->wall[d][s].kind)
        text = gen_text("%s, %c_%s %s", text, "xyz"[d], side[s], array -> wall[d][s].text);
  return gen_text("%s\n", text);
}

static const char *solve_text(const struct gen_program *program, const struct gen_solve *solve)
{
  const char *text = gen_text("    solve %s:", solve->name), *comma = "";
  for (int w = 0; w < GEN_SOLVE_WORDS; w++)
    if (solve->array[w] >= 0) {
      text = gen_text("%s%s %s %s", text, comma, gen_solve_words[w],
                      program->array[solve->array[w]].name);
      comma = ",";
    }
  return gen_text("%s\n", text);
}

static const char *step_text(const struct gen_program *program, const struct gen_step *step)
{
  const struct gen_program_array *array = &program->array[step->array];
  const char *text;
  switch (step->kind) {
  case GEN_STEP_RUN:
    return gen_text("    run %s\n", program->kernel[step->kernel].kernel->name);
  case GEN_STEP_GHOSTS:
    return gen_text("    ghosts of %s, %d deep%s\n", array->name, array->ghosts,
                    array->corners ? ", edges and corners too" : "");
  case GEN_STEP_SOLVE:
    return solve_text(program, &program->solve[step->solve]);
  default:
    text = program->array[step->cycle[0]].name;
    for (int n = 1; n < step->count; n++)
      text = gen_text("%s <- %s", text, program->array[step->cycle[n]].name);
    return gen_text("    permute %s <- %s\n", text, program->array[step->cycle[0]].name);
  }
}

const char *gen_program_text(const struct gen_program *program)
{
  const char *text = gen_text("program %s: %d dimensions, %s", program->name, program->dimensions,
                              program->type == GEN_FLOAT ? "float" : "double");
  if (program->cells[0])
    text = program->dimensions == 3
      ? gen_text("%s, %d x %d x %d cells", text, program->cells[0], program->cells[1],
                 program->cells[2])
      : gen_text("%s, %d x %d cells", text, program->cells[0], program->cells[1]);
  text = program->times ? gen_text("%s, %d steps\n", text, program->times) : gen_text("%s\n", text);
  for (int s = 0; s < program->scalars; s++)
    text = program->scalar[s].has_value
      ? gen_text("%s  parameter %s = %.17g\n", text, program->scalar[s].name,
                 program->scalar[s].value)
      : gen_text("%s  parameter %s\n", text, program->scalar[s].name);
  for (int a = 0; a < program->arrays; a++)
    text = gen_text("%s%s", text, array_text(program, a));
  for (int r = 0; r < program->reductions; r++)
    text = gen_text("%s%s", text, reduction_text(program, &program->reduction[r]));
  if (program->once)
    text = gen_text("%s  once:\n", text);
  for (int s = 0; s < program->steps; s++) {
    if (s == program->once)
      text = gen_text("%s  each step:\n", text);
    text = gen_text("%s%s", text, step_text(program, &program->step[s]));
  }
  if (program->composed.steps)
    text = gen_text("%s  composed: %d steps in one, %d terms\n", text, program->composed.steps,
                    program->composed.terms);
  return text;
}

/* A program as a table of its parts (solver/program_table.h). */
#include "program.h"

#include <string.h>

static const char *rule_text(const struct gen_wall_rule *rule, bool single)
{
  const char *kind = rule->kind == GEN_WALL_MIRROR ? "GMG_WALL_MIRROR"
    : rule->kind == GEN_WALL_PERIODIC              ? "GMG_WALL_PERIODIC"
                                                   : "GMG_WALL_FIXED";
  /* As emit_mirror of program.c writes the constant. */
  return gen_text(single ? "{.kind = %s, .skip = %d, .minus = %d, .constant = (float)%.9g}"
                         : "{.kind = %s, .skip = %d, .minus = %d, .constant = %.17g}",
                  kind, rule->skip, rule->kind == GEN_WALL_MIRROR && rule->factor < 0,
                  rule->constant);
}

static void emit_arrays(struct gen_writer *writer, const struct gen_program *program)
{
  const bool single = program->type == GEN_FLOAT;
  gen_line(writer, "static const struct gmg_program_array gmg_made_arrays[] = {");
  for (int a = 0; a < program->arrays; a++) {
    const struct gen_program_array *array = &program->array[a];
    gen_line(writer,
             "{\n"
             ".name = \"%s\", .shown = \"%s\", .of = %d, .age = %d, .ghosts = %d, .corners = %d,\n"
             ".initial = %s,\n"
             ".wall = {",
             array->name, array->age == GEN_AGE_NEXT ? array->name : array->shown, array->of,
             array->age, array->ghosts, array->corners, gen_initial_name(program, a));
    for (int d = 0; d < 3; d++)
      gen_line(writer, "{%s,\n%s},", rule_text(&array->wall[d][0], single),
               rule_text(&array->wall[d][1], single));
    gen_line(writer,
             "},\n"
             "},");
  }
  gen_line(writer, "};");
}

static int scalar_of(const struct gen_program *program, const char *name)
{
  int s = 0;
  while (strcmp(program->scalar[s].name, name) != 0)
    s++;
  return s;
}

/* Whose ghosts beyond walls a kernel writes, as gmg_made_images_NAME. */
static void emit_images(struct gen_writer *writer, const struct gen_program *program,
                        const struct gen_unit *unit, const char *name)
{
  int array[GEN_MAX_ARRAYS];
  const int fields = gen_fields(unit->schedule, array);
  const char *list = "";
  for (int f = 0; f < fields; f++) {
    int of = -1;
    for (int n = 0; n < unit->images; n++)
      if (unit->image[n].array == array[f])
        of = (int)(unit->image[n].of - program->array);
    list = gen_text("%s%d, ", list, of);
  }
  gen_line(writer, "static const int gmg_made_images_%s[] = {%s-1};", name, list);
}

/* Which arrays and parameters of the program a kernel has, as gmg_made_arrays_NAME and
 * gmg_made_parameters_NAME. */
static void emit_bound(struct gen_writer *writer, const struct gen_program *program,
                       const struct gen_program_kernel *bound, const struct gen_unit *unit,
                       const char *name)
{
  int array[GEN_MAX_ARRAYS];
  struct gen_argument argument[GEN_MAX_SCALARS];
  const int fields = gen_fields(unit->schedule, array),
            scalars = gen_arguments(unit->schedule, argument);
  const char *list = "";
  for (int f = 0; f < fields; f++)
    list = gen_text("%s%d, ", list, bound->array[array[f]]);
  gen_line(writer, "static const int gmg_made_arrays_%s[] = {%s-1};", name, list);
  list = "";
  for (int s = 0; s < scalars; s++)
    list = gen_text("%s%d, ", list, scalar_of(program, argument[s].given));
  gen_line(writer, "static const int gmg_made_parameters_%s[] = {%s-1};", name, list);
  emit_images(writer, program, unit, name);
}

static const char *bound_text(const struct gen_unit *unit, const char *name)
{
  return gen_text("{.kernel = &GMG_SYMBOL(gmg_kernel_%s), .array = gmg_made_arrays_%s,\n"
                  ".parameter = gmg_made_parameters_%s, .images = gmg_made_images_%s}",
                  unit->symbol, name, name, name);
}

static void emit_kernels(struct gen_writer *writer, const struct gen_program *program,
                         const struct gen_unit *unit)
{
  for (int n = 0; n < program->kernels; n++)
    emit_bound(writer, program, &program->kernel[n], &unit[n], gen_text("%d", n));
  gen_line(writer, "static const struct gmg_program_kernel gmg_made_kernels[] = {");
  for (int n = 0; n < program->kernels; n++)
    gen_line(writer, "%s,", bound_text(&unit[n], gen_text("%d", n)));
  gen_line(writer, "};");
}

static void emit_reductions(struct gen_writer *writer, const struct gen_program *program,
                            const struct gen_unit *value)
{
  static const char *const kind[] = {"GMG_REDUCTION_SUM", "GMG_REDUCTION_MIN", "GMG_REDUCTION_MAX"};
  for (int n = 0; n < program->reductions; n++)
    emit_bound(writer, program, &program->reduction[n].kernel, &value[n], gen_text("value_%d", n));
  gen_line(writer, "static const struct gmg_program_reduction gmg_made_reductions[] = {");
  for (int n = 0; n < program->reductions; n++)
    gen_line(writer, "{.name = \"%s\", .kind = %s,\n.kernel = %s},", program->reduction[n].name,
             kind[program->reduction[n].kind], bound_text(&value[n], gen_text("value_%d", n)));
  gen_line(writer, "{.name = NULL}\n};");
}

static void emit_solves(struct gen_writer *writer, const struct gen_program *program)
{
  if (!program->solves)
    return;
  gen_line(writer, "static const struct gmg_program_solve gmg_made_solves[] = {");
  for (int n = 0; n < program->solves; n++) {
    const char *list = "";
    for (int w = 0; w < GEN_SOLVE_WORDS; w++)
      list = gen_text("%s%s%d", list, w ? ", " : "", program->solve[n].array[w]);
    gen_line(writer, "{.name = \"%s\", .array = {%s}},", program->solve[n].name, list);
  }
  gen_line(writer, "};");
}

static int which_of(const struct gen_step *step)
{
  return step->kind == GEN_STEP_RUN ? step->kernel
    : step->kind == GEN_STEP_SOLVE  ? step->solve
                                    : step->array;
}

static void emit_steps(struct gen_writer *writer, const struct gen_program *program)
{
  static const char *const kind[] = {[GEN_STEP_RUN] = "GMG_STEP_RUN",
                                     [GEN_STEP_GHOSTS] = "GMG_STEP_GHOSTS",
                                     [GEN_STEP_PERMUTE] = "GMG_STEP_PERMUTE",
                                     [GEN_STEP_SOLVE] = "GMG_STEP_SOLVE"};
  gen_line(writer, "static const struct gmg_program_step gmg_made_steps[] = {");
  for (int s = 0; s < program->steps; s++) {
    const struct gen_step *step = &program->step[s];
    const char *list = step->count ? "" : "0";
    for (int n = 0; n < step->count; n++)
      list = gen_text("%s%s%d", list, n ? ", " : "", step->cycle[n]);
    gen_line(writer, "{.kind = %s, .which = %d, .count = %d, .cycle = {%s}},", kind[step->kind],
             which_of(step), step->count, list);
  }
  gen_line(writer, "};");
}

static void emit_composed(struct gen_writer *writer, const struct gen_program *program,
                          const struct gen_unit *unit)
{
  const struct gen_composed *composed = &program->composed;
  if (!composed->steps)
    return;
  emit_bound(writer, program, &composed->kernel, unit, "composed");
  gen_line(writer, "static const int gmg_made_targets[][2] = {");
  for (int n = 0; n < composed->targets; n++)
    gen_line(writer, "{%d, %d},", composed->array[n], composed->target[n]);
  gen_line(writer,
           "};\n"
           "static const struct gmg_program_composed gmg_made_composed = {\n"
           ".steps = %d, .kernel = %s,\n"
           ".targets = %d, .target = gmg_made_targets,\n"
           "};",
           composed->steps, bound_text(unit, "composed"), composed->targets);
}

/* Two rounds in one launch of a GPU. */
static void emit_twice(struct gen_writer *writer, const struct gen_program *program,
                       const struct gen_unit *unit)
{
  const struct gen_twice twice = gen_find_twice(program);
  if (twice.reason) {
    gen_line(writer, ".twice = {.reason = \"%s\"},", twice.reason);
    return;
  }
  const int *array = program->kernel[twice.kernel].array;
  gen_line(writer,
           ".twice = {.kernel = &gmg_cuda_%s_twice, .reason = \"\", .which = %d,\n"
           ".turn = {%d, %d}, .seen = %d, .data = %d},",
           unit[twice.kernel].symbol, twice.kernel, array[twice.array], array[twice.target],
           twice.seen, twice.data);
}

static void emit_parameters(struct gen_writer *writer, const struct gen_program *program)
{
  gen_line(writer, "static const struct gmg_program_parameter gmg_made_parameters[] = {");
  for (int s = 0; s < program->scalars; s++)
    gen_line(writer, "{.name = \"%s\", .has_value = %d, .value = %.17g},", program->scalar[s].name,
             program->scalar[s].has_value, program->scalar[s].value);
  gen_line(writer, "{.name = NULL}\n};");
}

void gen_emit_program_table(struct gen_writer *writer, const struct gen_program *program,
                            const struct gen_unit *unit, const struct gen_unit *value,
                            const struct gen_unit *composed)
{
  gen_emit_initial_values(writer, program);
  emit_arrays(writer, program);
  emit_parameters(writer, program);
  emit_kernels(writer, program, unit);
  emit_reductions(writer, program, value);
  emit_solves(writer, program);
  emit_steps(writer, program);
  emit_composed(writer, program, composed);
  const char *linear = gen_emit_program_linear(writer, program);
  gen_line(writer,
           "extern const struct gmg_program_descriptor GMG_SYMBOL(gmg_program_%s);\n"
           "const struct gmg_program_descriptor GMG_SYMBOL(gmg_program_%s) = {\n"
           ".format = GMG_PROGRAM_FORMAT, .name = \"%s\", .isa = GMG_ISA_NAME,",
           program->name, program->name, program->name);
  gen_line(writer,
           ".source = \"%s\", .source_hash = \"%s\",\n"
           ".dimensions = %d, .precision = %s,\n"
           ".cells = {%d, %d, %d}, .times = %d, .ghosts = %d,",
           unit[0].source, unit[0].source_hash, program->dimensions,
           program->type == GEN_FLOAT ? "GMG_F32" : "GMG_F64", program->cells[0], program->cells[1],
           program->cells[2], program->times, gen_program_ghosts(program));
  gen_line(writer,
           ".arrays = %d, .parameters = %d, .kernels = %d, .steps = %d, .once = %d,\n"
           ".array = gmg_made_arrays, .parameter = gmg_made_parameters,\n"
           ".kernel = gmg_made_kernels, .step = gmg_made_steps,\n"
           ".reductions = %d, .reduction = gmg_made_reductions, .composed = %s,",
           program->arrays, program->scalars, program->kernels, program->steps, program->once,
           program->reductions, program->composed.steps ? "&gmg_made_composed" : "NULL");
  emit_twice(writer, program, unit);
  gen_line(writer, ".linear = %s,", linear);
  if (program->solves)
    gen_line(writer, ".solves = %d, .solve = gmg_made_solves,", program->solves);
  gen_line(writer,
           "};\n"
           "\n"
           "#ifdef GMG_PROGRAM_ENTRY\n"
           "/* What gmg run looks for in the compiled file. */\n"
           "extern const struct gmg_program_descriptor *const gmg_program_entry[];\n"
           "__attribute__((visibility(\"default\")))\n"
           "const struct gmg_program_descriptor *const gmg_program_entry[] = {\n"
           "&GMG_SYMBOL(gmg_program_%s), NULL};\n"
           "#endif",
           program->name);
}

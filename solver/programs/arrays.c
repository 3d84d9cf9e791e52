/* What callers see of a program: its parameters and arrays. */
#include "place.h"
#include "skew.h"

#include <math.h>
#include <string.h>

gmg_context *gmg_program_context(const gmg_program *program)
{
  return program->context;
}

int gmg_program_find(const gmg_program *program, const char *name)
{
  for (int a = 0; name && a < program->made->arrays; a++)
    if (program->made->array[a].age != GMG_AGE_NEXT
        && strcmp(program->made->array[a].shown, name) == 0)
      return a;
  return -1;
}

static int find_parameter(const gmg_program *program, const char *name)
{
  for (int n = 0; name && n < program->made->parameters; n++)
    if (strcmp(program->made->parameter[n].name, name) == 0)
      return n;
  return -1;
}

gmg_status gmg_program_set(gmg_program *program, const char *name, double value)
{
  if (!program)
    return GMG_ERR_ARGUMENT;
  const int n = find_parameter(program, name);
  char known[300] = "";
  for (int p = 0; n < 0 && p < program->made->parameters; p++) {
    strncat(known, p ? ", " : "", sizeof known - strlen(known) - 1);
    strncat(known, program->made->parameter[p].name, sizeof known - strlen(known) - 1);
  }
  if (n < 0)
    return gmg_fail(program->context, GMG_ERR_ARGUMENT,
                    "program %s has no parameter '%s'; it has %s", program->made->name,
                    name ? name : "(NULL)", *known ? known : "none");
  if (!isfinite(value))
    return gmg_fail(program->context, GMG_ERR_ARGUMENT,
                    "parameter '%s' of program %s: found %g, expected a finite number", name,
                    program->made->name, value);
  program->parameter[n] = value;
  program->has_value[n] = 1;
  return GMG_OK;
}

double gmg_program_parameter(const gmg_program *program, const char *name)
{
  const int n = program ? find_parameter(program, name) : -1;
  return n >= 0 && program->has_value[n] ? program->parameter[n] : NAN;
}

const char *gmg_program_array_name(const gmg_program *program, int n)
{
  return n >= 0 && n < program->made->arrays ? program->made->array[n].shown : NULL;
}

int gmg_program_ghosts(const gmg_program *program, int axis)
{
  return axis >= 0 && axis < program->made->dimensions ? program->made->ghosts : 0;
}

/* Whether values beyond some wall of the array are data that kernels read. */
static int has_fixed(const struct gmg_program_descriptor *made, int n)
{
  for (int d = 0; d < made->dimensions; d++)
    for (int side = 0; side < 2; side++)
      if (made->array[n].ghosts && made->array[n].wall[d][side].kind == GMG_WALL_FIXED)
        return 1;
  return 0;
}

/* Whether steps pass the values of the array on to others. */
static int takes_turns(const struct gmg_program_descriptor *made, int n)
{
  for (int s = 0; s < made->steps; s++)
    for (int c = 0; c < made->step[s].count; c++)
      if (made->step[s].cycle[c] == n)
        return 1;
  return 0;
}

int gmg_program_array_kept(const gmg_program *program, int n)
{
  const struct gmg_program_descriptor *made = program->made;
  if (n < 0 || n >= made->arrays)
    return 0;
  int ghosts = has_fixed(made, n);
  /* Ghosts travel with values: an array may hold those of any that takes turns. */
  for (int m = 0; m < made->arrays && takes_turns(made, n); m++)
    ghosts |= takes_turns(made, m) && has_fixed(made, m);
  return ghosts ? 2 : made->array[n].age != GMG_AGE_NEXT;
}

int gmg_program_boxes(const gmg_program *program)
{
  return program->layout->local_count;
}

gmg_status gmg_program_view(gmg_program *program, int array, int box, gmg_program_box *view)
{
  if (!program)
    return GMG_ERR_ARGUMENT;
  if (!view || array < 0 || array >= program->made->arrays || box < 0
      || box >= program->layout->local_count)
    return gmg_fail(program->context, GMG_ERR_ARGUMENT,
                    "gmg_program_view: found array %d and box %d, expected one of %d and of %d",
                    array, box, program->made->arrays, program->layout->local_count);
  const struct gmg_kernel_box *own = &program->box[box];
  gmg_placed_open(program, array, GMG_CHANGE);
  if (program->placed && gmg_device_status(program->context))
    return GMG_ERR_DEVICE;
  *view = (gmg_program_box){.single = program->made->precision == GMG_F32,
                            .data = program->element[array][box],
                            .stride = {1, own->stride[0], own->stride[1]}};
  for (int d = 0; d < 3; d++) {
    view->ghosts[d] = gmg_program_deep(program, d);
    view->lower[d] = own->lower[d];
    view->upper[d] = own->lower[d] + own->cells[d];
  }
  return GMG_OK;
}

void gmg_program_inform(const gmg_program *program, gmg_program_info *info)
{
  *info = program->info;
  info->memory = program->memory.bytes;
  gmg_placed_inform(program, info);
  if (program->placed)
    return;
  const char *reason = program->steps_per_pass > 1 ? gmg_skew_reason(program) : NULL;
  info->steps_per_pass = gmg_skew_steps(program);
  info->single_steps = reason ? reason : "";
}

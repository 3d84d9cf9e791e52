#include "solves.h"

#include "ghosts.h"
#include "place.h"

#include "problem/same.h"
#include "system/threads.h"

#include <string.h>

_Static_assert((int)GMG_SOLVE_RHS == (int)GMG_BETA_Z + 1, "coefficients come first");

/* ---- arrays in place ---- */

gmg_status gmg_program_part(const gmg_program *program, int lower[3], int upper[3])
{
  if (!program)
    return GMG_ERR_ARGUMENT;
  if (!lower || !upper)
    return gmg_fail(program->context, GMG_ERR_ARGUMENT, "gmg_program_part: an argument is NULL");
  if (program->layout->local_count > 1)
    return gmg_fail(program->context, GMG_ERR_UNSUPPORTED,
                    "program %s: this rank has %d boxes, and a solver has arrays of one box in "
                    "place: expected box 0 of gmg_program_create",
                    program->made->name, program->layout->local_count);
  for (int d = 0; d < 3; d++) {
    const struct gmg_kernel_box *box = program->box; /* zeros where there is none */
    lower[d] = box->lower[d];
    upper[d] = box->lower[d] + box->cells[d];
  }
  return GMG_OK;
}

static gmg_array view_of(struct gmg_program *program, int array, int written)
{
  const struct gmg_kernel_box *box = program->box;
  gmg_array view = {NULL, {1, box->stride[0], box->stride[1]}};
  if (program->layout->local_count)
    view.data = gmg_placed_lend(program, array, written);
  return view;
}

/* Whether ghosts of an array are data beyond walls where those of `a`, with which it takes turns at
 * first or second hand, are not, or the other way round: to fill those of `a` would change data.
 * Returns that array; -1: none. */
static int find_mixed(const struct gmg_program_descriptor *made, int a)
{
  int turns[GMG_PROGRAM_ARRAYS] = {0};
  turns[a] = 1;
  for (int n = 0; n < made->arrays * made->steps; n++) {
    const struct gmg_program_step *step = &made->step[n % made->steps];
    int any = 0;
    for (int c = 0; c < step->count; c++)
      any |= turns[step->cycle[c]];
    for (int c = 0; c < step->count && any; c++)
      turns[step->cycle[c]] = 1;
  }
  for (int m = 0; m < made->arrays; m++)
    for (int side = 0; side < 2 * made->dimensions && turns[m]; side++)
      if ((made->array[m].wall[side / 2][side % 2].kind == GMG_WALL_FIXED)
          != (made->array[a].wall[side / 2][side % 2].kind == GMG_WALL_FIXED))
        return m;
  return -1;
}

static gmg_status check_lend(const gmg_program *program, const char *name, int array,
                             gmg_centring centring, const gmg_array *view)
{
  static const char call[] = "gmg_program_lend";
  const struct gmg_program_descriptor *made = program->made;
  const int axis = (int)centring - (int)GMG_ON_FACES_X;
  int lower[3], upper[3];
  if (array < 0 || !view)
    return gmg_fail(program->context, GMG_ERR_ARGUMENT,
                    array < 0 ? "%s: program %s has no array '%s'"
                              : "%s: program %s, '%s': array is NULL",
                    call, made->name, name ? name : "(NULL)");
  if (axis < -1 || axis >= made->dimensions)
    return gmg_fail(program->context, GMG_ERR_ARGUMENT,
                    "%s: '%s': found centring %d, expected one of a program in %d dimensions", call,
                    name, (int)centring, made->dimensions);
  if (axis >= 0 && !made->array[array].ghosts)
    return gmg_fail(program->context, GMG_ERR_ARGUMENT,
                    "%s: '%s' has no ghosts, the first of which would be its last face along %c: "
                    "no kernel and no solve of program %s reads any",
                    call, name, "xyz"[axis], made -> name);
  const int mixed = axis >= 0 ? find_mixed(made, array) : -1;
  if (mixed >= 0)
    return gmg_fail(program->context, GMG_ERR_UNSUPPORTED,
                    "%s: '%s' takes turns with '%s', and of the two one alone is fixed at some "
                    "wall: its last faces cannot be filled between steps",
                    call, name, made->array[mixed].shown);
  if (made->precision != GMG_F64)
    return gmg_fail(program->context, GMG_ERR_UNSUPPORTED,
                    "%s: program %s is in single precision: expected 'type double;'", call,
                    made->name);
  return gmg_program_part(program, lower, upper);
}

gmg_status gmg_program_lend(gmg_program *program, const char *name, gmg_centring centring,
                            gmg_array *array)
{
  if (!program)
    return GMG_ERR_ARGUMENT;
  gmg_context *context = program->context;
  const int a = gmg_program_find(program, name);
  const struct gmg_same same = {.call = "gmg_program_lend",
                                .choice = {{"array", a, NULL}, {"centring", (int)centring, NULL}}};
  gmg_status status = gmg_same(context, check_lend(program, name, a, centring, array), &same);
  if (status)
    return status;
  struct gmg_memory *outer = gmg_account(&program->memory);
  int error = centring == GMG_ON_CELLS ? 0 : gmg_program_fill_ghosts(program, a);
  *array = view_of(program, a, 1);
  error |= gmg_placed_wait(program);
  gmg_account(outer);
  if (error)
    status = gmg_fail(context, GMG_ERR_MPI, "the ghosts of '%s' could not be filled", name);
  else if (program->placed)
    status = gmg_device_status(context);
  return gmg_agree(context, status);
}

/* ---- attached solvers ---- */

const char *gmg_program_solve_name(const gmg_program *program, int n)
{
  return program && n >= 0 && n < program->made->solves ? program->made->solve[n].name : NULL;
}

static int find_solve(const gmg_program *program, const char *name)
{
  int n = program->made->solves - 1;
  while (n >= 0 && (!name || strcmp(program->made->solve[n].name, name) != 0))
    n--;
  return n;
}

/* Whether the solver's grid has the program's cells, and this rank's part of it is the box. */
static gmg_status check_grid(const gmg_program *program, const char *call, const gmg_grid *grid)
{
  int lower[3], upper[3];
  const int *part_lower = grid->part_lower, *part_upper = grid->part_upper;
  const gmg_status status = gmg_program_part(program, lower, upper);
  if (status)
    return status;
  if (memcmp(grid->cells, program->cells, sizeof program->cells) != 0)
    return gmg_fail(program->context, GMG_ERR_ARGUMENT,
                    "%s: the solver's grid has %d x %d x %d cells, program %s %d x %d x %d", call,
                    grid->cells[0], grid->cells[1], grid->cells[2], program->made->name,
                    program->cells[0], program->cells[1], program->cells[2]);
  const int cells = gmg_grid_has_part(grid), boxes = program->layout->local_count;
  int differs = (cells != 0) != (boxes != 0);
  for (int d = 0; d < 3 && cells && boxes; d++)
    differs |= lower[d] != part_lower[d] || upper[d] != part_upper[d];
  if (!differs)
    return GMG_OK;
  return gmg_fail(program->context, GMG_ERR_ARGUMENT,
                  "%s: the solver's grid has cells %d,%d,%d to %d,%d,%d on this rank, program %s "
                  "%d,%d,%d to %d,%d,%d: hand gmg_grid_set_part what gmg_program_part says",
                  call, part_lower[0], part_lower[1], part_lower[2], part_upper[0], part_upper[1],
                  part_upper[2], program->made->name, lower[0], lower[1], lower[2], upper[0],
                  upper[1], upper[2]);
}

static gmg_status check_attach(const gmg_program *program, const char *name, int n,
                               const gmg_solver *solver)
{
  static const char call[] = "gmg_program_attach";
  const struct gmg_program_descriptor *made = program->made;
  char known[300] = "";
  for (int s = 0; s < made->solves; s++) {
    strncat(known, s ? ", " : "", sizeof known - strlen(known) - 1);
    strncat(known, made->solve[s].name, sizeof known - strlen(known) - 1);
  }
  if (n < 0)
    return gmg_fail(program->context, GMG_ERR_ARGUMENT,
                    "%s: program %s has no 'solve %s'; it has %s", call, made->name,
                    name ? name : "(NULL)", *known ? known : "no solves");
  if (solver && solver->context != program->context)
    return gmg_fail(program->context, GMG_ERR_ARGUMENT,
                    "%s: 'solve %s': the solver has another context than program %s", call, name,
                    made->name);
  return solver ? check_grid(program, call, solver->problem.grid) : GMG_OK;
}

gmg_status gmg_program_attach(gmg_program *program, const char *name, gmg_solver *solver,
                              gmg_program_solved *solved, void *user)
{
  if (!program)
    return GMG_ERR_ARGUMENT;
  const int n = find_solve(program, name);
  const struct gmg_same same = {
    .call = "gmg_program_attach",
    .choice = {{"solve", n, NULL}, {"solver", solver ? solver->number : 0, NULL}}};
  const gmg_status status =
    gmg_same(program->context, check_attach(program, name, n, solver), &same);
  if (!status)
    program->attached[n] = (struct gmg_attached){.solver = solver, .solved = solved, .user = user};
  return status;
}

void gmg_program_forget_lent(struct gmg_program *program)
{
  for (int n = 0; n < GMG_PROGRAM_SOLVES; n++)
    memset(program->attached[n].lent, 0, sizeof program->attached[n].lent);
}

gmg_status gmg_program_check_solves(const struct gmg_program *program, const char *call)
{
  for (int n = 0; n < program->made->solves; n++)
    if (!program->attached[n].solver)
      return gmg_fail(program->context, GMG_ERR_ORDER,
                      "%s: 'solve %s' of program %s has no solver: gmg_program_attach gives it one",
                      call, program->made->solve[n].name, program->made->name);
  return GMG_OK;
}

/* ---- a solve ---- */

/* In two dimensions the faces along z are walls through which nothing flows: any value will do. */
static int array_of(const struct gmg_program *program, const struct gmg_program_solve *solve,
                    int place)
{
  const int flat = place == GMG_BETA_Z && program->made->dimensions == 2;
  return solve->array[flat ? GMG_BETA_X : place];
}

/* What a solver has borrowed for one solve is none that another one has it borrow. */
static void note_lent(struct gmg_program *program, int which, int coefficient, int lent)
{
  struct gmg_attached *attached = program->attached;
  for (int n = 0; n < program->made->solves; n++)
    if (attached[n].solver == attached[which].solver)
      attached[n].lent[coefficient] = n == which ? lent : 0;
}

/* Lends the solver those coefficients that it has not borrowed from where they are now, and takes
 * all in. */
static gmg_status take_coefficients(struct gmg_program *program, int which,
                                    const gmg_array view[GMG_SOLVE_PLACES])
{
  struct gmg_attached *attached = &program->attached[which];
  int any = 0;
  for (int c = 0; c < GMG_SOLVE_RHS; c++) {
    const int array = array_of(program, &program->made->solve[which], c);
    if (array < 0)
      continue;
    any = 1;
    if (attached->lent[c] == 1 + program->holder[array])
      continue;
    const gmg_status status =
      gmg_solver_borrow_coefficient(attached->solver, (gmg_coefficient)c, &view[c]);
    if (status)
      return status;
    note_lent(program, which, c, 1 + program->holder[array]);
  }
  return any || !attached->solver->set_up ? gmg_solver_setup(attached->solver) : GMG_OK;
}

/* A host cannot read what is in the memory of a device. */
static gmg_status check_place(const struct gmg_program *program, int which)
{
  const gmg_solver *solver = program->attached[which].solver;
  const struct gmg_level *finest = solver->hierarchy.finest;
  if (!program->placed || (finest && finest->device))
    return GMG_OK;
  return gmg_fail(program->context, GMG_ERR_UNSUPPORTED,
                  "program %s is on a GPU, and the solver of 'solve %s' computes on the CPU: "
                  "expected its option backend cuda, and an operator and options that run there",
                  program->made->name, program->made->solve[which].name);
}

static void note(struct gmg_program *program, const struct gmg_attached *attached,
                 const gmg_result *result)
{
  program->info.solves++;
  program->info.cycles += result->cycles;
  program->info.unconverged +=
    result->outcome != GMG_CONVERGED && result->outcome != GMG_ROUNDING_LIMIT;
  if (attached->solved)
    attached->solved(attached->user, result);
}

gmg_status gmg_program_solve(struct gmg_program *program, int which)
{
  struct gmg_attached *attached = &program->attached[which];
  gmg_array view[GMG_SOLVE_PLACES] = {{NULL, {0, 0, 0}}};
  gmg_result result;
  for (int p = 0; p < GMG_SOLVE_PLACES; p++) {
    const int array = array_of(program, &program->made->solve[which], p);
    if (array >= 0)
      view[p] = view_of(program, array, p == GMG_SOLVE_SOLUTION);
    if (p == GMG_BETA_Z && program->made->dimensions == 2)
      view[p].stride[2] = 0;
  }
  if (gmg_placed_wait(program))
    return gmg_fail(program->context, GMG_ERR_MPI, "an exchange of ghosts failed before 'solve %s'",
                    program->made->solve[which].name);
  const double begin = gmg_seconds();
  gmg_status status = take_coefficients(program, which, view);
  const double middle = gmg_seconds();
  if (!status)
    status = check_place(program, which);
  if (!status)
    status = gmg_solver_solve(attached->solver, &view[GMG_SOLVE_RHS], &view[GMG_SOLVE_SOLUTION], 1,
                              &result);
  program->info.setup_seconds += middle - begin;
  program->info.solve_seconds += gmg_seconds() - middle;
  if (!status)
    note(program, attached, &result);
  return status;
}

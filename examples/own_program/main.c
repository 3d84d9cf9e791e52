/* A program of one's own in an application: a plate, of which two sides are held at 1 and 0,
 *
 *   ∂u/∂t = κ ∇²u   on the unit square,   u = 1 at x = 0,   u = 0 at x = 1,
 *
 * with no flow through the other two. The steps are those of examples/programs/heat2d.stencil,
 * which the build has compiled (gmg_add_program). Exact: u tends to 1 - x. */
#include <gmg_program.h>
#include <math.h>
#include <stdio.h>

GMG_PROGRAM(heat2d);

enum { CELLS = 32, STEPS = 3000, ROUNDS = 5 };
static const double MOST_ERROR = 1e-8;

static int failed(gmg_context *context, gmg_status status)
{
  if (status)
    fprintf(stderr, "own_program: %s\n", context ? gmg_context_message(context) : "no context");
  return status != GMG_OK;
}

/* The largest |u - (1 - x)|. */
static double error_of(gmg_program *program)
{
  double most = 0;
  for (int b = 0; b < gmg_program_boxes(program); b++) {
    gmg_program_box box;
    gmg_program_view(program, 0, b, &box);
    for (int j = box.lower[1]; j < box.upper[1]; j++)
      for (int i = box.lower[0]; i < box.upper[0]; i++) {
        const double *u = box.data, x = (i + 0.5) / CELLS;
        const ptrdiff_t at = (i - box.lower[0]) + (j - box.lower[1]) * box.stride[1];
        most = fmax(most, fabs(u[at] - (1 - x)));
      }
  }
  return most;
}

int main(void)
{
  const int cells[3] = {CELLS, CELLS, 1};
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  gmg_context *context = NULL;
  gmg_grid *grid = NULL;
  gmg_program *program = NULL;
  double error = INFINITY;
  int bad = failed(NULL, gmg_context_create(0, &context))
    || failed(context, gmg_grid_create(context, cells, lower, upper, &grid))
    || failed(context, gmg_program_create(grid, heat2d_program, 0, 1, &program))
    || failed(context, gmg_program_set(program, "r", 0.24))
    || failed(context, gmg_program_begin(program));
  for (int n = 1; n <= ROUNDS && !bad; n++) {
    bad = failed(context, gmg_program_run(program, STEPS));
    error = error_of(program);
    printf("after %5d steps u is %.2e from 1 - x\n", n * STEPS, error);
  }
  gmg_program_destroy(&program);
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
  return bad || !(error < MOST_ERROR);
}

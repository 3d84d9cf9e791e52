/* ranks: 1 3 */
/* program: tests/programs/diffuse.stencil tests/programs/react.stencil tests/programs/sheet.stencil
 */
/* gmg_program_attach and gmg_program_lend. Preconditions: none. What must vanish: the difference,
 * to the last bit, between steps with a solve and the same steps by an application that solves
 * between runs, with copies of the arrays on the host and with arrays in place; between a solve in
 * two dimensions with coefficients on cells and on faces, beyond the tolerance; calls that are
 * wrong and are not refused, on all ranks alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ranks.h"

#include <gmg_program.h>

GMG_PROGRAM(diffuse);
GMG_PROGRAM(react);
GMG_PROGRAM(sheet);

enum { NX = 12, NY = 10, NZ = 9, STEPS = 4 };

static struct gmg_comm comm;
static gmg_context *context;
static int weighted; /* 1: ranks have parts of unlike sizes, the second one none */

/* A program on a grid whose parts are its boxes, and a solver there. */
struct pair {
  gmg_grid *grid;
  gmg_program *program;
  gmg_solver *solver;
  int lower[3], upper[3], cells[3]; /* cells: of this rank */
};

static void good(gmg_status status)
{
  if (status)
    print_message("%s\n", gmg_context_message(context));
  assert_int_equal(status, GMG_OK);
}

static struct pair make(const struct gmg_program_descriptor *const *made, int nz)
{
  const int cells[3] = {NX, NY, nz};
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  struct pair p = {NULL};
  good(gmg_grid_create(context, cells, lower, upper, &p.grid));
  for (int side = GMG_X_LO; side <= GMG_Z_HI; side++)
    good(gmg_grid_set_boundary(p.grid, (gmg_side)side,
                               side / 2 == 1 && nz > 1 ? GMG_PERIODIC : GMG_NEUMANN, 0, 0, 0));
  if (weighted)
    good(gmg_program_create_weighted(p.grid, made, 0, 0, (2 * comm.rank + 1) % 3, &p.program));
  else
    good(gmg_program_create(p.grid, made, 0, 0, &p.program));
  good(gmg_program_begin(p.program));
  good(gmg_program_part(p.program, p.lower, p.upper));
  good(gmg_grid_set_part(p.grid, p.lower, p.upper));
  good(gmg_solver_create(p.grid, &p.solver));
  good(gmg_solver_set_equation(p.solver, 1, 0.01));
  for (int d = 0; d < 3; d++)
    p.cells[d] = p.upper[d] - p.lower[d];
  return p;
}

static void destroy(struct pair *p)
{
  gmg_program_destroy(&p->program);
  gmg_solver_destroy(&p->solver);
  gmg_grid_destroy(&p->grid);
}

enum { ROW = NX + 1, PLANE = ROW * (NY + 1), SIZE = PLANE * (NZ + 1) };

/* An array of the host with room for the whole grid, and a face more along every axis. */
static gmg_array take(void)
{
  const gmg_array array = {calloc(SIZE, sizeof(double)), {1, ROW, PLANE}};
  assert_non_null(array.data);
  return array;
}

static double *at(const gmg_array *array, int i, int j, int k)
{
  return &array->data[i * array->stride[0] + j * array->stride[1] + k * array->stride[2]];
}

/* Of all ranks, how many cells of an array differ. */
static int differences(const struct pair *a, const struct pair *b, const char *name)
{
  gmg_array one = take(), other = take();
  int differ = 0;
  good(gmg_program_store(a->program, name, &one));
  good(gmg_program_store(b->program, name, &other));
  for (int n = 0; n < SIZE; n++)
    differ += memcmp(&one.data[n], &other.data[n], sizeof(double)) != 0;
  free(one.data);
  free(other.data);
  assert_int_equal(gmg_comm_max_int(&comm, &differ, 1), 0);
  return differ;
}

/* ---- the same steps by hand ---- */

/* What a mirror has beyond the last face of this rank, or a periodic end: on one rank alone, that
 * of an axis which is not cut. */
static void close_faces(const struct pair *p, gmg_array *face, int axis, int periodic)
{
  const int last = p->cells[axis];
  for (int k = 0; k < p->cells[2]; k++)
    for (int j = 0; j < p->cells[1]; j++)
      for (int i = 0; i < p->cells[0]; i++) {
        int to[3] = {i, j, k}, from[3] = {i, j, k};
        to[axis] = last;
        from[axis] = periodic ? 0 : last - 1;
        *at(face, to[0], to[1], to[2]) = *at(face, from[0], from[1], from[2]);
      }
}

static void by_copies(struct pair *p)
{
  static const char *const name[] = {"bx", "by", "bz"};
  gmg_array u = take(), f = take(), face = take();
  gmg_result result;
  for (int axis = 0; axis < 3; axis++) {
    good(gmg_program_store(p->program, name[axis], &face));
    close_faces(p, &face, axis, axis == 1);
    good(gmg_solver_set_coefficient(p->solver, (gmg_coefficient)(GMG_BETA_X + axis), &face));
  }
  good(gmg_program_store(p->program, "u", &u));
  good(gmg_program_store(p->program, "f", &f));
  good(gmg_solver_setup(p->solver));
  good(gmg_solver_solve(p->solver, &f, &u, 1, &result));
  for (int n = 0; n < SIZE; n++)
    u.data[n] *= 0.5;
  good(gmg_program_load(p->program, "u", &u));
  free(u.data);
  free(f.data);
  free(face.data);
}

static void in_place(struct pair *p)
{
  static const char *const name[] = {"bx", "by", "bz"};
  gmg_array u, f, face;
  gmg_result result;
  for (int axis = 0; axis < 3; axis++) {
    good(gmg_program_lend(p->program, name[axis], (gmg_centring)(GMG_ON_FACES_X + axis), &face));
    good(gmg_solver_borrow_coefficient(p->solver, (gmg_coefficient)(GMG_BETA_X + axis), &face));
  }
  good(gmg_program_lend(p->program, "u", GMG_ON_CELLS, &u));
  good(gmg_program_lend(p->program, "f", GMG_ON_CELLS, &f));
  good(gmg_solver_setup(p->solver));
  good(gmg_solver_solve(p->solver, &f, &u, 1, &result));
  for (int k = 0; k < p->cells[2]; k++)
    for (int j = 0; j < p->cells[1]; j++)
      for (int i = 0; i < p->cells[0]; i++)
        *at(&u, i, j, k) *= 0.5;
}

static void told(void *user, const gmg_result *result)
{
  assert_int_equal(result->outcome, GMG_CONVERGED);
  ++*(int *)user;
}

static void steps(void **state)
{
  (void)state;
  struct pair a = make(diffuse_program, NZ), b = make(react_program, NZ),
              c = make(react_program, NZ);
  int solves = 0, last = 0;
  gmg_program_info info;
  good(gmg_program_attach(a.program, "diffuse", a.solver, told, &solves));
  for (int n = 0; n < STEPS; n++) {
    good(gmg_program_run(a.program, 1));
    good(gmg_program_run(b.program, 1));
    good(gmg_program_run(c.program, 1));
    in_place(&b);
    assert_int_equal(differences(&a, &b, "u"), 0);
    assert_int_equal(differences(&a, &b, "by"), 0);
    if (comm.ranks == 1) {
      by_copies(&c);
      assert_int_equal(differences(&a, &c, "u"), 0);
    }
  }
  gmg_program_inform(a.program, &info);
  assert_int_equal(solves, STEPS);
  assert_int_equal(info.solves, STEPS);
  assert_int_equal(info.unconverged, 0);
  assert_true(info.cycles > STEPS && info.seconds > info.setup_seconds + info.solve_seconds);
  /* All at once from the start are the same steps. */
  struct pair d = make(diffuse_program, NZ);
  good(gmg_program_attach(d.program, "diffuse", d.solver, told, &last));
  good(gmg_program_run(d.program, STEPS));
  assert_int_equal(last, STEPS);
  assert_int_equal(differences(&a, &d, "u"), 0);
  destroy(&a);
  destroy(&b);
  destroy(&c);
  destroy(&d);
}

static void weighted_steps(void **state)
{
  weighted = 1;
  steps(state);
  weighted = 0;
}

/* Attaches solvers to the three solves of sheet.stencil: the first one's to the last, or another
 * one. */
static void attach_flat(struct pair *p, gmg_solver *other[2], int share, int *solves)
{
  for (int n = 0; n < 2; n++) {
    good(gmg_solver_create(p->grid, &other[n]));
    good(gmg_solver_set_equation(other[n], 1, 0.01));
  }
  good(gmg_program_attach(p->program, "cells", p->solver, told, solves));
  good(gmg_program_attach(p->program, "faces", other[0], told, solves));
  good(gmg_program_attach(p->program, "more", share ? p->solver : other[1], told, solves));
  good(gmg_program_run(p->program, STEPS));
}

static void destroy_flat(struct pair *p, gmg_solver *other[2])
{
  gmg_solver_destroy(&other[0]);
  gmg_solver_destroy(&other[1]);
  destroy(p);
}

/* Of the solves of a step two differ in where the coefficient is alone; and two, by one solver in
 * turn, have the coefficients of the one that is on. */
static void flat(void **state)
{
  (void)state;
  struct pair p = make(sheet_program, 1), own = make(sheet_program, 1);
  gmg_solver *other[2] = {NULL, NULL}, *others[2] = {NULL, NULL};
  int solves = 0;
  double most = 0, differ = 0;
  attach_flat(&p, other, 1, &solves);
  assert_int_equal(solves, 3 * STEPS);
  attach_flat(&own, others, 0, &solves);
  gmg_array u = take(), v = take(), w = take();
  good(gmg_program_store(p.program, "u", &u));
  good(gmg_program_store(p.program, "v", &v));
  good(gmg_program_store(p.program, "w", &w));
  for (int n = 0; n < SIZE; n++) {
    most = fmax(most, fabs(u.data[n] - v.data[n]));
    differ = fmax(differ, fabs(u.data[n] - w.data[n]));
  }
  print_message("coefficients on cells and on faces: solutions differ by %.1e, of others by %.1e\n",
                most, differ);
  assert_true(most < 1e-9);
  int other_solution = differ > 1e-5; /* on the rank that has cells in its part */
  assert_int_equal(gmg_comm_max_int(&comm, &other_solution, 1), 0);
  assert_true(other_solution);
  assert_int_equal(differences(&p, &own, "u"), 0);
  assert_int_equal(differences(&p, &own, "w"), 0);
  free(u.data);
  free(v.data);
  free(w.data);
  destroy_flat(&p, other);
  destroy_flat(&own, others);
}

/* ---- what is refused ---- */

static void refused(gmg_status status, gmg_status expected, const char *part)
{
  if (status != expected || !strstr(gmg_context_message(context), part))
    print_message("%d, %s: not %s\n", (int)status, gmg_context_message(context), part);
  assert_int_equal(status, expected);
  assert_non_null(strstr(gmg_context_message(context), part));
}

static void wrong_attached(void **state)
{
  (void)state;
  struct pair p = make(diffuse_program, NZ), other = make(diffuse_program, NZ + 1);
  gmg_program *program = NULL;
  int lower[3], upper[3];
  refused(gmg_program_run(p.program, 1), GMG_ERR_ORDER,
          "'solve diffuse' of program diffuse has no solver");
  refused(gmg_program_attach(p.program, "heat", p.solver, NULL, NULL), GMG_ERR_ARGUMENT,
          "has no 'solve heat'; it has diffuse");
  refused(gmg_program_attach(p.program, NULL, p.solver, NULL, NULL), GMG_ERR_ARGUMENT, "(NULL)");
  refused(gmg_program_attach(p.program, "diffuse", other.solver, NULL, NULL), GMG_ERR_ARGUMENT,
          "grid has 12 x 10 x 10 cells, program diffuse 12 x 10 x 9");
  good(gmg_program_attach(p.program, "diffuse", p.solver, NULL, NULL));
  good(gmg_program_run(p.program, 1));
  good(gmg_program_attach(p.program, "diffuse", NULL, NULL, NULL));
  refused(gmg_program_run(p.program, 1), GMG_ERR_ORDER, "has no solver");
  refused(gmg_program_create(p.grid, diffuse_program, 0, 2, &program), GMG_ERR_UNSUPPORTED,
          "its steps have a solve, 'diffuse'");
  good(gmg_program_create(p.grid, diffuse_program, 4, 0, &program));
  assert_int_equal(gmg_program_part(program, lower, upper), GMG_ERR_UNSUPPORTED);
  refused(gmg_program_attach(program, "diffuse", p.solver, NULL, NULL), GMG_ERR_UNSUPPORTED,
          "boxes, and a solver has arrays of one box in place");
  gmg_program_destroy(&program);
  assert_string_equal(gmg_program_solve_name(p.program, 0), "diffuse");
  assert_null(gmg_program_solve_name(p.program, 1));
  destroy(&p);
  destroy(&other);
}

/* On several ranks a solver on other parts of the grid than the boxes. */
static void wrong_parts(void **state)
{
  (void)state;
  struct pair p = make(diffuse_program, NZ);
  const int all[2][3] = {{0, 0, 0}, {NX, NY, NZ}}, none[3] = {0, 0, 0};
  gmg_solver *solver = NULL;
  good(gmg_grid_set_part(p.grid, none, comm.rank ? none : all[1]));
  good(gmg_solver_create(p.grid, &solver));
  if (comm.ranks > 1)
    refused(gmg_program_attach(p.program, "diffuse", solver, NULL, NULL), GMG_ERR_ARGUMENT,
            "gmg_grid_set_part");
  gmg_solver_destroy(&solver);
  destroy(&p);
}

static void wrong_lent(void **state)
{
  (void)state;
  struct pair p = make(react_program, NZ);
  gmg_array array;
  refused(gmg_program_lend(p.program, "q", GMG_ON_CELLS, &array), GMG_ERR_ARGUMENT, "no array 'q'");
  refused(gmg_program_lend(p.program, "u", GMG_ON_CELLS, NULL), GMG_ERR_ARGUMENT, "NULL");
  refused(gmg_program_lend(p.program, "f", GMG_ON_FACES_Z, &array), GMG_ERR_ARGUMENT,
          "'f' has no ghosts");
  refused(gmg_program_lend(p.program, "v", GMG_ON_FACES_X, &array), GMG_ERR_UNSUPPORTED,
          "'v' takes turns with 'w', and of the two one alone is fixed");
  good(gmg_program_lend(p.program, "by", GMG_ON_FACES_X, &array));
  destroy(&p);
}

/* What the solver refuses, or does not solve. */
static void wrong_values(void **state)
{
  (void)state;
  struct pair p = make(diffuse_program, NZ);
  gmg_program_info info;
  good(gmg_program_attach(p.program, "diffuse", p.solver, NULL, NULL));
  good(gmg_program_set(p.program, "least", -100));
  refused(gmg_program_run(p.program, 2), GMG_ERR_COEFFICIENT, "beta");
  gmg_program_inform(p.program, &info);
  assert_int_equal(info.steps, 0);
  good(gmg_program_set(p.program, "least", 1));
  good(gmg_program_run(p.program, 1));
  good(gmg_solver_set_integer(p.solver, "max-cycles", 1));
  good(gmg_program_run(p.program, 2));
  gmg_program_inform(p.program, &info);
  assert_int_equal(info.steps, 3);
  assert_int_equal(info.solves, 3);
  assert_int_equal(info.unconverged, 2);
  destroy(&p);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(steps),         cmocka_unit_test(flat),       cmocka_unit_test(wrong_attached),
    cmocka_unit_test(wrong_parts),   cmocka_unit_test(wrong_lent), cmocka_unit_test(wrong_values),
    cmocka_unit_test(weighted_steps)};
  if (ranks_start(&argc, &argv, &comm))
    return 1;
#if GMG_WITH_MPI
  int failed = gmg_context_create_mpi(comm.mpi, 2, &context) != GMG_OK;
#else
  int failed = gmg_context_create(2, &context) != GMG_OK;
#endif
  failed = failed || cmocka_run_group_tests(tests, NULL, NULL);
  gmg_context_destroy(&context);
  return ranks_finish(&comm, failed);
}

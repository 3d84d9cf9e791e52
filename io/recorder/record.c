#include "config.h" /* GMG_WITH_MPI, and with it mpi.h, which comes before gmg_io.h */

#if GMG_WITH_MPI
#include <mpi.h>
#endif
#include "gmg_io.h"
#include "record_file.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COEFFICIENTS = 5 };

struct gmg_io_record {
  gmg_solver *solver;
  int ranks, rank;
#if GMG_WITH_MPI
  MPI_Comm communicator;
#endif
  char path[PATH_MAX], temporary[PATH_MAX];
  char options[2000], message[PATH_MAX + 600];
  hid_t file;
  int wanted, seen, done;
  int written[COEFFICIENTS];
};

static const char *const coefficient_names[COEFFICIENTS] = {"alpha", "beta", "beta_x", "beta_y",
                                                            "beta_z"};
static const char *const sides[6] = {"x_lo", "x_hi", "y_lo", "y_hi", "z_lo", "z_hi"};

__attribute__((format(printf, 2, 3))) static const char *fail(gmg_io_record *r, const char *format,
                                                              ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(r->message, sizeof r->message, format, arguments);
  va_end(arguments);
  return r->message;
}

/* The worst of all ranks' results: a rank that failed does not leave the others waiting. */
static int agree(const gmg_io_record *r, int failed)
{
#if GMG_WITH_MPI
  if (r->ranks > 1
      && MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, r->communicator) != MPI_SUCCESS)
    failed = 1;
#else
  (void)r;
#endif
  return failed;
}

/* A field over the grid from all ranks' parts. axis: of faces, else -1. A face between two parts is
 * written by the rank that has it as a low face, whose value the solver takes. */
static const char *write_field(gmg_io_record *r, const char *name, const gmg_array *array, int axis)
{
  gmg_description grid;
  gmg_solver_describe(r->solver, &grid);
  hsize_t shape[3];
  int count[3], cells = 1;
  for (int d = 0; d < 3; d++) {
    shape[2 - d] = (hsize_t)grid.cells[d] + (d == axis);
    count[d] = grid.part_upper[d] - grid.part_lower[d];
    cells = cells && count[d] > 0;
    count[d] += d == axis && grid.part_upper[d] == grid.cells[d];
  }
  const hid_t dataset = record_open_dataset(r->file, name, 3, shape);
  int failed = dataset < 0;
  if (!failed && cells)
    failed = record_write_rows(dataset, array, grid.part_lower, count);
  if (dataset >= 0)
    H5Dclose(dataset);
  return agree(r, failed) ? fail(r, "%s: /%s could not be written", r->temporary, name) : NULL;
}

/* Options that are not at their defaults, as the program takes them. */
static void note_options(gmg_io_record *r)
{
  const char *name, *text;
  r->options[0] = 0;
  for (int n = 0; (name = gmg_solver_option_name(n)); n++)
    if ((text = gmg_solver_option_given(r->solver, name))) {
      const size_t used = strlen(r->options);
      snprintf(r->options + used, sizeof r->options - used, "%s--%s %s", used ? " " : "", name,
               text);
    }
}

static const char *see_coefficient(void *user, const gmg_solver *solver, gmg_coefficient which,
                                   const gmg_array *values)
{
  gmg_io_record *r = user;
  (void)solver;
  if (r->done)
    return NULL;
  const struct record_silence before = record_be_silent();
  const char *failed = write_field(r, coefficient_names[which], values,
                                   which >= GMG_BETA_X ? (int)which - (int)GMG_BETA_X : -1);
  record_speak_again(before);
  r->written[which] = 1;
  return failed;
}

static int put_side(const gmg_io_record *r, hid_t boundary, const gmg_description *grid, int side)
{
  static const char *const kinds[] = {"dirichlet", "neumann", "robin", "periodic"};
  const gmg_boundary kind = grid->side[side].kind;
  const double factors[] = {grid->side[side].c0, grid->side[side].c1},
               *values = grid->side[side].values;
  char name[40];
  int failed = record_put_text(boundary, sides[side], kinds[kind]);
  for (int c = 0; c < 2 && kind == GMG_ROBIN; c++) {
    snprintf(name, sizeof name, "%s_c%d", sides[side], c);
    failed |= record_put_double(boundary, name, factors[c]);
  }
  snprintf(name, sizeof name, "/boundary/%s_value", sides[side]);
  if (kind == GMG_PERIODIC)
    return failed;
  if (!values)
    return failed | record_put_double(boundary, strrchr(name, '/') + 1, grid->side[side].value);
  const int d = side / 2, first = d == 0 ? 1 : 0, second = d == 2 ? 1 : 2;
  const hsize_t shape[2] = {(hsize_t)grid->cells[second], (hsize_t)grid->cells[first]};
  return failed | record_put_values(r->file, r->rank == 0, name, values, 2, shape);
}

static hid_t create_group(const gmg_io_record *r, const char *name)
{
  return H5Gcreate2(r->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

static int put_grid(const gmg_io_record *r, const gmg_description *grid)
{
  const hid_t group = create_group(r, "grid");
  int failed = group < 0 || record_put_attribute(group, "cells", H5T_NATIVE_INT, grid->cells, 3)
    || record_put_attribute(group, "lower", H5T_NATIVE_DOUBLE, grid->lower, 3)
    || record_put_attribute(group, "upper", H5T_NATIVE_DOUBLE, grid->upper, 3);
  for (int d = 0; d < 3 && !failed; d++) {
    static const char *const name[3] = {"/grid/x", "/grid/y", "/grid/z"};
    const hsize_t count = (hsize_t)grid->cells[d] + 1;
    failed = grid->faces[d]
      && record_put_values(r->file, r->rank == 0, name[d], grid->faces[d], 1, &count);
  }
  if (group >= 0)
    H5Gclose(group);
  return failed;
}

/* All that the file says besides fields. */
static int put_names(const gmg_io_record *r, const gmg_description *grid)
{
  const int version = 1;
  int failed = record_put_text(r->file, "format", "gmg-problem")
    || record_put_attribute(r->file, "version", H5T_NATIVE_INT, &version, 0) || put_grid(r, grid);
  const hid_t equation = create_group(r, "equation");
  const hid_t boundary = create_group(r, "boundary");
  const hid_t user = create_group(r, "user");
  failed = failed || equation < 0 || boundary < 0 || user < 0
    || record_put_double(equation, "a", grid->a) || record_put_double(equation, "b", grid->b)
    || record_put_text(user, "recorded_by", "gmg " GMG_VERSION)
    || record_put_text(user, "options", r->options);
  for (int side = 0; side < 6 && !failed; side++)
    failed = put_side(r, boundary, grid, side);
  const hid_t groups[3] = {equation, boundary, user};
  for (int n = 0; n < 3; n++)
    if (groups[n] >= 0)
      H5Gclose(groups[n]);
  if (!failed && r->written[GMG_BETA] && grid->average == GMG_ARITHMETIC) {
    const hid_t beta = H5Dopen2(r->file, "beta", H5P_DEFAULT);
    failed = beta < 0 || record_put_text(beta, "average", "arithmetic");
    if (beta >= 0)
      H5Dclose(beta);
  }
  return failed;
}

/* Closes the file and gives it its name. */
static const char *complete(gmg_io_record *r)
{
  const herr_t closed = H5Fclose(r->file);
  r->file = -1;
  int failed = closed < 0;
  if (agree(r, failed))
    return fail(r, "%s could not be written", r->path);
  failed = r->rank == 0 && rename(r->temporary, r->path) != 0;
  if (agree(r, failed))
    return fail(r, "%s could not be given its name", r->path);
  r->done = 1;
  return NULL;
}

static const char *write_solve(gmg_io_record *r, const gmg_array *f, const gmg_array *guess)
{
  gmg_description grid;
  gmg_solver_describe(r->solver, &grid);
  for (int c = 0; c < COEFFICIENTS; c++)
    if (grid.has[c] && !r->written[c])
      return fail(r, "%s was set before the record began", coefficient_names[c]);
  const char *failed = write_field(r, "rhs", f, -1);
  if (!failed && guess)
    failed = write_field(r, "initial_guess", guess, -1);
  if (!failed && agree(r, put_names(r, &grid)))
    failed = fail(r, "%s: the grid and the boundary could not be written", r->temporary);
  return failed ? failed : complete(r);
}

static const char *see_solve(void *user, const gmg_solver *solver, const gmg_array *f,
                             const gmg_array *guess)
{
  gmg_io_record *r = user;
  (void)solver;
  if (r->done || ++r->seen < r->wanted)
    return NULL;
  note_options(r);
  const struct record_silence before = record_be_silent();
  const char *failed = write_solve(r, f, guess);
  record_speak_again(before);
  return failed;
}

/* Whether the folder takes a new file, before HDF5 tries with all ranks. */
static int can_create(gmg_io_record *r)
{
  if (r->rank != 0)
    return 1;
  FILE *file = fopen(r->temporary, "wb");
  if (!file) {
    fail(r, "%s cannot be written: %s", r->path, strerror(errno));
    return 0;
  }
  return fclose(file) == 0;
}

static gmg_status start(gmg_io_record *r)
{
  const gmg_recorder recorder = {r, see_coefficient, see_solve};
  int created = can_create(r);
#if GMG_WITH_MPI
  if (r->ranks > 1
      && MPI_Bcast(r->message, sizeof r->message, MPI_CHAR, 0, r->communicator) != MPI_SUCCESS) {
    fail(r, "MPI_Bcast failed on rank %d", r->rank);
    created = 0;
  }
#endif
  if (agree(r, !created))
    return GMG_ERR_RECORDER;
  const struct record_silence before = record_be_silent();
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
#if GMG_WITH_MPI
  if (r->ranks > 1)
    H5Pset_fapl_mpio(access, r->communicator, MPI_INFO_NULL);
#endif
  r->file = H5Fcreate(r->temporary, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  record_speak_again(before);
  if (agree(r, r->file < 0)) {
    fail(r, "%s cannot be written by HDF5", r->path);
    return GMG_ERR_RECORDER;
  }
  return gmg_solver_set_recorder(r->solver, &recorder);
}

static gmg_status make(const char *path, int solve, gmg_solver *solver, gmg_io_record **record)
{
  if (!record)
    return GMG_ERR_ARGUMENT;
  *record = NULL;
  if (!path || !solver || solve < 1 || strlen(path) + 20 > PATH_MAX)
    return GMG_ERR_ARGUMENT;
  gmg_io_record *r = calloc(1, sizeof *r);
  if (!r)
    return GMG_ERR_MEMORY;
  r->solver = solver;
  r->ranks = 1;
  r->wanted = solve;
  r->file = -1;
  snprintf(r->path, sizeof r->path, "%s", path);
  snprintf(r->temporary, sizeof r->temporary, "%s.record", path);
#if GMG_WITH_MPI
  r->communicator = MPI_COMM_NULL;
#endif
  *record = r;
  return GMG_OK;
}

gmg_status gmg_io_record_start(const char *path, int solve, gmg_solver *solver,
                               gmg_io_record **record)
{
  const gmg_status status = make(path, solve, solver, record);
  return status ? status : start(*record);
}

#if GMG_WITH_MPI
/* The record's communicator, which returns its errors; those of the caller's are returned
 * meanwhile. Returns -1 on all ranks. */
static int duplicate(MPI_Comm communicator, gmg_io_record *r)
{
  MPI_Errhandler before;
  if (MPI_Comm_get_errhandler(communicator, &before) != MPI_SUCCESS)
    return -1;
  MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  int failed = MPI_Comm_dup(communicator, &r->communicator) != MPI_SUCCESS;
  failed = failed || MPI_Comm_set_errhandler(r->communicator, MPI_ERRORS_RETURN) != MPI_SUCCESS
    || MPI_Comm_size(r->communicator, &r->ranks) != MPI_SUCCESS
    || MPI_Comm_rank(r->communicator, &r->rank) != MPI_SUCCESS;
  if (MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, communicator) != MPI_SUCCESS)
    failed = 1;
  MPI_Comm_set_errhandler(communicator, before);
  MPI_Errhandler_free(&before);
  if (!failed)
    return 0;
  fail(r, "MPI could not duplicate the communicator");
  r->communicator = MPI_COMM_NULL; /* what another rank lacks cannot be freed by all */
  r->ranks = 1;
  return -1;
}

gmg_status gmg_io_record_start_mpi(MPI_Comm communicator, const char *path, int solve,
                                   gmg_solver *solver, gmg_io_record **record)
{
  const gmg_status status = make(path, solve, solver, record);
  if (status)
    return status;
  return duplicate(communicator, *record) ? GMG_ERR_MPI : start(*record);
}
#endif

int gmg_io_record_done(const gmg_io_record *record)
{
  return record && record->done;
}

const char *gmg_io_record_message(const gmg_io_record *record)
{
  return record ? record->message : "there is no record";
}

void gmg_io_record_finish(gmg_io_record **record)
{
  if (!record || !*record)
    return;
  gmg_io_record *r = *record;
  gmg_solver_set_recorder(r->solver, NULL);
  if (r->file >= 0) {
    const struct record_silence before = record_be_silent();
    H5Fclose(r->file);
    record_speak_again(before);
  }
  if (!r->done && r->rank == 0)
    unlink(r->temporary);
#if GMG_WITH_MPI
  if (r->communicator != MPI_COMM_NULL)
    MPI_Comm_free(&r->communicator);
#endif
  free(r);
  *record = NULL;
}

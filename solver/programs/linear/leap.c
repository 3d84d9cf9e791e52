/* Many steps at once, by transforms. */
#include "fourier/lines.h"
#include "leap_modes.h"
#include "leap_walls.h"

#include "problem/hash.h"
#include "problem/same.h"
#include "system/threads.h"

#include <string.h>

struct leap {
  struct gmg_program *program;
  struct gmg_step_weights weights;
  struct gmg_leap_bases bases;
  struct gmg_lines lines;
  struct gmg_pencils pencils;
  struct gmg_leap_modes modes;
  size_t bytes; /* of the coefficients of an array */
};

static const char call[] = "gmg_program_leap";

static gmg_status check(const struct gmg_program *program, int64_t steps, struct leap *leap)
{
  gmg_context *context = program->context;
  const char *name = program->made->name;
  if (steps < 0)
    return gmg_fail(context, GMG_ERR_ARGUMENT, "%s: found %lld steps, expected 0 or more", call,
                    (long long)steps);
  if (!gmg_line_fft_available())
    return gmg_fail(context, GMG_ERR_UNSUPPORTED,
                    "%s: steps at once need KissFFT, which this build was configured without: "
                    "install libkissfft-dev (kissfft/kissfft.hh) and configure anew",
                    call);
  if (program->made->precision != GMG_F64)
    return gmg_fail(context, GMG_ERR_UNSUPPORTED,
                    "%s: program %s is in single precision, and steps can be taken at once in "
                    "double",
                    call, name);
  if (program->composing.on || program->placed)
    return gmg_fail(context, GMG_ERR_UNSUPPORTED,
                    "%s: program %s %s: expected one on the host that does not compose steps", call,
                    name, program->placed ? "is on a GPU" : "composes steps");
  const gmg_status status = gmg_step_weights_find(program, call, &leap->weights);
  return status ? status : gmg_leap_find_bases(program, call, &leap->weights, &leap->bases);
}

/* Transforms, tables, and room for all coefficients. */
static int take(struct leap *leap)
{
  struct gmg_program *program = leap->program;
  const int threads = program->context->threads;
  if (gmg_lines_create(leap->bases.kind, program->cells, threads, &program->memory, &leap->lines)
      || gmg_leap_modes_create(&leap->weights, &leap->bases, program->cells, threads, &leap->modes)
      || gmg_pencils_take(&program->memory, &leap->pencils))
    return -1;
  for (int d = 0; d < 3; d++)
    if (leap->bases.paired[d] && gmg_basis_pair(&leap->lines.basis[d]))
      return -1;
  struct gmg_leap_modes *modes = &leap->modes;
  modes->storage = leap->pencils.of[2].storage;
  leap->bytes = (size_t)modes->storage->elements * sizeof(double);
  for (int s = 0; s < leap->weights.states; s++) {
    modes->value[s] = gmg_allocate(&program->memory, leap->bytes + 1);
    if (leap->bases.affine)
      modes->source[s] = gmg_allocate(&program->memory, leap->bytes + 1);
    if (!modes->value[s] || (leap->bases.affine && !modes->source[s]))
      return -1;
  }
  for (int d = 0; d < 3; d++)
    modes->scale /= leap->lines.basis[d].scale;
  return 0;
}

static gmg_status plan(struct leap *leap)
{
  gmg_context *context = leap->program->context;
  if (gmg_pencils_create(&context->comm, leap->program->storage, &leap->pencils)
      || gmg_pencils_connect(&context->comm, leap->program->storage, &leap->pencils))
    return gmg_agree(context, gmg_no_memory(context, "(or MPI failed) for the lines of all ranks"));
  const int failed = take(leap);
  return gmg_agree(
    context,
    failed ? gmg_no_memory(context, "for the transforms of program %s", leap->program->made->name)
           : GMG_OK);
}

static void clear(struct leap *leap)
{
  struct gmg_memory *memory = &leap->program->memory;
  for (int s = 0; s < leap->weights.states; s++) {
    gmg_release(memory, leap->modes.value[s], leap->bytes + 1);
    gmg_release(memory, leap->modes.source[s], leap->bytes + 1);
  }
  gmg_leap_modes_clear(&leap->modes);
  gmg_lines_clear(memory, &leap->lines);
  gmg_pencils_destroy(memory, &leap->pencils);
}

static double *buffer_of(const struct leap *leap, int axis)
{
  return leap->pencils.buffer[leap->pencils.of[axis].buffer];
}

static void run_lines(const struct leap *leap, int axis, enum gmg_lines_task task)
{
  gmg_lines_run(&leap->lines, leap->program->context->team, &leap->pencils.of[axis], task, NULL,
                buffer_of(leap, axis));
}

/* The coefficients of an array's cells. Returns 0, or an MPI error. */
static int transform(const struct leap *leap, int array, double *coefficients)
{
  const struct gmg_pencils *p = &leap->pencils;
  int error = gmg_exchange_run(p->in, leap->program->data[array], buffer_of(leap, 0));
  run_lines(leap, 0, GMG_LINES_FORWARD);
  for (int d = 0; d < 2; d++) {
    if (p->forward[d])
      error |= gmg_exchange_run(p->forward[d], buffer_of(leap, d), buffer_of(leap, d + 1));
    run_lines(leap, d + 1, GMG_LINES_FORWARD);
  }
  if (leap->bytes)
    memcpy(coefficients, buffer_of(leap, 2), leap->bytes);
  return error;
}

/* And back. */
static int restore(const struct leap *leap, const double *coefficients, int array)
{
  const struct gmg_pencils *p = &leap->pencils;
  int error = 0;
  if (leap->bytes)
    memcpy(buffer_of(leap, 2), coefficients, leap->bytes);
  run_lines(leap, 2, GMG_LINES_BACKWARD);
  for (int d = 1; d >= 0; d--) {
    if (p->backward[d])
      error |= gmg_exchange_run(p->backward[d], buffer_of(leap, d + 1), buffer_of(leap, d));
    run_lines(leap, d, GMG_LINES_BACKWARD);
  }
  return error | gmg_exchange_run(p->out, buffer_of(leap, 0), leap->program->data[array]);
}

/* Sets an array's cells to 0; its ghosts may be data. */
static void zero_cells(const struct gmg_program *program, int array)
{
  for (int b = 0; b < program->layout->local_count; b++) {
    const struct gmg_kernel_box *box = &program->box[b];
    double *first = program->element[array][b];
    for (int k = 0; k < box->cells[2]; k++)
      for (int j = 0; j < box->cells[1]; j++)
        memset(first + j * box->stride[0] + k * box->stride[1], 0,
               (size_t)box->cells[0] * sizeof *first);
  }
}

/* The coefficients of what a step adds: of what it makes of arrays that are 0. */
static gmg_status find_sources(struct leap *leap)
{
  struct gmg_program *program = leap->program;
  const gmg_program_info info = program->info;
  for (int a = 0; a < program->made->arrays; a++)
    zero_cells(program, a);
  const gmg_status status = gmg_program_run(program, 1);
  int error = 0;
  program->info = info;
  for (int s = 0; s < leap->weights.states && !status; s++)
    error |= transform(leap, leap->weights.array[s], leap->modes.source[s]);
  return status || !error ? status : gmg_mpi_failed(program->context);
}

static gmg_status run(struct leap *leap, int64_t steps)
{
  const struct gmg_step_weights *w = &leap->weights;
  gmg_context *context = leap->program->context;
  gmg_status status = GMG_OK;
  int error = 0;
  for (int s = 0; s < w->states; s++)
    error |= transform(leap, w->array[s], leap->modes.value[s]);
  if (!error && leap->bases.affine)
    status = find_sources(leap);
  leap->modes.steps = steps;
  if (!error && !status)
    gmg_leap_modes_run(&leap->modes, context->team);
  for (int s = 0; s < w->states && !error && !status; s++)
    error |= restore(leap, leap->modes.value[s], w->array[s]);
  return gmg_agree(context, error ? gmg_mpi_failed(context) : status);
}

gmg_status gmg_program_leap(gmg_program *program, int64_t steps)
{
  if (!program)
    return GMG_ERR_ARGUMENT;
  struct leap leap = {.program = program};
  struct gmg_memory *outer = gmg_account(&program->memory);
  const double begin = gmg_seconds(), waited = program->context->comm.waited;
  const uint64_t hash = gmg_hash(0, program->parameter, sizeof program->parameter);
  gmg_status status = check(program, steps, &leap);
  const struct gmg_same same = {
    .call = call, .number = {{"steps", (double)steps}, {"parameters", (double)(hash >> 12)}}};
  status = gmg_same(program->context, status, &same);
  if (!status && steps) {
    status = plan(&leap);
    if (!status)
      status = run(&leap, steps);
    clear(&leap);
  }
  gmg_step_weights_clear(&leap.weights);
  gmg_account(outer);
  if (!status) {
    program->info.steps += steps;
    program->info.seconds += gmg_seconds() - begin;
    program->info.wait_seconds += program->context->comm.waited - waited;
  }
  return status;
}

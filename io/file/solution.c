#include "solution.h"

#include "file.h"
#include "common/parallel.h"

static int write_attributes(hid_t dataset, const gmg_result *result)
{
  return file_put_text(dataset, "status", gmg_outcome_text(result->outcome)) < 0
      || file_put_text(dataset, "reason", result->reason ? result->reason : "") < 0
      || file_put_integers(dataset, "cycles", &result->cycles, 0) < 0
      || file_put_doubles(dataset, "relative_residual", &result->relative_residual, 0) < 0
    ? -1
    : 0;
}

static int write_values(hid_t dataset, const double *u, const int lower[3], const int upper[3],
                        struct progress *progress)
{
  struct file_blocks blocks = file_blocks_of(lower, upper);
  int error = 0;
  for (int round = 0; round < blocks.rounds && !error; round++) {
    int from[3], to[3];
    file_block(&blocks, round, from, to);
    const int done[3] = {upper[0], upper[1], from[2]};
    error = (int)parallel_max(file_write(dataset, from, to, u + file_elements(lower, done)) < 0);
    progress_step(progress, (round + 1.) / blocks.rounds);
  }
  return error ? -1 : 0;
}

static int write_file(hid_t file, const char *path, const struct problem *problem,
                      const gmg_result *result, const double *u, const int lower[3],
                      const int upper[3], struct progress *progress)
{
  const int version = 1;
  if (file_put_text(file, "format", "gmg-solution") < 0
      || file_put_integers(file, "version", &version, 0) < 0
      || file_put_grid(file, problem->cells, problem->lower, problem->upper, problem->faces) < 0
      || file_put_list(file, "residual_history", result->residual_history,
                       (hsize_t)result->cycles + 1)
        < 0)
    return -1;
  const hsize_t shape[3] = {(hsize_t)problem->cells[2], (hsize_t)problem->cells[1],
                            (hsize_t)problem->cells[0]};
  hid_t dataset = file_create_dataset(file, "solution", 3, shape);
  if (dataset < 0)
    return -1;
  int error = write_attributes(dataset, result) < 0 || file_reserve(dataset, path) < 0
    || write_values(dataset, u, lower, upper, progress) < 0;
  return file_note(H5Dclose(dataset)) < 0 || error ? -1 : 0;
}

int solution_write(const struct output *output, const struct problem *problem,
                   const gmg_result *result, const double *u, const int lower[3],
                   const int upper[3], struct progress *progress, struct failure *failure)
{
  progress_begin(progress, "writing", "the solution");
  const int *cells = problem->cells;
  double bytes =
    sizeof(double) * ((double)cells[0] * cells[1] * cells[2] + cells[0] + cells[1] + cells[2]);
  hid_t file = output_begin(output, bytes, failure) ? -1 : file_create(output->temporary);
  int error =
    file < 0 || write_file(file, output->temporary, problem, result, u, lower, upper, progress) < 0;
  for (int closing = 0; closing < 2; closing++) { /* the first reason is the better one */
    if (error)
      failure_set(failure, STATUS_MACHINE, "%s could not be written: %s", output->path,
                  file_reason());
    error = !closing && file >= 0 && file_close(file) < 0;
  }
  output_finish(output, failure);
  progress_end(progress);
  return failure->status;
}

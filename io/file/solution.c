#include "solution.h"

#include "file.h"
#include "common/parallel.h"

static int write_attributes(hid_t dataset, const gmg_result *result)
{
  return file_put_text(dataset, "status", gmg_outcome_text(result->outcome)) < 0
    || file_put_text(dataset, "reason", result->reason ? result->reason : "") < 0
    || file_put_integers(dataset, "cycles", &result->cycles, 0) < 0
    || file_put_doubles(dataset, "relative_residual", &result->relative_residual, 0) < 0;
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
  return error;
}

static int write_file(hid_t file, const char *path, const struct problem *problem,
                      const gmg_result *result, const double *u, const int lower[3],
                      const int upper[3], struct progress *progress)
{
  const hsize_t norms = (hsize_t)result->cycles + 1;
  if (problem_put_header(file, "gmg-solution", problem) < 0
      || file_put_values(file, "residual_history", result->residual_history, 1, &norms) < 0)
    return 1;
  const hsize_t shape[3] = {(hsize_t)problem->cells[2], (hsize_t)problem->cells[1],
                            (hsize_t)problem->cells[0]};
  hid_t dataset = file_create_dataset(file, "solution", 3, shape);
  if (dataset < 0)
    return 1;
  int error = write_attributes(dataset, result) || file_reserve(dataset, path) < 0
    || write_values(dataset, u, lower, upper, progress);
  return file_note(H5Dclose(dataset)) < 0 || error;
}

int solution_write(const struct output *output, const struct problem *problem,
                   const gmg_result *result, const double *u, const int lower[3],
                   const int upper[3], struct progress *progress, struct failure *failure)
{
  progress_begin(progress, "writing", "the solution");
  const int *cells = problem->cells;
  double bytes = sizeof(double) * (problem_unknowns(problem) + cells[0] + cells[1] + cells[2]);
  hid_t file = file_create(output, bytes, failure);
  int error =
    file < 0 || write_file(file, output->temporary, problem, result, u, lower, upper, progress);
  file_finish(file, error, output, failure);
  progress_end(progress);
  return failure->status;
}

#include "make.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases.h"
#include "config.h"
#include "file/file.h"
#include "make_request.h"
#include "file/output.h"
#include "common/parallel.h"
#include "common/progress.h"
#include "file/sides.h"

static int write_field(hid_t file, const char *path, const struct case_values *values,
                       enum problem_field field, struct progress *progress, struct failure *failure)
{
  long long shape[3], ranks = parallel_ranks(), rank = parallel_rank();
  problem_field_shape(values->problem->cells, field, shape);
  const hsize_t file_shape[3] = {(hsize_t)shape[2], (hsize_t)shape[1], (hsize_t)shape[0]};
  const int lower[3] = {0, 0, (int)(rank * shape[2] / ranks)},
            upper[3] = {(int)shape[0], (int)shape[1], (int)((rank + 1) * shape[2] / ranks)};
  struct file_blocks blocks = file_blocks_of(lower, upper);
  double *block = malloc((file_block_elements(&blocks) + 1) * sizeof *block);
  if (!block)
    failure_memory(failure, (double)file_block_elements(&blocks) * sizeof *block,
                   "a block of planes");
  hid_t dataset = parallel_agree(failure)
    ? -1
    : file_create_dataset(file, problem_field_name(field), 3, file_shape);
  int error = dataset < 0 || file_reserve(dataset, path) < 0;
  for (int round = 0; round < blocks.rounds && !error; round++) {
    int from[3], to[3];
    file_block(&blocks, round, from, to);
    case_fill(values, field, from, to, block);
    error = (int)parallel_max(file_write(dataset, from, to, block) < 0);
    progress_step(progress, (round + 1.) / blocks.rounds);
  }
  free(block);
  return (dataset >= 0 && file_note(H5Dclose(dataset)) < 0) || error;
}

static int has_seed(enum medium_kind kind)
{
  return kind == MEDIUM_LOGNORMAL || kind == MEDIUM_INCLUSIONS || kind == MEDIUM_RODS
    || kind == MEDIUM_BALLS || kind == MEDIUM_NOISE;
}

/* What the case was made with, for people. */
static int write_notes(hid_t user, const struct make_request *request)
{
  const struct medium *medium = &request->medium;
  const enum medium_kind kind = medium->kind;
  const struct {
    const char *name;
    int has;
    double value;
  } notes[] = {{"ratio", kind >= MEDIUM_SPHERE && kind <= MEDIUM_NOISE, medium->ratio},
               {"radius", kind == MEDIUM_SPHERE, medium->radius},
               {"size", kind >= MEDIUM_INCLUSIONS && kind <= MEDIUM_BALLS, medium->size},
               {"sigma", kind == MEDIUM_LOGNORMAL, medium->sigma},
               {"length", kind == MEDIUM_LOGNORMAL, medium->length},
               {"noise", request->noise, 1},
               {"seed", has_seed(kind) || request->noise, medium->seed}};
  if (file_put_text(user, "made_by", "gmg make, version " GMG_VERSION) < 0
      || file_put_text(user, "case", request->kind->name) < 0)
    return 1;
  for (size_t n = 0; n < sizeof notes / sizeof *notes; n++)
    if (notes[n].has && file_put_doubles(user, notes[n].name, &notes[n].value, 0) < 0)
      return 1;
  return 0;
}

static int write_side(hid_t boundary, const struct problem *problem, int s)
{
  const struct problem_side *side = &problem->side[s];
  const int *cells = problem->cells, *along = sides_axes[s / 2];
  const hsize_t shape[2] = {(hsize_t)cells[along[1]], (hsize_t)cells[along[0]]};
  char name[20];
  if (file_put_text(boundary, problem_side_names[s], problem_boundary_names[side->kind]) < 0)
    return 1;
  for (int c = 0; c < 2 && side->kind == GMG_ROBIN; c++) {
    snprintf(name, sizeof name, "%s_c%d", problem_side_names[s], c);
    if (file_put_doubles(boundary, name, c ? &side->c1 : &side->c0, 0) < 0)
      return 1;
  }
  snprintf(name, sizeof name, "%s_value", problem_side_names[s]);
  return side->has_values && file_put_values(boundary, name, side->values, 2, shape) < 0;
}

/* Everything but the fields. */
static int write_names(hid_t file, const struct make_request *request)
{
  const struct problem *problem = &request->problem;
  if (problem_put_header(file, "gmg-problem", problem) < 0)
    return 1;
  hid_t equation = file_create_group(file, "equation");
  hid_t boundary = file_create_group(file, "boundary");
  hid_t user = file_create_group(file, "user");
  int error = equation < 0 || boundary < 0 || user < 0
    || file_put_doubles(equation, "a", &problem->a, 0) < 0
    || file_put_doubles(equation, "b", &problem->b, 0) < 0 || write_notes(user, request);
  for (int s = 0; s < 6 && !error; s++)
    error = write_side(boundary, problem, s);
  const hid_t groups[3] = {equation, boundary, user};
  for (int n = 0; n < 3; n++)
    if (groups[n] >= 0)
      H5Gclose(groups[n]);
  return error;
}

static double field_bytes(const struct problem *problem)
{
  double bytes = 0;
  for (enum problem_field field = 0; field < FIELD_COUNT; field++) {
    long long shape[3];
    problem_field_shape(problem->cells, field, shape);
    if (problem->has[field])
      bytes += sizeof(double) * (double)shape[0] * (double)shape[1] * (double)shape[2];
  }
  return bytes;
}

static int write_problem(struct make_request *request, const struct output *output,
                         struct progress *progress, struct failure *failure)
{
  struct case_values values;
  case_start(request->kind, &request->problem, &request->medium, request->noise, &values, failure);
  if (!parallel_agree(failure)) {
    hid_t file = file_create(output, field_bytes(&request->problem), failure);
    int error = file < 0 || write_names(file, request);
    for (enum problem_field field = 0; field < FIELD_COUNT && !error; field++)
      if (request->problem.has[field]) {
        progress_begin(progress, "writing", problem_field_name(field));
        error = write_field(file, output->temporary, &values, field, progress, failure);
        progress_end(progress);
      }
    file_finish(file, error, output, failure);
  }
  case_clear(&values);
  return failure->status;
}

int make_run(int count, char **words, struct failure *failure)
{
  struct make_request request;
  struct output output;
  struct progress progress;
  char name[PATH_MAX];
  make_request_parse(count, words, &request, failure);
  if (!failure->status && request.help && parallel_rank() == 0)
    make_request_help();
  if (!failure->status && !request.help) {
    snprintf(name, sizeof name, "%s.h5", request.kind->name);
    const char *path = request.output ? request.output : name;
    const int *cells = request.problem.cells;
    progress_start(&progress, request.quiet);
    if (!output_prepare(path, 0, &output, failure)
        && !write_problem(&request, &output, &progress, failure))
      progress_line(&progress, "wrote %s: case %s, %d x %d x %d cells", path, request.kind->name,
                    cells[0], cells[1], cells[2]);
  }
  make_request_clear(&request);
  return failure->status;
}

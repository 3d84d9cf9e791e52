#include "make.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "cases.h"
#include "config.h"
#include "file.h"
#include "names.h"
#include "output.h"
#include "parallel.h"
#include "progress.h"

enum make_option {
  MAKE_CASE,
  MAKE_CELLS,
  MAKE_OUTPUT,
  MAKE_LOWER,
  MAKE_UPPER,
  MAKE_A,
  MAKE_B,
  MAKE_RATIO,
  MAKE_RADIUS,
  MAKE_QUIET,
  MAKE_HELP,
  MAKE_OPTIONS
};
static const struct option make_options[MAKE_OPTIONS] = {
  [MAKE_CASE] = {"case", OPTION_VALUE, "NAME", "which problem"},
  [MAKE_CELLS] = {"cells", OPTION_VALUE, "NX,NY,NZ", "cells; one number for a cube"},
  [MAKE_OUTPUT] = {"output", OPTION_VALUE, "FILE.h5", "the file to write; default NAME.h5"},
  [MAKE_LOWER] = {"lower", OPTION_VALUE, "X,Y,Z", "low corner; default 0,0,0"},
  [MAKE_UPPER] = {"upper", OPTION_VALUE, "X,Y,Z", "high corner; default: equal spacing, the longest side 1"},
  [MAKE_A] = {"a", OPTION_VALUE, "A", "factor a of the equation; default: the case's"},
  [MAKE_B] = {"b", OPTION_VALUE, "B", "factor b of the equation; default 1"},
  [MAKE_RATIO] = {"ratio", OPTION_VALUE, "R", "sphere: beta inside over beta outside; default 1000"},
  [MAKE_RADIUS] = {"radius", OPTION_VALUE, "R", "sphere: its radius; default a quarter of the shortest side"},
  [MAKE_QUIET] = {"quiet", OPTION_FLAG, "", "print nothing but errors"},
  [MAKE_HELP] = {"help", OPTION_FLAG, "", "this text"},
};

struct request {
  const struct case_kind *kind;
  const char *given[MAKE_OPTIONS]; /* texts; "" for a flag */
  struct problem problem;
  double ratio, radius;
};

static int take(void *user, int option, const char *value, struct failure *failure)
{
  (void)failure;
  struct request *request = user;
  request->given[option] = value ? value : "";
  return 0;
}

/* `count` numbers separated by commas; one number stands for all if alone is set. */
static int parse_numbers(enum make_option option, const char *text, int count, int alone, double *values,
                         struct failure *failure)
{
  int found = 0;
  const char *at = text;
  char *end;
  for (; found < count; found++, at = end + 1) {
    values[found] = strtod(at, &end);
    if (end == at || !isfinite(values[found]))
      break;
    if (!*end) {
      found++;
      at = end;
      break;
    }
    if (*end != ',')
      break;
  }
  if (!*at && at > text && at[-1] != ',' && found == count)
    return 0;
  if (!*at && at > text && at[-1] != ',' && found == 1 && alone) {
    for (int n = 1; n < count; n++)
      values[n] = values[0];
    return 0;
  }
  return failure_set(failure, STATUS_INPUT, "--%s: '%s' is not %s", make_options[option].name, text,
                     count == 1 ? "a number"
                       : alone  ? "three numbers with commas between them, or one"
                                : "three numbers with commas between them");
}

static int parse_case(struct request *request, struct failure *failure)
{
  const char *names[16];
  char list[400], nearest[100];
  for (int n = 0; n < case_count; n++)
    names[n] = case_kinds[n].name;
  names_list(names, case_count, list, sizeof list);
  const char *name = request->given[MAKE_CASE];
  if (!name)
    return failure_set(failure, STATUS_INPUT, "gmg make needs --case NAME, one of %s", list);
  int found = names_find(name, names, case_count);
  names_suggest(name, names, case_count, nearest, sizeof nearest);
  if (found < 0)
    return failure_set(failure, STATUS_INPUT, "--case: '%s' is not one of %s%s", name, list, nearest);
  request->kind = &case_kinds[found];
  for (int option = MAKE_RATIO; option <= MAKE_RADIUS; option++)
    if (request->given[option] && request->kind->coefficient != BETA_SPHERE)
      return failure_set(failure, STATUS_INPUT, "--%s is of --case sphere, not of --case %s", make_options[option].name,
                         name);
  return 0;
}

static int parse_grid(struct request *request, struct failure *failure)
{
  struct problem *problem = &request->problem;
  double cells[3], most = 0;
  if (!request->given[MAKE_CELLS])
    return failure_set(failure, STATUS_INPUT, "gmg make needs --cells NX,NY,NZ");
  if (parse_numbers(MAKE_CELLS, request->given[MAKE_CELLS], 3, 1, cells, failure))
    return failure->status;
  for (int d = 0; d < 3; d++) {
    if (!(cells[d] >= 1 && cells[d] <= 1 << 30) || cells[d] != floor(cells[d]))
      return failure_set(failure, STATUS_INPUT, "--cells: '%s' are not whole numbers from 1 to 2^30",
                         request->given[MAKE_CELLS]);
    problem->cells[d] = (int)cells[d];
    most = fmax(most, cells[d]);
  }
  if (cells[0] * cells[1] * cells[2] > 1099511627776.)
    return failure_set(failure, STATUS_INPUT, "--cells: '%s' are more than 2^40 cells in all",
                       request->given[MAKE_CELLS]);
  if (request->given[MAKE_LOWER]
      && parse_numbers(MAKE_LOWER, request->given[MAKE_LOWER], 3, 1, problem->lower, failure))
    return failure->status;
  for (int d = 0; d < 3; d++)
    problem->upper[d] = problem->lower[d] + cells[d] / most;
  if (request->given[MAKE_UPPER]
      && parse_numbers(MAKE_UPPER, request->given[MAKE_UPPER], 3, 1, problem->upper, failure))
    return failure->status;
  for (int d = 0; d < 3; d++)
    if (!(problem->upper[d] > problem->lower[d]))
      return failure_set(failure, STATUS_INPUT, "--lower and --upper are %g and %g in %c, expected lower < upper",
                         problem->lower[d], problem->upper[d], "xyz"[d]);
  return 0;
}

static int parse_constants(struct request *request, struct failure *failure)
{
  struct problem *problem = &request->problem;
  struct {
    enum make_option option;
    double *value, least;
    int above; /* strictly */
  } constants[] = {{MAKE_A, &problem->a, 0, 0},
                   {MAKE_B, &problem->b, 0, 1},
                   {MAKE_RATIO, &request->ratio, 0, 1},
                   {MAKE_RADIUS, &request->radius, 0, 1}};
  problem->a = request->kind->a;
  problem->b = 1;
  request->ratio = 1000;
  request->radius = INFINITY;
  for (int d = 0; d < 3; d++)
    request->radius = fmin(request->radius, 0.25 * (problem->upper[d] - problem->lower[d]));
  for (int n = 0; n < 4; n++) {
    const char *text = request->given[constants[n].option];
    if (!text)
      continue;
    if (parse_numbers(constants[n].option, text, 1, 0, constants[n].value, failure))
      return failure->status;
    if (*constants[n].value < 0 || (constants[n].above && *constants[n].value == 0))
      return failure_set(failure, STATUS_INPUT, "--%s: '%s' is not a number %s 0",
                         make_options[constants[n].option].name, text, constants[n].above ? ">" : ">=");
  }
  return 0;
}

static int write_field(hid_t file, const char *path, const struct case_values *values, enum problem_field field,
                       struct progress *progress, struct failure *failure)
{
  long long shape[3], ranks = parallel_ranks(), rank = parallel_rank();
  problem_field_shape(values->problem->cells, field, shape);
  const hsize_t file_shape[3] = {(hsize_t)shape[2], (hsize_t)shape[1], (hsize_t)shape[0]};
  const int lower[3] = {0, 0, (int)(rank * shape[2] / ranks)},
            upper[3] = {(int)shape[0], (int)shape[1], (int)((rank + 1) * shape[2] / ranks)};
  struct file_blocks blocks = file_blocks_of(lower, upper);
  double *block = malloc((file_block_elements(&blocks) + 1) * sizeof *block);
  if (!block)
    failure_memory(failure, (double)file_block_elements(&blocks) * sizeof *block, "a block of planes");
  hid_t dataset = parallel_agree(failure) ? -1 : file_create_dataset(file, problem_field_name(field), 3, file_shape);
  int error = dataset < 0 || file_reserve(dataset, path) < 0;
  for (int round = 0; round < blocks.rounds && !error; round++) {
    int from[3], to[3];
    file_block(&blocks, round, from, to);
    case_fill(values, field, from, to, block);
    error = (int)parallel_max(file_write(dataset, from, to, block) < 0);
    progress_step(progress, (round + 1.) / blocks.rounds);
  }
  free(block);
  if (dataset >= 0 && file_note(H5Dclose(dataset)) < 0)
    error = 1;
  return error ? -1 : 0;
}

/* Everything but the fields. */
static int write_names(hid_t file, const struct request *request)
{
  const struct problem *problem = &request->problem;
  const int version = 1;
  double *const faces[3] = {NULL, NULL, NULL};
  if (file_put_text(file, "format", "gmg-problem") < 0 || file_put_integers(file, "version", &version, 0) < 0
      || file_put_grid(file, problem->cells, problem->lower, problem->upper, faces) < 0)
    return -1;
  hid_t equation = file_note(H5Gcreate2(file, "equation", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  hid_t boundary = file_note(H5Gcreate2(file, "boundary", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  hid_t user = file_note(H5Gcreate2(file, "user", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  int error = equation < 0 || boundary < 0 || user < 0 || file_put_doubles(equation, "a", &problem->a, 0) < 0
    || file_put_doubles(equation, "b", &problem->b, 0) < 0
    || file_put_text(user, "made_by", "gmg make, version " GMG_VERSION) < 0
    || file_put_text(user, "case", request->kind->name) < 0;
  if (request->kind->coefficient == BETA_SPHERE)
    error = error || file_put_doubles(user, "ratio", &request->ratio, 0) < 0
      || file_put_doubles(user, "radius", &request->radius, 0) < 0;
  for (int s = 0; s < 6 && !error; s++)
    error = file_put_text(boundary, problem_side_names[s], problem_boundary_name(problem->side[s].kind)) < 0;
  const hid_t groups[3] = {equation, boundary, user};
  for (int n = 0; n < 3; n++)
    if (groups[n] >= 0)
      H5Gclose(groups[n]);
  return error ? -1 : 0;
}

static int write_problem(struct request *request, const struct output *output, struct progress *progress,
                         struct failure *failure)
{
  struct case_values values;
  case_start(request->kind, &request->problem, &values, failure);
  values.ratio = request->ratio;
  values.radius = request->radius;
  if (!parallel_agree(failure)) {
    hid_t file = file_create(output->temporary);
    int error = file < 0 || write_names(file, request) < 0;
    for (int field = 0; field < FIELD_COUNT && !error; field++)
      if (request->problem.has[field]) {
        progress_begin(progress, problem_field_name((enum problem_field)field));
        error = write_field(file, output->temporary, &values, (enum problem_field)field, progress, failure) < 0;
        progress_end(progress);
      }
    if (file >= 0 && file_close(file) < 0)
      error = 1;
    if (error)
      failure_set(failure, STATUS_MACHINE, "%s could not be written: %s", output->path, file_reason());
    output_finish(output, failure);
  }
  case_clear(&values);
  return failure->status;
}

static void print_help(void)
{
  printf("gmg make writes a problem file for gmg --input.\n\n");
  arguments_print(make_options, MAKE_OPTIONS);
  printf("\nCases:\n");
  for (int n = 0; n < case_count; n++)
    printf("  %-16s %s\n", case_kinds[n].name, case_kinds[n].help);
}

int make_run(int count, char **words, struct failure *failure)
{
  struct request request = {0};
  struct output output;
  struct progress progress;
  char name[PATH_MAX];
  if (arguments_scan(count, words, make_options, MAKE_OPTIONS, take, &request, failure))
    return failure->status;
  if (request.given[MAKE_HELP]) {
    if (parallel_rank() == 0)
      print_help();
    return 0;
  }
  if (parse_case(&request, failure) || parse_grid(&request, failure) || parse_constants(&request, failure))
    return failure->status;
  snprintf(name, sizeof name, "%s.h5", request.kind->name);
  const char *path = request.given[MAKE_OUTPUT] ? request.given[MAKE_OUTPUT] : name;
  progress_start(&progress, request.given[MAKE_QUIET] != NULL);
  if (output_prepare(path, 0, &output, failure) || write_problem(&request, &output, &progress, failure))
    return failure->status;
  const int *cells = request.problem.cells;
  progress_line(&progress, "wrote %s: case %s, %d x %d x %d cells", path, request.kind->name, cells[0], cells[1],
                cells[2]);
  return 0;
}

#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "problem.h"
#include "progress.h"
#include "values.h"

static const double most_cells_read = 1e5; /* damaged extents would otherwise take all the time */

hid_t reader_access(const void *image, size_t size)
{
  enum { GROWTH = 1 << 16 };
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  file_silence();
  H5Pset_fapl_core(access, GROWTH, 0);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  if (image)
    H5Pset_file_image(access, (void *)(size_t)image, size);
  return access;
}

static void check_values(hid_t file, const struct problem *problem, struct failure *failure)
{
  struct progress progress;
  progress_start(&progress, 1);
  struct values values = {.path = "fuzz.h5", .problem = problem, .file = file, .progress = &progress};
  double cells = 1;
  for (int d = 0; d < 3; d++) {
    values.upper[d] = problem->cells[d];
    cells *= problem->cells[d];
  }
  if (cells <= most_cells_read)
    values_check(&values, failure);
}

void reader_run(hid_t file)
{
  static struct failure failure;
  struct problem problem;
  failure.status = 0;
  failure.text[0] = 0;
  if (!problem_read_file(file, "fuzz.h5", &problem, &failure))
    check_values(file, &problem, &failure);
  problem_clear(&problem);
  H5Fclose(file);
  int sentence = strncmp(failure.text, "fuzz.h5", 7) == 0 && strlen(failure.text) > 20 && !strchr(failure.text, '\n');
  if (failure.status == STATUS_INPUT && !sentence) {
    fprintf(stderr, "not a message: %s\n", failure.text);
    abort();
  }
}

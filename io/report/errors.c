#include "errors.h"

#include <math.h>
#include <string.h>

#include "file/file.h"
#include "common/parallel.h"

struct sums {
  const struct values *values;
  const double *u;
  double mean; /* taken off exact */
  double volume, exact, error,
    max; /* ∫ 1, ∫ exact or ∫ (exact - mean)², ∫ (u - exact + mean)², max */
};

static double width(const struct problem *problem, int axis, int cell)
{
  if (problem->stretched[axis])
    return problem->faces[axis][cell + 1] - problem->faces[axis][cell];
  return (problem->upper[axis] - problem->lower[axis]) / problem->cells[axis];
}

static void add_mean(void *user, const int from[3], const int to[3], const double *block)
{
  struct sums *sums = user;
  const struct problem *problem = sums->values->problem;
  for (int k = from[2]; k < to[2]; k++)
    for (int j = from[1]; j < to[1]; j++) {
      double area = width(problem, 2, k) * width(problem, 1, j);
      for (int i = from[0]; i < to[0]; i++) {
        double volume = area * width(problem, 0, i);
        sums->volume += volume;
        sums->exact += volume * *block++;
      }
    }
}

static void add_error(void *user, const int from[3], const int to[3], const double *block)
{
  struct sums *sums = user;
  const struct problem *problem = sums->values->problem;
  const int done[3] = {to[0], to[1], from[2]};
  const double *u = sums->u + file_elements(sums->values->lower, done);
  for (int k = from[2]; k < to[2]; k++)
    for (int j = from[1]; j < to[1]; j++) {
      double area = width(problem, 2, k) * width(problem, 1, j);
      for (int i = from[0]; i < to[0]; i++) {
        double volume = area * width(problem, 0, i), exact = *block++ - sums->mean,
               error = *u++ - exact;
        sums->volume += volume;
        sums->exact += volume * exact * exact;
        sums->error += volume * error * error;
        if (!(fabs(error) <= sums->max))
          sums->max = fabs(error);
      }
    }
}

int errors_measure(struct values *values, const double *u, int singular, struct error_norms *norms,
                   struct failure *failure)
{
  struct sums sums = {.values = values, .u = u};
  if (singular) {
    if (values_read(values, FIELD_EXACT, NULL, add_mean, &sums, failure))
      return failure->status;
    double total[2] = {sums.volume, sums.exact};
    parallel_sum(total, 2);
    sums = (struct sums){.values = values, .u = u, .mean = total[1] / total[0]};
  }
  if (values_read(values, FIELD_EXACT, NULL, add_error, &sums, failure))
    return failure->status;
  double total[3] = {sums.volume, sums.exact, sums.error};
  parallel_sum(total, 3);
  parallel_max_values(&sums.max, 1);
  norms->present = 1;
  norms->max = sums.max;
  norms->l2 = sqrt(total[2] / total[0]);
  norms->relative = total[2] > 0 ? sqrt(total[2] / total[1]) : total[2];
  return 0;
}

#include "errors.h"

#include <math.h>

#include "file/file.h"
#include "common/parallel.h"

struct sums {
  const struct values *values;
  const double *u; /* NULL while the mean of exact is found */
  double mean;     /* taken off exact */
  double volume, exact, error,
    max; /* ∫ 1, ∫ exact or ∫ (exact - mean)², ∫ (u - exact + mean)², max */
};

static double width(const struct problem *problem, int axis, int cell)
{
  if (problem->stretched[axis])
    return problem->faces[axis][cell + 1] - problem->faces[axis][cell];
  return (problem->upper[axis] - problem->lower[axis]) / problem->cells[axis];
}

static void add(void *user, const int from[3], const int to[3], const double *block)
{
  struct sums *sums = user;
  const struct problem *problem = sums->values->problem;
  const int done[3] = {to[0], to[1], from[2]};
  const double *u = sums->u ? sums->u + file_elements(sums->values->lower, done) : NULL;
  for (int k = from[2]; k < to[2]; k++)
    for (int j = from[1]; j < to[1]; j++) {
      double area = width(problem, 2, k) * width(problem, 1, j);
      for (int i = from[0]; i < to[0]; i++) {
        double volume = area * width(problem, 0, i), exact = *block++ - sums->mean;
        sums->volume += volume;
        if (!u) {
          sums->exact += volume * exact;
          continue;
        }
        double error = *u++ - exact;
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
  double total[3] = {1, 0, 0};
  struct sums sums;
  for (int pass = singular ? 0 : 1; pass < 2; pass++) {
    sums = (struct sums){.values = values, .u = pass ? u : NULL, .mean = total[1] / total[0]};
    if (values_read(values, FIELD_EXACT, NULL, add, &sums, failure))
      return failure->status;
    total[0] = sums.volume;
    total[1] = sums.exact;
    total[2] = sums.error;
    parallel_sum(total, 3);
  }
  parallel_max_values(&sums.max, 1);
  norms->present = 1;
  norms->max = sums.max;
  norms->l2 = sqrt(total[2] / total[0]);
  norms->relative = total[2] > 0 ? sqrt(total[2] / total[1]) : total[2];
  return 0;
}

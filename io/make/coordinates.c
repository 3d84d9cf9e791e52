#include "coordinates.h"

#include <math.h>
#include <stdlib.h>

double coordinate_face(const struct problem *problem, int axis, int face)
{
  if (!problem->faces[axis])
    return (double)face / problem->cells[axis];
  return (problem->faces[axis][face] - problem->lower[axis]) / problem_extent(problem, axis);
}

double coordinate_centre(const struct problem *problem, int axis, int cell)
{
  if (!problem->faces[axis])
    return (cell + 0.5) / problem->cells[axis];
  return 0.5 * (coordinate_face(problem, axis, cell) + coordinate_face(problem, axis, cell + 1));
}

int coordinates_stretch(struct problem *problem, int axis, double ratio, int cells,
                        struct failure *failure)
{
  const int n = problem->cells[axis];
  const double growth = log(ratio) * (cells ? cells : n), lower = problem->lower[axis],
               extent = problem_extent(problem, axis);
  double *faces = problem->faces[axis] = malloc(((size_t)n + 1) * sizeof *faces);
  if (!faces)
    return failure_memory(failure, (n + 1.) * sizeof *faces, "coordinates");
  problem->stretched[axis] = 1;
  for (int i = 0; i <= n; i++)
    faces[i] = lower + extent * (expm1(growth * i / n) / expm1(growth));
  faces[n] = problem->upper[axis];
  return 0;
}

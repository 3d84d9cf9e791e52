#include "solver_notes.h"

#include <string.h>

const char *solver_note(const gmg_solver *solver, int n)
{
  static const char unused[] = "wisdom was not used";
  const char *note = gmg_solver_fallback(solver, 0);
  for (int all = 0; note; note = gmg_solver_fallback(solver, ++all))
    if (strncmp(note, unused, sizeof unused - 1) != 0 && n-- == 0)
      break;
  return note;
}

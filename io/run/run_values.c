#include "run_values.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int run_values_cells(const char *text, struct run_request *request, struct failure *failure)
{
  const char *at = text;
  double all = 1;
  while (request->directions < 3) {
    char *end;
    errno = 0;
    const long cells = strtol(at, &end, 10);
    if (end == at || errno || cells < 1 || cells > 1 << 30)
      break;
    request->cells[request->directions++] = (int)cells;
    all *= (double)cells;
    if (!*end && all <= 0x1p40)
      return 0;
    if (*end != ',')
      break;
    at = end + 1;
  }
  return failure_set(failure, STATUS_INPUT,
                     "--cells: found '%s', expected one to three whole numbers from 1 to 2^30, "
                     "NX,NY,NZ, and at most 2^40 cells in all",
                     text);
}

int run_values_sets(const char *text, struct run_request *request, struct failure *failure)
{
  for (const char *at = text; *at;) {
    const size_t name = strcspn(at, "=,");
    char *end = NULL;
    if (request->sets == RUN_MOST_SETS)
      return failure_set(failure, STATUS_INPUT, "--set: more than %d parameters", RUN_MOST_SETS);
    const double value = at[name] == '=' ? strtod(at + name + 1, &end) : 0;
    if (!end || end == at + name + 1 || name == 0 || name >= RUN_NAME || !isfinite(value)
        || (*end && *end != ','))
      return failure_set(failure, STATUS_INPUT,
                         "--set: found '%s', expected NAME=NUMBER, or several with commas between",
                         at);
    memcpy(request->set[request->sets].name, at, name);
    request->set[request->sets].name[name] = 0;
    request->set[request->sets++].value = value;
    at = *end ? end + 1 : end;
  }
  return 0;
}

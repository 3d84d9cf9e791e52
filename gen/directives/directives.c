#include "directives.h"

#include "events.h"
#include "frontend/formula.h"
#include "frontend/frontend.h"
#include "helpers.h"
#include "steps.h"
#include "walls.h"

#include <string.h>

/* The function that has directives; NULL after a rejection. */
static const struct gen_function *find_function(const struct gen_directives *directives,
                                                const char *word,
                                                const struct gen_function *const *function,
                                                int count)
{
  const struct gen_function *found = NULL;
  for (int f = 0; f < count; f++) {
    if (!gen_has_marks(directives, function[f]->body))
      continue;
    if (found) {
      gen_reject(function[f]->where,
                 "'%s' has directives, and '%s' in line %d, too: one function of a file may",
                 function[f]->name, found->name, found->where.line);
      return NULL;
    }
    found = function[f];
  }
  if (!found)
    gen_reject((struct gen_location){.file = directives->path, .line = 1, .column = 1},
               "no function has directives '#pragma %s': there is nothing to translate", word);
  return found;
}

/* With the calls of simple functions of the file taken in. */
static void take_function(struct gen_translation *translation, const struct gen_function *marked,
                          const struct gen_function *const *function, int count)
{
  struct gen_function *taken = gen_allocate(sizeof *taken);
  *taken = *marked;
  taken->body = gen_inline_helpers(function, count, marked->body);
  translation->function = taken;
  translation->functions = function;
  translation->function_count = count;
}

bool gen_parse_directives(const char *path, const char *from, const char *const *extra_args,
                          int nargs, struct gen_program **program, struct gen_translation **read)
{
  static const char *const own[] = {"-std=gnu11", "-Wno-implicit-function-declaration"};
  enum { OWN = sizeof own / sizeof *own };
  struct gen_directives *directives = gen_allocate(sizeof *directives);
  struct gen_translation *translation = gen_allocate(sizeof *translation);
  const struct gen_function **function;
  const char **args = gen_allocate((size_t)(nargs + OWN) * sizeof *args);
  const char *text = gen_read_text(path);
  int functions = 0;
  if (read)
    *read = translation;
  memcpy(args, own, sizeof own);
  for (int n = 0; n < nargs; n++)
    args[OWN + n] = extra_args[n];
  translation->directives = translation->scope.directives = directives;
  translation->formula.program = *program = gen_allocate(sizeof **program);
  (*program)->path = path;
  (*program)->name = gen_program_name(path);
  if (!text || !gen_read_directives(path, text, from, directives)
      || !gen_read_functions(path, directives->marked, args, nargs + OWN, &function, &functions))
    return false;
  const struct gen_function *marked = find_function(directives, from, function, functions);
  bool fine = marked != NULL;
  if (fine)
    take_function(translation, marked, function, functions);
  for (int f = 0; fine && f < functions; f++)
    fine = gen_note_changes(&translation->scope, function[f]->body, function[f] != marked);
  return fine && gen_read_events(translation) && gen_read_walls(translation)
    && gen_make_steps(translation);
}

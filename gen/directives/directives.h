/* The front end for C with directives (docs/directives.md): a file's text to a program. */
#ifndef GEN_DIRECTIVES_H
#define GEN_DIRECTIVES_H

#include "directive.h"
#include "ir/program.h"

struct gen_translation;

/* Reads a C file whose serial loops are marked by directives, in one function. The steps that fill
 * ghosts are missing (check/ghosts.h adds them). Shape:   from is the directives' name; extra_args
 * go to the C compiler Memory:  *program lives until gen_clear Errors:  false after a rejection,
 * which names file, line and column, what was found and what was expected; *program is then
 * unusable. *translation, unless it is NULL, is what the file says (translation.h), as it stands
 * there. */
bool gen_parse_directives(const char *path, const char *from, const char *const *extra_args,
                          int nargs, struct gen_program **program,
                          struct gen_translation **translation);

#endif

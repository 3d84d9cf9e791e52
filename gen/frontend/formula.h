/* The front end for formula files (docs/programs.md): their text to a program. */
#ifndef GEN_FORMULA_H
#define GEN_FORMULA_H

#include "ir/program.h"

/* Reads a formula file. The program's steps are those of the text; the steps that fill ghosts are
 * missing (check/ghosts.h adds them).
 * Memory:  *program lives until gen_clear
 * Errors:  false after a rejection, which names file, line and column, what was found and what was
 * expected; *program is then unusable */
bool gen_parse_program(const char *path, struct gen_program **program);

/* The text of a file, with a 0 at its end. NULL after a rejection. */
const char *gen_read_text(const char *path);
/* A file's name without folder and ending, as a name: what a program is called. */
const char *gen_program_name(const char *path);

#endif

/* What was compiled, as files. */
#ifndef GEN_OUTPUT_H
#define GEN_OUTPUT_H

#include "compile.h"

/* Exit statuses: 0; 3, and a message on stderr, where something cannot be written. */

/* A C file for every file of the job, and registry.c; for the CPU also libraries.c, of the
 * instruction sets that isas names, separated by commas (NULL: without). */
int gen_write_folder(const struct gen_job *job, const char *folder, const char *isas, bool cuda);
/* The job's only file as text; path NULL: printed. */
int gen_write_text(const struct gen_job *job, const char *path, bool cuda);
/* The Galerkin products of the job's operators, with constant or linear interpolation, as C; path
 * NULL: printed. Exit status 1, and a message, where an operator has none, or there is none. */
int gen_write_galerkin(const struct gen_job *job, const char *path, bool constant);

#endif

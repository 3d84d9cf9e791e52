/* Files with the arrays of a program: format "gmg-arrays", version 1 (docs/programs.md). Results,
 * checkpoints and the files of a series are such files; those with initial values need the datasets
 * alone. */
#ifndef GMG_IO_ARRAYS_FILE_H
#define GMG_IO_ARRAYS_FILE_H

#include "common/progress.h"
#include "file/output.h"
#include "gmg_program.h"
#include "program_table.h"
#include "history.h"

/* What a file says of itself. */
struct arrays_header {
  int cells[3], step;
  int composed;         /* steps that were taken as one; 1: none */
  double parameter[32]; /* in the order of the program's */
};

/* Reads what a file that a run has written says, with the values of reductions so far, and refuses
 * one of another program. Errors: STATUS_INPUT. Calls: collective. */
int arrays_file_header(const char *path, const struct gmg_program_descriptor *made,
                       struct arrays_header *header, struct history *history,
                       struct failure *failure);
/* Reads the arrays that a file has, /u for u, and for what u was steps ago, where there is no
 * /u@-1; /ghosts/u for the values beyond walls, too. has[n]: which arrays were found. Errors:
 * STATUS_INPUT names file, dataset, what was found and expected. Calls: collective. */
int arrays_file_read(const char *path, gmg_program *program,
                     const struct gmg_program_descriptor *made, const int cells[3], int *has,
                     struct progress *progress, struct failure *failure);
/* Writes all that a restart needs. Appears whole or not at all. Errors: STATUS_MACHINE. Calls:
 * collective. */
int arrays_file_write(const struct output *output, gmg_program *program,
                      const struct gmg_program_descriptor *made, const struct arrays_header *header,
                      const struct history *history, struct progress *progress,
                      struct failure *failure);

#endif

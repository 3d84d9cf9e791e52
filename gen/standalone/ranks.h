/* The user's file with its marked loops run by this project's library: on all ranks, on GPUs. */
#ifndef GEN_STANDALONE_RANKS_H
#define GEN_STANDALONE_RANKS_H

#include "edits.h"

/* Puts calls of the library (gmg_program.h, gmg_marked_...) in the places of the marked loops.
 * False after a rejection. */
bool gen_put_calls(const struct gen_translation *translation, struct gen_edits *edits);
/* What stands before the file, after the program's own text: the program's name, and the back ends,
 * "openmp", "cuda" or "cuda,openmp". */
void gen_write_start(const struct gen_program *program, const char *backends,
                     struct gen_writer *writer);

#endif

/* The user's file with OpenMP's directives before its nests. */
#ifndef GEN_STANDALONE_OPENMP_H
#define GEN_STANDALONE_OPENMP_H

#include "edits.h"

/* head: takes what stands before the file. False after a rejection. */
bool gen_put_openmp(const struct gen_translation *translation, struct gen_edits *edits,
                    struct gen_writer *head);

#endif

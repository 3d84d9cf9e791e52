/* The user's file with OpenMP's directives in the places of Mint's. */
#ifndef GEN_STANDALONE_OPENMP_H
#define GEN_STANDALONE_OPENMP_H

#include "edits.h"

bool gen_put_openmp(const struct gen_translation *translation, struct gen_edits *edits);

#endif

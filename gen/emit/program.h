/* Text of whole programs. */
#ifndef GEN_EMIT_PROGRAM_H
#define GEN_EMIT_PROGRAM_H

#include "ir/program.h"
#include "ir/writer.h"

/* C of a whole program, which depends on nothing else. Sequential, it is the program's meaning;
 * with `threads` OpenMP shares the loops over cells, and gives the same bits. kernel[n]: the n-th
 * kernel in canonical form. */
void gen_emit_program(struct gen_writer *writer, const struct gen_program *program,
                      struct gen_kernel *const *kernel, bool threads);

#endif

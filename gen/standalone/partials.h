/* Sums over cells, largest and least values, in a CUDA file: of each thread block in a kernel, of
 * all of them on the host. */
#ifndef GEN_STANDALONE_PARTIALS_H
#define GEN_STANDALONE_PARTIALS_H

#include "nest.h"

/* The functions that the file then has: of a block, and of the host. */
void gen_write_partials(const struct gen_translation *translation, struct gen_writer *writer);
/* Arguments of the kernel: where the values of its blocks go. */
const char *gen_partial_arguments(const struct gen_nest_kernel *kernel);
/* What a thread begins with, and what it ends with. */
void gen_begin_partials(const struct gen_nest_kernel *kernel, struct gen_writer *writer);
void gen_end_partials(const struct gen_nest_kernel *kernel, struct gen_writer *writer);
/* The launch, with what finds the values of all blocks after it; count: of blocks; name, shape,
 * arguments: of the launch. */
const char *gen_partial_launch(const struct gen_nest_kernel *kernel, const char *count,
                               const char *shape, const char *arguments);

#endif

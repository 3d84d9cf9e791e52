/* CUDA kernels of nests, and how they are launched. */
#ifndef GEN_STANDALONE_KERNELS_H
#define GEN_STANDALONE_KERNELS_H

#include "nest.h"

/* The first lines of a kernel: its comment, its arguments, the brace. */
void gen_write_head(const struct gen_nest_kernel *kernel, struct gen_writer *writer,
                    const char *comment);
/* The strides of all arrays: row, plane. */
void gen_write_strides(const struct gen_nest_kernel *kernel, struct gen_writer *writer);
/* Where the visited cell lies in all arrays. */
void gen_write_indices(const struct gen_nest_kernel *kernel, struct gen_writer *writer);
/* An element so many cells from the visited one, in memory: "U[at - row]". */
const char *gen_element_in_memory(const struct gen_nest_kernel *kernel, int data,
                                  const int offset[GEN_MOST_SPACE]);

/* A kernel in which each thread has one point, or some along z, and all arrays stay in global
 * memory: cells at level 0, and ghosts. False after a rejection. */
bool gen_write_plain_kernel(struct gen_nest_kernel *kernel, struct gen_writer *writer);
/* A kernel over cells at the levels 1 to 4 (tiles.c). */
bool gen_write_tiled_kernel(struct gen_nest_kernel *kernel, struct gen_writer *writer);
/* The functions by which thread blocks bring planes to shared memory, as far as kernels call them;
 * type: of values; text: the file's. */
void gen_write_loaders(struct gen_writer *writer, const char *type, const char *text,
                       const char *kernels);
/* The launch, in the place of the nest; device: names of the arrays there, by number. */
const char *gen_launch_text(const struct gen_nest_kernel *kernel, const char *const *device);

#endif

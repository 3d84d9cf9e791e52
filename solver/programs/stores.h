/* How kernels of a program store on a host, one step at a time: past the caches where those hold
 * too little of the arrays, and with tiles that read memory in long runs. */
#ifndef GMG_PROGRAMS_STORES_H
#define GMG_PROGRAMS_STORES_H

#include "program.h"

/* Whether the arrays are more than the caches hold. */
int gmg_stores_large(const struct gmg_program *program);
/* Whether a kernel that visits no ghosts stores past the caches, if it can. */
int gmg_stores_stream(const struct gmg_program *program,
                      const struct gmg_kernel_descriptor *kernel);
/* The tiles of kernels on boxes like the program's. */
struct gmg_tile_shape gmg_stores_shape(const struct gmg_program *program);

#endif

/* How kernels of a program store on a host, one step at a time: past the caches where those hold
 * too little of the arrays, and with tiles that read memory in long runs. */
#ifndef GMG_PROGRAMS_STORES_H
#define GMG_PROGRAMS_STORES_H

#include "program.h"

/* Finds what the caches hold, and the tiles of kernels on boxes like the program's. */
void gmg_stores_plan(struct gmg_program *program);
/* Bytes that stay in a thread's caches, the second level or a near third one. */
double gmg_stores_room(int threads);
/* Whether a kernel that visits no ghosts stores past the caches, if it can. */
int gmg_stores_stream(const struct gmg_program *program,
                      const struct gmg_kernel_descriptor *kernel);

#endif

/* Passes: several kernels in one sweep over memory. Calls that follow each other on one level are
 * collected, and run when something asks for their result: stage after stage on each plane, every
 * stage as many planes and rows behind the one before as its stencil reaches, so that a plane is
 * read from memory once for all of them. The threads take strips of rows in turn, each strip some
 * planes behind the one before. The results are bitwise those of the kernels one by one. */
#ifndef GMG_OPENMP_PASS_H
#define GMG_OPENMP_PASS_H

#include <stddef.h>

struct gmg_call;
struct gmg_pass;

/* Memory: gives the (empty) pass; NULL out of memory. A context has one. */
struct gmg_pass *gmg_pass_create(void);
void gmg_pass_destroy(struct gmg_pass **pass);
/* Takes a call, as its arguments stand now, if it can run in a pass: passes run on its level
 * (solver/setup/overlap.h), and the call fits after those collected so far (which run first if it
 * does not). Returns 0 if the call must run by itself. */
int gmg_pass_take(struct gmg_pass *pass, struct gmg_call *call);
/* Runs what was collected. */
void gmg_pass_flush(struct gmg_pass *pass);

/* Scratch for kernels: the context's, for what runs at a time. Room for a call that needs so many
 * bytes, and for others of one pass with it, as long as the context lasts; runs what was collected.
 * Returns -1 out of memory. */
int gmg_pass_room(struct gmg_pass *pass, size_t bytes);
/* For a call that runs by itself, while nothing is collected. */
void *gmg_pass_scratch(struct gmg_pass *pass);

#endif

/* Passes: several kernels in one sweep over memory. Calls that follow each other on one level are collected, and run when
 * something asks for their result: stage after stage on each plane, every stage as many planes and rows behind the one before
 * as its stencil reaches, so that a plane is read from memory once for all of them. The threads take strips of rows in turn,
 * each strip some planes behind the one before. The results are bitwise those of the kernels one by one. */
#ifndef GMG_OPENMP_PASS_H
#define GMG_OPENMP_PASS_H

#include "launch.h"

struct gmg_pass;

/* Memory: gives the (empty) pass; NULL out of memory. A context has one. */
struct gmg_pass *gmg_pass_create(void);
void gmg_pass_destroy(struct gmg_pass **pass);
/* Takes a call, as its arguments stand now, if it can run in a pass: passes run on its level (solver/overlap.h), and
 * the call fits behind those collected so far (which run first if it does not).
 * Returns 0 if the call must run by itself. */
int gmg_pass_take(struct gmg_pass *pass, struct gmg_call *call);
/* Runs what was collected. */
void gmg_pass_flush(struct gmg_pass *pass);

#endif

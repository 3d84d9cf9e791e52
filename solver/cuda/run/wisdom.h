/* What wisdom is told of the device and its kernels. Subjects are "kernel SYMBOL". */
#ifndef GMG_CUDA_WISDOM_H
#define GMG_CUDA_WISDOM_H

#include "cuda/runtime/modules.h"
#include "runtime/backend.h"
#include "runtime/launch.h"
#include "runtime/placement.h"
#include "tuning/wisdom.h"

/* Of the table of functions (runtime/backend.h). */
void gmg_cuda_identify(gmg_context *context, struct gmg_wisdom_key *key);
int gmg_cuda_source(const char *subject, char *hash, size_t size);
int gmg_cuda_allows(const char *subject, const char *name, const char *word, int number);

/* Whether a kernel has that form, and the form runs in that shape. */
int gmg_wisdom_legal(const struct gmg_wanted *wanted);
/* How a call's kernel is launched by default: on all boxes of this rank at once, by thread blocks
 * that are not far wider than they are. */
struct gmg_wanted gmg_wisdom_usual(const struct gmg_call *call);
/* How a call's kernel is to be launched: as wisdom has it for its level, and then `optional` is 1;
 * or by default, with `refused` where wisdom's choice is not legal or its grid too large. */
struct gmg_wanted gmg_wisdom_wanted(const struct gmg_call *call);
/* The subject and the extents of a call's kernel on its level; and the choices. */
void gmg_wisdom_subject(const struct gmg_call *call, struct gmg_wisdom_entry *entry);
/* Writes a form and shape in words: "form=march block_i=64 ...". */
void gmg_wisdom_write(const struct gmg_loaded *loaded, char *text, size_t size);
/* Says in which form and shape a prepared call's kernel runs, or why not in wisdom's: in the call's
 * statistics and the placement. */
void gmg_wisdom_describe(struct gmg_placement *placement, struct gmg_call *call);
void gmg_wisdom_put(const struct gmg_wanted *wanted, struct gmg_wisdom_entry *entry);

#endif

/* Which shapes of a kernel have far too few registers, from those that were seen to. */
#ifndef GMG_CUDA_SPILLS_H
#define GMG_CUDA_SPILLS_H

#include "cuda/runtime/modules.h"

enum { GMG_SPILLS = 256 };

/* Of a form in which a thread computes so many rows and planes: registers that it may have, and
 * that are far too few. */
struct gmg_spilled {
  const struct gmg_cuda_form *form;
  int rows, planes, unroll, registers;
};

struct gmg_spills {
  int count;
  struct gmg_spilled known[GMG_SPILLS];
};

/* Notes that a candidate spilled so many bytes for each thread. A few say nothing of other shapes:
 * the compiler's choice among registers is not monotone. */
void gmg_spills_note(struct gmg_spills *spills, const struct gmg_wanted *wanted, int bytes);
/* Returns whether a candidate will spill: one whose threads do the same, and may have at least as
 * many registers, spilled many bytes. */
int gmg_spills_foretold(const struct gmg_spills *spills, const struct gmg_wanted *wanted);

#endif

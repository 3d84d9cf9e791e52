/* The kernel of a nest. */
#ifndef GEN_KERNELS_H
#define GEN_KERNELS_H

#include "values.h"

/* Makes the kernel of an event's nest, and the step that runs it; program_array: by data. Returns
 * false after a rejection. */
bool gen_make_kernel(struct gen_translation *translation, const struct gen_event *event,
                     const int *program_array);
/* Makes a statement of the nest. Returns false after a rejection. */
bool gen_make_statement(struct gen_making *making, const struct gen_syntax *syntax);

#endif

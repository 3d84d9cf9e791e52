/* From the syntax of a C function to a kernel of the compiler's own tree. */
#ifndef GEN_LOWER_H
#define GEN_LOWER_H

#include "syntax.h"

/* NULL after a rejection, which names the offending text. */
struct gen_kernel *gen_lower(const struct gen_function *function);

#endif

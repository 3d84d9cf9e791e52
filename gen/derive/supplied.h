/* What the solver supplies to an operator: arrays and numbers, by name. */
#ifndef GEN_SUPPLIED_H
#define GEN_SUPPLIED_H

#include "ir/tree.h"

/* Checks that an operator asks for nothing else, and has each array where the solver has it.
 * Rejects the first one that is not so, with the names that are known. */
bool gen_check_supplied(struct gen_session *session, const struct gen_kernel *source);

#endif

/* Functions of the file that loops call: what a call of a simple one computes takes its place. */
#ifndef GEN_HELPERS_H
#define GEN_HELPERS_H

#include "frontend/syntax.h"

/* In a function's body, every call of a function that the file defines, and that holds nothing but
 * declarations with values and one `return` of a number, becomes the value that it returns, with
 * the arguments in the places of the parameters. Other calls stay as they are, and where they stand
 * in loops over cells are refused later: gen_helper_fault says why. Returns the new body; the old
 * one is changed, too. */
const struct gen_syntax *gen_inline_helpers(const struct gen_function *const *function, int count,
                                            const struct gen_syntax *body);
/* What keeps a call of a function of the file from being taken in, from "because" on; NULL: the
 * file defines none of that name. */
const char *gen_helper_fault(const struct gen_function *const *function, int count,
                             const struct gen_syntax *call);

#endif

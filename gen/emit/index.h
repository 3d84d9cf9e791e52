/* Indices in emitted text. */
#ifndef GEN_EMIT_INDEX_H
#define GEN_EMIT_INDEX_H

#include "emit.h"

/* Returns the index of an access along one axis, as C. */
const char *gen_index_text(const struct gen_emitter *emitter, const struct gen_access *access,
                           enum gen_axis axis);
/* Returns the constant of an affine subscript where loop variable and array both count from their
 * first interior element. */
int gen_index_constant(const struct gen_emitter *emitter, const struct gen_array *array,
                       const struct gen_affine *affine, enum gen_axis axis);
/* Whether the array is a row buffer in OpenMP, and so a function of i in CUDA, which this is. */
bool gen_is_function(const struct gen_emitter *emitter, const struct gen_array *array);
/* Whether the cell of a GEN_ONLY is of its colour, as text. */
const char *gen_is_of_colour_text(const struct gen_emitter *emitter, const struct gen_expr *only);

#endif

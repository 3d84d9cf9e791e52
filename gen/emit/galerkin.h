/* A Galerkin product as plain sequential C in the vocabulary of operators (operators/stencil.h). */
#ifndef GEN_EMIT_GALERKIN_H
#define GEN_EMIT_GALERKIN_H

#include "derive/galerkin.h"
#include "ir/writer.h"

/* Writes kernels that compute the coarse weights from the fine level's fields, one for each plane
 * of coarse cells around the own one, so that none has too many fields. Such text is an input of
 * the compiler like any other. Lines of the fine level come as lines of the coarse one: NAME_at_N
 * has, for every coarse cell, NAME at the fine cell N after the first one in it. Rejects what has
 * no such form: tables, and fields of other levels. */
bool gen_emit_galerkin(const struct gen_galerkin *product, struct gen_writer *writer);

#endif

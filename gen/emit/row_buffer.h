/* Row buffers: values along a row of another level. */
#ifndef GEN_EMIT_ROW_BUFFER_H
#define GEN_EMIT_ROW_BUFFER_H

#include "emit.h"

/* Emits the loop that fills the buffer with the row's values, and adds up its norms. */
void gen_emit_row_buffer(struct gen_emitter *emitter, const struct gen_row *row,
                         struct gen_names *declared);

#endif

/* What the host does in a CUDA file: memory, copies, swaps, launches in the places of directives.
 */
#ifndef GEN_STANDALONE_HOST_H
#define GEN_STANDALONE_HOST_H

#include "edits.h"

struct gen_host {
  struct gen_translation *translation;
  struct gen_edits *edits;
  const char *device[GEN_MAX_PROGRAM_ARRAYS]; /* names of arrays there */
  const char *indent;                         /* of the block that has the region in it */
};

/* The first and the last statement, of one block, between which all that the steps do is done.
 * False after a rejection. */
bool gen_find_steps(const struct gen_translation *translation, const struct gen_syntax **first,
                    const struct gen_syntax **last);
/* Names the arrays on the device. */
void gen_name_device(struct gen_host *host);
/* Puts copies in the places of their directives, and those of arrays that have none around the
 * region. False after a rejection. */
bool gen_put_copies(struct gen_host *host);
/* Swaps arrays on the device where the host swaps its own. */
bool gen_put_swaps(struct gen_host *host);
/* Takes the other directives away. */
bool gen_drop_directives(struct gen_edits *edits);

#endif

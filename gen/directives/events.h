/* What a function with directives does: copies, nests and swaps, in their order. */
#ifndef GEN_EVENTS_H
#define GEN_EVENTS_H

#include "translation.h"

/* Reads the copies and the parallel region, with the time loop in it or around it, into events;
 * rejects what else is done there. */
bool gen_read_events(struct gen_translation *translation);

#endif

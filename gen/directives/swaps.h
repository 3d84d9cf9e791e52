/* Pointers that are exchanged: arrays that take turns. */
#ifndef GEN_SWAPS_H
#define GEN_SWAPS_H

#include "translation.h"

enum { GEN_MAX_TEMPORARIES = 16 };

/* What pointers point to since the last nest: an array by its number. */
struct gen_swaps {
  struct gen_translation *translation;
  int steps; /* assignments so far */
  struct gen_location where;
  int first; /* the array that is assigned first */
  int now[GEN_MAX_PROGRAM_ARRAYS];
  struct gen_location assigned[GEN_MAX_PROGRAM_ARRAYS]; /* where, last */
  int temporaries;
  struct {
    const struct gen_syntax *variable;
    int points;
  } temporary[GEN_MAX_TEMPORARIES];
};

/* Notes the assignment of a pointer. False after a rejection. */
bool gen_add_swap(struct gen_swaps *swaps, const struct gen_syntax *pointer,
                  const struct gen_syntax *value, const struct gen_syntax *syntax);
/* Notes swap(a, b). */
bool gen_exchange(struct gen_swaps *swaps, const struct gen_syntax *a, const struct gen_syntax *b,
                  const struct gen_syntax *syntax);
/* Makes an event of all assignments noted, if they move arrays: *any. Rejects arrays that would be
 * one and the same afterwards. */
bool gen_finish_swaps(struct gen_swaps *swaps, struct gen_event *event, bool *any);
/* Rejects arrays that are the same from the start: one pointer, or two set to one. */
bool gen_check_aliases(const struct gen_translation *translation);

#endif

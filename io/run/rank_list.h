/* Lists on the command line, A,B,..., of which each rank takes one: rank r the r-th, from the first
 * one anew where there are more ranks. */
#ifndef GMG_IO_RUN_RANK_LIST_H
#define GMG_IO_RUN_RANK_LIST_H

#include "common/failure.h"

enum { RANK_LIST_WORD = 64 };

/* The items of a list, at least 1. */
int rank_list_count(const char *list);
/* Item n, cut to what fits. Returns word. */
const char *rank_list_item(const char *list, int n, char word[RANK_LIST_WORD]);
/* The number of the item that this rank takes. */
int rank_list_own(const char *list);
/* Refuses more items than ranks. Errors: STATUS_INPUT. */
int rank_list_check(const char *option, const char *list, struct failure *failure);

#endif

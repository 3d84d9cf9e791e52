/* Single entries of wisdom and ordered lists of them. */
#ifndef GMG_WISDOM_ENTRY_H
#define GMG_WISDOM_ENTRY_H

#include "wisdom.h"

/* Entries, each in memory of its own. */
struct gmg_wisdom_list {
  struct gmg_wisdom_entry **entry;
  int count, room;
};

/* Returns NULL if the entry is well formed, or else what must hold of it. The text is static. */
const char *gmg_wisdom_entry_fault(const struct gmg_wisdom_entry *entry);
const char *gmg_wisdom_key_fault(const struct gmg_wisdom_key *key);

/* Compares as strcmp does. Places are key, subject and extents. */
int gmg_wisdom_compare_keys(const struct gmg_wisdom_key *a, const struct gmg_wisdom_key *b);
int gmg_wisdom_compare_places(const struct gmg_wisdom_entry *a, const struct gmg_wisdom_entry *b);
/* Returns 1 if both entries choose the same, for the same kernels. */
int gmg_wisdom_same_choice(const struct gmg_wisdom_entry *a, const struct gmg_wisdom_entry *b);

/* Appends a copy of the entry, or a cleared entry for NULL. Returns it, or NULL if memory is short.
 */
struct gmg_wisdom_entry *gmg_wisdom_list_append(struct gmg_wisdom_list *list,
                                                const struct gmg_wisdom_entry *entry);
void gmg_wisdom_list_clear(struct gmg_wisdom_list *list);
/* Orders the entries by their places, and drops all but the last of those that have the same place
 * and the same choice. Returns 1. Returns 0 if two entries contradict each other, whose numbers are
 * then in fault[0] and fault[1]. */
int gmg_wisdom_list_order(struct gmg_wisdom_list *list, int fault[2]);
/* Moves all entries of `from` into `to`; an entry replaces one of the same place. Both lists are
 * ordered. Errors: GMG_WISDOM_MEMORY, GMG_WISDOM_FULL: both lists are as they were. */
enum gmg_wisdom_status gmg_wisdom_list_merge(struct gmg_wisdom_list *to,
                                             struct gmg_wisdom_list *from);

#endif

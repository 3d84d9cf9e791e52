/* Wisdom of programs: what its subjects "program HASH ranks N" and "program HASH ranks N composed"
 * mean. The second one is for runs that may take several steps as one, with other bits. */
#ifndef GMG_TUNED_PROGRAM_H
#define GMG_TUNED_PROGRAM_H

#include "tuning/wisdom.h"

/* Writes the subject of a program with this hash of its source, on so many ranks. */
void gmg_tuned_program_subject(const char *hash, int ranks, int composed,
                               char subject[GMG_WISDOM_SUBJECT]);
/* Returns the hash in a subject, written to `text`; NULL where the subject is no program's. */
const char *gmg_tuned_program_source(const char *subject, char text[GMG_WISDOM_SOURCE]);
/* Returns 1 where a run of the program could follow the choice: a known name with a number in its
 * range, and `compose` in subjects of composed steps alone. */
int gmg_tuned_program_allows(const char *subject, const struct gmg_wisdom_choice *choice);

#endif

/* Measuring the best candidates of a search again. */
#ifndef GMG_SEARCH_AGAIN_H
#define GMG_SEARCH_AGAIN_H

#include "search_walk.h"

/* Of thousands of costs the least are those that noise made too low. Measures the candidate with
 * the least cost again, which is then the larger of two or the middle of three, and so on, until
 * GMG_SEARCH_FINALISTS that were measured three times are ahead of all others, as often as the
 * options say, or until the budget is used up. */
void gmg_search_again(struct gmg_search_state *s);

#endif

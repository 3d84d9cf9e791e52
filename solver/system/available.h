/* How much memory the process may still take. */
#ifndef GMG_AVAILABLE_H
#define GMG_AVAILABLE_H

#include <stdint.h>

struct gmg_limit {
  int64_t bytes;    /* that may still be had; INT64_MAX: nothing is known to limit it */
  const char *what; /* that limits it */
};

/* The limits of this process (ulimit -v, -d): each rank has its own. */
struct gmg_limit gmg_limit_of_process(void);
/* What is free on the machine, and in the control group: the ranks on a machine share it. Exact
 * where it is less than what they need (bytes), else perhaps too little, but at least that. */
struct gmg_limit gmg_limit_of_machine(int64_t need);

#endif

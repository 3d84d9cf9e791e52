/* sanitizers: no */
/* Preconditions: none. What must vanish: what a process grows by in many solves, and in many
 * solvers made and destroyed. */
#include "growth.h"

int main(void)
{
  return growth_check(400, 100);
}

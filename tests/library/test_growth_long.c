/* sanitizers: no */
/* label: long */
/* Preconditions: none. What must vanish: what a process grows by in ten thousand solves, and in a
 * thousand solvers made and destroyed. */
#include "growth.h"

int main(void)
{
  return growth_check(10000, 1000);
}

/* Many solves, and many solvers made and destroyed, in one process. */
#ifndef TESTS_GROWTH_H
#define TESTS_GROWTH_H

/* Solves `solves` times with one solver, of coefficients that are replaced now and then, and makes,
 * uses and destroys `setups` solvers of several kinds. Prints how far the process and the library's
 * own count grew after a tenth of each. Returns 0 where neither did. */
int growth_check(int solves, int setups);

#endif

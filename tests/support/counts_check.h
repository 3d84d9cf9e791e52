/* Cycles, or iterations of the Krylov method, that default settings take to a true residual of
 * 1e-10. */
#ifndef TESTS_COUNTS_CHECK_H
#define TESTS_COUNTS_CHECK_H

/* Solves smooth, anisotropic, stretched, singular and odd problems, and some whose β jumps, of
 * about size³ cells. Returns the number of those that need more than allowed. */
int counts_check(int size);

#endif

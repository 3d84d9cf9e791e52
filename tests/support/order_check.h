/* Observed order of accuracy over three grids: the Must hold 5. */
#ifndef TESTS_ORDER_CHECK_H
#define TESTS_ORDER_CHECK_H

/* Solves every kind of boundary and coefficient on cubes of these sizes, prints errors in the max norm and the observed
 * orders, and returns how many orders are not 2.0 ± tolerance. */
int order_check(const int sizes[3], double tolerance);

#endif

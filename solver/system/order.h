/* The larger and the smaller of two numbers. */
#ifndef GMG_ORDER_H
#define GMG_ORDER_H

static inline int gmg_larger(int a, int b)
{
  return a > b ? a : b;
}

static inline int gmg_smaller(int a, int b)
{
  return a < b ? a : b;
}

#endif

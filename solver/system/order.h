/* The larger and the smaller of two numbers; of doubles inline, where fmin and fmax are calls. */
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

static inline double gmg_least(double a, double b)
{
  return a < b ? a : b;
}

static inline double gmg_most(double a, double b)
{
  return a > b ? a : b;
}

#endif

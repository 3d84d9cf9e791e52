/* Whole numbers that a program does not know yet: sums of products of integer variables. The
 * strides of flattened arrays are such, (nx + 2) * (ny + 2), which are not affine. */
#ifndef GEN_INTEGER_H
#define GEN_INTEGER_H

#include "frontend/syntax.h"

enum { GEN_MAX_TERMS = 24, GEN_MAX_FACTORS = 4 };

/* coefficient times variables, in the order of their declarations */
struct gen_term {
  long long coefficient;
  int factors;
  const struct gen_syntax *factor[GEN_MAX_FACTORS];
};

struct gen_integer {
  int terms; /* 0: the number 0 */
  struct gen_term term[GEN_MAX_TERMS];
};

struct gen_integer gen_integer_of(long long value);
struct gen_integer gen_integer_variable(const struct gen_syntax *variable);
/* to += factor * value, and *out = a * b. False, and nothing said, if that has too many terms. */
bool gen_integer_add(struct gen_integer *to, long long factor, const struct gen_integer *value);
bool gen_integer_multiply(const struct gen_integer *a, const struct gen_integer *b,
                          struct gen_integer *out);
bool gen_integer_equal(const struct gen_integer *a, const struct gen_integer *b);
/* Whether it is a number, which then is *value. */
bool gen_integer_known(const struct gen_integer *integer, long long *value);
/* Whether a - b is a number. */
bool gen_integer_distance(const struct gen_integer *a, const struct gen_integer *b,
                          long long *distance);
/* Takes what the variable is multiplied by, and those terms, out of a number. */
struct gen_integer gen_integer_take(struct gen_integer *from, const struct gen_syntax *variable);
/* Divides as polynomials are divided, numbers to the nearest: takes a multiple of the divisor out
 * of *from, which keeps the rest, and returns how many times. */
struct gen_integer gen_integer_divide(struct gen_integer *from, const struct gen_integer *divisor);
/* In the words of C. */
const char *gen_integer_text(const struct gen_integer *integer);

#endif

/* Polynomials in values of arrays around a point: sums of products of atoms. An atom is what an
 * array holds at a shift from the point, a parameter, or another value that is not taken apart.
 * Shifts, sums and products are all that composing operators takes: where u stands for B v, A u is
 * A's polynomial with every u[point + shift] replaced by B's polynomial, shifted. */
#ifndef GEN_POLYNOMIAL_H
#define GEN_POLYNOMIAL_H

#include "ir/tree.h"

enum { GEN_MOST_DEGREE = 24, GEN_MOST_PRODUCTS = 20000 };

/* factor times atoms, by their numbers, in increasing order */
struct gen_product {
  double factor;
  int degree;
  int atom[GEN_MOST_DEGREE];
};

struct gen_polynomial {
  int products, room;
  struct gen_product *product;
  int *slot, slots; /* products by what their atoms hash to */
};

/* Atoms: expressions whose accesses are the loop's own point plus constants. Equal ones have the
 * same number. */
struct gen_atoms {
  int count, room;
  struct gen_atom {
    const struct gen_expr *value;
    bool shifts; /* it contains accesses */
  } * atom;
};

/* What became of an operation: GEN_TOO_MANY products, or too high a degree. */
enum gen_size { GEN_FITS, GEN_TOO_MANY, GEN_TOO_HIGH };

int gen_atom_of(struct gen_atoms *atoms, const struct gen_expr *value);
struct gen_polynomial *gen_polynomial_new(void);
struct gen_polynomial *gen_polynomial_number(double number);
struct gen_polynomial *gen_polynomial_atom(int atom);
/* Adds a product whose atoms are in order; *index: which one of the sum has its atoms then. */
enum gen_size gen_polynomial_put(struct gen_polynomial *sum, const struct gen_product *product,
                                 int *index);
/* Whether two polynomials are the same but for rounding. */
bool gen_polynomial_alike(const struct gen_polynomial *a, const struct gen_polynomial *b);
/* sum += factor * other */
enum gen_size gen_polynomial_add(struct gen_polynomial *sum, double factor,
                                 const struct gen_polynomial *other);
/* sum += a * b */
enum gen_size gen_polynomial_multiply(struct gen_polynomial *sum, const struct gen_polynomial *a,
                                      const struct gen_polynomial *b);
/* The polynomial at the point that is so far from this one. */
struct gen_polynomial *gen_polynomial_shift(struct gen_atoms *atoms,
                                            const struct gen_polynomial *of, const int offset[3]);

#endif

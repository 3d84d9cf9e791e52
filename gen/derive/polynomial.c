#include "polynomial.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

/* ---- atoms ---- */

static bool has_access(const struct gen_expr *expr)
{
  bool has = expr->kind == GEN_ACCESS;
  for (int n = 0; n < gen_arity(expr) && !has; n++)
    has = has_access(expr->argument[n]);
  return has;
}

/* As gen_expr_equal, but quick for accesses, which are most of them. */
static bool same_atom(const struct gen_expr *a, const struct gen_expr *b)
{
  if (a->kind != b->kind)
    return false;
  if (a->kind != GEN_ACCESS)
    return gen_expr_equal(a, b);
  bool same = a->access.array == b->access.array;
  for (int axis = 0; axis < GEN_BOX; axis++)
    same = same
      && a->access.subscript[axis].affine.constant == b->access.subscript[axis].affine.constant;
  return same;
}

/* Twice the room of an array of so many elements, which are kept; of a new one where old is NULL.
 */
static void *grown(const void *old, int room, size_t bytes)
{
  void *larger = gen_allocate(2 * (size_t)room * bytes);
  if (old)
    memcpy(larger, old, (size_t)room * bytes);
  return larger;
}

int gen_atom_of(struct gen_atoms *atoms, const struct gen_expr *value)
{
  for (int n = 0; n < atoms->count; n++)
    if (same_atom(atoms->atom[n].value, value))
      return n;
  if (atoms->count == atoms->room) {
    atoms->room = atoms->room ? atoms->room : FIRST_ROOM;
    atoms->atom = grown(atoms->atom, atoms->room, sizeof *atoms->atom);
    atoms->room *= 2;
  }
  atoms->atom[atoms->count] = (struct gen_atom){value, has_access(value)};
  return atoms->count++;
}

static const struct gen_expr *shifted(const struct gen_expr *expr, const int offset[3])
{
  if (gen_arity(expr) == 0 && expr->kind != GEN_ACCESS)
    return expr;
  struct gen_expr *copy = gen_copy(expr);
  for (int axis = 0; axis < GEN_BOX && expr->kind == GEN_ACCESS; axis++)
    copy->access.subscript[axis].affine.constant += offset[axis];
  for (int n = 0; n < gen_arity(expr); n++)
    copy->argument[n] = shifted(expr->argument[n], offset);
  return copy;
}

/* ---- sums ---- */

struct gen_polynomial *gen_polynomial_new(void)
{
  return gen_allocate(sizeof(struct gen_polynomial));
}

static uint64_t hash_of(const struct gen_product *product)
{
  uint64_t hash = 14695981039346656037u;
  for (int n = 0; n < product->degree; n++)
    hash = (hash ^ (uint64_t)product->atom[n]) * 1099511628211u;
  return hash ^ hash >> 29;
}

static bool same_atoms(const struct gen_product *a, const struct gen_product *b)
{
  return a->degree == b->degree
    && memcmp(a->atom, b->atom, (size_t)a->degree * sizeof *a->atom) == 0;
}

/* The slot of a product with these atoms, or the free one where it belongs. */
static int slot_of(const struct gen_polynomial *sum, const struct gen_product *product)
{
  int slot = (int)(hash_of(product) % (uint64_t)sum->slots);
  while (sum->slot[slot] && !same_atoms(&sum->product[sum->slot[slot] - 1], product))
    slot = (slot + 1) % sum->slots;
  return slot;
}

static void make_room(struct gen_polynomial *sum)
{
  const int room = sum->room ? sum->room : FIRST_ROOM;
  sum->product = grown(sum->product, room, sizeof *sum->product);
  sum->room = 2 * room;
  sum->slots = 4 * sum->room;
  sum->slot = gen_allocate((size_t)sum->slots * sizeof *sum->slot);
  for (int n = 0; n < sum->products; n++)
    sum->slot[slot_of(sum, &sum->product[n])] = n + 1;
}

enum gen_size gen_polynomial_put(struct gen_polynomial *sum, const struct gen_product *product,
                                 int *index)
{
  if (sum->products == sum->room)
    make_room(sum);
  const int slot = slot_of(sum, product);
  if (sum->slot[slot]) {
    *index = sum->slot[slot] - 1;
    sum->product[*index].factor += product->factor;
    return GEN_FITS;
  }
  if (sum->products == GEN_MOST_PRODUCTS)
    return GEN_TOO_MANY;
  *index = sum->products;
  sum->product[sum->products++] = *product;
  sum->slot[slot] = sum->products;
  return GEN_FITS;
}

static enum gen_size add_product(struct gen_polynomial *sum, const struct gen_product *product)
{
  int index;
  return gen_polynomial_put(sum, product, &index);
}

bool gen_polynomial_alike(const struct gen_polynomial *a, const struct gen_polynomial *b)
{
  const double rounding = 4 * DBL_EPSILON;
  bool alike = a->products == b->products;
  for (int n = 0; n < a->products && alike; n++) {
    const struct gen_product *own = &a->product[n];
    const int found = b->slot[slot_of(b, own)] - 1;
    alike =
      found >= 0 && fabs(own->factor - b->product[found].factor) <= rounding * fabs(own->factor);
  }
  return alike;
}

struct gen_polynomial *gen_polynomial_number(double number)
{
  struct gen_polynomial *polynomial = gen_polynomial_new();
  const struct gen_product product = {.factor = number};
  if (number != 0)
    add_product(polynomial, &product);
  return polynomial;
}

struct gen_polynomial *gen_polynomial_atom(int atom)
{
  struct gen_polynomial *polynomial = gen_polynomial_new();
  const struct gen_product product = {1, 1, {atom}};
  add_product(polynomial, &product);
  return polynomial;
}

enum gen_size gen_polynomial_add(struct gen_polynomial *sum, double factor,
                                 const struct gen_polynomial *other)
{
  enum gen_size size = GEN_FITS;
  for (int n = 0; n < other->products && size == GEN_FITS; n++) {
    struct gen_product product = other->product[n];
    product.factor *= factor;
    size = add_product(sum, &product);
  }
  return size;
}

/* ---- products ---- */

static void sort(struct gen_product *product)
{
  for (int n = 1; n < product->degree; n++)
    for (int m = n; m > 0 && product->atom[m - 1] > product->atom[m]; m--) {
      const int atom = product->atom[m];
      product->atom[m] = product->atom[m - 1];
      product->atom[m - 1] = atom;
    }
}

enum gen_size gen_polynomial_multiply(struct gen_polynomial *sum, const struct gen_polynomial *a,
                                      const struct gen_polynomial *b)
{
  for (int n = 0; n < a->products; n++)
    for (int m = 0; m < b->products; m++) {
      struct gen_product product = a->product[n];
      const struct gen_product *other = &b->product[m];
      if (product.degree + other->degree > GEN_MOST_DEGREE)
        return GEN_TOO_HIGH;
      memcpy(&product.atom[product.degree], other->atom,
             (size_t)other->degree * sizeof *other->atom);
      product.degree += other->degree;
      product.factor *= other->factor;
      sort(&product);
      const enum gen_size size = add_product(sum, &product);
      if (size != GEN_FITS)
        return size;
    }
  return GEN_FITS;
}

struct gen_polynomial *gen_polynomial_shift(struct gen_atoms *atoms,
                                            const struct gen_polynomial *of, const int offset[3])
{
  struct gen_polynomial *result = gen_polynomial_new();
  int *moved = gen_allocate((size_t)(atoms->count + 1) * sizeof *moved);
  for (int n = 0; n < of->products; n++) {
    struct gen_product product = of->product[n];
    for (int f = 0; f < product.degree; f++) {
      const int atom = product.atom[f];
      if (!atoms->atom[atom].shifts)
        continue;
      if (!moved[atom])
        moved[atom] = 1 + gen_atom_of(atoms, shifted(atoms->atom[atom].value, offset));
      product.atom[f] = (moved[atom] - 1);
    }
    sort(&product);
    add_product(result, &product);
  }
  return result;
}

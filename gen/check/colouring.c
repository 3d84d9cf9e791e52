#include "colouring.h"

#include "conflict.h"

enum { MAX_MODULUS = 5 };

int gen_colours(const struct gen_guard *guard)
{
  if (guard->kind == GEN_LATTICE)
    return guard->modulus[GEN_I] * guard->modulus[GEN_J] * guard->modulus[GEN_K];
  return guard->kind == GEN_PARITY ? 2 : 1;
}

const char *gen_colouring_text(const struct gen_guard *colouring)
{
  if (colouring->kind == GEN_EVERYWHERE)
    return "1 colour";
  if (colouring->kind == GEN_PARITY)
    return "2 colours by the parity of i + j + k";
  return gen_text("%d colours by (i mod %d, j mod %d, k mod %d)", gen_colours(colouring),
                  colouring->modulus[GEN_I], colouring->modulus[GEN_J], colouring->modulus[GEN_K]);
}

struct gen_kernel *gen_in_place(const struct gen_kernel *op)
{
  const int u = gen_find_array(op, "u"), w = gen_find_array(op, "w");
  if (u < 0 || !op->array[u].read || w < 0 || !op->array[w].written) {
    gen_reject(op->where, "operator '%s' must read an array 'u' and write an array 'w'", op->name);
    return NULL;
  }
  struct gen_kernel *in_place = gen_allocate(sizeof *in_place);
  *in_place = *op;
  const int shift = op->array[u].first - op->array[w].first;
  for (int s = 0; s < op->statements; s++) {
    struct gen_access *target = &in_place->statement[s].target;
    if (op->statement[s].kind != GEN_STORE || target->array != w)
      continue;
    target->array = u;
    for (int axis = 0; axis < GEN_BOX; axis++)
      target->subscript[axis].affine.constant += shift;
  }
  in_place->guard = (struct gen_guard){.kind = GEN_EVERYWHERE};
  gen_mark_accesses(in_place);
  return in_place;
}

static bool accepted(const struct gen_kernel *in_place, const struct gen_guard *guard,
                     struct gen_proof *proof)
{
  struct gen_conflict conflict;
  if (gen_find_conflict(in_place, guard, &conflict)) {
    gen_prove(proof,
              gen_text("Not with %s: %s.", gen_colouring_text(guard),
                       gen_conflict_text(in_place, &conflict)));
    return false;
  }
  gen_prove(
    proof,
    gen_text("%s: no two points of one colour conflict (the relation is empty for all extents).",
             gen_colouring_text(guard)));
  return true;
}

/* The lattices of exactly that many colours. */
static bool search_lattices(const struct gen_kernel *in_place, int colours, struct gen_guard *guard)
{
  guard->kind = GEN_LATTICE;
  for (int mk = 1; mk <= MAX_MODULUS; mk++)
    for (int mj = 1; mj <= MAX_MODULUS; mj++)
      for (int mi = 1; mi <= MAX_MODULUS; mi++) {
        if (mi * mj * mk != colours)
          continue;
        guard->modulus[GEN_I] = mi;
        guard->modulus[GEN_J] = mj;
        guard->modulus[GEN_K] = mk;
        if (accepted(in_place, guard, NULL))
          return true;
      }
  return false;
}

bool gen_search_colouring(const struct gen_kernel *in_place, struct gen_guard *colouring,
                          struct gen_proof *proof)
{
  *colouring = (struct gen_guard){
    .kind = GEN_EVERYWHERE, .where = in_place->where, .global = true, .modulus = {1, 1, 1}};
  if (accepted(in_place, colouring, proof))
    return true;
  colouring->kind = GEN_PARITY;
  if (accepted(in_place, colouring, proof))
    return true;
  for (int colours = 2; colours <= MAX_MODULUS * MAX_MODULUS * MAX_MODULUS; colours++)
    if (search_lattices(in_place, colours, colouring)) {
      gen_prove(
        proof,
        gen_text("No lattice of fewer than %d colours (modulus up to %d) is free of conflicts.",
                 colours, MAX_MODULUS));
      return accepted(in_place, colouring, proof);
    }
  return false;
}

bool gen_find_colouring(const struct gen_kernel *op, struct gen_guard *colouring, int *colours,
                        struct gen_proof *proof)
{
  const struct gen_kernel *in_place = gen_in_place(op);
  if (!in_place)
    return false;
  if (!gen_search_colouring(in_place, colouring, proof))
    return gen_reject(op->where,
                      "operator '%s': no lattice of modulus up to %d in each direction separates "
                      "the points that u couples, so that Gauss-Seidel cannot be derived",
                      op->name, MAX_MODULUS);
  *colours = gen_colours(colouring);
  return true;
}

/* Names as numbers: what kernels call their fields, lines, tables and scalars is looked up by its
 * text when a kernel is bound, and not again. */
#ifndef GMG_NAME_H
#define GMG_NAME_H

/* Fields that solvers have: X(constant, text). The first are the equation's, coefficients and what
 * follows from them; NEXT and INVERSE_REST are for setup of the bottom solver's inverse; WORK_0 and
 * WORK_1 are setup's, which drops them in it; the other WORK are the bottom solver's; KRYLOV are
 * those of Krylov methods around the cycles. */
#define GMG_FIELD_NAMES(X) \
  X(U, "u") \
  X(W, "w") \
  X(F, "f") \
  X(R, "r") \
  X(DINV, "dinv") \
  X(ALPHA, "alpha") \
  X(BETA, "beta") \
  X(BETA_I, "beta_i") \
  X(BETA_J, "beta_j") \
  X(BETA_K, "beta_k") \
  X(LINK_0, "link_0") \
  X(LINK_1, "link_1") \
  X(LINK_2, "link_2") \
  X(LINK_3, "link_3") \
  X(LINK_4, "link_4") \
  X(LINK_5, "link_5") \
  X(LINK_6, "link_6") \
  X(LINK_7, "link_7") \
  X(LINK_8, "link_8") \
  X(LINK_9, "link_9") \
  X(LINK_10, "link_10") \
  X(LINK_11, "link_11") \
  X(LINK_12, "link_12") \
  X(ANCHOR, "anchor") \
  X(OWNER, "owner") \
  X(INVERSE_0, "inverse_0") \
  X(INVERSE_1, "inverse_1") \
  X(INVERSE_2, "inverse_2") \
  X(INVERSE_3, "inverse_3") \
  X(INVERSE_4, "inverse_4") \
  X(INVERSE_5, "inverse_5") \
  X(INVERSE_6, "inverse_6") \
  X(INVERSE_7, "inverse_7") \
  X(INVERSE_REST, "inverse_rest") \
  X(NEXT_0, "next_0") \
  X(NEXT_1, "next_1") \
  X(NEXT_2, "next_2") \
  X(NEXT_3, "next_3") \
  X(NEXT_4, "next_4") \
  X(NEXT_5, "next_5") \
  X(NEXT_6, "next_6") \
  X(NEXT_7, "next_7") \
  X(NEXT_REST, "next_rest") \
  X(WORK_0, "work_0") \
  X(WORK_1, "work_1") \
  X(WORK_2, "work_2") \
  X(WORK_3, "work_3") \
  X(WORK_4, "work_4") \
  X(WORK_5, "work_5") \
  X(WORK_6, "work_6") \
  X(KRYLOV_X, "krylov_x") \
  X(KRYLOV_P, "krylov_p") \
  X(KRYLOV_Q, "krylov_q") \
  X(KRYLOV_P_1, "krylov_p_1") \
  X(KRYLOV_Q_1, "krylov_q_1") \
  X(KRYLOV_B, "krylov_b") \
  X(KRYLOV_R, "krylov_r") \
  X(KRYLOV_SHADOW, "krylov_shadow")

enum gmg_name {
#define GMG_NAME_CONSTANT(constant, text) GMG_NAME_##constant,
  GMG_FIELD_NAMES(GMG_NAME_CONSTANT)
#undef GMG_NAME_CONSTANT
    GMG_FIXED_NAMES
};

enum { GMG_NAME_ROOM = 24, GMG_MOST_NAMES = 256 };

/* All names of a context: those above, then in the order in which they were first asked for. */
struct gmg_names {
  int count;
  char text[GMG_MOST_NAMES][GMG_NAME_ROOM];
  short slot[2 * GMG_MOST_NAMES]; /* by hash: 1 + the number; 0: free */
};

/* Writes the name of a line or table along an axis: "stem_i", "stem_j" or "stem_k". */
static inline void gmg_axis_name(char name[GMG_NAME_ROOM + 2], const char *stem, int axis)
{
  int n = 0;
  for (; n < GMG_NAME_ROOM - 1 && stem[n]; n++)
    name[n] = stem[n];
  name[n] = '_';
  name[n + 1] = "ijk"[axis];
  name[n + 2] = 0;
}

void gmg_names_begin(struct gmg_names *names);
/* Returns the number of a name, which is new where it had none; -1 where it is too long, or there
 * are GMG_MOST_NAMES already. */
int gmg_name(struct gmg_names *names, const char *text);

/* Scalars whose values the library sets: X(constant, text). */
#define GMG_SCALAR_NAMES(X) \
  X(B, "b") \
  X(ALPHA, "alpha") \
  X(OMEGA, "omega") \
  X(COLOUR, "colour") \
  X(ONLY, "only") \
  X(C1, "c1") \
  X(C2, "c2") \
  X(S, "s")

enum gmg_scalar {
#define GMG_SCALAR_CONSTANT(constant, text) GMG_SCALAR_##constant,
  GMG_SCALAR_NAMES(GMG_SCALAR_CONSTANT)
#undef GMG_SCALAR_CONSTANT
    GMG_SCALARS
};

/* Returns the scalar of a name; GMG_SCALARS where the library sets none of it. */
enum gmg_scalar gmg_scalar_named(const char *text);

#endif

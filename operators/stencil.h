/* The vocabulary of operators and grid transfers.
 *
 * A file in this folder is plain sequential C99 that any compiler accepts. The stencil compiler
 * reads the same text with GMG_COMPILER defined; for every other compiler the macros below are
 * empty.
 *
 * A kernel is one function: a loop nest over box, k, j, i (k slowest, i fastest) on arrays
 * [box][k][j][i]. Each array declaration carries its centring and the subscript of its first
 * interior element, so that the compiler knows what is ghost zone. An array that is written is
 * `restrict`: it overlaps no other argument.
 *
 * Names that the solver supplies to an operator (all sizes in the user's length unit):
 *   u, w         the unknown and A u, one value per cell; A u is integrated over the cell
 *                (per-volume value x volume)
 *   alpha        a α per unit volume, per cell
 *   beta_i|j|k   conductance of the low face of a cell: b β x face area / distance of the
 *                adjoining centres
 *   h_i|j|k      cell width, one value per index i (j, k)
 *   g_i|j|k      1 / distance of the centres of cells i-1 and i, at the low face of cell i
 *   b            the scalar b of the equation
 *   link_0|...   coupling of a cell with one of its neighbours, 0 across walls; anchor, with
 *                nothing: walls and a α (coarse levels with owners alone have these)
 *   single       in mixed precision, values in float where everything else is in double (gmg-gen
 *                --single)
 * A field on cells or faces of another name that an operator reads is the application's
 * (gmg_solver_set_field); an operator that asks for anything else is rejected (kernels, GMG_KERNEL,
 * are not: the solver that runs them knows their names). In operators of the conductance form
 * (every neighbour enters as  face conductance x (u_neighbour - u_centre)) beta and g at a boundary
 * face already carry the boundary formula ghost = c u, as the factor (1 - c), and ghosts of u are
 * zero; in all others ghosts of u are filled by that formula. The compiler finds out which form an
 * operator has. */
#ifndef GMG_STENCIL_H
#define GMG_STENCIL_H

#ifdef GMG_COMPILER
#define GMG_NOTE(text) __attribute__((annotate("gmg: " text)))
#else
#define GMG_NOTE(text)
#endif

/* On a function: what is asked of the compiler. */
#define GMG_OPERATOR GMG_NOTE("operator") /* w = A u: derive residual, diagonal, smoothers, ... */
#define GMG_KERNEL GMG_NOTE("kernel")     /* a kernel taken as it stands */

/* Behind an array declaration: centring, and the subscript of the first interior element. */
#define CELL(first) GMG_NOTE("cell " #first)
#define FACE_I(first) \
  GMG_NOTE("face_i " #first) /* index i is the low face of cell i: one more than there are cells \
                              */
#define FACE_J(first) GMG_NOTE("face_j " #first)
#define FACE_K(first) GMG_NOTE("face_k " #first)
/* The same on the next finer or coarser level than the one the loops run over. */
#define FINE_CELL(first) GMG_NOTE("fine cell " #first)
#define FINE_FACE_I(first) GMG_NOTE("fine face_i " #first)
#define FINE_FACE_J(first) GMG_NOTE("fine face_j " #first)
#define FINE_FACE_K(first) GMG_NOTE("fine face_k " #first)
#define COARSE_CELL(first) GMG_NOTE("coarse cell " #first)
/* One-dimensional arrays along a direction: per cell (LINE), per low face (LINE_FACE). */
#define LINE_I(first) GMG_NOTE("line_i " #first)
#define LINE_J(first) GMG_NOTE("line_j " #first)
#define LINE_K(first) GMG_NOTE("line_k " #first)
#define LINE_FACE_I(first) GMG_NOTE("line_face_i " #first)
#define LINE_FACE_J(first) GMG_NOTE("line_face_j " #first)
#define LINE_FACE_K(first) GMG_NOTE("line_face_k " #first)
/* Integer tables along a direction, usable as subscripts of arrays of the other level that the
 * kernel only reads. The values are subscripts of that level and reach at most `halo` beyond its
 * interior. */
#define TABLE_I(first, halo) GMG_NOTE("table_i " #first " " #halo)
/* The same along i, and what it holds in rows whose cells pair two by two (n own cells, 2 n fine or
 * n / 2 coarse ones), both levels counted from their first interior cell: 2 i, 2 i + 1; i / 2; i /
 * 2 - 1 for even i, i / 2 + 1 for odd i. */
#define EVEN_CHILD_I(first) GMG_NOTE("table_i " #first " 0 even child")
#define ODD_CHILD_I(first) GMG_NOTE("table_i " #first " 0 odd child")
#define PARENT_I(first) GMG_NOTE("table_i " #first " 0 parent")
#define BESIDE_I(first) GMG_NOTE("table_i " #first " 1 beside")
/* One of four around i: (i + 1) / 2 - 2 + which, which = 0 ... 3. */
#define AROUND_I(first, halo, which) GMG_NOTE("table_i " #first " " #halo " around " #which)
#define TABLE_J(first, halo) GMG_NOTE("table_j " #first " " #halo)
#define TABLE_K(first, halo) GMG_NOTE("table_k " #first " " #halo)

#endif

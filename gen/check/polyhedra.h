/* A kernel as integer sets: its iterations, and the elements that its accesses touch. isl answers;
 * nothing is emitted from here. Sets have the dimensions box, k, j, i and the kernel's integer
 * arguments as parameters: every extent is at least 1, every other argument (a colour) at least 0.
 */
#ifndef GEN_POLYHEDRA_H
#define GEN_POLYHEDRA_H

#include "ir/tree.h"

#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

struct gen_polyhedra {
  isl_ctx *ctx;
  const struct gen_kernel *kernel;
  int parameter[GEN_MAX_SYMBOLS]; /* position of a symbol among the parameters, or -1 */
  int colour_parameter;           /* of the colour that a guard on global indices adds, or -1 */
  isl_space *space;
  isl_set *iterations; /* the loops' */
  isl_set *visited;    /* those that the guard lets through, for one value of the colour */
  bool by_rows;        /* iterations of a row come one after the other: they do not conflict */
};

/* A guard that visits both colours of a row visits all of it, by_rows. Memory:  give; the caller
 * destroys it. isl itself ends the process if it runs out of memory */
struct gen_polyhedra *gen_polyhedra_create(const struct gen_kernel *kernel,
                                           const struct gen_guard *guard);
void gen_polyhedra_destroy(struct gen_polyhedra **polyhedra);

/* How far the subscript goes below 0, or above length - 1, over all iterations visited and all
 * extents: 0 if it stays inside, -1 if there is no limit. Below, length does not matter. */
int gen_polyhedra_excess(const struct gen_polyhedra *polyhedra, const struct gen_affine *subscript,
                         const struct gen_affine *length, bool above);
/* Pairs of different iterations (by_rows, of different rows) of `among` (iterations or visited)
 * that touch one element by a and b. give */
isl_map *gen_polyhedra_conflicts(const struct gen_polyhedra *polyhedra, isl_set *among,
                                 const struct gen_access *a, const struct gen_access *b);
/* The pair with the smallest extents; false if there is none. Coordinates by enum gen_axis. */
bool gen_polyhedra_sample(isl_map *pairs, int from[GEN_AXES], int to[GEN_AXES]);
/* isl's words for the relation, shortened if they are long. */
const char *gen_polyhedra_text(isl_map *map);

#endif

/* Two iterations that touch one element: found by isl, told with their points. */
#ifndef GEN_CONFLICT_H
#define GEN_CONFLICT_H

#include "polyhedra.h"
#include "ir/tree.h"

/* Two different iterations that touch one element, at least one of them writing it. */
struct gen_conflict {
  struct gen_location where; /* of the statement that writes */
  const struct gen_access *write, *other;
  bool other_writes;
  int from[GEN_AXES], to[GEN_AXES]; /* the writing iteration and the other one, by axis */
};

/* The first conflict of the kernel if only the iterations of the guard's colour run at once; false
 * if there is none. */
bool gen_find_conflict(const struct gen_kernel *kernel, const struct gen_guard *guard,
                       struct gen_conflict *conflict);
/* "iteration (box 0, k 1, j 1, i 1) writes u[0][1][1][1], which iteration (...) reads as
 * u[box][k][j][i - 1]" */
const char *gen_conflict_text(const struct gen_kernel *kernel, const struct gen_conflict *conflict);

/* The same for sets that are made already, under the guard they were made with. */
bool gen_find_conflict_in(const struct gen_polyhedra *polyhedra, struct gen_conflict *conflict);

/* The reads of an array by all statements, and the stores to it, no two alike. */
enum { GEN_MAX_ACCESSES = 512 };
struct gen_accesses {
  int count;
  const struct gen_access *access[GEN_MAX_ACCESSES];
};
struct gen_accesses *gen_reads_of(const struct gen_kernel *kernel, int array);
struct gen_accesses *gen_writes_of(const struct gen_kernel *kernel, int array);

#endif

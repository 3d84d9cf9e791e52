/* What must hold before a kernel may run in parallel, asked of isl: accesses stay inside their arrays, arrays that are
 * written overlap no other, and no two iterations that run at once touch one element that either writes. */
#ifndef GEN_CHECK_H
#define GEN_CHECK_H

#include "tree.h"

enum { GEN_MAX_SENTENCES = 64 };

/* What was proved, in words, for --explain. */
struct gen_proof {
  int sentences;
  const char *sentence[GEN_MAX_SENTENCES];
};

/* Two different iterations that touch one element, at least one of them writing it. */
struct gen_conflict {
  struct gen_location where; /* of the statement that writes */
  const struct gen_access *write, *other;
  bool other_writes;
  int from[GEN_AXES], to[GEN_AXES]; /* the writing iteration and the other one, by axis */
};

/* Adds a sentence; proof may be NULL. */
void gen_prove(struct gen_proof *proof, const char *sentence);

/* Checks ranges, overlap and conflicts of a kernel under its own guard.
 * Memory:  keep all; the sentences added to proof (or NULL) live as long as the session
 * Errors:  false after a rejection that names the access, the two arrays or the two conflicting points */
bool gen_check(struct gen_session *session, const struct gen_kernel *kernel, struct gen_proof *proof);

/* The first conflict of the kernel if only the iterations of the guard's colour run at once; false if there is none. */
bool gen_find_conflict(struct gen_session *session, const struct gen_kernel *kernel, const struct gen_guard *guard,
                       struct gen_conflict *conflict);
/* "iteration (box 0, k 1, j 1, i 1) writes u[0][1][1][1], which iteration (...) reads as u[box][k][j][i - 1]" */
const char *gen_conflict_text(struct gen_session *session, const struct gen_kernel *kernel,
                              const struct gen_conflict *conflict);

#endif

/* A pass: the kernels of a level, one after the other, in one sweep over memory
 * (solver/runtime/pass.h runs it). Stage s works on plane and rows K - s.shift where the first one
 * is at K, so that it finds what earlier stages wrote and takes nothing that they still read. isl
 * says how far that must be, from the accesses alone. */
#ifndef GEN_PASS_H
#define GEN_PASS_H

#include "derive/derive.h"
#include "check/proof.h"

enum { GEN_MAX_STAGES = 64 };

struct gen_stage {
  const char *name;
  const struct gen_kernel *kernel; /* its accesses */
  int colour;                      /* -1: it has none */
  int shift;                       /* planes and rows behind the first stage */
};

struct gen_pass {
  int stages;
  struct gen_stage stage[GEN_MAX_STAGES];
};

/* The steady pass of a V(sweeps, sweeps)-cycle by Gauss-Seidel: interpolation (NULL: left out), the
 * sweeps after it and those before the residual, its norm, its restriction. The last visits a
 * coarse plane where the last fine plane under it is due, and reads what the residual reads there.
 * False, with nothing said, where they are more than a pass holds. */
bool gen_pass_of_cycle(struct gen_session *session, const struct gen_operator *op,
                       const struct gen_kernel *interpolation, int sweeps, struct gen_pass *pass);
/* The least shifts that keep every dependence between two stages, and sentences that say why they
 * are that large. False where none does: a stage reads without limit what another writes, or their
 * loops differ. */
bool gen_pass_shift(struct gen_session *session, struct gen_pass *pass, struct gen_proof *proof);
/* Reals that the pass moves per cell, each array of the level once for reading and once for
 * writing. */
double gen_pass_reals(const struct gen_pass *pass);
/* Arrays of the level that it keeps in cache. */
int gen_pass_fields(const struct gen_pass *pass);

/* --explain: the pass drawn, and the proof. */
const char *gen_explain_pass(struct gen_session *session, const struct gen_operator *op,
                             const struct gen_kernel *interpolation);

#endif

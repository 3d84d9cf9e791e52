#ifndef GEN_PROOF_H
#define GEN_PROOF_H

enum { GEN_MAX_SENTENCES = 64 };

/* What was proved, in words, for --explain. */
struct gen_proof {
  int sentences;
  const char *sentence[GEN_MAX_SENTENCES];
};

/* Adds a sentence; proof may be NULL. */
void gen_prove(struct gen_proof *proof, const char *sentence);

#endif

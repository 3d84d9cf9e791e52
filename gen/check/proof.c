#include "proof.h"

void gen_prove(struct gen_proof *proof, const char *sentence)
{
  if (proof && proof->sentences < GEN_MAX_SENTENCES)
    proof->sentence[proof->sentences++] = sentence;
}

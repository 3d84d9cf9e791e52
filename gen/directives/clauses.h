/* The words of one directive after "#pragma mint". */
#ifndef GEN_CLAUSES_H
#define GEN_CLAUSES_H

#include "directive.h"

/* A directive's text on one line, without comments, and where its parts stand in it. */
struct gen_clauses {
  const char *text, *at;
  const char *raw; /* the text in the file, as long, with its lines */
  struct gen_location where;
  const char *brace;        /* {, which may end the line; NULL: there is none */
  const char *open, *close; /* of a copy: the parentheses around all */
  const char *call;         /* of a copy: the text as arguments of a call */
};

/* Reads a directive of Mint (Unat, Cai and Baden 2011), or of Panda (Sourouri, Baden and Cai 2017):
 * its kind, its clauses. Rejects unknown words, a tile that chunks do not divide, and what is not
 * there. */
bool gen_read_clauses(struct gen_clauses *clauses, const char *word,
                      struct gen_directive *directive);

#endif

/* The words of a formula file. */
#ifndef GEN_FORMULA_SCAN_H
#define GEN_FORMULA_SCAN_H

#include "ir/tree.h"

enum gen_token_kind { GEN_TOKEN_END, GEN_TOKEN_NAME, GEN_TOKEN_NUMBER, GEN_TOKEN_SIGN };

struct gen_token {
  enum gen_token_kind kind;
  struct gen_location where;
  const char *text; /* of the end: "the end of the file" */
  double number;
  bool whole; /* a number without point and exponent, at most 2^30 */
};

/* Where reading stands: `token` is the word that comes next. */
struct gen_scanner {
  const char *at, *line; /* the text that is left; where its line starts */
  struct gen_location where;
  struct gen_token token;
};

/* Starts at the first word of a text, which ends in 0. Returns false after a rejection, as all
 * below. Memory: keeps text. */
bool gen_scan_start(struct gen_scanner *scanner, const char *path, const char *text);
/* Goes on to the next word. */
bool gen_scan_next(struct gen_scanner *scanner);
/* Whether the next word is this sign or name. */
bool gen_scan_is(const struct gen_scanner *scanner, const char *text);
/* Goes past that word; rejects any other. why: what it is there for, or "". */
bool gen_scan_expect(struct gen_scanner *scanner, const char *text, const char *why);
/* Rejects the next word: "found 'x' where EXPECTED was expected". Returns false. */
bool gen_scan_wrong(const struct gen_scanner *scanner, const char *expected);

#endif

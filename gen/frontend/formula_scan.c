#include "formula_scan.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Goes past blanks, line ends and comments. */
static void skip(struct gen_scanner *scanner)
{
  for (;;) {
    const char c = *scanner->at;
    if (c == '#') {
      scanner->at += strcspn(scanner->at, "\n");
    } else if (c == '\n') {
      scanner->line = ++scanner->at;
      scanner->where.line++;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      scanner->at++;
    } else {
      return;
    }
  }
}

static bool scan_number(struct gen_scanner *scanner, struct gen_token *token)
{
  const char *const digits = "0123456789";
  const char *end = scanner->at + strspn(scanner->at, digits);
  token->whole = true;
  if (*end == '.') {
    token->whole = false;
    end += 1 + strspn(end + 1, digits);
  }
  if (*end == 'e' || *end == 'E') {
    const char *exponent = end + 1 + (end[1] == '+' || end[1] == '-');
    token->whole = false;
    end = exponent + strspn(exponent, digits);
    if (end == exponent)
      return gen_reject(token->where, "number '%.*s' has no digits in its exponent",
                        (int)(end - scanner->at), scanner->at);
  }
  token->kind = GEN_TOKEN_NUMBER;
  token->text = gen_text("%.*s", (int)(end - scanner->at), scanner->at);
  token->number = strtod(token->text, NULL);
  token->whole = token->whole && token->number <= 1 << 30;
  if (isalpha((unsigned char)*end) || *end == '_' || *end == '.')
    return gen_reject(token->where, "'%s%c' is no number", token->text, *end);
  if (!isfinite(token->number))
    return gen_reject(token->where, "number '%s' is larger than a double can be", token->text);
  scanner->at = end;
  return true;
}

bool gen_scan_next(struct gen_scanner *scanner)
{
  struct gen_token *token = &scanner->token;
  skip(scanner);
  scanner->where.column = (int)(scanner->at - scanner->line) + 1;
  *token = (struct gen_token){.where = scanner->where};
  const unsigned char c = (unsigned char)*scanner->at;
  if (!c) {
    token->text = "the end of the file";
    return true;
  }
  if (isdigit(c) || (c == '.' && isdigit((unsigned char)scanner->at[1])))
    return scan_number(scanner, token);
  size_t length = 1;
  if (isalpha(c) || c == '_') {
    token->kind = GEN_TOKEN_NAME;
    while (isalnum((unsigned char)scanner->at[length]) || scanner->at[length] == '_')
      length++;
  } else if (strchr("()[]{}+-*/=;:,@<>?!", c) || (strchr("&|", c) && scanner->at[1] == (char)c)) {
    token->kind = GEN_TOKEN_SIGN;
    length += strchr("&|", c) || (strchr("+-*/=<>!", c) && scanner->at[1] == '=');
  } else if (c < 128 && isprint(c)) {
    return gen_reject(token->where, "'%c' is no sign that formulas have", c);
  } else {
    return gen_reject(token->where, "byte %d is no sign that formulas have: they are plain ASCII",
                      c);
  }
  token->text = gen_text("%.*s", (int)length, scanner->at);
  scanner->at += length;
  return true;
}

bool gen_scan_start(struct gen_scanner *scanner, const char *path, const char *text)
{
  *scanner = (struct gen_scanner){.at = text, .line = text, .where = {.file = path, .line = 1}};
  return gen_scan_next(scanner);
}

bool gen_scan_is(const struct gen_scanner *scanner, const char *text)
{
  return (scanner->token.kind == GEN_TOKEN_NAME || scanner->token.kind == GEN_TOKEN_SIGN)
    && strcmp(scanner->token.text, text) == 0;
}

bool gen_scan_wrong(const struct gen_scanner *scanner, const char *expected)
{
  const char *quote = scanner->token.kind == GEN_TOKEN_END ? "" : "'";
  return gen_reject(scanner->token.where, "found %s%s%s where %s was expected", quote,
                    scanner->token.text, quote, expected);
}

bool gen_scan_expect(struct gen_scanner *scanner, const char *text, const char *why)
{
  if (!gen_scan_is(scanner, text))
    return gen_scan_wrong(scanner, gen_text("'%s'%s", text, why));
  return gen_scan_next(scanner);
}

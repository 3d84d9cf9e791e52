#include "integer.h"

#include <stdlib.h>
#include <string.h>

/* By where they are declared. */
static int compare_variables(const void *a, const void *b)
{
  const struct gen_location *x = &(*(const struct gen_syntax *const *)a)->where,
                            *y = &(*(const struct gen_syntax *const *)b)->where;
  return x->line != y->line ? x->line - y->line : x->column - y->column;
}

static bool same_factors(const struct gen_term *a, const struct gen_term *b)
{
  return a->factors == b->factors
    && memcmp(a->factor, b->factor, (size_t)a->factors * sizeof *a->factor) == 0;
}

/* Terms of high degree come first. */
static int compare_terms(const void *a, const void *b)
{
  const struct gen_term *x = a, *y = b;
  if (x->factors != y->factors)
    return y->factors - x->factors;
  for (int f = 0; f < x->factors; f++) {
    const int order = compare_variables(&x->factor[f], &y->factor[f]);
    if (order)
      return order;
  }
  return 0;
}

static bool add_term(struct gen_integer *to, const struct gen_term *term)
{
  int t = 0;
  while (t < to->terms && !same_factors(&to->term[t], term))
    t++;
  if (t == GEN_MAX_TERMS)
    return false;
  if (t == to->terms)
    to->term[to->terms++] = *term;
  else
    to->term[t].coefficient += term->coefficient;
  if (to->term[t].coefficient == 0)
    to->term[t] = to->term[--to->terms];
  qsort(to->term, (size_t)to->terms, sizeof *to->term, compare_terms);
  return true;
}

struct gen_integer gen_integer_of(long long value)
{
  struct gen_integer integer = {0};
  integer.terms = value != 0;
  integer.term[0].coefficient = value;
  return integer;
}

struct gen_integer gen_integer_variable(const struct gen_syntax *variable)
{
  struct gen_integer integer = gen_integer_of(1);
  integer.term[0].factors = 1;
  integer.term[0].factor[0] = variable;
  return integer;
}

bool gen_integer_add(struct gen_integer *to, long long factor, const struct gen_integer *value)
{
  for (int t = 0; factor && t < value->terms; t++) {
    struct gen_term term = value->term[t];
    term.coefficient *= factor;
    if (!add_term(to, &term))
      return false;
  }
  return true;
}

bool gen_integer_multiply(const struct gen_integer *a, const struct gen_integer *b,
                          struct gen_integer *out)
{
  *out = gen_integer_of(0);
  for (int s = 0; s < a->terms; s++)
    for (int t = 0; t < b->terms; t++) {
      struct gen_term term = a->term[s];
      if (term.factors + b->term[t].factors > GEN_MAX_FACTORS)
        return false;
      term.coefficient *= b->term[t].coefficient;
      for (int f = 0; f < b->term[t].factors; f++)
        term.factor[term.factors++] = b->term[t].factor[f];
      qsort(term.factor, (size_t)term.factors, sizeof *term.factor, compare_variables);
      if (!add_term(out, &term))
        return false;
    }
  return true;
}

bool gen_integer_known(const struct gen_integer *integer, long long *value)
{
  *value = integer->terms ? integer->term[0].coefficient : 0;
  return integer->terms == 0 || (integer->terms == 1 && integer->term[0].factors == 0);
}

bool gen_integer_distance(const struct gen_integer *a, const struct gen_integer *b,
                          long long *distance)
{
  struct gen_integer difference = *a;
  return gen_integer_add(&difference, -1, b) && gen_integer_known(&difference, distance);
}

bool gen_integer_equal(const struct gen_integer *a, const struct gen_integer *b)
{
  long long distance;
  return gen_integer_distance(a, b, &distance) && distance == 0;
}

struct gen_integer gen_integer_take(struct gen_integer *from, const struct gen_syntax *variable)
{
  struct gen_integer taken = gen_integer_of(0), left = gen_integer_of(0);
  for (int t = 0; t < from->terms; t++) {
    struct gen_term term = from->term[t];
    int f = 0;
    while (f < term.factors && term.factor[f] != variable)
      f++;
    if (f == term.factors) {
      add_term(&left, &term);
      continue;
    }
    for (term.factors--; f < term.factors; f++)
      term.factor[f] = term.factor[f + 1];
    add_term(&taken, &term);
  }
  *from = left;
  return taken;
}

/* The term divided by another one; false if there is a rest. */
static bool divide_term(const struct gen_term *term, const struct gen_term *by,
                        struct gen_term *quotient)
{
  const long long c = term->coefficient, d = by->coefficient, half = (d < 0 ? -d : d) / 2;
  *quotient = *term;
  for (int f = 0; f < by->factors; f++) {
    int at = 0;
    while (at < quotient->factors && quotient->factor[at] != by->factor[f])
      at++;
    if (at == quotient->factors)
      return false;
    for (quotient->factors--; at < quotient->factors; at++)
      quotient->factor[at] = quotient->factor[at + 1];
  }
  if (term->factors)
    quotient->coefficient = c % d ? 0 : c / d;
  else
    quotient->coefficient = (c >= 0 ? c + half : c - half) / d;
  return quotient->coefficient != 0;
}

struct gen_integer gen_integer_divide(struct gen_integer *from, const struct gen_integer *divisor)
{
  enum { MOST_TURNS = 64 };
  struct gen_integer times = gen_integer_of(0);
  for (int turn = 0; divisor->terms && turn < MOST_TURNS; turn++) {
    struct gen_integer one = {.terms = 1}, part;
    int t = 0;
    while (t < from->terms && !divide_term(&from->term[t], &divisor->term[0], &one.term[0]))
      t++;
    if (t == from->terms || !gen_integer_multiply(&one, divisor, &part))
      break;
    gen_integer_add(from, -1, &part);
    gen_integer_add(&times, 1, &one);
  }
  return times;
}

const char *gen_integer_text(const struct gen_integer *integer)
{
  const char *text = "";
  for (int t = 0; t < integer->terms; t++) {
    const struct gen_term *term = &integer->term[t];
    const long long size = term->coefficient < 0 ? -term->coefficient : term->coefficient;
    const char *sign = term->coefficient < 0 ? (t ? " - " : "-") : t ? " + " : "";
    text = gen_text("%s%s", text, sign);
    if (size != 1 || !term->factors)
      text = gen_text("%s%lld%s", text, size, term->factors ? " * " : "");
    for (int f = 0; f < term->factors; f++)
      text = gen_text("%s%s%s", text, f ? " * " : "", term->factor[f]->name);
  }
  return integer->terms ? text : "0";
}

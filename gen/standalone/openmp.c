#include "openmp.h"

#include "nest.h"

#include <string.h>

enum { MOST_PRIVATE = 32 };

/* Variables that iterations set, but that are declared before the loops; that of the outermost loop
 * is private anyway. */
static bool find_private(const struct gen_event *event, const struct gen_syntax *syntax,
                         const struct gen_syntax **list, int *count)
{
  const bool sets = syntax->kind == GEN_SYNTAX_ASSIGN
    || (syntax->kind == GEN_SYNTAX_UNARY && syntax->operation == GEN_SYNTAX_INCREMENT);
  const struct gen_syntax *variable =
    sets && syntax->count ? gen_variable_of(syntax->part[0]) : NULL;
  bool known = !variable || variable == event->nest->variable[0] || !gen_is_outer(event, variable);
  for (int s = 0; s < event->nest->sums; s++)
    known = known || variable == event->nest->sum[s].variable;
  for (int n = 0; n < *count; n++)
    known = known || list[n] == variable;
  if (!known && *count == MOST_PRIVATE)
    return gen_reject(event->where, "more than %d variables in one nest", MOST_PRIVATE);
  if (!known)
    list[(*count)++] = variable;
  for (int p = 0; p < syntax->count; p++)
    if (!find_private(event, syntax->part[p], list, count))
      return false;
  return true;
}

/* What the threads gather, as clauses. */
static const char *reductions_of(const struct gen_nest *nest)
{
  static const char *const word[] = {"+", "min", "max"}; /* by gen_reduction_kind */
  const char *text = "";
  for (int s = 0; s < nest->sums; s++)
    text =
      gen_text("%s reduction(%s:%s)", text, word[nest->sum[s].kind], nest->sum[s].variable->name);
  return text;
}

static bool put_nest(const struct gen_translation *translation, const struct gen_event *event,
                     struct gen_edits *edits)
{
  const struct gen_syntax *variable[MOST_PRIVATE];
  const char *names = "";
  int count = 0;
  const struct gen_directive *directive = event->directive;
  if (!find_private(event, gen_loops_of(translation, event), variable, &count))
    return false;
  for (int n = 0; n < count; n++)
    names = gen_text("%s%s%s", names, n ? ", " : "", variable[n]->name);
  const struct gen_location where = directive ? directive->where : event->nest->where;
  const char *indent = gen_indent_of(edits->text, gen_place_at(edits->text, where)),
             *pragma = gen_text(count ? "#pragma omp parallel for private(%s)%s\n"
                                      : "#pragma omp parallel for%s%s\n",
                                names, reductions_of(event->nest));
  return directive ? gen_replace_directive(edits, directive, gen_indented(indent, pragma))
                   : gen_put_before(edits, where, indent, pragma);
}

bool gen_put_openmp(const struct gen_translation *translation, struct gen_edits *edits,
                    struct gen_writer *head)
{
  const char *exchange = gen_free_name(edits->text, "exchange_pointers");
  bool any;
  for (int e = 0; e < translation->events; e++)
    if (translation->event[e].kind != GEN_EVENT_SWAP
        && !put_nest(translation, &translation->event[e], edits))
      return false;
  if (!gen_replace_exchanges(edits, exchange, &any))
    return false;
  if (any) {
    gen_raw(head, "/* std::swap of two pointers, in C. */");
    gen_raw(head,
            gen_text("#define %s(a, b) do { void *exchanged = a; a = b; b = exchanged; } "
                     "while (0)",
                     exchange));
  }
  return true;
}

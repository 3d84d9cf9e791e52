#include "host.h"

#include "directives/arrays.h"
#include "directives/precision.h"

#include <string.h>

/* ---- copies ---- */

/* What copies an array: pointers to rows, or one piece. */
static bool has_rows(const struct gen_data *data)
{
  return data->variable->variable.storage.pointers > 1;
}

static const char *extents(const struct gen_data *data)
{
  const char *text = "";
  for (int d = 0; d < data->rank; d++)
    text = gen_text("%s%s%s", text, d ? ", " : "", gen_integer_text(&data->extent[d]));
  return text;
}

/* How many values an array has. */
static const char *count_of(const struct gen_data *data)
{
  const char *text = "";
  long long known, whole = 1;
  bool all = true;
  for (int d = 0; d < data->rank; d++) {
    all = all && gen_integer_known(&data->extent[d], &known);
    whole *= all ? known : 1;
    const char *extent = gen_integer_text(&data->extent[d]);
    const char *form = strchr(extent, ' ') ? "%s%s(%s)" : "%s%s%s";
    text = gen_text(form, text, d ? " * " : "(size_t)", extent);
  }
  return all ? gen_text("%lld", whole) : text;
}

/* The host's array as an argument. */
static const char *on_host(const struct gen_data *data, const char *type)
{
  const char *name = data->name;
  const bool constant = strstr(data->variable->variable.type_text, "const") != NULL;
  const int subscripts =
    data->variable->variable.storage.rank + data->variable->variable.storage.pointers;
  for (int n = 1; !has_rows(data) && n < subscripts; n++)
    name = gen_text("%s[0]", name);
  return constant && !has_rows(data) ? gen_text("(%s *)%s", type, name) : name;
}

static const char *copy_text(const struct gen_host *host, int a, const char *way)
{
  const struct gen_data *data = &host->translation->array[a];
  const char *there = on_host(data, gen_values_name(host->translation));
  if (has_rows(data))
    return gen_text("cuda_copy_%dd(%s, %s, %s, cudaMemcpy%s);\n", data->rank, there,
                    host->device[a], extents(data), way);
  return gen_text("cuda_copy(%s, %s, %s, cudaMemcpy%s);\n", there, host->device[a], count_of(data),
                  way);
}

static const char *new_text(const struct gen_host *host, int a)
{
  return gen_text("%s *%s = cuda_new(%s);\n%s", gen_values_name(host->translation), host->device[a],
                  count_of(&host->translation->array[a]), copy_text(host, a, "HostToDevice"));
}

static const char *free_text(const struct gen_host *host, int a)
{
  return gen_text("cuda_delete(%s);\n", host->device[a]);
}

/* ---- their places ---- */

/* The first copy of an array to the device, or the last one from it; NULL: there is none. */
static const struct gen_directive *copy_of(const struct gen_host *host,
                                           const struct gen_syntax *syntax, int a, bool to_device)
{
  const struct gen_directive *directive = gen_directive_of(host->translation->directives, syntax);
  const struct gen_directive *found = NULL;
  if (directive && directive->kind == GEN_DIRECTIVE_COPY && directive->to_device == to_device
      && gen_variable_of(syntax->part[0]) == host->translation->array[a].variable)
    return directive;
  for (int p = 0; p < syntax->count && !(found && to_device); p++) {
    const struct gen_directive *other = copy_of(host, syntax->part[p], a, to_device);
    found = other ? other : found;
  }
  return found;
}

/* Whether a statement has a place in it. */
static bool is_at(const struct gen_syntax *syntax, struct gen_location where)
{
  if (syntax->where.line == where.line && syntax->where.column == where.column)
    return true;
  for (int p = 0; p < syntax->count; p++)
    if (is_at(syntax->part[p], where))
      return true;
  return false;
}

/* The region, or the time loop around it. */
static const struct gen_syntax *find_region(const struct gen_translation *translation,
                                            const struct gen_syntax *syntax)
{
  const struct gen_directive *directive = gen_directive_of(translation->directives, syntax);
  const struct gen_syntax *found = NULL;
  if (directive
        ? directive->kind == GEN_DIRECTIVE_PARALLEL
        : syntax->kind != GEN_SYNTAX_BLOCK && gen_has_marks(translation->directives, syntax))
    return syntax;
  for (int p = 0; syntax->kind == GEN_SYNTAX_BLOCK && p < syntax->count && !found; p++)
    found = find_region(translation, syntax->part[p]);
  return found;
}

bool gen_find_steps(const struct gen_translation *translation, const struct gen_syntax **first,
                    const struct gen_syntax **last)
{
  const struct gen_syntax *block = translation->function->body;
  do {
    *first = *last = NULL;
    for (int p = 0; p < block->count; p++)
      for (int e = 0; e < translation->events; e++)
        if (is_at(block->part[p], translation->event[e].where)) {
          *first = *first ? *first : block->part[p];
          *last = block->part[p];
        }
    block = *first;
  } while (block && block == *last && block->kind == GEN_SYNTAX_BLOCK);
  return *first != NULL
    || gen_reject(translation->function->where, "'%s' has no loops over cells",
                  translation->function->name);
}

static bool check_array(const struct gen_data *data)
{
  const struct gen_storage *storage = &data->variable->variable.storage;
  for (int d = 0; d < storage->rank; d++)
    if (storage->length[d] < 0 && (storage->pointers || d || !data->variable->variable.argument))
      return gen_reject(data->variable->where,
                        "'%s' is a '%s', whose length is a variable: nvcc compiles C++, which has "
                        "no such arrays; use double *** or one subscript",
                        data->name, data->variable->variable.type_text);
  return !(storage->pointers > 1 && storage->rank)
    || gen_reject(data->variable->where, "'%s' is a '%s': --standalone takes double *** or arrays",
                  data->name, data->variable->variable.type_text);
}

/* Whether an array that no directive copies comes back from the device. */
static bool is_changed(const struct gen_host *host, const struct gen_data *data)
{
  const bool constant = strstr(data->variable->variable.type_text, "const") != NULL;
  return data->declared || (host->translation->directives->finds_loops && !constant);
}

/* Copies of one array. before, after: what stands around the region for it. */
static bool put_copy(struct gen_host *host, int a, const char **before, const char **after)
{
  const struct gen_data *data = &host->translation->array[a];
  const struct gen_syntax *body = host->translation->function->body;
  const struct gen_directive *to = copy_of(host, body, a, true),
                             *from = copy_of(host, body, a, false);
  if (!check_array(data))
    return false;
  if (!to)
    *before = gen_text("%s%s", *before, new_text(host, a));
  if (!from && !to && is_changed(host, data))
    *after = gen_text("%s%s", *after, copy_text(host, a, "DeviceToHost"));
  if (!from)
    *after = gen_text("%s%s", *after, free_text(host, a));
  const struct gen_directives *all = host->translation->directives;
  for (int n = 0; n < all->count; n++) {
    const struct gen_directive *directive = &all->directive[n];
    const char *indent = host->indent;
    if (directive == to
        && !gen_replace_directive(host->edits, directive, gen_indented(indent, new_text(host, a))))
      return false;
    if (directive == from
        && !gen_replace_directive(
          host->edits, directive,
          gen_indented(indent,
                       gen_text("%s%s", copy_text(host, a, "DeviceToHost"), free_text(host, a)))))
      return false;
  }
  return true;
}

bool gen_put_copies(struct gen_host *host)
{
  const char *text = host->edits->text, *before = "", *after = "";
  const struct gen_function *function = host->translation->function;
  const struct gen_syntax *region = find_region(host->translation, function->body), *last = region;
  if (host->translation->directives->finds_loops) {
    if (!gen_find_steps(host->translation, &region, &last))
      return false;
  } else if (!region) {
    return gen_reject(function->where, "'%s' has no region that is one statement", function->name);
  }
  const bool marked = gen_directive_of(host->translation->directives, region) != NULL;
  const struct gen_syntax *statement = marked && region->count ? region->part[0] : region;
  host->indent = gen_indent_of(text, gen_place_at(text, statement->where));
  for (int a = 0; a < host->translation->arrays; a++)
    if (!put_copy(host, a, &before, &after))
      return false;
  return (!*before || gen_put_before(host->edits, region->where, host->indent, before))
    && (!*after || gen_put_after(host->edits, last->where, host->indent, after));
}

/* ---- swaps ---- */

/* The innermost statement of a block that has a place in it; NULL: there is none. */
static const struct gen_syntax *statement_at(const struct gen_syntax *syntax,
                                             struct gen_location where)
{
  for (int p = 0; p < syntax->count; p++) {
    if (!is_at(syntax->part[p], where))
      continue;
    const struct gen_syntax *inner = statement_at(syntax->part[p], where);
    return inner ? inner : syntax->kind == GEN_SYNTAX_BLOCK ? syntax->part[p] : NULL;
  }
  return NULL;
}

static bool put_swap(struct gen_host *host, const struct gen_event *event)
{
  const struct gen_translation *translation = host->translation;
  const char *text = "{ /* on the device, what the host does to its own arrays */\n",
             *other = gen_free_name(host->edits->text, "d_other");
  bool done[GEN_MAX_PROGRAM_ARRAYS] = {false};
  const struct gen_syntax *statement = statement_at(translation->function->body, event->where);
  if (!statement || statement->kind == GEN_SYNTAX_FOR || statement->kind == GEN_SYNTAX_WHILE)
    return gen_reject(event->where,
                      "this swap stands in no block of its own: write braces around the body of "
                      "the time loop");
  bool first = true;
  for (int start = 0; start < translation->arrays; start++) {
    int a = start;
    if (done[start] || event->from[start] == start)
      continue;
    text = gen_text("%s  %s%s = %s;\n", text,
                    first ? gen_text("%s *", gen_values_name(host->translation)) : "", other,
                    host->device[start]);
    for (first = false; event->from[a] != start; a = event->from[a]) {
      text = gen_text("%s  %s = %s;\n", text, host->device[a], host->device[event->from[a]]);
      done[a] = true;
    }
    done[a] = true;
    text = gen_text("%s  %s = %s;\n", text, host->device[a], other);
  }
  const char *indent =
    gen_indent_of(host->edits->text, gen_place_at(host->edits->text, statement->where));
  return gen_put_before(host->edits, statement->where, indent, gen_text("%s}\n", text));
}

bool gen_put_swaps(struct gen_host *host)
{
  for (int e = 0; e < host->translation->events; e++)
    if (host->translation->event[e].kind == GEN_EVENT_SWAP
        && !put_swap(host, &host->translation->event[e]))
      return false;
  return true;
}

/* ---- the others ---- */

bool gen_drop_directives(struct gen_edits *edits)
{
  for (int n = 0; n < edits->directives->count; n++) {
    const size_t from = gen_line_at(edits->text, edits->directives->directive[n].where.line);
    bool replaced = false;
    for (int e = 0; e < edits->count; e++)
      replaced = replaced || (edits->edit[e].from == from && edits->edit[e].to > from);
    if (!replaced && !gen_replace_directive(edits, &edits->directives->directive[n], ""))
      return false;
  }
  return true;
}

void gen_name_device(struct gen_host *host)
{
  for (int a = 0; a < host->translation->arrays; a++)
    host->device[a] =
      gen_free_name(host->edits->text, gen_text("d_%s", host->translation->array[a].name));
}

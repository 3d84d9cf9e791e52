#include "ranks.h"

#include "directives/arrays.h"
#include "directives/precision.h"
#include "host.h"

#include <string.h>

/* ---- what the calls are given ---- */

static const char *list_of(const struct gen_integer *value, int count)
{
  const char *text = "";
  for (int d = 0; d < GEN_MOST_SPACE; d++)
    text = gen_text("%s%s%s", text, d ? ", " : "", d < count ? gen_integer_text(&value[d]) : "1");
  return text;
}

/* Elements before the first cell: as many as after the last one, also of an array that loops know
 * by another name, after a swap. */
static int margin_of(const struct gen_translation *translation, const struct gen_data *data, int d)
{
  long long more;
  if (d >= data->rank)
    return 0;
  return !data->placed && gen_integer_distance(&data->extent[d], &translation->cells[d], &more)
    ? (int)(more / 2)
    : data->margin[d];
}

static const char *layout_of(const struct gen_translation *translation, const struct gen_data *data)
{
  return gen_text("(const long[]){%s}, (const int[]){%d, %d, %d}",
                  list_of(data->extent, data->rank), margin_of(translation, data, 0),
                  margin_of(translation, data, 1), margin_of(translation, data, 2));
}

/* The address of the first element. */
static const char *first_element(const struct gen_data *data)
{
  const char *text = data->name;
  for (int n = 1; !data->flat && n < data->rank; n++)
    text = gen_text("%s[0]", text);
  return text;
}

static bool check_arrays(const struct gen_translation *translation)
{
  for (int a = 0; a < translation->arrays; a++) {
    const struct gen_data *data = &translation->array[a];
    if (translation->formula.program->type != GEN_DOUBLE)
      return gen_reject(data->variable->where,
                        "'%s' holds float: -mpi, -gpu and -hybrid take arrays of double; "
                        "--standalone takes both",
                        data->name);
    if (data->variable->variable.storage.pointers > 1)
      return gen_reject(data->variable->where,
                        "'%s' is a '%s', whose rows may lie anywhere: -mpi, -gpu and -hybrid take "
                        "arrays in one piece",
                        data->name, data->variable->variable.type_text);
  }
  return true;
}

/* ---- the calls ---- */

static const char *opening(const struct gen_translation *translation,
                           const struct gen_syntax *first, bool *fine)
{
  const struct gen_program *program = translation->formula.program;
  const char *text = gen_text("gmg_marked_open((const int[]){%s});\n",
                              list_of(translation->cells, translation->dimensions));
  for (int s = 0; s < program->scalars; s++) {
    const struct gen_program_scalar *scalar = &program->scalar[s];
    const bool before = scalar->where.line < first->where.line
      || (scalar->where.line == first->where.line && scalar->where.column < first->where.column);
    if (before)
      text = gen_text("%sgmg_marked_set(\"%s\", %s);\n", text, scalar->name, scalar->name);
    else if (!scalar->has_value)
      *fine = gen_reject(scalar->where,
                         "'%s' is declared among the steps, and its value is not known: declare it "
                         "before them",
                         scalar->name);
  }
  for (int a = 0; a < translation->arrays; a++) {
    const struct gen_data *data = &translation->array[a];
    if (data->used)
      text = gen_text("%sgmg_marked_array(\"%s\", %s, %s);\n", text, data->name,
                      first_element(data), layout_of(translation, data));
  }
  return text;
}

static const char *closing(const struct gen_translation *translation)
{
  const char *text = "gmg_marked_run();\n";
  for (int a = 0; a < translation->arrays; a++) {
    const struct gen_data *data = &translation->array[a];
    const bool constant = strstr(data->variable->variable.type_text, "const") != NULL;
    const bool back =
      data->declared || translation->directives->finds_loops ? !constant : data->copied_back;
    if (back && data->used)
      text = gen_text("%sgmg_marked_result(\"%s\", %s, %s);\n", text, data->name,
                      first_element(data), layout_of(translation, data));
  }
  return gen_text("%sgmg_marked_close();\n", text);
}

/* What gathers the sums of a nest: the steps so far are taken for it. */
static const char *sums_of(const struct gen_nest *nest)
{
  static const char *const call[] = {"sum", "least", "largest"}; /* by gen_reduction_kind */
  const char *text = "";
  for (int s = 0; s < nest->sums; s++) {
    const struct gen_sum *sum = &nest->sum[s];
    text = gen_text("%s %s = gmg_marked_%s(\"%s\", %s);", text, sum->variable->name,
                    call[sum->kind], sum->name, sum->variable->name);
  }
  return text;
}

/* A call in the place of the first loops of a step, and nothing in that of all others, but for
 * sums. */
static bool put_steps(const struct gen_translation *translation, struct gen_edits *edits)
{
  bool called = false;
  for (int e = 0; e < translation->events; e++) {
    const struct gen_event *event = &translation->event[e];
    if (event->kind == GEN_EVENT_SWAP)
      continue;
    const size_t from = gen_place_at(edits->text, event->nest->where),
                 to = gen_statement_end(edits, event->nest->where);
    const bool call = !called && e >= translation->before;
    const char *text = call ? "gmg_marked_step();" : "; /* these loops are in gmg_marked_step */";
    called = called || call;
    if (event->nest->sums)
      text = gen_text("{%s%s }", call ? " gmg_marked_step();" : "", sums_of(event->nest));
    if (!gen_replace(edits, from, to, text))
      return false;
  }
  return true;
}

bool gen_put_calls(const struct gen_translation *translation, struct gen_edits *edits)
{
  const struct gen_syntax *first, *last;
  const char *exchange = gen_free_name(edits->text, "exchange_pointers");
  bool fine = true, any;
  if (!check_arrays(translation) || !gen_find_steps(translation, &first, &last))
    return false;
  const char *indent = gen_indent_of(edits->text, gen_place_at(edits->text, first->where)),
             *before = opening(translation, first, &fine);
  if (!fine || !gen_put_before(edits, first->where, indent, before)
      || !put_steps(translation, edits)
      || !gen_put_after(edits, last->where, indent, closing(translation))
      || !gen_replace_exchanges(edits, exchange, &any))
    return false;
  return !any
    || gen_replace(edits, 0, 0,
                   gen_text("/* std::swap of two pointers, in C. */\n"
                            "#define %s(a, b) do { void *exchanged = a; a = b; b = exchanged; } "
                            "while (0)\n",
                            exchange));
}

/* ---- before the file ---- */

void gen_write_start(const struct gen_program *program, const char *backends,
                     struct gen_writer *writer)
{
  gen_line(writer,
           "\n"
           "#include <gmg_program.h>\n"
           "\n"
           "/* Before main: rank 0 goes on to it, the others wait for steps to take. */\n"
           "__attribute__((constructor)) static void gmg_marked_begin(void)\n"
           "{\n"
           "static const struct gmg_program_descriptor *const made[] = {\n"
           "&GMG_SYMBOL(gmg_program_%s), NULL};\n"
           "gmg_marked_start(made, \"%s\");\n"
           "}\n"
           "\n",
           program->name, backends);
}

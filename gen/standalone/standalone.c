#include "standalone.h"

#include "directives/precision.h"
#include "frontend/formula.h"
#include "helpers.h"
#include "host.h"
#include "kernels.h"
#include "openmp.h"
#include "partials.h"
#include "ranks.h"

#include <string.h>

static const char *name_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* ---- C that is C++ as well ---- */

/* nvcc compiles C++, of which these are words; false after a rejection. */
static bool check_words(const struct gen_edits *edits)
{
  static const char *const words[] = {
    "and",       "bitand",   "bitor",    "catch",   "class",    "compl",   "constexpr",
    "decltype",  "delete",   "explicit", "export",  "friend",   "mutable", "namespace",
    "new",       "noexcept", "not",      "nullptr", "operator", "or",      "private",
    "protected", "public",   "template", "this",    "throw",    "try",     "typeid",
    "typename",  "using",    "virtual",  "wchar_t", "xor"};
  for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
    struct gen_location where = {.file = edits->directives->path};
    if (gen_find_word(edits->directives->marked, words[w], &where))
      return gen_reject(where, "'%s' is a word of C++, which nvcc compiles: give it another name",
                        words[w]);
  }
  return true;
}

/* ---- CUDA ---- */

/* Puts the launch in the place of a nest, and writes its kernel. */
static bool put_kernel(struct gen_nest_kernel *kernel, const struct gen_host *host,
                       struct gen_writer *writer)
{
  struct gen_edits *edits = host->edits;
  if (!gen_read_nest_kernel(kernel))
    return false;
  const bool plain = !kernel->level || kernel->event->kind == GEN_EVENT_WALL;
  if (!(plain ? gen_write_plain_kernel : gen_write_tiled_kernel)(kernel, writer))
    return false;
  gen_raw(writer, "");
  const size_t from = gen_place_at(edits->text, kernel->nest->where);
  const char *indent = gen_indent_of(edits->text, from);
  struct gen_writer launch = {0};
  gen_line(&launch, "%s", gen_launch_text(kernel, host->device));
  const char *text = gen_indented(indent, launch.text) + strlen(indent);
  const bool fine = gen_replace(edits, from, gen_statement_end(edits, kernel->nest->where),
                                gen_text("%.*s", (int)strlen(text) - 1, text));
  gen_writer_clear(&launch);
  return fine;
}

static bool put_kernels(const struct gen_standalone *standalone, const struct gen_host *host,
                        struct gen_writer *writer)
{
  const char *text = host->edits->text, *program = gen_program_name(standalone->path);
  int count = 0;
  for (int e = 0; e < host->translation->events; e++) {
    const struct gen_event *event = &host->translation->event[e];
    if (event->kind == GEN_EVENT_SWAP)
      continue;
    struct gen_nest_kernel *kernel = gen_allocate(sizeof *kernel);
    *kernel = (struct gen_nest_kernel){.translation = host->translation,
                                       .text = text,
                                       .event = event,
                                       .nest = event->nest,
                                       .level = standalone->level};
    kernel->name = gen_free_name(text, gen_text("%s_%d", program, ++count));
    if (!put_kernel(kernel, host, writer))
      return false;
  }
  return true;
}

static bool put_cuda(const struct gen_standalone *standalone, struct gen_edits *edits,
                     struct gen_writer *head)
{
  struct gen_host host = {.translation = standalone->translation, .edits = edits};
  struct gen_writer kernels = {0};
  const size_t at = gen_function_start(edits, host.translation->function->where);
  gen_name_device(&host);
  gen_write_helpers(&host, head);
  gen_write_partials(host.translation, head);
  const bool written = put_kernels(standalone, &host, &kernels);
  /* the blank line before the function is the user's */
  const int length = (int)kernels.length - (edits->text[at] == '\n');
  const bool fine = written && gen_replace(edits, at, at, gen_text("\n%.*s", length, kernels.text));
  if (fine)
    gen_write_loaders(head, gen_values_name(host.translation), edits->text, kernels.text);
  gen_writer_clear(&kernels);
  return fine && gen_put_copies(&host) && gen_put_swaps(&host);
}

/* ---- the whole ---- */

static void write_comment(const struct gen_standalone *standalone, struct gen_writer *writer)
{
  const char *source = name_of(standalone->path), *output = name_of(standalone->output);
  const int length = (int)strcspn(output, ".");
  if (standalone->backends)
    gen_line(
      writer,
      "/* Made by gmg-gen from %s: its marked loops run by gmg's library (%s). Compile with\n"
      " *   cc -O3 -march=native -fopenmp -ffp-contract=off -fno-math-errno -o %.*s %s \\\n"
      " *     -I PREFIX/share/gmg/operators $(pkg-config --cflags --libs gmg) -lm\n"
      " * PREFIX is where gmg is installed. On several ranks: mpirun -n 4 ./%.*s */",
      source, standalone->backends, length, output, output, length, output);
  else if (standalone->cuda)
    gen_line(writer,
             "/* Made by gmg-gen from %s: its marked loops in CUDA, --opt %d. Compile with\n"
             " *   nvcc -O3 -fmad=false -o %.*s %s\n"
             " * Without -fmad=false multiplications and additions are contracted, and results "
             "differ by rounding. */",
             source, standalone->level, length, output, output);
  else
    gen_line(writer,
             "/* Made by gmg-gen from %s: its marked loops with OpenMP. Compile with\n"
             " *   gcc -O3 -fopenmp -ffp-contract=off -o %.*s %s -lm\n"
             " * Without -ffp-contract=off multiplications and additions may be contracted, and "
             "results differ by rounding. */",
             source, length, output, output);
}

bool gen_write_standalone(const struct gen_standalone *standalone, struct gen_writer *writer)
{
  struct gen_edits *edits = gen_allocate(sizeof *edits);
  edits->directives = standalone->translation->directives;
  edits->text = gen_read_text(standalone->path);
  if (!edits->text)
    return false;
  write_comment(standalone, writer);
  if (standalone->backends) {
    gen_raw(writer, "#define GMG_ISA_NAME \"baseline\" /* it runs where it is compiled for */");
    gen_write_bytes(writer, standalone->program, strlen(standalone->program));
    gen_write_start(standalone->translation->formula.program, standalone->backends, writer);
  }
  if (standalone->backends ? !gen_put_calls(standalone->translation, edits)
        : standalone->cuda ? !check_words(edits) || !put_cuda(standalone, edits, writer)
                           : !gen_put_openmp(standalone->translation, edits, writer))
    return false;
  if (!gen_drop_directives(edits))
    return false;
  if (!standalone->cuda)
    gen_raw(writer, "");
  gen_write_edited(edits, writer);
  return true;
}

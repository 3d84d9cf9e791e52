#include "tuned.h"

#include "backend.h"
#include "config.h"
#include "system/memory.h"
#include "tuned_program.h"
#include "tuning/wisdom_disk.h"
#include "tuning/wisdom_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct gmg_tuned_text {
  struct gmg_tuned_text *next;
  char *text, name[400];
  size_t bytes;
};

/* The operator of a subject "levels OPERATOR PRECISION …"; NULL: it is none of this program's. */
static const struct gmg_operator_descriptor *operator_of(const gmg_context *context,
                                                         const char *subject)
{
  char name[GMG_WISDOM_SUBJECT];
  if (sscanf(subject, "levels %95s", name) != 1)
    return NULL;
  return gmg_context_operator(context, name);
}

static const char *source_of(void *user, const char *target, const char *subject)
{
  gmg_context *context = user;
  struct gmg_tuned *tuned = context->tuned;
  const char *program = gmg_tuned_program_source(subject, tuned->source);
  if (program)
    return program;
  if (strcmp(target, "cpu") != 0)
    return context->backend
        && context->backend->source(subject, tuned->source, sizeof tuned->source)
      ? tuned->source
      : NULL;
  const struct gmg_operator_descriptor *op = operator_of(context, subject);
  return op && op->kernels > 0 ? op->kernel[0]->source_hash : NULL;
}

static int allows(void *user, const char *subject, const struct gmg_wisdom_choice *choice)
{
  gmg_context *context = user;
  char source[GMG_WISDOM_SOURCE];
  if (gmg_tuned_program_source(subject, source))
    return gmg_tuned_program_allows(subject, choice);
  if (!operator_of(context, subject))
    return context->backend
      && context->backend->allows(subject, choice->name, choice->word, choice->number);
  const int n = gmg_choice_find(choice->name);
  return n >= 0 && !choice->word[0] && gmg_choice_allows(n, choice->number);
}

/* Keeps what a line of text may hold: printable ASCII. */
static void clean(char *text)
{
  size_t end = 0;
  for (size_t n = 0; text[n]; n++)
    if (text[n] >= ' ' && text[n] <= '~')
      text[end++] = text[n];
  text[end] = 0;
}

static void describe_cpu(const gmg_context *context, struct gmg_wisdom_key *key)
{
  char line[256], model[64] = "unknown CPU";
  FILE *stream = fopen("/proc/cpuinfo", "r");
  for (int n = 0; stream && n < 32 && fgets(line, sizeof line, stream); n++)
    if (sscanf(line, "model name : %63[^\n]", model) == 1)
      break;
  if (stream)
    fclose(stream);
  clean(model);
  memset(key, 0, sizeof *key);
  snprintf(key->target, sizeof key->target, "cpu");
  const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE); /* virtual machines often hide the model */
  snprintf(key->machine, sizeof key->machine, "%.36s, L2 %d KiB, %.12s%s", model,
           (int)(cache / 1024), context->library->isa,
           context->comm.here > 1 ? ", several ranks" : "");
  snprintf(key->compiler, sizeof key->compiler, "%s", GMG_C_COMPILER);
  key->threads = context->threads;
}

/* As rank 0 sees them. */
static int find_keys(gmg_context *context)
{
  struct gmg_tuned *tuned = context->tuned;
  struct gmg_wisdom_key *cuda = &tuned->key[GMG_TARGET_CUDA];
  describe_cpu(context, &tuned->key[GMG_TARGET_CPU]);
  memset(cuda, 0, sizeof *cuda);
  if (context->backend)
    context->backend->identify(context, cuda);
  return gmg_comm_broadcast(&context->comm, tuned->key, (int)sizeof tuned->key, 0);
}

static struct gmg_wisdom *create_table(gmg_context *context)
{
  const struct gmg_tuned *tuned = context->tuned;
  const struct gmg_wisdom_rules rules = {.keys = tuned->key,
                                         .key_count =
                                           tuned->key[GMG_TARGET_CUDA].machine[0] ? GMG_TARGETS : 1,
                                         .generator = GMG_VERSION,
                                         .source = source_of,
                                         .valid = allows,
                                         .context = context};
  return gmg_wisdom_create(&rules);
}

/* Whether a text may have an entry of this machine: most files have none, and are not parsed. */
static int concerns(const struct gmg_tuned *tuned, const struct gmg_tuned_text *text)
{
  int any = 0;
  for (int t = 0; t < GMG_TARGETS; t++)
    any |= tuned->key[t].machine[0] && strstr(text->text, tuned->key[t].machine) != NULL;
  return any;
}

/* A table of all texts. What was found in this process stays. */
static gmg_status take_in(gmg_context *context)
{
  struct gmg_tuned *tuned = context->tuned;
  struct gmg_wisdom *before = tuned->wisdom, *table = create_table(context);
  if (!table)
    return gmg_fail(context, GMG_ERR_MEMORY, "out of memory for wisdom");
  tuned->note[0] = 0;
  for (struct gmg_tuned_text *t = tuned->text; t; t = t->next) {
    struct gmg_wisdom_report report;
    if (concerns(tuned, t)
        && gmg_wisdom_load(table, t->name, t->text, t->bytes, &report) != GMG_WISDOM_OK
        && !tuned->note[0])
      snprintf(tuned->note, sizeof tuned->note, "wisdom was not used: %s", report.sentence);
  }
  for (int n = 0; before && n < gmg_wisdom_count(before); n++)
    if (gmg_wisdom_at(before, n)->added)
      gmg_wisdom_add(table, gmg_wisdom_at(before, n), NULL);
  gmg_wisdom_destroy(&tuned->wisdom);
  tuned->wisdom = table;
  return GMG_OK;
}

/* Appends a text that rank 0 read. Returns -1 if memory is short or MPI failed. */
static int append(gmg_context *context, const char *name, char *read, size_t bytes)
{
  struct gmg_tuned_text *text = calloc(1, sizeof *text), **last = &context->tuned->text;
  char *own = context->comm.rank == 0 ? read : malloc(bytes + 1);
  int failed = !text || !own;
  if (gmg_comm_max_int(&context->comm, &failed, 1) || failed
      || gmg_comm_broadcast(&context->comm, own, (int)bytes, 0)) {
    free(own);
    free(text);
    return -1;
  }
  own[bytes] = 0;
  *text = (struct gmg_tuned_text){.text = own, .bytes = bytes};
  snprintf(text->name, sizeof text->name, "%s", name);
  while (*last)
    last = &(*last)->next;
  *last = text;
  return 0;
}

/* What rank 0 says of a file. */
struct found {
  int status; /* enum gmg_wisdom_status */
  size_t bytes;
  char name[400], sentence[GMG_WISDOM_SENTENCE];
};

/* Reads a file on rank 0, and tells the others. path: rank 0's. Returns -1 as `append` does. */
static int read_file(gmg_context *context, const char *path, struct found *found)
{
  char *text = NULL;
  memset(found, 0, sizeof *found);
  if (context->comm.rank == 0) {
    snprintf(found->name, sizeof found->name, "%s", path);
    found->status = path[0] ? (int)gmg_wisdom_read_file(path, &text, &found->bytes, found->sentence)
                            : GMG_WISDOM_ABSENT;
  }
  if (gmg_comm_broadcast(&context->comm, found, (int)sizeof *found, 0)) {
    free(text);
    return -1;
  }
  return found->status ? 0 : append(context, found->name, text, found->bytes);
}

/* What is shipped, then the user's own. */
static gmg_status read_files(gmg_context *context)
{
  char path[2][400] = {"", ""};
  if (gmg_wisdom_shipped_folder(path[0], sizeof path[0] - 16) == GMG_WISDOM_OK)
    strcat(path[0], "/wisdom.json");
  gmg_wisdom_user_path(path[1], sizeof path[1]);
  for (int n = 0; n < 2; n++) {
    struct found found;
    if (read_file(context, path[n], &found))
      return gmg_fail(context, GMG_ERR_MPI, "out of memory, or MPI failed, for wisdom");
  }
  return GMG_OK;
}

/* Makes what the context keeps. read: files that are looked for by themselves, too. */
static gmg_status begin(gmg_context *context, int read)
{
  int failed = 0;
  if (!context->tuned)
    failed = !(context->tuned = calloc(1, sizeof *context->tuned));
  else
    read = 0;
  if (gmg_comm_max_int(&context->comm, &failed, 1) || failed || find_keys(context))
    return gmg_fail(context, GMG_ERR_MPI, "out of memory, or MPI failed, for wisdom");
  return read ? read_files(context) : GMG_OK;
}

gmg_status gmg_tuned_open(gmg_context *context)
{
  const int known = context->tuned && context->tuned->wisdom,
            device = known && context->tuned->key[GMG_TARGET_CUDA].machine[0];
  if (known && (device || !context->backend))
    return GMG_OK;
  gmg_status status = begin(context, 1);
  if (!status)
    status = take_in(context);
  return gmg_agree(context, status);
}

gmg_status gmg_tuned_load(gmg_context *context, const char *path)
{
  struct found found;
  struct gmg_wisdom_report report;
  gmg_status status = begin(context, path != NULL);
  if (!status && path && read_file(context, path, &found))
    status = gmg_fail(context, GMG_ERR_MPI, "out of memory, or MPI failed, for wisdom");
  if (!status && path && found.status)
    status = gmg_fail(context, GMG_ERR_ARGUMENT, "wisdom: %s", found.sentence);
  if (!status && path) { /* it is judged by itself first */
    struct gmg_wisdom *table = create_table(context);
    struct gmg_tuned_text *last = context->tuned->text;
    while (last->next)
      last = last->next;
    if (!table)
      status = gmg_fail(context, GMG_ERR_MEMORY, "out of memory for wisdom");
    else if (gmg_wisdom_load(table, path, last->text, last->bytes, &report) != GMG_WISDOM_OK)
      status = gmg_fail(context, GMG_ERR_ARGUMENT, "wisdom: %s", report.sentence);
    gmg_wisdom_destroy(&table);
  }
  if (!status)
    status = take_in(context);
  return gmg_agree(context, status);
}

void gmg_tuned_files(const gmg_context *context, char *names, size_t size)
{
  size_t used = 0;
  names[0] = 0;
  for (const struct gmg_tuned_text *t = context->tuned->text; t && used < size; t = t->next)
    used += (size_t)snprintf(names + used, size - used, "%s%s", used ? ", " : "", t->name);
}

void gmg_tuned_close(gmg_context *context)
{
  struct gmg_tuned *tuned = context->tuned;
  for (struct gmg_tuned_text *next, *t = tuned ? tuned->text : NULL; t; t = next) {
    next = t->next;
    free(t->text);
    free(t);
  }
  if (tuned)
    gmg_wisdom_destroy(&tuned->wisdom);
  free(tuned);
  context->tuned = NULL;
}

void gmg_tuned_extents(const struct gmg_layout *layout, int cells[3])
{
  for (int d = 0; d < 3; d++) {
    cells[d] = 0;
    for (int b = 0; b < layout->blocks[d]; b++)
      if (layout->cut[d][b + 1] - layout->cut[d][b] > cells[d])
        cells[d] = layout->cut[d][b + 1] - layout->cut[d][b];
  }
}

const struct gmg_wisdom_entry *gmg_tuned_find(const gmg_context *context, enum gmg_target target,
                                              const char *subject, const int cells[3])
{
  const struct gmg_tuned *tuned = context->tuned;
  return tuned && tuned->wisdom && tuned->key[target].machine[0]
    ? gmg_wisdom_find(tuned->wisdom, &tuned->key[target], subject, cells)
    : NULL;
}

gmg_status gmg_tuned_add(gmg_context *context, enum gmg_target target,
                         struct gmg_wisdom_entry *entry)
{
  struct gmg_tuned *tuned = context->tuned;
  char sentence[GMG_WISDOM_SENTENCE];
  entry->key = tuned->key[target];
  const char *source = source_of(context, entry->key.target, entry->subject);
  snprintf(entry->source, sizeof entry->source, "%s", source ? source : "");
  snprintf(entry->generator, sizeof entry->generator, "%s", GMG_VERSION);
  if (gmg_wisdom_add(tuned->wisdom, entry, sentence) != GMG_WISDOM_OK)
    return gmg_fail(context, GMG_ERR_INTERNAL, "wisdom: %s", sentence);
  return GMG_OK;
}

void gmg_tuned_take(const struct gmg_wisdom_entry *entry, struct gmg_choice *choice)
{
  memset(choice, 0, sizeof *choice);
  for (int n = 0; entry && n < entry->choices; n++) {
    const int at = gmg_choice_find(entry->choice[n].name);
    if (at >= 0)
      *gmg_choice_member(choice, at) = entry->choice[n].number;
  }
}

void gmg_tuned_put(struct gmg_wisdom_entry *entry, const struct gmg_choice *choice)
{
  struct gmg_choice copy = *choice;
  entry->choices = 0;
  for (int n = 0; n < GMG_CHOICE_COUNT; n++) {
    const int value = *gmg_choice_member(&copy, n);
    if (!value)
      continue;
    struct gmg_wisdom_choice *one = &entry->choice[entry->choices++];
    memset(one, 0, sizeof *one);
    snprintf(one->name, sizeof one->name, "%s", gmg_choice_name(n));
    one->number = value;
  }
}

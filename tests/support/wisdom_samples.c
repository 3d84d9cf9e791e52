#include "wisdom_samples.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct gmg_wisdom_key sample_cpu = {"cpu", "Sample CPU \"9\" @ 3 GHz, x86-64-v3",
                                          "gcc 12.2.0", 2};
const struct gmg_wisdom_key sample_gpu = {"cuda", "Sample GPU, sm_90", "NVRTC 13.0", 0};

static const char *source(void *context, const char *target, const char *subject)
{
  (void)context;
  (void)target;
  return strncmp(subject, "unknown", 7) == 0 ? NULL : SAMPLE_SOURCE;
}

static int valid(void *context, const char *subject, const struct gmg_wisdom_choice *choice)
{
  (void)context;
  (void)subject;
  if (choice->word[0])
    return strcmp(choice->word, "march") == 0 || strcmp(choice->word, "queue") == 0
      || strcmp(choice->word, "staged") == 0;
  return choice->number >= 1 && choice->number <= 1024;
}

struct gmg_wisdom *sample_wisdom(void)
{
  const struct gmg_wisdom_key keys[] = {sample_cpu, sample_gpu};
  const struct gmg_wisdom_rules rules = {
    .keys = keys, .key_count = 2, .generator = SAMPLE_GENERATOR, .source = source, .valid = valid};
  return gmg_wisdom_create(&rules);
}

struct gmg_wisdom_entry sample_entry(const char *subject, int nx, int ny, int nz, int rows)
{
  struct gmg_wisdom_entry entry = {
    .key = sample_cpu,
    .source = SAMPLE_SOURCE,
    .generator = SAMPLE_GENERATOR,
    .cells = {nx, ny, nz},
    .choices = 3,
    .choice = {{"rows", "", 0}, {"planes", "", 8}, {"form", "queue", 0}},
    .seconds = 0.0123456789,
    .default_seconds = 0.0150};
  entry.choice[0].number = rows;
  snprintf(entry.subject, sizeof entry.subject, "%s", subject);
  return entry;
}

const char *sample_folder(void)
{
  static char folder[4096];
  const char *top = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/gmg-wisdom-XXXXXX", top && *top ? top : "/tmp");
  return mkdtemp(folder);
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
  (void)about;
  (void)kind;
  (void)where;
  return remove(path);
}

void sample_remove(const char *folder)
{
  nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

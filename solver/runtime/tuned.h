/* The wisdom of a context: choices that were measured on this machine, as rank 0 sees it, so that
 * all ranks choose alike. Files are read by rank 0 when the first solver is set up. */
#ifndef GMG_TUNED_H
#define GMG_TUNED_H

#include "choice.h"
#include "context.h"
#include "mesh/layout.h"
#include "tuning/wisdom.h"

#include <stddef.h>

enum gmg_target { GMG_TARGET_CPU, GMG_TARGET_CUDA, GMG_TARGETS };

struct gmg_tuned_text; /* of a file */

struct gmg_tuned {
  struct gmg_wisdom *wisdom;
  struct gmg_wisdom_key key[GMG_TARGETS]; /* CUDA's has no machine where no device is open */
  struct gmg_tuned_text *text;            /* what was read, in this order */
  int no_files;                           /* 1: only files that were asked for are read */
  /* what of the files that were looked for by themselves cannot be used; "": nothing */
  char note[400];
  char source[GMG_WISDOM_SOURCE], sentence[2400];
};

/* Has the context's wisdom ready, and takes it in anew where a device was opened since. Calls:
 * collective. Errors: GMG_ERR_MPI, GMG_ERR_MEMORY; files that cannot
 * be used are no error: the note says so. */
gmg_status gmg_tuned_open(gmg_context *context);
void gmg_tuned_close(gmg_context *context);
/* Reads one file more. Calls: collective. Errors besides: GMG_ERR_ARGUMENT, where it cannot be
 * used, and the sentence says why. */
gmg_status gmg_tuned_load(gmg_context *context, const char *path);

/* The extents of a level's largest box, alike on all ranks, by which its choices are kept. */
void gmg_tuned_extents(const struct gmg_layout *layout, int cells[3]);
/* Writes the names of the files that were read, with commas between them. */
void gmg_tuned_files(const gmg_context *context, char *names, size_t size);

/* What the wisdom has for a subject on a level of such extents, or NULL. The context's wisdom is
 * open. Memory: until it changes. */
const struct gmg_wisdom_entry *gmg_tuned_find(const gmg_context *context, enum gmg_target target,
                                              const char *subject, const int cells[3]);
/* Adds an entry, whose target, subject, extents, choices and seconds are given. */
gmg_status gmg_tuned_add(gmg_context *context, enum gmg_target target,
                         struct gmg_wisdom_entry *entry);
/* The choices of a level in an entry. */
void gmg_tuned_take(const struct gmg_wisdom_entry *entry, struct gmg_choice *choice);
void gmg_tuned_put(struct gmg_wisdom_entry *entry, const struct gmg_choice *choice);

#endif

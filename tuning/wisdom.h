/* Wisdom: choices of tuning that were measured, each with the machine, the kernels and the extents
 * that it was measured for. A table in memory; wisdom_file.h reads and writes it. */
#ifndef GMG_WISDOM_H
#define GMG_WISDOM_H

#include <stddef.h>

enum {
  GMG_WISDOM_TARGET = 8, /* bytes of each string, with its end */
  GMG_WISDOM_MACHINE = 96,
  GMG_WISDOM_COMPILER = 96,
  GMG_WISDOM_SOURCE = 72,
  GMG_WISDOM_GENERATOR = 32,
  GMG_WISDOM_SUBJECT = 96,
  GMG_WISDOM_WORD = 24,
  GMG_WISDOM_CHOICES = 16, /* choices of an entry, at most */
  GMG_WISDOM_ENTRIES = 65536,
  GMG_WISDOM_BYTES = 16 << 20, /* of a file, at most */
  GMG_WISDOM_KEYS = 8,         /* machines that are "here" at the same time, at most */
  GMG_WISDOM_SENTENCE = 320,
  GMG_WISDOM_VERSION = 1
};

#define GMG_WISDOM_STATUSES(X) \
  X(GMG_WISDOM_OK, 0, "no error") \
  X(GMG_WISDOM_ABSENT, 1, "there is no such file, or no place for one") \
  X(GMG_WISDOM_UNREADABLE, 2, "the file cannot be read") \
  X(GMG_WISDOM_DAMAGED, 3, "the text is not wisdom") \
  X(GMG_WISDOM_OLDER, 4, "the format is older than this version's") \
  X(GMG_WISDOM_NEWER, 5, "the format is newer than this version's") \
  X(GMG_WISDOM_STALE, 6, "it was measured with other kernels") \
  X(GMG_WISDOM_CONTRADICTORY, 7, "two entries contradict each other") \
  X(GMG_WISDOM_INVALID, 8, "a choice is not one that the kernels allow") \
  X(GMG_WISDOM_UNWRITABLE, 9, "the file cannot be written") \
  X(GMG_WISDOM_BUSY, 10, "another process keeps the file locked") \
  X(GMG_WISDOM_FULL, 11, "there are more entries than a table holds") \
  X(GMG_WISDOM_MEMORY, -1, "out of memory")
#define GMG_WISDOM_ENUM(name, value, text) name = value,
enum gmg_wisdom_status { GMG_WISDOM_STATUSES(GMG_WISDOM_ENUM) GMG_WISDOM_END = 1000 };
#undef GMG_WISDOM_ENUM

/* What measured times depend on besides the kernels. Strings are printable ASCII. */
struct gmg_wisdom_key {
  char target[GMG_WISDOM_TARGET];   /* "cpu" or "cuda" */
  char machine[GMG_WISDOM_MACHINE]; /* CPU model and instruction set, or device and architecture */
  char compiler[GMG_WISDOM_COMPILER]; /* C compiler or NVRTC, with its version */
  int threads;                        /* 0 for cuda */
};

/* One thing chosen: a name, and either a word or, where `word` is empty, an integer. */
struct gmg_wisdom_choice {
  char name[GMG_WISDOM_WORD], word[GMG_WISDOM_WORD];
  int number;
};

struct gmg_wisdom_entry {
  struct gmg_wisdom_key key;
  char source[GMG_WISDOM_SOURCE];       /* hash of the generated kernels, hexadecimal */
  char generator[GMG_WISDOM_GENERATOR]; /* version of the generator */
  char subject[GMG_WISDOM_SUBJECT];     /* what was tuned: "pass variable7 double split" */
  int cells[3];                         /* extents of the level on which it was measured */
  int choices; /* 0: the default is best */
  struct gmg_wisdom_choice choice[GMG_WISDOM_CHOICES];
  double seconds, default_seconds; /* measured with this choice, and with the default one */
  int added;                       /* 1: by gmg_wisdom_add in this process, and not saved yet */
  int number;                      /* where it stood in the text that it was read from, from 1 */
};

/* What the program knows of itself. All entries whose key is not one of `keys` are foreign. */
struct gmg_wisdom_rules {
  const struct gmg_wisdom_key *keys;
  int key_count;
  const char *generator;
  /* Returns the hash of the kernels that compute the subject on the target, or NULL where this
   * program has no such subject: such entries are foreign. */
  const char *(*source)(void *context, const char *target, const char *subject);
  /* Returns 1 if the kernels of the subject allow the choice. NULL: all are allowed. */
  int (*valid)(void *context, const char *subject, const struct gmg_wisdom_choice *choice);
  void *context;
};

/* What became of a text that was loaded. Where the status is not GMG_WISDOM_OK, `taken` is 0. */
struct gmg_wisdom_report {
  int entries;       /* read, whether taken or not */
  int taken;         /* now in the table */
  int foreign;       /* of other machines, or of subjects that this program does not have */
  int foreign_stale; /* of other machines, measured with other kernels than this program's */
  char sentence[GMG_WISDOM_SENTENCE];
};

struct gmg_wisdom;

/* The text of a status. Memory: static. */
const char *gmg_wisdom_status_text(enum gmg_wisdom_status status);

/* Creates an empty table. Memory: copies the rules but for `context`, which must outlive the
 * table; gives the table. Returns NULL if memory is short or the rules are not well formed. */
struct gmg_wisdom *gmg_wisdom_create(const struct gmg_wisdom_rules *rules);
/* Memory: takes the table and clears the pointer; NULL is allowed. */
void gmg_wisdom_destroy(struct gmg_wisdom **wisdom);

/* What an entry is to this program. */
enum gmg_wisdom_standing {
  GMG_WISDOM_IS_CURRENT,
  GMG_WISDOM_IS_FOREIGN,       /* of another machine, or of a subject that is not there */
  GMG_WISDOM_IS_FOREIGN_STALE, /* of another machine, measured with other kernels */
  GMG_WISDOM_IS_STALE,         /* of this machine, measured with other kernels */
  GMG_WISDOM_IS_INVALID        /* of this machine, with a choice that the kernels do not allow */
};
enum gmg_wisdom_standing gmg_wisdom_standing(const struct gmg_wisdom *wisdom,
                                             const struct gmg_wisdom_entry *entry);

/* Adds an entry; one of the same key, subject and extents is replaced. It may be foreign. Errors:
 * GMG_WISDOM_DAMAGED (the entry is not well formed), GMG_WISDOM_INVALID, GMG_WISDOM_STALE,
 * GMG_WISDOM_FULL, GMG_WISDOM_MEMORY: the table is as it was. `sentence` (of GMG_WISDOM_SENTENCE
 * bytes, or NULL) then says what is wrong. Memory: keep. */
enum gmg_wisdom_status gmg_wisdom_add(struct gmg_wisdom *wisdom,
                                      const struct gmg_wisdom_entry *entry, char *sentence);

/* Finds the entry of the same key and subject whose extents are nearest, each within a factor of
 * two: the one with the least sum over the directions of |log2(ratio)|, of equally near ones the
 * smaller. Returns NULL if there is none. Memory: the table's, until it is changed. */
const struct gmg_wisdom_entry *gmg_wisdom_find(const struct gmg_wisdom *wisdom,
                                               const struct gmg_wisdom_key *key,
                                               const char *subject, const int cells[3]);

/* The entries, ordered by key, subject and extents. Returns NULL where n is not one of them.
 * Memory: the table's, until it is changed. */
int gmg_wisdom_count(const struct gmg_wisdom *wisdom);
const struct gmg_wisdom_entry *gmg_wisdom_at(const struct gmg_wisdom *wisdom, int n);

/* Clears `added` of all entries, once they have been saved. */
void gmg_wisdom_saved(struct gmg_wisdom *wisdom);

/* Takes the entries of a text, all that are not foreign or none: whatever the status, `report`
 * (or NULL) says in one sentence what became of them, and calls the text `name`. An entry replaces
 * one of the same key, subject and extents that was loaded earlier. Errors: GMG_WISDOM_DAMAGED,
 * OLDER, NEWER, STALE (an entry that is not foreign), CONTRADICTORY, INVALID, FULL, MEMORY: the
 * table is as it was. */
enum gmg_wisdom_status gmg_wisdom_load(struct gmg_wisdom *wisdom, const char *name,
                                       const char *text, size_t bytes,
                                       struct gmg_wisdom_report *report);

#endif

/* Whether two rounds of a program's steps can be one pass over memory on a GPU. */
#ifndef GEN_TWICE_H
#define GEN_TWICE_H

#include "ir/program.h"

struct gen_twice {
  const char *reason; /* why they cannot; NULL: they can */
  int kernel;         /* the one that a round runs */
  int array, target;  /* which of its arrays is read at neighbours, and which is written */
  const struct gen_program_array *of; /* the program's array that is read, whose walls hold */
  bool deep;                          /* in three dimensions: there are planes */
  bool data; /* values beyond some walls of either array are data, each array's own */
  bool seen; /* the array that is written can be seen between steps */
};

/* Returns what is known of two rounds, after gen_place_ghosts. They can be one pass where a round
 * is one kernel that reads one array at neighbours, none further than one cell away in each
 * direction, and writes another one with which it then takes turns. */
struct gen_twice gen_find_twice(const struct gen_program *program);

#endif

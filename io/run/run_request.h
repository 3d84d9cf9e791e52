/* The command line of `gmg run`. */
#ifndef GMG_IO_RUN_REQUEST_H
#define GMG_IO_RUN_REQUEST_H

#include "common/arguments.h"

enum { RUN_MOST_SETS = 32, RUN_NAME = 64, RUN_MOST_STEPS = 1 << 30 };

/* Texts are views of the command line; NULL where an option was not given. */
struct run_request {
  const char *program, *from, *input, *restart, *output, *report, *cache, *isa, *compile;
  const char *backend, *launch, *messages, *overlap, *stores, *per_pass, *work;
  const char *wisdom;               /* a file, "none" or "off" */
  const char *generator_options[6]; /* how gmg-gen reads the program; ends in NULL */
  int directions, cells[3];         /* numbers of --cells, none to three */
  int steps;                        /* -1: not given */
  int checkpoint, series;           /* steps from one to the next; 0: none */
  int values;                       /* likewise; 0: at the end alone */
  int together;                     /* steps per exchange */
  int leap;                         /* --method fft: all steps at once */
  int compose;                      /* steps that are taken as one; 0: none */
  char compose_text[12];
  int compose_auto; /* as many as wisdom says are to be taken as one */
  int tuned;        /* `compose` is what wisdom says */
  int plain;        /* --plain-arithmetic */
  double weight;    /* of this rank; below 0: not given */
  int find_weights; /* they are to be found */
  int box, threads, quiet, help;
  int sets; /* parameters */
  struct {
    char name[RUN_NAME];
    double value;
  } set[RUN_MOST_SETS];
  struct options_file file;
};

/* words: what follows "run". Errors: STATUS_INPUT. Calls: collective. */
int run_request_parse(int count, char **words, struct run_request *request,
                      struct failure *failure);
/* Sets how many steps are taken as one, 0: none, and how gmg-gen then reads the program. */
void run_request_compose(struct run_request *request, int compose);
/* Refuses a program of another ending than its kind has. verb: for messages. Errors: STATUS_INPUT.
 */
int run_request_check_program(const struct run_request *request, const char *verb,
                              struct failure *failure);
void run_request_clear(struct run_request *request);
void run_request_help(void);

#endif

/* The start of a run: the program on its grid, with the values that it begins with. */
#ifndef GMG_IO_RUN_BEGIN_H
#define GMG_IO_RUN_BEGIN_H

#include "arrays_file.h"
#include "compiled.h"
#include "run_request.h"

enum { BEGIN_TUNED = 120, BEGIN_NOTE = 400 };

struct beginning {
  gmg_context *context;
  gmg_grid *grid;
  gmg_program *program;
  struct compiled compiled;
  const struct gmg_program_descriptor *made;
  struct arrays_header header;
  struct history history;  /* of reductions, those before a restart included */
  int steps;               /* to be taken in all, those before a restart included */
  double weight;           /* of this rank's part of the grid; below 0: parts are alike */
  const char *overlap;     /* the option, where it is not the command line's; else NULL */
  char tuned[BEGIN_TUNED]; /* what wisdom has chosen, for people; "": nothing */
  char note[BEGIN_NOTE];   /* why files of wisdom cannot be used; "": they can */
};

/* Compiles the program, or loads what was compiled before. Errors: STATUS_INPUT, STATUS_MACHINE.
 * Calls: collective. */
int begin_compile(const struct run_request *request, struct beginning *beginning,
                  struct failure *failure);
/* Then finds its cells and steps, and makes its grid. Errors: STATUS_INPUT, STATUS_MACHINE. Calls:
 * collective. */
int begin_grid(const struct run_request *request, struct beginning *beginning,
               struct failure *failure);
/* Then makes the program, with weights and choices that are to be found. Errors: STATUS_INPUT,
 * STATUS_MACHINE. Calls: collective. */
int begin_program(const struct run_request *request, struct beginning *beginning,
                  struct progress *progress, struct failure *failure);
/* The program on the beginning's grid, where the command line says, with its parameters; weight: of
 * this rank's part, below 0: parts are alike. Memory: gives the program. Errors: those of
 * gmg_program_create, _set and _place. Calls: collective. */
gmg_status begin_make(const struct run_request *request, struct beginning *beginning, double weight,
                      gmg_program **program);
/* Fills its arrays: as the formula file says, then as files do. Refuses one that is read, but has
 * no values. */
int begin_values(const struct run_request *request, struct beginning *beginning,
                 struct progress *progress, struct failure *failure);
void begin_clear(struct beginning *beginning);

#endif

/* What wisdom says of how a program's steps are taken (gmg tune FILE.stencil). */
#ifndef GMG_IO_RUN_CHOICE_H
#define GMG_IO_RUN_CHOICE_H

#include "begin.h"

enum { CHOICE_TEXT = 100 };

/* Whether --wisdom asks for none. wisdom: NULL: it was not given. */
int choice_is_off(const char *wisdom);
/* Writes a choice for people: "box 32, 4 steps per exchange". Returns the text. */
const char *choice_write(const gmg_program_choice *choice, char text[CHOICE_TEXT]);
/* The command line as the choice has it. Memory: keeps `request`, and the choice's text in `word`.
 */
struct run_request choice_apply(const struct run_request *request, const gmg_program_choice *choice,
                                char word[CHOICE_TEXT]);
/* Makes the program as wisdom says, with b->tuned and b->note, or as without wisdom: where the
 * command line says itself how steps are taken, where there is no choice, or it cannot be followed.
 * Errors: STATUS_INPUT (also: the file of --wisdom cannot be used), STATUS_MACHINE. Calls:
 * collective. */
int choice_make(const struct run_request *request, struct beginning *b, struct failure *failure);
/* For --compose auto, before a run begins: sets request->compose to what wisdom says, where the
 * numbers of steps allow it; a line says what became of it. Errors: those of begin_grid, and of
 * choice_make. Calls: collective. */
int choice_compose(struct run_request *request, const struct progress *progress,
                   struct failure *failure);

#endif

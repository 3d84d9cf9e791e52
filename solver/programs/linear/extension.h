/* Whether the walls of a program only continue its arrays: periodically, or as they are or with the
 * other sign in a mirror. Steps of linear programs with the same weights on both sides of such
 * walls make of continued arrays continued ones, so that a kernel of several steps is right beside
 * walls, too, where it reads ghosts as deep as it reaches. */
#ifndef GMG_LINEAR_EXTENSION_H
#define GMG_LINEAR_EXTENSION_H

#include "programs/program.h"

/* Of the arrays that the program's composed kernel reads, and all that its steps read: whatever
 * values parameters have. Calls: not collective; alike on all ranks. */
int gmg_extension_holds(const struct gmg_program *program);

#endif

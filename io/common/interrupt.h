/* Signals that end the program: SIGINT, SIGTERM, SIGHUP. They come from the user, from a queue
 * whose time is up, and from a launcher that has lost another rank. */
#ifndef GMG_IO_INTERRUPT_H
#define GMG_IO_INTERRUPT_H

#include "gmg.h"

/* From here on such a signal (but the first one during a solve, see interrupt_solver) removes the
 * file that is being written (interrupt_file), makes rank 0 say so in one line, and ends the
 * process as the signal does by default. Signals that are ignored stay ignored. Calls: after
 * parallel_start. */
void interrupt_start(void);
/* No more of it: the program is ending by itself, and the launcher may hurry it. */
void interrupt_stop(void);
/* The solver that runs from here on; NULL: none. Where no launcher started this process, the first
 * SIGINT or SIGTERM asks it to stop (gmg_solver_stop) and says so; any other one ends the process.
 * Launchers kill what does not end soon. */
void interrupt_solver(gmg_solver *solver);
/* From here on the first SIGINT or SIGTERM of a process that no launcher started says this
 * sentence, stops the solver that runs, if there is one, and ends nothing else: the caller asks
 * interrupt_asked between its steps. Memory: keeps the sentence. */
void interrupt_keep(const char *sentence);
/* Returns 1 once such a signal has come. */
int interrupt_asked(void);
/* The file that is being written; NULL: none. Memory: copies the path. */
void interrupt_file(const char *path);
/* Removes it, before the process ends. */
void interrupt_remove(void);

#endif

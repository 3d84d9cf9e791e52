/* How all ranks learn that an MPI call failed on one of them. MPI does not tell the others, who
 * would wait for that rank. So a rank that sees an error sends each of them the sentence that
 * describes it, and every rank that waits looks for one, too. Once an alarm was given no rank calls
 * MPI for this context any more: each call of the library ends with GMG_ERR_MPI. */
#ifndef GMG_ALARM_H
#define GMG_ALARM_H

#include "config.h" /* made by the build: GMG_WITH_MPI */

#if GMG_WITH_MPI

#include <mpi.h>
#include <stddef.h>

struct gmg_alarm;

/* own: a communicator for nothing else, which returns its errors. Memory: takes it; gives the
 * alarm. NULL: out of memory, or MPI failed. Calls: local. */
struct gmg_alarm *gmg_alarm_create(MPI_Comm own);
/* Where an alarm was given MPI may still write into its memory, which is kept then. NULL is
 * allowed. Calls: collective. */
void gmg_alarm_destroy(struct gmg_alarm **alarm);
/* What was said when an alarm was given; NULL: none was. A rank that does not wait hears of one
 * only here. In all of these: an alarm of NULL is one that nobody gives. */
const char *gmg_alarm_text(struct gmg_alarm *alarm);
/* Gives the alarm: `call` returned this error. Returns the error. Calls: local. */
int gmg_alarm_give(struct gmg_alarm *alarm, int error, const char *call);
/* Waits until all requests, which `call` made, are done, or until an alarm is given. Returns 0 or
 * an MPI error code: then requests may be unfinished, and their buffers must be kept. */
int gmg_alarm_wait(struct gmg_alarm *alarm, MPI_Request *request, int count, const char *call);
/* Memory for messages of at most so many bytes, one at a time; NULL: there is none for as many. */
void *gmg_alarm_room(struct gmg_alarm *alarm, size_t bytes);
/* Keeps a block of memory that MPI may still write into, for good. Memory: take. */
void gmg_alarm_keep(void *block);

#endif

#endif

#include "alarm.h"

#if GMG_WITH_MPI

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  TEXT = 300,
  ROOM = 4096,
  POLLS = 16,      /* looks at the requests for one look for an alarm */
  PATIENCE = 2000, /* looks before the core is offered to others */
};

struct gmg_alarm {
  double room[ROOM / sizeof(double)];
  char text[TEXT], heard[TEXT];
  int given; /* here, or heard */
  int rank, ranks;
  MPI_Comm own;
  MPI_Request request; /* of what may be heard */
};

/* Blocks that MPI may still write into, where a leak checker finds them. */
static struct kept {
  struct kept *next;
  void *block;
} * all_kept;

void gmg_alarm_keep(void *block)
{
  struct kept *kept = block ? malloc(sizeof *kept) : NULL;
  if (!kept)
    return;
  *kept = (struct kept){all_kept, block};
  all_kept = kept;
}

struct gmg_alarm *gmg_alarm_create(MPI_Comm own)
{
  struct gmg_alarm *alarm = calloc(1, sizeof *alarm);
  if (!alarm)
    return NULL;
  alarm->own = own;
  if (MPI_Comm_rank(own, &alarm->rank) != MPI_SUCCESS
      || MPI_Comm_size(own, &alarm->ranks) != MPI_SUCCESS
      || MPI_Irecv(alarm->heard, TEXT, MPI_CHAR, MPI_ANY_SOURCE, 0, own, &alarm->request)
        != MPI_SUCCESS) {
    free(alarm);
    return NULL;
  }
  return alarm;
}

void gmg_alarm_destroy(struct gmg_alarm **alarm)
{
  struct gmg_alarm *a = *alarm;
  int over = 0;
  if (!a)
    return;
  *alarm = NULL;
  MPI_Finalized(&over);
  if (a->given || over) {
    gmg_alarm_keep(a);
    return;
  }
  MPI_Cancel(&a->request);
  MPI_Wait(&a->request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&a->own);
  free(a);
}

/* Looks for an alarm of another rank. */
static int hear(struct gmg_alarm *alarm)
{
  int done = 0;
  if (alarm->given)
    return 1;
  if (MPI_Test(&alarm->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || !done)
    return 0;
  alarm->given = 1;
  snprintf(alarm->text, sizeof alarm->text, "%s", alarm->heard);
  return 1;
}

const char *gmg_alarm_text(struct gmg_alarm *alarm)
{
  return alarm && hear(alarm) ? alarm->text : NULL;
}

int gmg_alarm_give(struct gmg_alarm *alarm, int error, const char *call)
{
  char why[MPI_MAX_ERROR_STRING] = "no reason is known";
  int length;
  if (!alarm || hear(alarm))
    return error;
  if (MPI_Error_string(error, why, &length) != MPI_SUCCESS)
    snprintf(why, sizeof why, "error %d", error);
  snprintf(alarm->text, sizeof alarm->text, "%s failed on rank %d: %.200s", call, alarm->rank, why);
  alarm->given = 1;
  for (int r = 0; r < alarm->ranks; r++) {
    MPI_Request request;
    if (r != alarm->rank
        && MPI_Isend(alarm->text, TEXT, MPI_CHAR, r, 0, alarm->own, &request)
          == MPI_SUCCESS) /* it is short */
      MPI_Request_free(&request);
  }
  return error;
}

int gmg_alarm_wait(struct gmg_alarm *alarm, MPI_Request *request, int count, const char *call)
{
  for (int polls = 1;; polls += polls < PATIENCE) {
    int done = 0;
    const int error = MPI_Testall(count, request, &done, MPI_STATUSES_IGNORE);
    if (error != MPI_SUCCESS)
      return gmg_alarm_give(alarm, error, call);
    if (done)
      return 0;
    if (alarm && (polls % POLLS == 0 || polls == PATIENCE) && hear(alarm))
      return MPI_ERR_OTHER;
    if (polls == PATIENCE)
      sched_yield();
  }
}

void *gmg_alarm_room(struct gmg_alarm *alarm, size_t bytes)
{
  return bytes <= ROOM ? alarm->room : NULL;
}

#endif

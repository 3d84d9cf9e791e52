#include "contention.h"

#include "threads.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* Seconds from one look to the next; and the shares of its time that a thread waits for its core,
 * from which on there is contention, and below which there is none any more. A core of its own
 * keeps a thread waiting for less than a thousandth of its time, one that it shares for half. */
static const double every = 1e-3, more = 0.1, less = 0.02;

/* Nanoseconds that the thread has run, and has waited for a core. Linux tells; elsewhere there is
 * never contention. */
static int look(const struct gmg_contention *contention, double time[2])
{
  char text[100];
  uint64_t ran, waited;
  const ssize_t length = contention->open ? pread(contention->file, text, sizeof text - 1, 0) : 0;
  if (length <= 0)
    return 0;
  text[length] = 0;
  if (sscanf(text, "%" SCNu64 " %" SCNu64, &ran, &waited) != 2)
    return 0;
  time[0] = (double)ran;
  time[1] = (double)waited;
  return 1;
}

static void judge(struct gmg_contention *contention)
{
  double time[2];
  if (!look(contention, time))
    return;
  const double ran = time[0] - contention->time[0], waited = time[1] - contention->time[1];
  contention->there = waited > (contention->there ? less : more) * (ran + waited);
  contention->time[0] = time[0];
  contention->time[1] = time[1];
}

void gmg_contention_begin(struct gmg_contention *contention)
{
  if (!contention->open || !pthread_equal(contention->thread, pthread_self())) {
    gmg_contention_end(contention);
    contention->thread = pthread_self();
    contention->file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    contention->open = contention->file >= 0;
    contention->time[0] = contention->time[1] = 0;
  }
  judge(contention);
  contention->next = gmg_seconds() + every;
}

void gmg_contention_end(struct gmg_contention *contention)
{
  if (contention->open)
    close(contention->file);
  contention->open = 0;
}

int gmg_contention_there(struct gmg_contention *contention)
{
  const double now = gmg_seconds();
  if (now >= contention->next) {
    judge(contention);
    contention->next = now + every;
  }
  return contention->there;
}

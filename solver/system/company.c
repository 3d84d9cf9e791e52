#include "company.h"

#include "threads.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* Seconds from one look to the next; and the shares of its time that a thread waits for its core, from which on there is company,
 * and below which there is none any more. A core of its own keeps a thread waiting for less than a thousandth of its time, one
 * that it shares for half. */
static const double every = 1e-3, more = 0.1, less = 0.02;

/* Nanoseconds that the thread has run, and has waited for a core. Linux tells; elsewhere there is never company. */
static int look(const struct gmg_company *company, double time[2])
{
  char text[100];
  uint64_t ran, waited;
  const ssize_t length = company->open ? pread(company->file, text, sizeof text - 1, 0) : 0;
  if (length <= 0)
    return 0;
  text[length] = 0;
  if (sscanf(text, "%" SCNu64 " %" SCNu64, &ran, &waited) != 2)
    return 0;
  time[0] = (double)ran;
  time[1] = (double)waited;
  return 1;
}

static void judge(struct gmg_company *company)
{
  double time[2];
  if (!look(company, time))
    return;
  const double ran = time[0] - company->time[0], waited = time[1] - company->time[1];
  company->there = waited > (company->there ? less : more) * (ran + waited);
  company->time[0] = time[0];
  company->time[1] = time[1];
}

void gmg_company_begin(struct gmg_company *company)
{
  if (!company->open || !pthread_equal(company->thread, pthread_self())) {
    gmg_company_end(company);
    company->thread = pthread_self();
    company->file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    company->open = company->file >= 0;
    company->time[0] = company->time[1] = 0;
  }
  judge(company);
  company->next = gmg_seconds() + every;
}

void gmg_company_end(struct gmg_company *company)
{
  if (company->open)
    close(company->file);
  company->open = 0;
}

int gmg_company_there(struct gmg_company *company)
{
  const double now = gmg_seconds();
  if (now >= company->next) {
    judge(company);
    company->next = now + every;
  }
  return company->there;
}

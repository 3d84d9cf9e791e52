#include "interrupt.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "parallel.h"

static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING_COUNT = sizeof ending / sizeof *ending };
static struct sigaction before[ENDING_COUNT];

static char file[PATH_MAX + 120];
static volatile sig_atomic_t writing;

static void say(const char *text)
{
  if (write(STDERR_FILENO, text, strlen(text)) < 0)
    writing = 0; /* nobody listens */
}

/* Only what is allowed inside a signal handler. The rank that was lost may be the one that made the file. */
static void interrupted(int number)
{
  if (writing)
    unlink(file);
  if (parallel_rank() == 0) {
    say("gmg: ended by ");
    say(number == SIGINT ? "an interrupt" : number == SIGTERM ? "a request to terminate" : "a hang-up");
    say(": no file was left half-written\n");
  }
  signal(number, SIG_DFL);
  raise(number);
}

void interrupt_start(void)
{
  for (int n = 0; n < ENDING_COUNT; n++) {
    struct sigaction action = {.sa_handler = interrupted};
    sigfillset(&action.sa_mask);
    if (sigaction(ending[n], NULL, &before[n]) == 0 && before[n].sa_handler != SIG_IGN)
      sigaction(ending[n], &action, NULL);
  }
}

void interrupt_stop(void)
{
  for (int n = 0; n < ENDING_COUNT; n++)
    sigaction(ending[n], &before[n], NULL);
}

void interrupt_file(const char *path)
{
  writing = 0;
  if (path) {
    snprintf(file, sizeof file, "%s", path);
    writing = 1;
  }
}

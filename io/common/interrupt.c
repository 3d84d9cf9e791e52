#include "interrupt.h"

#include <fcntl.h>
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
static volatile sig_atomic_t writing, asked;
static gmg_solver *volatile solving;
static const char *volatile keeping; /* what is said where the program goes on; NULL: it does not */

static pid_t launchers; /* group of processes */

/* A launcher that is interrupted at a terminal may end before it has passed on what its ranks say,
 * or before they are asked to end: they tell the terminal. */
static int open_listener(void)
{
  const int terminal = parallel_launched() ? open("/dev/tty", O_WRONLY | O_NOCTTY) : -1;
  return terminal >= 0 && tcgetpgrp(terminal) == launchers ? terminal : STDERR_FILENO;
}

static void say(int listener, const char *text)
{
  if (write(listener, text, strlen(text)) < 0)
    return; /* nobody listens */
}

void interrupt_remove(void)
{
  if (writing)
    unlink(file);
}

/* Only what is allowed inside a signal handler. The rank that was lost may be the one that made the
 * file. */
static void interrupted(int number)
{
  if ((solving || keeping) && !asked && number != SIGHUP && !parallel_launched()) {
    asked = 1;
    gmg_solver_stop(solving);
    say(STDERR_FILENO,
        keeping ? keeping
                : "gmg: interrupted: the solve ends after this cycle, and its solution is written; "
                  "once more ends all at once\n");
    return;
  }
  interrupt_remove();
  if (parallel_rank() == 0) {
    const int listener = open_listener();
    say(listener, "gmg: ended by ");
    say(listener,
        number == SIGINT      ? "an interrupt"
          : number == SIGTERM ? "a request to terminate"
                              : "a hang-up");
    say(listener, ": no file was left half-written\n");
  }
  signal(number, SIG_DFL);
  raise(number);
}

void interrupt_start(void)
{
  launchers = getpgid(getppid());
  for (int n = 0; n < ENDING_COUNT; n++) {
    struct sigaction action = {.sa_handler = interrupted, .sa_flags = SA_RESTART};
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

void interrupt_solver(gmg_solver *solver)
{
  solving = solver;
}

void interrupt_keep(const char *sentence)
{
  keeping = sentence;
}

int interrupt_asked(void)
{
  return asked;
}

void interrupt_file(const char *path)
{
  writing = 0;
  if (path) {
    snprintf(file, sizeof file, "%s", path);
    writing = 1;
  }
}

#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/parallel.h"

enum { STACK_BYTES = 1 << 16, LONGEST_OBJECT = 64 };

/* What a child leaves to its parent. */
struct rehearsal {
  int complete, seconds; /* of processor time that it may take */
  char object[LONGEST_OBJECT];
  struct failure failure;
};

static char no_child[LONGEST_OBJECT] = "/", *current_object = no_child;
static const char *current_path;

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { FATAL_COUNT = sizeof fatal / sizeof *fatal };
static struct sigaction before[FATAL_COUNT];

void guard_at(const char *object)
{
  snprintf(current_object, LONGEST_OBJECT, "%s", object);
}

/* Not more of the resource than `most`, and no more than there is already. */
static void limit(int resource, rlim_t most)
{
  struct rlimit now;
  if (getrlimit(resource, &now) != 0)
    return;
  if (now.rlim_cur == RLIM_INFINITY || now.rlim_cur > most)
    now.rlim_cur = most;
  setrlimit(resource, &now);
}

/* Seconds that reading the structure of a sound file of this size can not take. */
static int seconds_for(const char *path)
{
  struct stat found;
  return stat(path, &found) == 0 ? 5 + (int)((double)found.st_size * 1e-8) : 5;
}

/* Bytes of address space that this process has now. */
static rlim_t address_space(void)
{
  unsigned long long pages = 0;
  FILE *stream = fopen("/proc/self/statm", "r");
  if (!stream || fscanf(stream, "%llu", &pages) != 1)
    pages = 0;
  if (stream)
    fclose(stream);
  return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* The child: damaged sizes may ask for any memory, damaged links for any time; the C library may
 * want to speak. */
_Noreturn static void rehearse(const char *path,
                               int (*read)(const char *path, struct failure *failure),
                               struct rehearsal *rehearsal)
{
  rlim_t space = address_space(),
         machine = (rlim_t)sysconf(_SC_PHYS_PAGES) * (rlim_t)sysconf(_SC_PAGESIZE);
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0)
    dup2(nowhere, STDERR_FILENO);
  for (int n = 0; n < FATAL_COUNT; n++)
    signal(fatal[n], SIG_DFL);
  if (space)
    limit(RLIMIT_AS, space + machine);
  limit(RLIMIT_CPU, (rlim_t)rehearsal->seconds);
  limit(RLIMIT_CORE, 0);
  read(path, &rehearsal->failure);
  rehearsal->complete = 1;
  _exit(0);
}

static int damaged(const char *path, const struct rehearsal *rehearsal, int status,
                   struct failure *failure)
{
  const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  char how[100];
  if (number == SIGXCPU)
    snprintf(how, sizeof how, "reads it without end (%d s of processor time)", rehearsal->seconds);
  else
    snprintf(how, sizeof how, "crashes when it reads it (%s)",
             number ? strsignal(number) : "it ended the process");
  return failure_set(failure, STATUS_INPUT,
                     "%s: %s is damaged: the HDF5 library %s, expected a sound HDF5 file", path,
                     rehearsal->object, how);
}

int guard_rehearse(const char *path, int (*read)(const char *path, struct failure *failure),
                   struct failure *failure)
{
  struct rehearsal *rehearsal =
    mmap(NULL, sizeof *rehearsal, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (rehearsal == MAP_FAILED)
    return failure->status;
  rehearsal->seconds = seconds_for(path);
  current_object = rehearsal->object;
  guard_at("/");
  pid_t child = fork();
  if (child == 0)
    rehearse(path, read, rehearsal);
  current_object = no_child;
  int status = 0, ended = child > 0;
  while (ended && waitpid(child, &status, 0) < 0)
    ended = errno == EINTR;
  if (ended && !rehearsal->complete)
    damaged(path, rehearsal, status, failure);
  else if (ended && rehearsal->failure.status)
    failure_set(failure, rehearsal->failure.status, "%s", rehearsal->failure.text);
  munmap(rehearsal, sizeof *rehearsal);
  return failure->status;
}

static void say(const char *text)
{
  if (write(STDERR_FILENO, text, strlen(text)) < 0)
    _exit(STATUS_INPUT);
}

/* One rank speaks: the launcher ends the others while they wait. */
static void crashed(int number)
{
  (void)number;
  if (parallel_rank())
    sleep(2);
  say("gmg: ");
  say(current_path);
  say(": ");
  say(current_object);
  say(" is damaged: the HDF5 library crashes when it reads it, expected a sound HDF5 file\n");
  _exit(STATUS_INPUT);
}

void guard_enter(const char *path)
{
  static char stack[STACK_BYTES]; /* the crash may be that the other one is full */
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK};
  current_path = path;
  sigaltstack(&other, NULL);
  for (int n = 0; n < FATAL_COUNT; n++)
    sigaction(fatal[n], &action, &before[n]);
}

void guard_leave(void)
{
  for (int n = 0; n < FATAL_COUNT; n++)
    sigaction(fatal[n], &before[n], NULL);
}

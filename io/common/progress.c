#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "parallel.h"

static const double long_step = 2, refresh = 0.2, log_refresh = 10; /* seconds */

double progress_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_start(struct progress *progress, int quiet)
{
  /* mpirun gives its ranks a terminal of their own for stdout, even where it writes into a log;
   * stderr tells. */
  int terminal = isatty(STDOUT_FILENO) && isatty(STDERR_FILENO);
  *progress = (struct progress){.quiet = quiet || parallel_rank() != 0, .terminal = terminal};
}

void progress_begin(struct progress *progress, const char *doing, const char *what)
{
  progress->doing = doing;
  progress->what = what;
  progress->began = progress_seconds();
  progress->shown =
    progress->terminal ? progress->began : progress->began + long_step - log_refresh;
  if (!progress->quiet && progress->terminal) {
    printf("\r\033[K%s %s ...", doing, what);
    fflush(stdout);
  }
}

void progress_begin_silent(struct progress *progress, const char *doing, const char *what)
{
  progress_begin(progress, doing, what);
  progress->open = !progress->quiet && !progress->terminal;
  if (progress->open) {
    printf("%s %s ...", doing, what);
    fflush(stdout);
  }
}

/* Whether it is time to show the step again. */
static int is_due(struct progress *progress)
{
  const double now = progress_seconds();
  if (progress->quiet || !progress->what
      || now - progress->shown < (progress->terminal ? refresh : log_refresh))
    return 0;
  progress->shown = now;
  return 1;
}

void progress_tell(struct progress *progress, const char *text)
{
  if (!is_due(progress))
    return;
  printf("%s%s%s", progress->terminal ? "\r\033[K" : "", text, progress->terminal ? "" : "\n");
  fflush(stdout);
}

void progress_step(struct progress *progress, double fraction)
{
  if (!is_due(progress))
    return;
  printf("%s%s %s %3.0f%%, %.0f s%s", progress->terminal ? "\r\033[K" : "", progress->doing,
         progress->what, 100 * fraction, progress->shown - progress->began,
         progress->terminal ? "" : "\n");
  fflush(stdout);
}

void progress_end(struct progress *progress)
{
  const double seconds = progress_seconds() - progress->began;
  if (!progress->quiet && progress->what) {
    if (progress->terminal)
      printf("\r\033[K");
    if (progress->open)
      printf(" %.1f s\n", seconds);
    else if (seconds > long_step)
      printf("%s %s: %.1f s\n", progress->doing, progress->what, seconds);
    fflush(stdout);
  }
  progress->what = NULL;
  progress->open = 0;
}

void progress_cycle(void *user, int cycle, double norm, double relative, double seconds)
{
  struct progress *progress = user;
  if (!progress->quiet) {
    if (cycle == 0)
      printf("\n%5s  %12s  %12s  %7s  %9s\n%5d  %12.5e  %12.5e  %7s  %9.3f\n", "cycle", "residual",
             "relative", "factor", "seconds", cycle, norm, relative, "", seconds);
    else
      printf("%5d  %12.5e  %12.5e  %7.4f  %9.3f\n", cycle, norm, relative,
             norm / progress->previous_norm, seconds);
    fflush(stdout);
  }
  progress->previous_norm = norm;
}

void progress_line(const struct progress *progress, const char *format, ...)
{
  if (progress->quiet)
    return;
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
  fflush(stdout);
}

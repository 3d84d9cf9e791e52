/* threads: 1 */
/* What a step says in a log: nothing within two seconds, then a line that counts and one at the
 * end; a step that cannot tell how far it is says at once that it began. No line is ever written
 * over. Precondition: stdout is a file. What must vanish: the difference from the lines expected.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/progress.h"

static void wait_seconds(double seconds)
{
  const double end = progress_seconds() + seconds;
  while (progress_seconds() < end)
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

/* What the steps print, with stdout in a file. Memory: gives the text. */
static char *printed(int quiet)
{
  struct progress progress;
  FILE *file = tmpfile();
  char *text = calloc(1, 4000);
  fflush(stdout);
  const int saved = dup(STDOUT_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  progress_start(&progress, quiet);
  progress_begin(&progress, "reading", "/short");
  progress_step(&progress, 0.5);
  progress_end(&progress);
  progress_begin(&progress, "reading", "/long");
  progress_step(&progress, 0.1);
  wait_seconds(2.2);
  progress_step(&progress, 0.5);
  progress_step(&progress, 0.6); /* too soon after the line before */
  progress_end(&progress);
  progress_begin_silent(&progress, "setting", "up");
  wait_seconds(0.1);
  progress_end(&progress);
  fflush(stdout);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  rewind(file);
  if (fread(text, 1, 3999, file) == 0)
    text[0] = 0;
  fclose(file);
  return text;
}

static void log_has_lines(void **state)
{
  (void)state;
  char *text = printed(0);
  print_message("%s", text);
  assert_null(strchr(text, '\r'));
  assert_null(strchr(text, '\033'));
  double seconds[3];
  int end = 0;
  const int found =
    sscanf(text, "reading /long 50%%, %lf s\nreading /long: %lf s\nsetting up ... %lf s\n%n",
           &seconds[0], &seconds[1], &seconds[2], &end);
  assert_int_equal(found, 3);
  assert_int_equal(end, strlen(text));
  free(text);
}

static void quiet_is_silent(void **state)
{
  (void)state;
  char *text = printed(1);
  assert_string_equal(text, "");
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(log_has_lines),
                                     cmocka_unit_test(quiet_is_silent)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

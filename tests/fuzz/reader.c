#include "reader.h"

#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "file/file.h"
#include "file/guard.h"
#include "file/problem.h"
#include "common/progress.h"
#include "report/room.h"

enum { PAGE = 4096, MOST_COUNTERS = 16 * PAGE, LONGEST_PATH = 4096 };

static const double most_cells_read =
  1e5; /* sound extents of 10^12 cells would otherwise take all the time */

int LLVMFuzzerInitialize(int *argc, char ***argv);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);

/* Counters of covered edges: the compiler's, and libFuzzer's own name for further ones, through
 * which it learns what a child covered. */
extern uint8_t __start___sancov_cntrs[], __stop___sancov_cntrs[];
__attribute__((section("__libfuzzer_extra_counters"),
               aligned(PAGE))) static uint8_t of_children[MOST_COUNTERS];

static int is_child;
static char report[LONGEST_PATH]; /* where the reports of this run's child go */

static size_t counters(void)
{
  size_t count = (size_t)(__stop___sancov_cntrs - __start___sancov_cntrs);
  return count < MOST_COUNTERS ? count : MOST_COUNTERS;
}

/* A child that is stopped is no finding of libFuzzer's, and is stopped sooner than the program's:
 * these files are small. */
static void start_child(void)
{
  struct rlimit seconds;
  is_child = 1;
  getrlimit(RLIMIT_CPU, &seconds);
  seconds.rlim_cur = 1;
  setrlimit(RLIMIT_CPU, &seconds);
  __sanitizer_set_death_callback(NULL);
  if (report[0])
    __sanitizer_set_report_path(report);
  memset(__start___sancov_cntrs, 0, counters());
}

/* The linker puts this in the place of _exit: the end of a child, or of the program where the guard
 * says a last word. */
void __wrap__exit(int status)
{
  if (is_child) {
    memcpy(of_children, __start___sancov_cntrs, counters());
    __real__exit(status);
  }
  fprintf(stderr, "the reader ends the process with status %d\n", status);
  abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  (void)argc;
  (void)argv;
  if (mmap(of_children, sizeof of_children, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
        == MAP_FAILED
      || pthread_atfork(NULL, NULL, start_child) != 0)
    abort();
  file_silence();
  return 0;
}

static void read_values(const char *path, const struct problem *problem, struct failure *failure)
{
  struct progress progress;
  struct values values;
  struct room_found found;
  double cells = 1;
  for (int d = 0; d < 3; d++)
    cells *= problem->cells[d];
  progress_start(&progress, 1);
  if (cells > most_cells_read)
    return;
  if (!values_open(path, problem, (const int[3]){0, 0, 0}, problem->cells, &progress, &values,
                   failure))
    room_look(&values, &found, failure);
  values_close(&values);
}

/* "FILE: … /object …", or what is wrong with the file as a whole. */
static int is_sentence(const char *path, const char *text)
{
  const size_t length = strlen(path);
  if (strncmp(text, path, length) != 0 || strchr(text, '\n'))
    return 0;
  text += length;
  return strcmp(text, " is not an HDF5 file") == 0 || strncmp(text, " cannot be read: ", 17) == 0
    || (strncmp(text, ": ", 2) == 0 && strchr(text, '/'));
}

static void read_file(const char *path, struct failure *failure)
{
  struct problem problem;
  if (!problem_read(path, &problem, failure))
    read_values(path, &problem, failure);
  problem_clear(&problem);
}

static void write_bytes(const char *path, const void *bytes, size_t size)
{
  FILE *stream = fopen(path, "wb");
  if (!stream || fwrite(bytes, 1, size, stream) != size || fclose(stream) != 0)
    abort();
}

void reader_run(const void *bytes, size_t size)
{
  static struct failure failure;
  static unsigned run;
  char path[40], kept[LONGEST_PATH + 10];
  const char *reports = getenv("GMG_FUZZ_REPORTS");
  if (reports)
    snprintf(report, sizeof report, "%s/%d-%u", reports, (int)getpid(), ++run);
  snprintf(path, sizeof path, "problem-%d.h5", (int)getpid());
  write_bytes(path, bytes, size);
  failure = (struct failure){0};
  read_file(path, &failure);
  unlink(path);
  if (failure.status == STATUS_INPUT && !is_sentence(path, failure.text)) {
    fprintf(stderr, "not a message: %s\n", failure.text);
    abort();
  }
  if (reports && strstr(failure.text, "is damaged: the HDF5 library")) {
    snprintf(kept, sizeof kept, "%s.h5", report);
    write_bytes(kept, bytes, size);
  }
}

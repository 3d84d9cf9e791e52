/* What went wrong, as one sentence, and the exit status that it leads to. */
#ifndef GMG_IO_FAILURE_H
#define GMG_IO_FAILURE_H

enum exit_status {
  STATUS_CONVERGED = 0,
  STATUS_NOT_CONVERGED = 1,
  STATUS_INPUT = 2,
  STATUS_MACHINE = 3,
  STATUS_INTERRUPTED = 130
};

struct failure {
  int status; /* enum exit_status; 0 while nothing is wrong */
  char text[6000];
};

/* Records a failure, unless one is recorded already, and returns its status. */
int failure_set(struct failure *failure, int status, const char *format, ...)
  __attribute__((format(printf, 3, 4)));
/* Puts where it was found before the text of a failure. */
void failure_place(struct failure *failure, const char *file, int line);
/* STATUS_MACHINE: out of memory while doing what `what` says. */
int failure_memory(struct failure *failure, double bytes, const char *what);

#endif

/* Runs a kernel that was compiled for the CPU (on_cpu.h): the threads of its blocks in a given
 * order. */
#ifndef GMG_TEST_FIBERS_H
#define GMG_TEST_FIBERS_H

#ifdef __cplusplus
extern "C" {
#endif

struct gmg_cuda_args;

enum fiber_order { FIBERS_FORWARD, FIBERS_BACKWARD, FIBERS_SHUFFLED };

struct fiber_launch {
  unsigned grid[3], block[3];
  enum fiber_order threads, blocks;
  /* this barrier of every thread does nothing, counted from 0; -1: none is left out */
  int leave_out;
};

/* Returns 1, or 0 where threads of a block wait for each other at different places. */
int fibers_run(void (*thread)(const void *), const void *args, const struct fiber_launch *launch);
/* Whether a thread of the last launch came to the barrier that was left out. */
int fibers_left_out(void);

#ifdef __cplusplus
}
#endif

#endif

/* A launch of a kernel on the CPU (cuda_on_cpu.h): in C, for who asks for one. */
#ifndef FIBERS_H
#define FIBERS_H

enum fiber_order { FIBERS_FORWARD, FIBERS_BACKWARD, FIBERS_SHUFFLED };

struct fiber_launch {
  unsigned grid[3], block[3];
  /* In which the threads of a block run, each until it waits or ends; and the blocks. */
  enum fiber_order threads, blocks;
  int cooperative; /* all blocks at once */
  int leave_out;   /* this barrier of every thread does nothing, counted from 0; -1: none */
  int left_out;    /* set: a thread came to that barrier */
};

#endif

/* Tables of functions, as written by write_on_cpu.c: the last has no name. */
#ifndef GMG_TEST_ON_CPU_ENTRY_H
#define GMG_TEST_ON_CPU_ENTRY_H

enum { ON_CPU_PARTS = 4 };

struct fiber_launch;
struct on_cpu_entry {
  const char *symbol;
  int (*enter)(struct fiber_launch *launch, const void *args); /* returns cpu::run's */
};

#endif

/* How blocks of threads run on the CPU (threads_on_cpu.h). The threads of a block are fibers
 * of one system thread, which run one at a time, each until it waits or ends; blocks run one after
 * the other, or at once in a cooperative launch. What no barrier orders happens in the order that
 * the launch asks for. */
#ifndef RUN_ON_CPU_H
#define RUN_ON_CPU_H

#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <deque>
#include <thread>
#include <vector>

#include "threads_on_cpu.h"

namespace cpu
{
enum { STACK = 64 * 1024, WARP = 32 };
enum state { READY, AT_BARRIER, AT_WARP, ENDED };

/* A thread of a block. */
struct fiber {
  void *saved; /* its stack pointer, where switches are our own */
  ucontext_t context;
  enum state state;
  int barriers, shuffles;
  uint64_t slot[2]; /* what it gives to its warp, for one shuffle and the next */
};

/* What runs on a system thread. */
struct block {
  std::vector<fiber> fibers;
  std::vector<int> order; /* of its threads, those of a warp beside each other */
  char *stacks;
  void *saved;
  ucontext_t context;
  int current, leave_out, left_out;
  void (*call)(const void *);
  const void *argument;
};
static thread_local block *now;

#ifdef __x86_64__
/* Saves what a call preserves, and goes on where the other stack left off. */
extern "C" __attribute__((visibility("hidden"))) void cpu_switch(void **from, void *to);
asm(".text\n.type cpu_switch, @function\ncpu_switch:\n"
    "pushq %rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\npushq %r15\n"
    "movq %rsp, (%rdi)\nmovq %rsi, %rsp\n"
    "popq %r15\npopq %r14\npopq %r13\npopq %r12\npopq %rbx\npopq %rbp\nret\n");

static inline void to_scheduler(block *b)
{
  cpu_switch(&b->fibers[(size_t)b->current].saved, b->saved);
}

static inline void to_fiber(block *b)
{
  cpu_switch(&b->saved, b->fibers[(size_t)b->current].saved);
}
#else
static inline void to_scheduler(block *b)
{
  swapcontext(&b->fibers[(size_t)b->current].context, &b->context);
}

static inline void to_fiber(block *b)
{
  swapcontext(&b->context, &b->fibers[(size_t)b->current].context);
}
#endif

static inline void begin()
{
  block *b = now;
  b->call(b->argument);
  b->fibers[(size_t)b->current].state = ENDED;
  to_scheduler(b);
  abort(); /* nobody goes on with an ended one */
}

static inline void prepare(fiber *f, char *stack)
{
#ifdef __x86_64__
  void **top = (void **)(stack + STACK - 16);
  *--top = nullptr; /* begin's return address: at a call the stack is 8 below a multiple of 16 */
  *--top = (void *)begin;
  for (int n = 0; n < 6; n++)
    *--top = nullptr;
  f->saved = top;
#else
  getcontext(&f->context);
  f->context.uc_stack.ss_sp = stack;
  f->context.uc_stack.ss_size = STACK;
  makecontext(&f->context, begin, 0);
#endif
  f->state = READY;
  f->barriers = f->shuffles = 0;
}

static inline void wait_in(enum state state)
{
  block *b = now;
  b->fibers[(size_t)b->current].state = state;
  to_scheduler(b);
}

CPU_FUNCTION void wait_at_barrier()
{
  block *b = now;
  if (b->fibers[(size_t)b->current].barriers++ != b->leave_out)
    wait_in(AT_BARRIER);
  else
    b->left_out = 1;
}

CPU_FUNCTION void wait_for_warp()
{
  wait_in(AT_WARP);
}

CPU_FUNCTION uint64_t from_lane(uint64_t value, int distance)
{
  block *b = now;
  const int self = b->current, other = self + distance;
  fiber *f = &b->fibers[(size_t)self];
  const int which = f->shuffles++ % 2;
  f->slot[which] = value;
  wait_in(AT_WARP);
  return other / WARP == self / WARP && other < (int)b->fibers.size()
    ? b->fibers[(size_t)other].slot[which]
    : value;
}

static inline std::vector<int> order_of(enum fiber_order order, int count)
{
  std::vector<int> list((size_t)count);
  for (int n = 0; n < count; n++)
    list[(size_t)n] = order == FIBERS_BACKWARD ? count - 1 - n : n;
  unsigned state = 12345;
  for (int n = count - 1; order == FIBERS_SHUFFLED && n > 0; n--) {
    state = state * 1664525u + 1013904223u;
    std::swap(list[(size_t)n], list[(size_t)((state >> 8) % (unsigned)(n + 1))]);
  }
  return list;
}

/* The warps in the order in which their first threads come, each with its threads in order. */
static inline std::vector<int> by_warp(const std::vector<int> &order)
{
  std::vector<int> list;
  std::vector<char> taken((order.size() + WARP - 1) / WARP);
  for (int first : order)
    if (!taken[(size_t)(first / WARP)]++)
      for (int t : order)
        if (t / WARP == first / WARP)
          list.push_back(t);
  return list;
}

/* Lets the fibers go on that wait for each other and are all there: those from `first` to `last` of
 * the order. Returns whether they do. */
static inline int release(block *b, enum state state, size_t first, size_t last)
{
  for (size_t n = first; n < last; n++)
    if (b->fibers[(size_t)b->order[n]].state != state)
      return 0;
  for (size_t n = first; n < last; n++)
    b->fibers[(size_t)b->order[n]].state = READY;
  return 1;
}

/* The threads of a warp, as far as they come without others. */
static inline void run_warp(block *b, size_t first, size_t last)
{
  do
    for (size_t n = first; n < last; n++) {
      const unsigned t = (unsigned)b->order[n];
      if (b->fibers[t].state != READY)
        continue;
      b->current = (int)t;
      threadIdx = {t % blockDim.x, t / blockDim.x % blockDim.y, t / (blockDim.x * blockDim.y)};
      to_fiber(b);
    }
  while (release(b, AT_WARP, first, last));
}

/* One thread block. Returns 0 if threads wait for each other at different places. */
static inline int run_block(block *b, const cuda_index &at)
{
  const size_t threads = b->fibers.size();
#ifndef CUDA_ON_CPU_COOPERATIVE /* a block finds nothing of use in shared memory */
  memset(__start_on_cpu_shared, 0x5a, (size_t)(__stop_on_cpu_shared - __start_on_cpu_shared));
#endif
  blockIdx = at;
  for (size_t t = 0; t < threads; t++)
    prepare(&b->fibers[t], b->stacks + t * STACK);
  do
    for (size_t n = 0, end; n < threads; n = end) {
      const int warp = b->order[n] / WARP;
      for (end = n; end < threads && b->order[end] / WARP == warp; end++)
        ;
      run_warp(b, n, end);
    }
  while (release(b, AT_BARRIER, 0, threads));
  for (const fiber &f : b->fibers)
    if (f.state != ENDED)
      return 0;
  return 1;
}

/* The stacks of a system thread's fibers, which later launches use again. */
struct stacks {
  char *memory = nullptr;
  size_t count = 0;
  char *of(size_t threads)
  {
    if (count < threads) {
      free(memory);
      memory = (char *)malloc((count = threads) * STACK);
    }
    if (!memory)
      abort();
    return memory;
  }
  ~stacks()
  {
    free(memory);
  }
};

/* Some blocks of a launch, one after the other, on this system thread. Returns run_block's. */
static inline int run_blocks(fiber_launch *launch, const int *list, size_t count,
                             void (*call)(const void *), const void *argument, stacks *memory)
{
  block b = {};
  gridDim = {launch->grid[0], launch->grid[1], launch->grid[2]};
  blockDim = {launch->block[0], launch->block[1], launch->block[2]};
  b.fibers.resize(blockDim.x * blockDim.y * blockDim.z);
  b.order = by_warp(order_of(launch->threads, (int)b.fibers.size()));
  b.stacks = memory->of(b.fibers.size());
  b.leave_out = launch->leave_out;
  b.call = call;
  b.argument = argument;
  now = &b;
  int good = 1;
  for (size_t n = 0; n < count && good; n++) {
    const unsigned at = (unsigned)list[n];
    good =
      run_block(&b, {at % gridDim.x, at / gridDim.x % gridDim.y, at / (gridDim.x * gridDim.y)});
  }
  now = nullptr;
  if (b.left_out)
    launch->left_out = 1;
  return good;
}

CPU_FUNCTION int run(fiber_launch *launch, void (*call)(const void *), const void *argument)
{
  static thread_local std::deque<stacks> memory;
  const std::vector<int> list =
    order_of(launch->blocks, (int)(launch->grid[0] * launch->grid[1] * launch->grid[2]));
  while (memory.size() < (launch->cooperative ? list.size() : 1))
    memory.emplace_back();
  if (!launch->cooperative)
    return run_blocks(launch, list.data(), list.size(), call, argument, &memory[0]);
  std::vector<int> good(list.size());
  std::vector<std::thread> threads;
  for (size_t n = 0; n < list.size(); n++) {
    stacks *own = &memory[n];
    threads.emplace_back(
      [&, n, own] { good[n] = run_blocks(launch, &list[n], 1, call, argument, own); });
  }
  int all = 1;
  for (size_t n = 0; n < list.size(); n++) {
    threads[n].join();
    all = all && good[n];
  }
  return all;
}
} // namespace cpu

#endif

#include "fibers.h"

#include <stdlib.h>
#include <ucontext.h>

#include "on_cpu.h"

struct on_cpu_index threadIdx, blockIdx, blockDim, gridDim;

enum { MOST_THREADS = 1024, STACK = 64 * 1024, WARP = 32 };
enum state { READY, AT_BARRIER, AT_WARP, ENDED };

struct fiber {
  ucontext_t context;
  void *saved; /* its stack pointer, where switches are our own */
  char *stack;
  enum state state;
  int barriers;
  uint64_t slot[2]; /* what it gives to its warp, for one shuffle and the next */
  int shuffles;
};

static struct fiber fiber[MOST_THREADS];
static int threads, current, leave_out, left_out;
static void (*body)(const void *);
static const void *argument;

#ifdef __x86_64__
static void *scheduler;
/* Saves what a call preserves, and goes on where the other stack left off. */
extern "C" void fibers_switch(void **from, void *to);
asm(".text\n.globl fibers_switch\nfibers_switch:\n"
    "pushq %rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\npushq %r15\n"
    "movq %rsp, (%rdi)\nmovq %rsi, %rsp\n"
    "popq %r15\npopq %r14\npopq %r13\npopq %r12\npopq %rbx\npopq %rbp\nret\n");

static void to_scheduler()
{
  fibers_switch(&fiber[current].saved, scheduler);
}

static void to_fiber()
{
  fibers_switch(&scheduler, fiber[current].saved);
}
#else
static ucontext_t scheduler;

static void to_scheduler()
{
  swapcontext(&fiber[current].context, &scheduler);
}

static void to_fiber()
{
  swapcontext(&scheduler, &fiber[current].context);
}
#endif

static void start()
{
  body(argument);
  fiber[current].state = ENDED;
  to_scheduler();
  abort(); /* nobody goes on with an ended one */
}

static void prepare(struct fiber *f)
{
  if (!f->stack)
    f->stack = (char *)malloc(STACK);
  if (!f->stack)
    abort();
#ifdef __x86_64__
  void **top = (void **)(f->stack + STACK - 16);
  *--top = nullptr; /* where start would return to: at a call, the stack pointer is 8 below a
                       multiple of 16 */
  *--top = (void *)start;
  for (int n = 0; n < 6; n++)
    *--top = nullptr;
  f->saved = top;
#else
  getcontext(&f->context);
  f->context.uc_stack.ss_sp = f->stack;
  f->context.uc_stack.ss_size = STACK;
  makecontext(&f->context, start, 0);
#endif
  f->state = READY;
  f->barriers = f->shuffles = 0;
}

static void wait_in(enum state state)
{
  fiber[current].state = state;
  to_scheduler();
}

void __syncthreads(void)
{
  if (fiber[current].barriers++ != leave_out)
    wait_in(AT_BARRIER);
  else
    left_out = 1;
}

void on_cpu_warp(void)
{
  wait_in(AT_WARP);
}

uint64_t on_cpu_from_behind(uint64_t value, int distance)
{
  const int which = fiber[current].shuffles++ % 2, self = current;
  fiber[self].slot[which] = value;
  on_cpu_warp();
  return self % WARP + distance < WARP ? fiber[self + distance].slot[which] : value;
}

static void order_of(enum fiber_order order, int count, int *list)
{
  for (int n = 0; n < count; n++)
    list[n] = order == FIBERS_BACKWARD ? count - 1 - n : n;
  unsigned state = 12345;
  for (int n = count - 1; order == FIBERS_SHUFFLED && n > 0; n--) {
    state = state * 1664525u + 1013904223u;
    const int other = (int)((state >> 8) % (unsigned)(n + 1)), kept = list[n];
    list[n] = list[other];
    list[other] = kept;
  }
}

/* Lets those go on that wait for each other and are all there. Returns how many. */
static int release(enum state state, int first, int count)
{
  for (int t = first; t < first + count; t++)
    if (fiber[t].state != state)
      return 0;
  for (int t = first; t < first + count; t++)
    fiber[t].state = READY;
  return count;
}

/* All shared memory: a block finds nothing of use in it. */
extern "C" char __start_on_cpu_shared[], __stop_on_cpu_shared[];

static void enter(int t)
{
  current = t;
  threadIdx.x = (unsigned)t % blockDim.x;
  threadIdx.y = (unsigned)t / blockDim.x % blockDim.y;
  threadIdx.z = (unsigned)t / blockDim.x / blockDim.y;
  to_fiber();
}

/* The threads of a warp, in the order of the block's, as far as they come without others. */
static void run_warp(const int *order, int warp)
{
  do {
    for (int n = 0; n < threads; n++)
      if (order[n] / WARP == warp && fiber[order[n]].state == READY)
        enter(order[n]);
  } while ((warp + 1) * WARP <= threads && release(AT_WARP, warp * WARP, WARP));
}

static int run_block(const int *order)
{
  memset(__start_on_cpu_shared, 0x5a, (size_t)(__stop_on_cpu_shared - __start_on_cpu_shared));
  for (int t = 0; t < threads; t++)
    prepare(&fiber[t]);
  do
    for (int n = 0; n < threads; n++)
      if (fiber[order[n]].state == READY)
        run_warp(order, order[n] / WARP);
  while (release(AT_BARRIER, 0, threads));
  for (int t = 0; t < threads; t++)
    if (fiber[t].state != ENDED)
      return 0;
  return 1;
}

int fibers_run(void (*thread)(const void *), const void *args, const struct fiber_launch *launch)
{
  const int blocks = (int)(launch->grid[0] * launch->grid[1] * launch->grid[2]);
  int *order = (int *)malloc(((size_t)blocks + MOST_THREADS) * sizeof *order),
      *thread_order = order + blocks, good = 1;
  threads = (int)(launch->block[0] * launch->block[1] * launch->block[2]);
  if (!order || threads > MOST_THREADS)
    abort();
  order_of(launch->blocks, blocks, order);
  order_of(launch->threads, threads, thread_order);
  body = thread;
  argument = args;
  leave_out = launch->leave_out;
  left_out = 0;
  gridDim = {launch->grid[0], launch->grid[1], launch->grid[2]};
  blockDim = {launch->block[0], launch->block[1], launch->block[2]};
  for (int b = 0; b < blocks && good; b++) {
    const unsigned at = (unsigned)order[b];
    blockIdx = {at % gridDim.x, at / gridDim.x % gridDim.y, at / gridDim.x / gridDim.y};
    good = run_block(thread_order);
  }
  free(order);
  return good;
}

int fibers_left_out(void)
{
  return left_out;
}

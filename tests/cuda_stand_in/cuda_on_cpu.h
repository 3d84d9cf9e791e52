/* CUDA C as C++ on the CPU: a thread block is a system thread's turn, its threads are fibers of it,
 * which wait for one another at barriers and shuffles. What the stand-in compiler puts before a
 * text. */
#ifndef CUDA_ON_CPU_H
#define CUDA_ON_CPU_H

#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include <thread>
#include <vector>

#include "../cuda_text/on_cpu_words.h"
#include "map.h"

#define GMG_COPY_ENGINE

#define __forceinline__ inline __attribute__((always_inline))
#define __shared__ static thread_local
#define gmg_shared(name, bytes) static thread_local char name[bytes] __attribute__((aligned(128)))

namespace cpu
{
struct place {
  unsigned x, y, z;
};
enum { STACK = 64 * 1024, WARP = 32 };

struct barrier {
  int arrived, generation;
};

/* A thread of a block. */
struct fiber {
  jmp_buf here;
  ucontext_t start;
  void *stack;
  int begun, ended;
};

struct block {
  std::vector<fiber> fibers;
  jmp_buf scheduler;
  int current, alive;
  barrier all;
  std::vector<barrier> warp;
  std::vector<uint64_t> lane; /* what threads hand one another in shuffles */
  void (*call)(void *);
  void *argument;
};
static thread_local block *now;
} // namespace cpu

static thread_local cpu::place threadIdx, blockIdx, blockDim, gridDim;

namespace cpu
{
/* Lets the next thread of the block run. */
static void yield()
{
  block *b = now;
  fiber *f = &b->fibers[(size_t)b->current];
  const place mine = threadIdx;
  if (!_setjmp(f->here))
    _longjmp(b->scheduler, 1);
  threadIdx = mine;
}

static void wait(barrier *at, int members)
{
  const int generation = at->generation;
  at->arrived++;
  while (at->generation == generation) {
    if (at->arrived >= members) { /* exited threads are not waited for */
      at->arrived = 0;
      at->generation++;
      break;
    }
    yield();
    members = at == &now->all ? now->alive : members;
  }
}

static void begin_fiber()
{
  block *b = now;
  b->call(b->argument);
  b->fibers[(size_t)b->current].ended = 1;
  b->alive--;
  _longjmp(b->scheduler, 1);
}

static void resume(block *b, int n)
{
  fiber *f = &b->fibers[(size_t)n];
  b->current = n;
  if (_setjmp(b->scheduler))
    return;
  if (f->begun)
    _longjmp(f->here, 1);
  f->begun = 1;
  setcontext(&f->start);
}

/* One thread block. */
static void run_block(const place &grid, const place &shape, const place &at, void (*call)(void *),
                      void *argument)
{
  const unsigned threads = shape.x * shape.y * shape.z;
  static thread_local std::vector<void *> stacks;
  block b;
  gridDim = grid;
  blockDim = shape;
  blockIdx = at;
  b.fibers.resize(threads);
  b.alive = (int)threads;
  b.all = barrier{0, 0};
  b.warp.assign((threads + WARP - 1) / WARP, barrier{0, 0});
  b.lane.assign(threads, 0);
  b.call = call;
  b.argument = argument;
  now = &b;
  while (stacks.size() < threads)
    stacks.push_back(malloc(STACK));
  for (unsigned n = 0; n < threads; n++) {
    fiber *f = &b.fibers[n];
    f->begun = f->ended = 0;
    getcontext(&f->start);
    f->start.uc_stack.ss_sp = stacks[n];
    f->start.uc_stack.ss_size = STACK;
    f->start.uc_link = nullptr;
    makecontext(&f->start, begin_fiber, 0);
  }
  while (b.alive > 0)
    for (unsigned n = 0; n < threads; n++)
      if (!b.fibers[n].ended) {
        threadIdx = place{n % shape.x, n / shape.x % shape.y, n / (shape.x * shape.y)};
        resume(&b, (int)n);
      }
  now = nullptr;
}

/* All blocks, the last first; those of a cooperative launch at once. */
static void run(const unsigned grid[3], const unsigned shape[3], int cooperative,
                void (*call)(void *), void *argument)
{
  const place all = {grid[0], grid[1], grid[2]}, size = {shape[0], shape[1], shape[2]};
  std::vector<std::thread> threads;
  for (unsigned n = grid[0] * grid[1] * grid[2]; n-- > 0;) {
    const place at = {n % grid[0], n / grid[0] % grid[1], n / (grid[0] * grid[1])};
    if (cooperative)
      threads.emplace_back([=] { run_block(all, size, at, call, argument); });
    else
      run_block(all, size, at, call, argument);
  }
  for (std::thread &thread : threads)
    thread.join();
}

static int thread_number()
{
  return (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

static int warp_size(int warp)
{
  const int left = (int)now->fibers.size() - WARP * warp;
  return left < WARP ? left : WARP;
}
} // namespace cpu

static inline void __syncthreads()
{
  cpu::wait(&cpu::now->all, cpu::now->alive);
}

static inline void __syncwarp(unsigned = 0xffffffffu)
{
  const int warp = cpu::thread_number() / cpu::WARP;
  cpu::wait(&cpu::now->warp[(size_t)warp], cpu::warp_size(warp));
}

static inline void __nanosleep(unsigned)
{
  sched_yield();
}

static inline void __threadfence()
{
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

template <typename T> static T __shfl_down_sync(unsigned, T value, int distance)
{
  static_assert(sizeof(T) <= sizeof(uint64_t), "a lane holds 8 bytes");
  const int me = cpu::thread_number(), lane = me % cpu::WARP;
  memcpy(&cpu::now->lane[(size_t)me], &value, sizeof value);
  __syncwarp();
  T result = value;
  if (lane + distance < cpu::warp_size(me / cpu::WARP))
    memcpy(&result, &cpu::now->lane[(size_t)(me + distance)], sizeof result);
  __syncwarp();
  return result;
}

template <typename T> static T atomicAdd(T *at, T value)
{
  return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
}

template <typename T> static T atomicMax(T *at, T value)
{
  T before = __atomic_load_n(at, __ATOMIC_SEQ_CST);
  while (before < value
         && !__atomic_compare_exchange_n(at, &before, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    ;
  return before;
}

/* What the copy engine does: a box from `first` on, zeros where that is outside the tensor. */
template <typename tensor>
static void gmg_copy_tensor_on_cpu(void *to, const tensor *boxes, const int *first)
{
  const stand_in_map *map = (const stand_in_map *)boxes;
  char *next = (char *)to;
  int at[4];
  for (at[3] = first[3]; at[3] < first[3] + map->box[3]; at[3]++)
    for (at[2] = first[2]; at[2] < first[2] + map->box[2]; at[2]++)
      for (at[1] = first[1]; at[1] < first[1] + map->box[1]; at[1]++)
        for (at[0] = first[0]; at[0] < first[0] + map->box[0]; at[0]++, next += map->real) {
          const char *from = (const char *)map->address;
          bool inside = true;
          for (int n = 0; n < 4; n++) {
            inside = inside && at[n] >= 0 && at[n] < map->extent[n];
            from += at[n] * map->stride[n];
          }
          if (inside)
            memcpy(next, from, (size_t)map->real);
          else
            memset(next, 0, (size_t)map->real);
        }
}

static inline long long clock64()
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

#endif

/* Which boxes and orders the CUDA kernels are run in on the CPU. Each returns the number of
 * failures. */
#ifndef GMG_TEST_ON_CPU_PLAN_H
#define GMG_TEST_ON_CPU_PLAN_H

int on_cpu_plan_quick(void);
int on_cpu_plan_large(void);
/* 0 if leaving out any barrier of a kernel that has one is seen in the results. */
int on_cpu_plan_barriers(void);
/* Both colours of Gauss-Seidel in one pass: in all orders, and without its barrier
 * (tests/cuda_text/on_cpu_staged.c). */
int on_cpu_plan_staged(void);

#endif

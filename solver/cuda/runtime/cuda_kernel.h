/* What the compiler makes for GPUs: CUDA C of every kernel, as text, with what a launcher must know
 * of it. Generated files include this header; solver/cuda/ compiles the texts at run time.
 *
 * A program is gmg_cuda_prelude, then for every kernel its text, then of its forms those that are
 * wanted, in any order. A form's shape parameters are macros with defaults: define them in front of
 * its text, which undefines them at its end. Compile with contraction off and IEEE division and
 * roots (--fmad=false --prec-div=true --prec-sqrt=true --ftz=false): the arithmetic is that of the
 * CPU's kernels, bit by bit. A field of a box has fewer than 2^31 elements. */
#ifndef GMG_CUDA_KERNEL_H
#define GMG_CUDA_KERNEL_H

#include "kernel.h"

/* By value to a form, by pointer to SYMBOL_cells. The same struct is in the prelude: pointers are
 * to device memory. */
struct gmg_cuda_args {
  struct gmg_kernel_box box;
  double scalar[GMG_MAX_SCALARS];
  struct gmg_reduction *reduction; /* cuts filled in; bins and most are added to, by atomics */
  void *field[GMG_MAX_FIELDS]; /* element (0, 0, 0) of the box, in the order of the descriptor */
  /* Of SYMBOL_staged alone: element (0, 0, 0) of where they write, an array like that of the field
   * `u`; and the second colour's scalars (`scalar` has the first's). */
  void *out;
  double then[GMG_MAX_SCALARS];
  /* Of forms that were compiled with MANY alone: device memory with a struct gmg_cuda_record for
   * each box, which holds instead of `box` and `field`, and how many thread blocks each has: as
   * many as the largest one needs. */
  const void *table;
  int each;
};

/* What a launch on many boxes has for each of them, fields as many as the kernel has. */
struct gmg_cuda_record {
  struct gmg_kernel_box box;
  void *field[];
};

/* Shape parameters of a form, by the names of their macros. A thread block has BLOCK_I x BLOCK_J
 * threads, a multiple of 32. Each visits ROWS rows, BLOCK_J apart, of PLANES planes, in ascending
 * order of k. */
struct gmg_cuda_shape {
  int block_i, block_j; /* BLOCK_I, BLOCK_J */
  int rows, planes;     /* ROWS, PLANES */
  int unroll;           /* UNROLL: so many planes at once */
  int blocks; /* BLOCKS: that many thread blocks of a processor must find registers at once */
};

/* A field of which the form SYMBOL_staged copies a box of each plane to shared memory: rows from
 * the thread block's first + low on, `rows` more than BLOCK_J. beside: cells beside the own one are
 * read along i; ahead: in the plane above, so that it is copied earlier; below: in the plane below;
 * halves: even and odd cells are copied by themselves, with a row less each. */
struct gmg_cuda_staged {
  int field, rows, low, beside, ahead, below, halves;
};

/* As the driver's tensor maps, by value to SYMBOL_staged after the arguments. */
enum { GMG_MAX_BOXES = 8 };
struct gmg_cuda_tensor {
  uint64_t word[16];
} __attribute__((aligned(64)));
struct gmg_cuda_boxes {
  struct gmg_cuda_tensor box[GMG_MAX_BOXES];
};

/* A launch form: extern "C" __global__ void SYMBOL(const __grid_constant__ struct gmg_cuda_args
 * args). With the macro MANY, which its end undefines, it covers many boxes in one launch, of a
 * grid in one dimension: thread block n is block n % args.each of box n / args.each. */
struct gmg_cuda_form {
  const char *name;            /* "march" */
  const char *symbol;          /* of the function */
  const char *text;            /* needs the prelude and the kernel's text before it */
  struct gmg_cuda_shape shape; /* the defaults */
  /* 1: thread blocks in one dimension over positions in turn, PLANES for each thread */
  int linear;
  int many_blocks; /* the default of BLOCKS in launches on many boxes */
  int columns;     /* so many positions along i to a thread, and ROWS rows in turn; 0 is one */
  /* Of SYMBOL_twice: positions along i and j by which a block's neighbours overlap it, on each
   * side. */
  int overlap;
  /* Of SYMBOL_staged (solver/cuda/runtime/staged.h). lines: along each axis, copied, too. */
  int boxes, lines[3];
  const struct gmg_cuda_staged *box;
};

/* A kernel: what the CPU's kernel of the same name, variant, precision and rows does, with the same
 * bits. Its text defines
 *   __device__ void SYMBOL_cells(const struct gmg_cuda_args *args, int thread, int threads)
 * which visits all cells of a box by a grid-wide stride. Where a kernel reduces, every thread of a
 * block must call it (or the form), and a block has whole warps; where threads share positions,
 * or it sweeps over two colours, every thread of a warp, with 32 numbers in turn from a multiple of
 * 32 on, and `threads` is such a multiple. Numbers beyond all
 * positions are allowed: such threads visit nothing. */
struct gmg_cuda_kernel {
  const char *name, *variant;
  enum gmg_kernel_role role;
  enum gmg_precision precision;
  enum gmg_rows rows_stored;
  const char *symbol;
  const char *text;
  int fields;
  /* a thread's position p along an axis stands for cells [p step, (p + 1) step), one or all of them
   */
  int step[3];
  int extra[3]; /* as in the CPU's descriptor */
  int reduces;  /* 1: adds to args.reduction */
  /* so many threads share a position in SYMBOL_cells, where there are as many; else fewer do */
  int lanes;
  double flops, bytes; /* per cell of the own level; bytes: compulsory, each field once */
  int forms;
  const struct gmg_cuda_form *form; /* the default first */
  /* Gauss-Seidel with two colours, star stencils: the cells of scalar "colour", then those of the
   * other one, in one pass over memory. Reads field `u`, which it leaves as it is, and writes
   * args.out, all cells and no ghosts: its ghosts must be those of u. Right only where nothing is
   * exchanged between the two colours. NULL: there is none. */
  /* Split rows whose halves begin at 32 bytes. Measured, and free of spills, on architecture 9.0;
   * right, but slow, before it. */
  const struct gmg_cuda_form *staged;
};

extern const char *const gmg_cuda_prelude;
/* All of them, NULL-terminated. */
extern const struct gmg_cuda_kernel *const gmg_cuda_kernels[];

/* Positions along an axis. */
static inline int gmg_cuda_positions(const struct gmg_cuda_kernel *kernel, const int cells[3],
                                     int axis)
{
  return (cells[axis] + kernel->extra[axis] + kernel->step[axis] - 1) / kernel->step[axis];
}

/* Thread blocks that cover a box by a form in that shape. */
static inline void gmg_cuda_grid(const struct gmg_cuda_kernel *kernel,
                                 const struct gmg_cuda_form *form,
                                 const struct gmg_cuda_shape *shape, const int cells[3],
                                 unsigned grid[3])
{
  const int twice = form ? 2 * form->overlap : 0;
  const int covered[3] = {shape->block_i - twice, shape->block_j * shape->rows - twice,
                          shape->planes};
  int64_t all = 1;
  for (int a = 0; a < 3; a++) {
    const int columns = a == 0 && form && form->columns > 1 ? form->columns : 1,
              positions = (gmg_cuda_positions(kernel, cells, a) + columns - 1) / columns;
    grid[a] = (unsigned)((positions + covered[a] - 1) / covered[a]);
    all *= positions;
  }
  const int64_t block = (int64_t)shape->block_i * shape->block_j * shape->planes;
  if (!form || !form->linear)
    return;
  grid[0] = (unsigned)((all + block - 1) / block);
  grid[1] = grid[2] = 1;
}

static inline size_t gmg_cuda_record_bytes(const struct gmg_cuda_kernel *kernel)
{
  return sizeof(struct gmg_cuda_record) + (size_t)kernel->fields * sizeof(void *);
}

#endif

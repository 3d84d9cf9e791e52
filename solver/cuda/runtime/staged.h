/* How the form SYMBOL_staged is launched (gen/schedule/cuda_staged.c): with
 * gmg_cuda_staged_threads(shape) threads in one dimension, gmg_cuda_staged_bytes of dynamic shared
 * memory, struct gmg_cuda_args and after it struct gmg_cuda_boxes (solver/cuda/run/pairs.c). */
#ifndef GMG_CUDA_STAGED_H
#define GMG_CUDA_STAGED_H

#include "cuda_kernel.h"

/* The driver's cuTensorMapEncodeTiled, with its numbers as ints. */
typedef int gmg_cuda_encode_tensor(void *tensor, int type, unsigned rank, void *first,
                                   const uint64_t *extent, const uint64_t *stride,
                                   const unsigned *box, const unsigned *step, int interleave,
                                   int swizzle, int promotion, int fill);

static inline int gmg_cuda_staged_threads(const struct gmg_cuda_shape *shape)
{
  return 32 + shape->block_i * ((shape->block_j + 2) / 2) + (shape->block_j + 31) / 32 * 32
    + shape->block_i * shape->block_j / 2;
}

/* Reals and rows of what is copied at once of a half. */
static inline int gmg_cuda_staged_half(const struct gmg_cuda_staged *box,
                                       const struct gmg_cuda_shape *shape, int real)
{
  return shape->block_i + (box->beside ? 64 : 32) / real;
}

static inline int gmg_cuda_staged_rows(const struct gmg_cuda_staged *box,
                                       const struct gmg_cuda_shape *shape)
{
  return shape->block_j + box->rows - box->halves;
}

static inline int gmg_cuda_whole_lines(int reals, int real)
{
  const int line = 128 / real;
  return (reals + line - 1) / line * line;
}

static inline int gmg_cuda_staged_bytes(const struct gmg_cuda_form *form,
                                        const struct gmg_cuda_shape *shape, int real)
{
  int stage = gmg_cuda_whole_lines(form->lines[2], real);
  for (int n = 0; n < form->boxes; n++) {
    const int half =
      gmg_cuda_staged_rows(&form->box[n], shape) * gmg_cuda_staged_half(&form->box[n], shape, real);
    stage += form->box[n].halves ? 2 * gmg_cuda_whole_lines(half, real)
                                 : gmg_cuda_whole_lines(2 * half, real);
  }
  const int plane = gmg_cuda_whole_lines((shape->block_j + 2) * (shape->block_i + 2), real),
            lines = form->lines[0] * 2 * (shape->block_i + 64 / real)
    + form->lines[1] * (shape->block_j + 2);
  return (3 * (stage + plane) + gmg_cuda_whole_lines(lines, real)) * real + 64;
}

enum { GMG_STAGED_STEPS = 6 }; /* about so many more than planes a thread block takes */

/* Thread blocks; along k so many that `processors`, one block each, are busy to the end. */
static inline void gmg_cuda_staged_grid(const struct gmg_cuda_kernel *kernel,
                                        const struct gmg_cuda_shape *shape, const int cells[3],
                                        int processors, unsigned grid[3])
{
  const int i = (gmg_cuda_positions(kernel, cells, 0) + shape->block_i - 1) / shape->block_i,
            j = (cells[1] + shape->block_j - 1) / shape->block_j,
            most = cells[2] / 8 < 64 ? cells[2] / 8 : 64;
  long least = -1;
  grid[0] = (unsigned)i;
  grid[1] = (unsigned)j;
  grid[2] = 1;
  for (int k = 1; k <= most || k == 1; k++) {
    const long waves = ((long)i * j * k + processors - 1) / processors,
               steps =
                 waves * ((cells[2] + k - 1) / k + GMG_STAGED_STEPS); /* of the busiest processor */
    if (least < 0 || steps < least) {
      least = steps;
      grid[2] = (unsigned)k;
    }
  }
}

/* Describes the boxes of args.field to the copy engine, with the ghosts that are read, as others
 * would be moved for nothing. Returns the driver's status, 0: good. Fields have a ghost on each
 * side, and begin, in front of it, with 32 bytes at least that may be read. */
static inline int gmg_cuda_staged_encode(const struct gmg_cuda_form *form,
                                         const struct gmg_cuda_shape *shape, int real,
                                         const struct gmg_cuda_args *args,
                                         gmg_cuda_encode_tensor *encode,
                                         struct gmg_cuda_boxes *boxes)
{
  enum { FLOAT = 7, DOUBLE = 8, LINES_OF_128_BYTES = 2 }; /* of cuda.h */
  int status = 0;
  for (int n = 0; n < form->boxes && !status; n++) {
    const struct gmg_cuda_staged *box = &form->box[n];
    const int halves = box->halves, unit = halves ? 0 : 32 / real; /* in front of the first cell */
    const int left = box->beside ? 0 : unit; /* odd cells are copied from further left on */
    const ptrdiff_t row = args->box.stride[0], plane = args->box.stride[1],
                    apart = args->box.odd - left;
    /* All that rows hold: just what is needed takes longer where a box is read beside or ahead. */
    const ptrdiff_t pairs = halves ? (args->box.cells[0] + 1) / 2 : args->box.odd + unit + left;
    const uint64_t extent[4] = {(uint64_t)pairs, 2, (uint64_t)(args->box.cells[1] + box->rows - 2),
                                (uint64_t)(args->box.cells[2] + box->ahead + box->below)},
                   stride[3] = {(uint64_t)(apart * real), (uint64_t)(row * real),
                                (uint64_t)(plane * real)};
    const unsigned size[4] = {(unsigned)gmg_cuda_staged_half(box, shape, real), halves ? 1 : 2,
                              (unsigned)gmg_cuda_staged_rows(box, shape), 1},
                   step[4] = {1, 1, 1, 1};
    char *first =
      (char *)args->field[box->field] - (unit - (box->low + 1) * row + box->below * plane) * real;
    status = encode(&boxes->box[n], real == 8 ? DOUBLE : FLOAT, 4, first, extent, stride, size,
                    step, 0, 0, LINES_OF_128_BYTES, 0);
  }
  return status;
}

#endif

#include "program_shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct gmg_cuda_shape program_shape[PROGRAM_SHAPES] = {
  {32, 4, 1, 2, 2, 5},  {32, 4, 1, 4, 4, 4},  {32, 4, 1, 8, 8, 2},  {32, 8, 1, 4, 4, 2},
  {32, 8, 1, 8, 8, 1},  {64, 4, 1, 4, 4, 2},  {32, 8, 2, 4, 2, 2},  {64, 4, 2, 4, 2, 2},
  {32, 4, 2, 2, 2, 4},  {32, 4, 2, 4, 4, 2},  {32, 4, 2, 4, 4, 3},  {32, 8, 2, 4, 4, 1},
  {64, 4, 2, 4, 4, 1},  {128, 2, 2, 4, 4, 1}, {32, 4, 2, 8, 8, 2},  {32, 8, 2, 8, 8, 1},
  {32, 4, 2, 16, 4, 2}, {32, 4, 2, 64, 4, 2}, {32, 4, 3, 4, 4, 2},  {32, 4, 4, 2, 2, 2},
  {32, 4, 4, 4, 4, 2},  {32, 8, 4, 4, 4, 1},  {32, 2, 4, 4, 4, 4},  {32, 4, 4, 8, 4, 2},
  {64, 4, 4, 1, 1, 2},  {64, 2, 4, 4, 2, 3},  {128, 1, 4, 1, 1, 4}, {32, 8, 1, 32, 4, 2}};
/* Of two steps in one pass: of 48 KiB of shared memory a thread block has 32 bytes a position. */
const struct gmg_cuda_shape program_pass_shape[PROGRAM_PASS_SHAPES] = {
  {64, 8, 2, 64, 1, 2},  {64, 8, 2, 32, 1, 2},  {64, 8, 2, 128, 1, 2}, {64, 8, 2, 512, 1, 2},
  {64, 8, 3, 64, 1, 1},  {64, 8, 3, 64, 1, 2},  {64, 16, 1, 64, 1, 1}, {64, 16, 1, 64, 1, 2},
  {64, 4, 4, 64, 1, 2},  {64, 4, 4, 64, 1, 3},  {64, 4, 2, 64, 1, 4},  {64, 4, 3, 64, 1, 3},
  {32, 8, 4, 64, 1, 2},  {32, 8, 4, 64, 1, 3},  {32, 8, 2, 64, 1, 4},  {32, 16, 2, 64, 1, 2},
  {32, 32, 1, 64, 1, 1}, {128, 4, 2, 64, 1, 2}, {128, 4, 3, 64, 1, 1}, {128, 4, 3, 64, 1, 2},
  {128, 8, 1, 64, 1, 1}, {128, 2, 4, 64, 1, 2}, {128, 2, 6, 64, 1, 2}, {96, 4, 4, 64, 1, 2},
  {192, 2, 4, 64, 1, 2}, {256, 2, 3, 64, 1, 2}, {64, 8, 2, 74, 1, 2},  {64, 8, 2, 43, 1, 2},
  {64, 4, 4, 74, 1, 2}};

/* The form's text with the shape's numbers in front of it, which its own defaults give way to. */
static char *shaped_text(const char *text, const struct gmg_cuda_shape *shape)
{
  const size_t size = strlen(text) + 300;
  char *shaped = malloc(size);
  if (shaped)
    snprintf(shaped, size,
             "#define BLOCK_I %d\n#define BLOCK_J %d\n#define ROWS %d\n#define PLANES %d\n"
             "#define UNROLL %d\n#define BLOCKS %d\n%s",
             shape->block_i, shape->block_j, shape->rows, shape->planes, shape->unroll,
             shape->blocks, text);
  return shaped;
}

/* A copy of the kernel with its n-th form in that shape alone. */
static const struct gmg_cuda_kernel *shape_cuda(const struct gmg_cuda_kernel *kernel, int n,
                                                const struct gmg_cuda_shape *shape)
{
  struct gmg_cuda_kernel *cuda = malloc(sizeof *cuda);
  struct gmg_cuda_form *form = malloc(sizeof *form);
  char *text = n < kernel->forms ? shaped_text(kernel->form[n].text, shape) : NULL;
  if (!cuda || !form || !text) {
    free(text);
    free(cuda);
    free(form);
    return NULL;
  }
  *form = kernel->form[n];
  form->text = text;
  form->shape = *shape;
  form->many_blocks = shape->blocks;
  *cuda = *kernel;
  cuda->form = form;
  cuda->forms = 1;
  return cuda;
}

static const struct gmg_kernel_descriptor *shape_kernel(const struct gmg_kernel_descriptor *kernel,
                                                        int n, const struct gmg_cuda_shape *shape)
{
  struct gmg_kernel_descriptor *copy = malloc(sizeof *copy);
  const struct gmg_cuda_kernel *cuda = shape_cuda(kernel->cuda, n, shape);
  if (!copy || !cuda) {
    free(copy);
    return NULL;
  }
  *copy = *kernel;
  copy->cuda = cuda;
  return copy;
}

const struct gmg_program_descriptor *program_twice_shaped(const struct gmg_program_descriptor *made,
                                                          const struct gmg_cuda_shape *shape)
{
  struct gmg_program_descriptor *copy = malloc(sizeof *copy);
  const struct gmg_cuda_kernel *cuda =
    made->twice.kernel ? shape_cuda(made->twice.kernel, 0, shape) : NULL;
  if (!copy || !cuda) {
    free(copy);
    return NULL;
  }
  *copy = *made;
  copy->twice.kernel = cuda;
  return copy;
}

const struct gmg_program_descriptor *program_shaped(const struct gmg_program_descriptor *made,
                                                    int form, const struct gmg_cuda_shape *shape)
{
  struct gmg_program_descriptor *copy = malloc(sizeof *copy);
  struct gmg_program_kernel *kernel = malloc((size_t)made->kernels * sizeof *kernel);
  int good = copy && kernel;
  for (int k = 0; k < made->kernels && good; k++) {
    kernel[k] = made->kernel[k];
    kernel[k].kernel = shape_kernel(made->kernel[k].kernel, form, shape);
    good = kernel[k].kernel != NULL;
  }
  if (!good) {
    free(copy);
    free(kernel);
    return NULL;
  }
  *copy = *made;
  copy->kernel = kernel;
  return copy;
}

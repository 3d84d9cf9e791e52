#include "program_shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static const struct gmg_kernel_descriptor *shape_kernel(const struct gmg_kernel_descriptor *kernel,
                                                        int n, const struct gmg_cuda_shape *shape)
{
  struct gmg_kernel_descriptor *copy = malloc(sizeof *copy);
  struct gmg_cuda_kernel *cuda = malloc(sizeof *cuda);
  struct gmg_cuda_form *form = malloc(sizeof *form);
  char *text = n < kernel->cuda->forms ? shaped_text(kernel->cuda->form[n].text, shape) : NULL;
  if (!copy || !cuda || !form || !text) {
    free(text);
    free(copy);
    free(cuda);
    free(form);
    return NULL;
  }
  *form = kernel->cuda->form[n];
  form->text = text;
  form->shape = *shape;
  form->many_blocks = shape->blocks;
  *cuda = *kernel->cuda;
  cuda->form = form;
  cuda->forms = 1;
  *copy = *kernel;
  copy->cuda = cuda;
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

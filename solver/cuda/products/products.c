#include "products.h"

#include "cuda/memory/bounce.h"
#include "cuda/memory/mirror.h"
#include "cuda/run/newest.h"
#include "cuda/run/queue.h"
#include "cuda/runtime/blas.h"

struct gmg_products {
  const struct gmg_level *level;
  struct gmg_device *device;
  const struct gmg_blas *blas;
  struct gmg_chunk *chunk;
  CUdeviceptr matrix[3]; /* row by row: to cuBLAS, which counts by columns, the transposes */
};

int gmg_cuda_multiplies(gmg_context *context, char *why, size_t size)
{
  (void)context;
  return gmg_blas_open(why, size) != NULL;
}

static size_t bytes_of(const struct gmg_level *level, int axis)
{
  const size_t n = (size_t)level->axis[axis].cells;
  return n * n * sizeof(double);
}

struct gmg_products *gmg_cuda_products(gmg_context *context, const struct gmg_level *level,
                                       const double *const matrix[3])
{
  struct gmg_device *device = context->device;
  char why[200];
  struct gmg_products *products = gmg_calloc(1, sizeof *products);
  int64_t bytes = 0;
  for (int d = 0; d < 3; d++)
    bytes += matrix[d] ? gmg_mirror_aligned((int64_t)bytes_of(level, d)) : 0;
  if (!products)
    return NULL;
  *products =
    (struct gmg_products){.level = level, .device = device, .blas = gmg_blas_open(why, sizeof why)};
  products->chunk = products->blas ? gmg_mirror_take(device, bytes) : NULL;
  gmg_queue_flush(device->queue);
  gmg_device_enter(device);
  const int failed = !products->chunk || !gmg_blas_handle(device, products->blas);
  for (int d = 0; d < 3 && !failed; d++) {
    if (!matrix[d])
      continue;
    products->matrix[d] = gmg_mirror_piece(products->chunk, (int64_t)bytes_of(level, d));
    gmg_bounce_to_device(device, products->matrix[d], matrix[d], bytes_of(level, d));
  }
  gmg_device_leave(device);
  if (failed || device->failed)
    gmg_cuda_forget_products(context, &products);
  return products;
}

void gmg_cuda_forget_products(gmg_context *context, struct gmg_products **products)
{
  (void)context;
  if (!*products)
    return;
  gmg_mirror_release((*products)->device, &(*products)->chunk);
  gmg_free(*products);
  *products = NULL;
}

/* One of many products of matrices whose columns lie `ld` elements apart: lines along x are the
 * columns of planes along z, which the matrix multiplies from the left; those along y and z are
 * rows of planes along z and along y. */
void gmg_cuda_multiply(const struct gmg_products *p, int axis, int transposed,
                       struct gmg_level_array *from, struct gmg_level_array *to)
{
  struct gmg_device *device = p->device;
  if (p->level->layout->local_count == 0) /* other ranks have all lines */
    return;
  const struct gmg_kernel_box *box = &p->level->box[0];
  const int *cells = box->cells, n = cells[axis], along_z = axis == 2;
  const int ld = (int)box->stride[along_z], count = cells[along_z ? 1 : 2];
  const ptrdiff_t stride = box->stride[!along_z];
  const double one = 1, zero = 0, *matrix = (const double *)(uintptr_t)p->matrix[axis];
  if (!from->mirror.at || !to->mirror.at) {
    gmg_device_failed(device, CUDA_ERROR_INVALID_VALUE, "cublasDgemmStridedBatched",
                      "a field that is not there");
    return;
  }
  gmg_newest_on_device(device, from, 0);
  gmg_newest_on_device(device, to, 1);
  gmg_queue_flush(device->queue);
  gmg_device_enter(device);
  const double *x = gmg_mirror_box(from, 0);
  double *y = gmg_mirror_box(to, 0);
  const int status = axis == 0
    ? p->blas->products(device->blas, transposed ? GMG_BLAS_AS_IT_IS : GMG_BLAS_TRANSPOSED,
                        GMG_BLAS_AS_IT_IS, n, cells[1], n, &one, matrix, n, 0, x, ld, stride, &zero,
                        y, ld, stride, count)
    : p->blas->products(device->blas, GMG_BLAS_AS_IT_IS,
                        transposed ? GMG_BLAS_TRANSPOSED : GMG_BLAS_AS_IT_IS, cells[0], n, n, &one,
                        x, ld, stride, matrix, n, 0, &zero, y, ld, stride, count);
  gmg_device_leave(device);
  gmg_blas_failed(device, status, "cublasDgemmStridedBatched");
  to->shared = 0;
}

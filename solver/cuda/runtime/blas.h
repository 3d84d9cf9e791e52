/* cuBLAS, opened at run time as the driver is (driver.h), for products of dense matrices in double
 * precision. What is called of it is declared here, by its documented interface, which has been the
 * same since CUDA 8: then nothing of it is needed to build this library. */
#ifndef GMG_CUDA_BLAS_H
#define GMG_CUDA_BLAS_H

#include "device.h"

struct cublasContext;
enum gmg_blas_operation { GMG_BLAS_AS_IT_IS, GMG_BLAS_TRANSPOSED };
/* All return 0, or a status of cuBLAS. */
typedef int gmg_blas_create(struct cublasContext **handle);
typedef int gmg_blas_destroy(struct cublasContext *handle);
typedef int gmg_blas_set_stream(struct cublasContext *handle, CUstream stream);
/* C = alpha op(A) op(B) + beta C, `count` times; columns are `ld` elements apart, matrices
 * `stride`. */
typedef int gmg_blas_products(struct cublasContext *handle, enum gmg_blas_operation of_a,
                              enum gmg_blas_operation of_b, int rows, int columns, int terms,
                              const double *alpha, const double *a, int ld_a, long long stride_a,
                              const double *b, int ld_b, long long stride_b, const double *beta,
                              double *c, int ld_c, long long stride_c, int count);

struct gmg_blas {
  gmg_blas_create *create;
  gmg_blas_destroy *destroy;
  gmg_blas_set_stream *set_stream;
  gmg_blas_products *products;
};

/* The library, opened once in the life of the process; NULL with the reason, one clause. */
const struct gmg_blas *gmg_blas_open(char *reason, size_t size);
/* The device's handle of it, on the device's stream, made by the first call, within the device's
 * context; NULL where that fails, which the device notes. */
struct cublasContext *gmg_blas_handle(struct gmg_device *device, const struct gmg_blas *blas);
/* Notes that a call of the library failed, with its status. Returns whether it did. */
int gmg_blas_failed(struct gmg_device *device, int status, const char *call);
/* Within the device's context. */
void gmg_blas_close(struct gmg_device *device);

#endif

#include "blas.h"

#include "library.h"

#include <stdio.h>

const struct gmg_blas *gmg_blas_open(char *reason, size_t size)
{
  static const char *const names[] = {"libcublas.so", "libcublas.so.13", "libcublas.so.12",
                                      "/usr/local/cuda/lib64/libcublas.so", NULL};
  static const char what[] = "cuBLAS";
  static struct gmg_blas blas;
  static int opened;
  if (opened)
    return &blas;
  void *library = gmg_library_open(names, what, reason, size);
  if (!library || gmg_library_find(library, "cublasCreate_v2", &blas.create, what, reason, size)
      || gmg_library_find(library, "cublasDestroy_v2", &blas.destroy, what, reason, size)
      || gmg_library_find(library, "cublasSetStream_v2", &blas.set_stream, what, reason, size)
      || gmg_library_find(library, "cublasDgemmStridedBatched", &blas.products, what, reason, size))
    return NULL;
  opened = 1;
  return &blas;
}

int gmg_blas_failed(struct gmg_device *device, int status, const char *call)
{
  if (status == 0)
    return 0;
  if (device->failed)
    return 1;
  device->failed = GMG_ERR_DEVICE;
  snprintf(device->message, sizeof device->message,
           "device %d (%s): %s failed: status %d of cuBLAS", device->index, device->name, call,
           status);
  return 1;
}

struct cublasContext *gmg_blas_handle(struct gmg_device *device, const struct gmg_blas *blas)
{
  if (!device->blas && !gmg_blas_failed(device, blas->create(&device->blas), "cublasCreate_v2"))
    gmg_blas_failed(device, blas->set_stream(device->blas, device->stream), "cublasSetStream_v2");
  return device->failed ? NULL : device->blas;
}

void gmg_blas_close(struct gmg_device *device)
{
  char reason[200];
  if (device->blas)
    gmg_blas_open(reason, sizeof reason)->destroy(device->blas);
  device->blas = NULL;
}

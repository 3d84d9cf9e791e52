/* libFuzzer: the bytes are an HDF5 file. Damage to the file format itself; most of what it finds is HDF5's. */
#include <stdint.h>

#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  hid_t access = reader_access(data, size), file = -1;
  if (size)
    file = H5Fopen("image", H5F_ACC_RDONLY, access);
  H5Pclose(access);
  if (file >= 0)
    reader_run(file);
  return 0;
}

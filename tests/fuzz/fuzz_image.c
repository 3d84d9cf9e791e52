/* libFuzzer: the bytes are an HDF5 file. Damage to the file format itself, most of which HDF5
 * refuses and some of which breaks HDF5: in the child process where the reader expects it. */
#include <stdint.h>

#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  reader_run(data, size);
  return 0;
}

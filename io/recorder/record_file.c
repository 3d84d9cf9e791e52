#include "record_file.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_VALUES = 1 << 19 };

int record_put_attribute(hid_t object, const char *name, hid_t type, const void *value,
                         hsize_t count)
{
  const hid_t space = count ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
  const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const int failed = attribute < 0 || H5Awrite(attribute, type, value) < 0;
  if (attribute >= 0)
    H5Aclose(attribute);
  H5Sclose(space);
  return failed;
}

int record_put_text(hid_t object, const char *name, const char *text)
{
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, strlen(text) + 1);
  const int failed = record_put_attribute(object, name, type, text, 0);
  H5Tclose(type);
  return failed;
}

int record_put_double(hid_t object, const char *name, double value)
{
  return record_put_attribute(object, name, H5T_NATIVE_DOUBLE, &value, 0);
}

hid_t record_open_dataset(hid_t file, const char *name, int rank, const hsize_t *shape)
{
  if (H5Lexists(file, name, H5P_DEFAULT) > 0)
    return H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(rank, shape, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
  H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
  const hid_t dataset =
    H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT);
  H5Pclose(how);
  H5Sclose(space);
  return dataset;
}

static int write_block(hid_t dataset, int rank, const hsize_t *start, const hsize_t *count,
                       const double *values)
{
  const hid_t file_space = H5Dget_space(dataset),
              memory_space = H5Screate_simple(rank, count, NULL);
  H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, count, NULL);
  const int failed =
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory_space, file_space, H5P_DEFAULT, values) < 0;
  H5Sclose(memory_space);
  H5Sclose(file_space);
  return failed;
}

int record_put_values(hid_t file, int writes, const char *name, const double *values, int rank,
                      const hsize_t *shape)
{
  static const hsize_t origin[3] = {0, 0, 0};
  const hid_t dataset = record_open_dataset(file, name, rank, shape);
  const int failed = dataset < 0 || (writes && write_block(dataset, rank, origin, shape, values));
  if (dataset >= 0)
    H5Dclose(dataset);
  return failed;
}

int record_write_rows(hid_t dataset, const gmg_array *array, const int start[3], const int count[3])
{
  const size_t values = count[0] > BLOCK_VALUES ? (size_t)count[0] : BLOCK_VALUES;
  const int rows = (int)(values / (size_t)count[0]);
  double *buffer = malloc(values * sizeof *buffer);
  if (!buffer)
    return 1;
  int failed = 0;
  for (int k = 0; k < count[2]; k++)
    for (int j = 0; j < count[1]; j += rows) {
      const int some = j + rows < count[1] ? rows : count[1] - j;
      double *to = buffer;
      for (int row = j; row < j + some; row++)
        for (int i = 0; i < count[0]; i++)
          *to++ = array->data[i * array->stride[0] + row * array->stride[1] + k * array->stride[2]];
      const hsize_t from[3] = {(hsize_t)(start[2] + k), (hsize_t)(start[1] + j), (hsize_t)start[0]};
      const hsize_t block[3] = {1, (hsize_t)some, (hsize_t)count[0]};
      failed = failed || write_block(dataset, 3, from, block, buffer);
    }
  free(buffer);
  return failed;
}

struct record_silence record_be_silent(void)
{
  struct record_silence before = {NULL, NULL};
  H5Eget_auto2(H5E_DEFAULT, &before.function, &before.data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return before;
}

void record_speak_again(struct record_silence before)
{
  H5Eset_auto2(H5E_DEFAULT, before.function, before.data);
}

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/parallel.h"

enum { BLOCK_BYTES = 1 << 26 };

void file_silence(void)
{
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* HDF5 forgets its errors at the next call, so they are noted here at once. */
static char reason[400];

/* Keeps the first, that is the innermost, entry. */
static herr_t keep_first(unsigned n, const H5E_error2_t *error, void *user)
{
  (void)user;
  if (n == 0 && error->desc)
    snprintf(reason, sizeof reason, "%s", error->desc);
  return 0;
}

long long file_note(long long result)
{
  if (result >= 0)
    return result;
  reason[0] = 0;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, NULL);
  char *detail = strstr(reason, "error message = '"); /* the operating system says it best */
  if (detail) {
    detail += strlen("error message = '");
    detail[strcspn(detail, "'")] = 0;
    memmove(reason, detail, strlen(detail) + 1);
  }
  for (char *c = reason; *c; c++)
    if (*c == '\n')
      *c = ' ';
  return result;
}

const char *file_reason(void)
{
  return reason[0] ? reason : "HDF5 gives no reason";
}

hid_t file_open(const char *path)
{
  return file_note(H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT));
}

hid_t file_create(const struct output *output, double bytes, struct failure *failure)
{
  if (output_begin(output, bytes, failure))
    return -1;
  hid_t access = parallel_file_access();
  hid_t file = file_note(H5Fcreate(output->temporary, H5F_ACC_TRUNC, H5P_DEFAULT, access));
  H5Pclose(access);
  return file;
}

/* On one rank. File systems that cannot reserve are taken at their word. */
static int reserve(const char *path, hsize_t bytes)
{
  enum { SLACK = 1 << 20 }; /* for what HDF5 adds when it closes */
  int descriptor = open(path, O_WRONLY);
  if (descriptor < 0)
    return 0;
  int error = fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, (off_t)bytes + SLACK) != 0 ? errno : 0;
  close(descriptor);
  if (error != ENOSPC && error != EFBIG && error != EDQUOT)
    return 0;
  snprintf(reason, sizeof reason, "%s", strerror(error));
  return -1;
}

herr_t file_reserve(hid_t dataset, const char *path)
{
  haddr_t start = H5Dget_offset(dataset);
  int error = 0;
  if (parallel_ranks() > 1 && parallel_rank() == 0 && start != HADDR_UNDEF)
    error = reserve(path, start + H5Dget_storage_size(dataset));
  parallel_broadcast(&error, sizeof error);
  parallel_broadcast(reason, sizeof reason);
  return error;
}

static int lost;

int file_finish(hid_t file, int error, const struct output *output, struct failure *failure)
{
  for (int closing = 0; closing < 2; closing++) { /* the first reason is the better one */
    if (error)
      failure_set(failure, STATUS_MACHINE, "%s could not be written: %s", output->path,
                  file_reason());
    error = !closing && file >= 0 && file_note(H5Fclose(file)) < 0;
    lost |= error;
  }
  return output_finish(output, failure);
}

int file_is_lost(void)
{
  return lost;
}

size_t file_elements(const int from[3], const int to[3])
{
  size_t elements = 1;
  for (int d = 0; d < 3; d++)
    elements *= to[d] > from[d] ? (size_t)(to[d] - from[d]) : 0;
  return elements;
}

struct file_blocks file_blocks_of(const int lower[3], const int upper[3])
{
  struct file_blocks blocks;
  memcpy(blocks.lower, lower, sizeof blocks.lower);
  memcpy(blocks.upper, upper, sizeof blocks.upper);
  const int plane_upper[3] = {upper[0], upper[1], lower[2] + 1};
  size_t plane = file_elements(lower, plane_upper) * sizeof(double);
  int height = file_elements(lower, upper) ? upper[2] - lower[2] : 0;
  size_t planes = plane ? BLOCK_BYTES / plane : 1;
  if (planes < 1)
    planes = 1;
  blocks.planes = planes < (size_t)height ? (int)planes : height > 0 ? height : 1;
  blocks.rounds = (int)parallel_max((height + blocks.planes - 1) / blocks.planes);
  return blocks;
}

void file_block(const struct file_blocks *blocks, int round, int from[3], int to[3])
{
  memcpy(from, blocks->lower, 3 * sizeof *from);
  memcpy(to, blocks->upper, 3 * sizeof *to);
  long long start = blocks->lower[2] + (long long)round * blocks->planes,
            end = start + blocks->planes;
  from[2] = start < blocks->upper[2] ? (int)start : blocks->upper[2];
  to[2] = end < blocks->upper[2] ? (int)end : blocks->upper[2];
}

size_t file_block_elements(const struct file_blocks *blocks)
{
  int from[3], to[3];
  file_block(blocks, 0, from, to);
  return file_elements(from, to);
}

/* The dataspaces of a block in file and memory; an empty block selects nothing. */
static void select_block(hid_t dataset, const int from[3], const int to[3], hid_t *file_space,
                         hid_t *memory_space)
{
  hsize_t start[3], count[3];
  for (int d = 0; d < 3; d++) {
    start[d] = (hsize_t)from[2 - d];
    count[d] = to[2 - d] > from[2 - d] ? (hsize_t)(to[2 - d] - from[2 - d]) : 0;
  }
  *file_space = H5Dget_space(dataset);
  if (file_elements(from, to)) {
    H5Sselect_hyperslab(*file_space, H5S_SELECT_SET, start, NULL, count, NULL);
    *memory_space = H5Screate_simple(3, count, NULL);
  } else {
    H5Sselect_none(*file_space);
    const hsize_t one[3] = {1, 1, 1};
    *memory_space = H5Screate_simple(3, one, NULL);
    H5Sselect_none(*memory_space);
  }
}

herr_t file_read(hid_t dataset, const int from[3], const int to[3], double *data)
{
  hid_t file_space, memory_space;
  select_block(dataset, from, to, &file_space, &memory_space);
  herr_t error = (herr_t)file_note(
    H5Dread(dataset, H5T_NATIVE_DOUBLE, memory_space, file_space, H5P_DEFAULT, data));
  H5Sclose(memory_space);
  H5Sclose(file_space);
  return error;
}

herr_t file_write(hid_t dataset, const int from[3], const int to[3], const double *data)
{
  hid_t file_space, memory_space, transfer = parallel_transfer();
  select_block(dataset, from, to, &file_space, &memory_space);
  herr_t error = (herr_t)file_note(
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory_space, file_space, transfer, data));
  H5Pclose(transfer);
  H5Sclose(memory_space);
  H5Sclose(file_space);
  return error;
}

hid_t file_create_dataset(hid_t file, const char *name, int rank, const hsize_t *shape)
{
  hid_t space = H5Screate_simple(rank, shape, NULL);
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
  H5Pset_obj_track_times(creation, 0); /* the same contents make the same bytes */
  hid_t dataset =
    file_note(H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  H5Pclose(creation);
  H5Sclose(space);
  return dataset;
}

herr_t file_put_values(hid_t file, const char *name, const double *values, int rank,
                       const hsize_t *shape)
{
  hid_t dataset = file_create_dataset(file, name, rank, shape);
  if (dataset < 0)
    return -1;
  hid_t transfer = parallel_transfer(), space = H5Dget_space(dataset);
  if (parallel_rank())
    H5Sselect_none(space);
  herr_t error =
    (herr_t)file_note(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, space, space, transfer, values));
  H5Sclose(space);
  H5Pclose(transfer);
  H5Dclose(dataset);
  return error;
}

static herr_t put(hid_t object, const char *name, hid_t stored, hid_t given, const void *values,
                  int count)
{
  const hsize_t extent = (hsize_t)count;
  hid_t space = count ? H5Screate_simple(1, &extent, NULL) : H5Screate(H5S_SCALAR);
  hid_t attribute = file_note(H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT));
  herr_t error = attribute < 0 ? -1 : (herr_t)file_note(H5Awrite(attribute, given, values));
  if (attribute >= 0)
    H5Aclose(attribute);
  H5Sclose(space);
  return error;
}

herr_t file_put_text(hid_t object, const char *name, const char *text)
{
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE); /* which Python reads as text, fixed-length ones as bytes */
  H5Tset_cset(type, H5T_CSET_UTF8);
  herr_t error = put(object, name, type, type, &text, 0);
  H5Tclose(type);
  return error;
}

herr_t file_put_doubles(hid_t object, const char *name, const double *values, int count)
{
  return put(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, count);
}

herr_t file_put_integers(hid_t object, const char *name, const int *values, int count)
{
  return put(object, name, H5T_STD_I32LE, H5T_NATIVE_INT, values, count);
}

hid_t file_create_group(hid_t file, const char *name)
{
  return file_note(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

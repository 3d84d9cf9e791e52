#include "chunks.h"

#include <stdlib.h>

#include "file.h"

enum { MOST_DIMENSIONS = 32, MOST_FILTERS = 32, MOST_PARAMETERS = 256 };
static const H5Z_filter_t counter =
  511; /* of the numbers that HDF5 leaves for filters that no file has */

struct chunks {
  hid_t dataset, file, whole; /* the source; in memory, and the one chunk there */
  int rank, some_unfiltered;
  const hsize_t *from, *count; /* what is wanted */
  hsize_t chunk[MOST_DIMENSIONS], extent[MOST_DIMENSIONS];
  double *data;
};

static size_t expected_bytes; /* of the chunk that is read */

#define PUSH(...) \
  H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_PLINE, H5E_READERROR, \
           __VA_ARGS__)

/* The last filter of reading; HDF5 knows no other way to see what the others yield. */
static size_t count_bytes(unsigned flags, size_t parameters, const unsigned *parameter,
                          size_t bytes, size_t *size, void **buffer)
{
  (void)parameters, (void)parameter, (void)size, (void)buffer;
  if (!(flags & H5Z_FLAG_REVERSE) || bytes == expected_bytes)
    return bytes;
  PUSH("a chunk has %zu bytes after its filters, expected %zu", bytes, expected_bytes);
  return 0;
}

int chunks_are_filtered(hid_t dataset)
{
  hid_t creation = H5Dget_create_plist(dataset);
  const int filtered =
    creation >= 0 && H5Pget_layout(creation) == H5D_CHUNKED && H5Pget_nfilters(creation) > 0;
  if (creation >= 0)
    H5Pclose(creation);
  return filtered;
}

/* The counter in front of all filters, which undo their work from the last to the first. */
static herr_t put_counter(hid_t creation)
{
  static const H5Z_class2_t class = {H5Z_CLASS_T_VERS, counter, 1,    1,
                                     "count of bytes", NULL,    NULL, count_bytes};
  struct {
    H5Z_filter_t id;
    unsigned flags, parameter[MOST_PARAMETERS];
    size_t parameters;
  } filter[MOST_FILTERS];
  const int filters = H5Pget_nfilters(creation);
  if (filters < 0 || filters > MOST_FILTERS
      || (H5Zfilter_avail(counter) <= 0 && H5Zregister(&class) < 0))
    return -1;
  for (int n = 0; n < filters; n++) {
    filter[n].parameters = MOST_PARAMETERS;
    filter[n].id = (H5Z_filter_t)file_note(H5Pget_filter2(creation, (unsigned)n, &filter[n].flags,
                                                          &filter[n].parameters,
                                                          filter[n].parameter, 0, NULL, NULL));
    if (filter[n].id < 0 || filter[n].parameters > MOST_PARAMETERS)
      return -1;
  }
  long long error = H5Premove_filter(creation, H5Z_FILTER_ALL);
  if (error >= 0)
    error = H5Pset_filter(creation, counter, H5Z_FLAG_MANDATORY, 0, NULL);
  for (int n = 0; n < filters && error >= 0; n++)
    error = file_note(H5Pset_filter(creation, filter[n].id, filter[n].flags, filter[n].parameters,
                                    filter[n].parameter));
  return error < 0 ? -1 : 0;
}

/* A file in memory with a dataset of one chunk. */
static herr_t make_whole(struct chunks *c, hid_t creation, hid_t type)
{
  enum { GROWTH = 1 << 20 };
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), space = H5Screate_simple(c->rank, c->chunk, NULL);
  H5Pset_fapl_core(access, GROWTH, 0);
  c->file = file_note(H5Fcreate("chunks", H5F_ACC_TRUNC, H5P_DEFAULT, access));
  H5Pset_alloc_time(creation, H5D_ALLOC_TIME_INCR);
  H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
  if (c->file >= 0 && space >= 0 && put_counter(creation) >= 0)
    c->whole =
      file_note(H5Dcreate2(c->file, "whole", type, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  if (space >= 0)
    H5Sclose(space);
  H5Pclose(access);
  return c->whole < 0 ? -1 : 0;
}

static herr_t begin(struct chunks *c)
{
  unsigned options = 0;
  hid_t space = H5Dget_space(c->dataset), stored = H5Dget_type(c->dataset), type = H5Tcopy(stored);
  hid_t creation = H5Dget_create_plist(c->dataset);
  c->rank = H5Sget_simple_extent_dims(space, c->extent, NULL);
  expected_bytes = H5Tget_size(type);
  herr_t error = 0;
  if (creation < 0 || c->rank < 1 || H5Pget_chunk(creation, c->rank, c->chunk) != c->rank
      || H5Pget_chunk_opts(creation, &options) < 0)
    error = (herr_t)file_note(-1);
  c->some_unfiltered = (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0;
  for (int d = 0; d < c->rank && error >= 0; d++)
    expected_bytes *= c->chunk[d];
  if (error >= 0)
    error = make_whole(c, creation, type);
  if (creation >= 0)
    H5Pclose(creation);
  H5Tclose(type);
  H5Tclose(stored);
  H5Sclose(space);
  return error;
}

/* Brings the chunk at `at` into memory, as it is stored. Returns 0 where there is none, or none
 * that was filtered. */
static herr_t fetch(struct chunks *c, const hsize_t *at)
{
  const hsize_t origin[MOST_DIMENSIONS] = {0};
  hsize_t bytes = 0;
  haddr_t address = HADDR_UNDEF;
  unsigned known_mask;
  uint32_t mask = 0;
  for (int d = 0; d < c->rank && c->some_unfiltered; d++)
    if (at[d] + c->chunk[d] > c->extent[d])
      return 0;
  if (file_note(H5Dget_chunk_info_by_coord(c->dataset, at, &known_mask, &address, &bytes)) < 0)
    return -1;
  if (address == HADDR_UNDEF || !bytes)
    return 0;
  void *raw = malloc(bytes);
  if (!raw) {
    PUSH("no memory for a chunk of %llu bytes", (unsigned long long)bytes);
    return (herr_t)file_note(-1);
  }
  long long error = file_note(H5Dread_chunk(c->dataset, H5P_DEFAULT, at, &mask, raw));
  if (error >= 0)
    error = file_note(H5Dwrite_chunk(c->whole, H5P_DEFAULT, mask << 1, origin, bytes, raw));
  free(raw);
  return error < 0 ? -1 : 1;
}

/* The wanted elements of one chunk. */
static herr_t read_one(struct chunks *c, const hsize_t *at)
{
  hsize_t start[MOST_DIMENSIONS], place[MOST_DIMENSIONS], size[MOST_DIMENSIONS];
  const herr_t fetched = fetch(c, at);
  if (fetched < 0)
    return fetched;
  for (int d = 0; d < c->rank; d++) {
    const hsize_t lower = at[d] > c->from[d] ? at[d] : c->from[d], end = c->from[d] + c->count[d];
    const hsize_t upper = at[d] + c->chunk[d] < end ? at[d] + c->chunk[d] : end;
    start[d] = lower - (fetched ? at[d] : 0);
    place[d] = lower - c->from[d];
    size[d] = upper - lower;
  }
  const hid_t source = fetched ? c->whole : c->dataset;
  hid_t there = H5Dget_space(source), here = H5Screate_simple(c->rank, c->count, NULL);
  H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, size, NULL);
  H5Sselect_hyperslab(here, H5S_SELECT_SET, place, NULL, size, NULL);
  const long long error =
    file_note(H5Dread(source, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, c->data));
  H5Sclose(here);
  H5Sclose(there);
  return error < 0 ? -1 : 0;
}

/* The next chunk that holds wanted elements, the last dimension fastest. Returns 0 after the last.
 */
static int advance(const struct chunks *c, hsize_t *at)
{
  for (int d = c->rank - 1; d >= 0; d--) {
    at[d] += c->chunk[d];
    if (at[d] < c->from[d] + c->count[d])
      return 1;
    at[d] = c->from[d] / c->chunk[d] * c->chunk[d];
  }
  return 0;
}

herr_t chunks_read(hid_t dataset, const hsize_t *from, const hsize_t *count, double *data)
{
  struct chunks c = {
    .dataset = dataset, .file = -1, .whole = -1, .from = from, .count = count, .data = data};
  hsize_t at[MOST_DIMENSIONS];
  herr_t error = begin(&c);
  for (int d = 0; d < c.rank && error >= 0; d++)
    at[d] = from[d] / c.chunk[d] * c.chunk[d];
  while (error >= 0) {
    error = read_one(&c, at);
    if (error >= 0 && !advance(&c, at))
      break;
  }
  if (c.whole >= 0)
    H5Dclose(c.whole);
  if (c.file >= 0)
    H5Fclose(c.file);
  return error;
}

#include "storage.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"

static int check_filters(const struct object *dataset, hid_t creation)
{
  int count = H5Pget_nfilters(creation);
  for (int n = 0; n < count; n++) {
    unsigned flags, configuration;
    size_t values = 0;
    char name[64] = "";
    H5Z_filter_t filter = H5Pget_filter2(creation, (unsigned)n, &flags, &values, NULL, sizeof name,
                                         name, &configuration);
    if (filter >= 0 && H5Zfilter_avail(filter) <= 0)
      return object_wrong(dataset,
                          "%s is compressed with filter %d (%s), which is not installed here; "
                          "write it with gzip or uncompressed",
                          dataset->name, (int)filter, name);
  }
  return 0;
}

/* A visit of all chunks. */
static int check_chunks(const struct object *dataset)
{
  hid_t space = H5Dget_space(dataset->id);
  hsize_t chunks;
  if (file_note(H5Dget_num_chunks(dataset->id, space, &chunks)) < 0)
    object_wrong(dataset, "the chunks of %s cannot be found: %s", dataset->name, file_reason());
  H5Sclose(space);
  return dataset->failure->status;
}

/* Opens the file of a source as HDF5 looks for it: as it is called, or beside the file that names
 * it. */
static hid_t open_source(const char *file, const char *source)
{
  char path[PATH_MAX];
  const char *slash = strrchr(file, '/');
  int folder = slash && source[0] != '/' ? (int)(slash - file) + 1 : 0;
  if (strcmp(source, ".") == 0)
    return file_open(file);
  if ((size_t)snprintf(path, sizeof path, "%.*s%s", folder, file, source) >= sizeof path)
    return -1;
  hid_t found = file_open(path);
  return found < 0 && folder ? file_open(source) : found;
}

static int check_sources(const struct object *dataset, hid_t creation)
{
  size_t count = 0;
  if (file_note(H5Pget_virtual_count(creation, &count)) < 0)
    return object_wrong(dataset, "the sources of %s cannot be found: %s", dataset->name,
                        file_reason());
  for (size_t n = 0; n < count && !dataset->failure->status; n++) {
    char source[1024] = "", name[1024] = "";
    H5Pget_virtual_filename(creation, n, source, sizeof source);
    H5Pget_virtual_dsetname(creation, n, name, sizeof name);
    if (strchr(source, '%') || strchr(name, '%')) /* a pattern of sources, as many as there are */
      continue;
    hid_t file = open_source(dataset->file, source);
    hid_t values = file < 0 ? -1 : (hid_t)file_note(H5Dopen2(file, name, H5P_DEFAULT));
    if (values < 0)
      object_wrong(dataset, "%s is a virtual dataset whose source %s in %s cannot be opened: %s",
                   dataset->name, name, source, file_reason());
    if (values >= 0)
      H5Dclose(values);
    if (file >= 0)
      H5Fclose(file);
  }
  return dataset->failure->status;
}

/* Raw files are called as from the current folder, which is how HDF5 opens them. */
static int check_raw_files(const struct object *dataset, hid_t creation)
{
  int count = H5Pget_external_count(creation);
  for (int n = 0; n < count; n++) {
    char name[PATH_MAX] = "";
    off_t offset = 0;
    hsize_t bytes = 0;
    struct stat found;
    H5Pget_external(creation, (unsigned)n, sizeof name, name, &offset, &bytes);
    if (stat(name, &found) != 0)
      return object_wrong(dataset, "the values of %s are in %s, which cannot be opened: %s",
                          dataset->name, name, strerror(errno));
    if (bytes != H5F_UNLIMITED && found.st_size < offset + (off_t)bytes)
      return object_wrong(
        dataset, "the values of %s are in %s, which has %lld bytes, expected %lld", dataset->name,
        name, (long long)found.st_size, (long long)offset + (long long)bytes);
  }
  return 0;
}

/* Values in the object's header: HDF5 copies as many bytes as the shape says from as many as there
 * are. */
static int check_compact(const struct object *dataset)
{
  hid_t type = H5Dget_type(dataset->id), space = H5Dget_space(dataset->id);
  const unsigned long long expected =
    (unsigned long long)H5Sget_simple_extent_npoints(space) * (unsigned long long)H5Tget_size(type);
  const unsigned long long found = H5Dget_storage_size(dataset->id);
  H5Tclose(type);
  H5Sclose(space);
  if (found >= expected)
    return 0;
  return object_wrong(dataset, "%s has %llu bytes stored in its header, expected %llu",
                      dataset->name, found, expected);
}

int storage_check(const struct object *dataset)
{
  hid_t creation = file_note(H5Dget_create_plist(dataset->id));
  if (creation < 0)
    return object_wrong(dataset, "how %s is stored cannot be read: %s", dataset->name,
                        file_reason());
  H5D_layout_t layout = H5Pget_layout(creation);
  if (!check_filters(dataset, creation)) {
    if (layout == H5D_CHUNKED)
      check_chunks(dataset);
    else if (layout == H5D_VIRTUAL)
      check_sources(dataset, creation);
    else if (layout == H5D_COMPACT)
      check_compact(dataset);
    else if (layout == H5D_CONTIGUOUS)
      check_raw_files(dataset, creation);
  }
  H5Pclose(creation);
  return dataset->failure->status;
}

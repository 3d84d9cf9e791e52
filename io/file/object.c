#include "object.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "chunks.h"
#include "file.h"
#include "guard.h"
#include "common/names.h"
#include "storage.h"

enum { LONGEST_NAME = 256, LONGEST_TEXT = 4096, MOST_DIMENSIONS = 32 };

int object_wrong(const struct object *object, const char *format, ...)
{
  char text[sizeof object->failure->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return failure_set(object->failure, STATUS_INPUT, "%s: %s", object->file, text);
}

int object_open(const struct object *parent, const char *child_path, H5I_type_t type,
                struct object *child, int *present)
{
  *child = (struct object){parent->file, child_path, -1, parent->failure};
  const char *link = strrchr(child_path, '/') + 1;
  guard_at(child_path);
  htri_t there = (htri_t)file_note(H5Lexists(parent->id, link, H5P_DEFAULT));
  *present = there > 0;
  if (there < 0)
    return object_wrong(parent, "the link to %s cannot be read: %s", child_path, file_reason());
  if (!there)
    return 0;
  child->id = file_note(H5Oopen(parent->id, link, H5P_DEFAULT));
  if (child->id < 0)
    return object_wrong(parent, "%s cannot be opened: %s", child_path, file_reason());
  if (H5Iget_type(child->id) == type)
    return 0;
  object_close(child);
  return object_wrong(parent, "%s is not a %s", child_path,
                      type == H5I_GROUP ? "group" : "dataset");
}

void object_close(struct object *object)
{
  if (object->id >= 0)
    H5Oclose(object->id);
  object->id = -1;
}

static int unknown(const struct object *object, const char *kind, const char *name,
                   const char *const *known, int count)
{
  if (!count)
    return object_wrong(object,
                        "unknown %s '%s' of %s: it takes none; the group /user is yours to fill",
                        kind, name, object->name);
  char list[2000], nearest[LONGEST_NAME + 40];
  names_list(known, count, list, sizeof list);
  names_suggest(name, known, count, nearest, sizeof nearest);
  return object_wrong(object,
                      "unknown %s '%s' in %s%s (known: %s); the group /user is yours to fill", kind,
                      name, object->name, nearest, list);
}

/* Of one attribute, or of all. */
static int unreadable(const struct object *object, const char *attribute)
{
  if (attribute)
    return object_wrong(object, "attribute '%s' of %s cannot be read: %s", attribute, object->name,
                        file_reason());
  return object_wrong(object, "the attributes of %s cannot be read: %s", object->name,
                      file_reason());
}

struct known {
  const struct object *object;
  const char *const *names;
  int count;
};

static herr_t check_attribute(hid_t location, const char *name, const H5A_info_t *info, void *user)
{
  (void)location;
  (void)info;
  const struct known *known = user;
  if (names_find(name, known->names, known->count) < 0)
    unknown(known->object, "attribute", name, known->names, known->count);
  return known->object->failure->status ? 1 : 0;
}

int object_known_attributes(const struct object *object, const char *const *known, int count)
{
  struct known user = {object, known, count};
  if (file_note(H5Aiterate2(object->id, H5_INDEX_NAME, H5_ITER_INC, NULL, check_attribute, &user))
      < 0)
    return unreadable(object, NULL);
  return object->failure->status;
}

int object_known_links(const struct object *object, const char *const *known, int count)
{
  H5G_info_t info = {.nlinks = 0};
  long long error = file_note(H5Gget_info(object->id, &info));
  for (hsize_t n = 0; n < info.nlinks && error >= 0; n++) {
    char name[LONGEST_NAME];
    error = file_note(H5Lget_name_by_idx(object->id, ".", H5_INDEX_NAME, H5_ITER_INC, n, name,
                                         sizeof name, H5P_DEFAULT));
    if (error >= 0 && names_find(name, known, count) < 0)
      return unknown(object, "name", name, known, count);
  }
  if (error < 0)
    return object_wrong(object, "group %s cannot be read: %s", object->name, file_reason());
  return 0;
}

static const char *class_name(H5T_class_t class)
{
  switch (class) {
  case H5T_INTEGER:
    return "integers";
  case H5T_FLOAT:
    return "floating-point numbers";
  case H5T_STRING:
    return "text";
  case H5T_BITFIELD:
    return "bit fields";
  case H5T_TIME:
    return "times";
  case H5T_COMPOUND:
    return "a compound type";
  case H5T_ENUM:
    return "an enumeration or booleans";
  case H5T_REFERENCE:
    return "references";
  case H5T_ARRAY:
    return "arrays";
  case H5T_VLEN:
    return "variable-length lists";
  default:
    return "opaque data";
  }
}

static int check_attribute_type(const struct object *object, const char *name, hid_t attribute,
                                H5T_class_t expected, int count)
{
  hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  H5T_class_t class = H5Tget_class(type);
  long long elements = H5Sget_simple_extent_npoints(space);
  H5Tclose(type);
  H5Sclose(space);
  if (class != expected && !(expected == H5T_FLOAT && class == H5T_INTEGER))
    return object_wrong(object, "attribute '%s' of %s holds %s, expected %s", name, object->name,
                        class_name(class),
                        expected == H5T_FLOAT ? "numbers" : class_name(expected));
  if (elements != count)
    return object_wrong(object, "attribute '%s' of %s has %lld values, expected %d", name,
                        object->name, elements, count);
  return 0;
}

/* Opens an attribute of `count` values of a class (H5T_FLOAT: of integers too). -1: a failure, or
 * it is absent, which is one if it is required. */
static hid_t open_attribute(const struct object *object, const char *name, H5T_class_t expected,
                            int count, int *present)
{
  htri_t there = (htri_t)file_note(H5Aexists(object->id, name));
  if (present)
    *present = there > 0;
  if (there < 0)
    unreadable(object, NULL);
  if (there <= 0) {
    if (!present)
      object_wrong(object, "%s has no attribute '%s', which is required", object->name, name);
    return -1;
  }
  hid_t attribute = file_note(H5Aopen(object->id, name, H5P_DEFAULT));
  if (attribute < 0)
    unreadable(object, name);
  else if (check_attribute_type(object, name, attribute, expected, count)) {
    H5Aclose(attribute);
    attribute = -1;
  }
  return attribute;
}

static int read_text(const struct object *object, const char *name, hid_t attribute, char *text,
                     size_t size)
{
  hid_t type = H5Aget_type(attribute);
  herr_t error = 0;
  if (H5Tis_variable_str(type) > 0) {
    hid_t memory = H5Tcopy(H5T_C_S1);
    H5Tset_size(memory, H5T_VARIABLE);
    H5Tset_cset(memory, H5Tget_cset(type));
    char *found = NULL;
    error = (herr_t)file_note(H5Aread(attribute, memory, &found));
    if (error >= 0)
      snprintf(text, size, "%s", found ? found : "");
    if (found)
      H5free_memory(found);
    H5Tclose(memory);
  } else {
    size_t length = H5Tget_size(type);
    char found[LONGEST_TEXT + 1] = {0};
    if (length > LONGEST_TEXT) {
      H5Tclose(type);
      return object_wrong(object, "attribute '%s' of %s is a text of %zu bytes, expected a word",
                          name, object->name, length);
    }
    error = (herr_t)file_note(H5Aread(attribute, type, found));
    for (size_t n = strlen(found); n && found[n - 1] == ' '; n--) /* Fortran pads with blanks */
      found[n - 1] = 0;
    if (error >= 0)
      snprintf(text, size, "%s", found);
  }
  H5Tclose(type);
  if (error < 0)
    return unreadable(object, name);
  return 0;
}

int object_text(const struct object *object, const char *name, char *text, size_t size,
                int *present)
{
  text[0] = 0;
  hid_t attribute = open_attribute(object, name, H5T_STRING, 1, present);
  if (attribute >= 0) {
    read_text(object, name, attribute, text, size);
    H5Aclose(attribute);
  }
  return object->failure->status;
}

/* An attribute of `count` numbers, as they are in memory. */
static int read_numbers(const struct object *object, const char *name, H5T_class_t expected,
                        hid_t memory, void *values, int count, int *present)
{
  hid_t attribute = open_attribute(object, name, expected, count, present);
  if (attribute >= 0) {
    if (file_note(H5Aread(attribute, memory, values)) < 0)
      unreadable(object, name);
    H5Aclose(attribute);
  }
  return object->failure->status;
}

int object_doubles(const struct object *object, const char *name, double *values, int count,
                   int *present)
{
  int there = 1;
  if (read_numbers(object, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, values, count,
                   present ? &there : NULL))
    return object->failure->status;
  if (present)
    *present = there;
  for (int n = 0; there && n < count; n++)
    if (!isfinite(values[n]))
      return object_wrong(object, "attribute '%s' of %s has the value %g, expected finite numbers",
                          name, object->name, values[n]);
  return 0;
}

int object_integers(const struct object *object, const char *name, long long *values, int count,
                    int *present)
{
  return read_numbers(object, name, H5T_INTEGER, H5T_NATIVE_LLONG, values, count, present);
}

static void shape_text(int rank, const hsize_t *shape, char *text, size_t size)
{
  size_t used = (size_t)snprintf(text, size, "(");
  for (int d = 0; d < rank && used < size; d++)
    used += (size_t)snprintf(text + used, size - used, "%s%llu", d ? ", " : "",
                             (unsigned long long)shape[d]);
  if (used < size)
    snprintf(text + used, size - used, ")");
}

int object_shape(const struct object *dataset, int rank, const long long *shape, const char *what)
{
  hid_t type = H5Dget_type(dataset->id), space = H5Dget_space(dataset->id);
  H5T_class_t class = H5Tget_class(type);
  hsize_t found[MOST_DIMENSIONS];
  int found_rank = H5Sget_simple_extent_dims(space, found, NULL);
  if (H5Sget_simple_extent_type(space) == H5S_NULL)
    found_rank = 0;
  H5Tclose(type);
  H5Sclose(space);
  if (class != H5T_INTEGER && class != H5T_FLOAT)
    return object_wrong(dataset, "%s holds %s, expected numbers", dataset->name, class_name(class));
  int same = found_rank == rank;
  hsize_t expected[3] = {0, 0, 0};
  for (int d = 0; d < rank; d++) {
    expected[d] = (hsize_t)shape[d];
    same = same && found[d] == expected[d];
  }
  if (same)
    return storage_check(dataset);
  char found_text[800], expected_text[100];
  shape_text(found_rank < 0 ? 0 : found_rank, found, found_text, sizeof found_text);
  shape_text(rank, expected, expected_text, sizeof expected_text);
  return object_wrong(dataset, "%s has shape %s, expected %s = %s", dataset->name, found_text, what,
                      expected_text);
}

int object_read(const struct object *dataset, double *values)
{
  static const hsize_t origin[3] = {0, 0, 0};
  hid_t space = H5Dget_space(dataset->id);
  hsize_t shape[3] = {0, 0, 0};
  int rank = H5Sget_simple_extent_dims(space, shape, NULL);
  long long elements = H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  const long long error = chunks_are_filtered(dataset->id)
    ? chunks_read(dataset->id, origin, shape, values)
    : file_note(H5Dread(dataset->id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  if (error < 0)
    return object_wrong(dataset, "%s cannot be read: %s", dataset->name, file_reason());
  for (long long n = 0; n < elements; n++)
    if (!isfinite(values[n])) {
      if (rank == 2)
        return object_wrong(dataset, "%s has the value %g at [%lld, %lld], expected finite numbers",
                            dataset->name, values[n], n / (long long)shape[1],
                            n % (long long)shape[1]);
      return object_wrong(dataset, "%s has the value %g at [%lld], expected finite numbers",
                          dataset->name, values[n], n);
    }
  return 0;
}

/* Reading attributes, and checking the names, types and shapes of objects of a problem file, on one
 * rank. Every function returns 0, or records a failure that names file, object, found and expected.
 */
#ifndef GMG_IO_OBJECT_H
#define GMG_IO_OBJECT_H

#include <hdf5.h>

#include "common/failure.h"

/* An open group or dataset, and what it is called in messages. */
struct object {
  const char *file;
  const char *name; /* "/", "/grid", "/beta", … */
  hid_t id;
  struct failure *failure;
};

/* Records that the input is wrong, by the file's name, a colon and this text. Returns the status.
 */
int object_wrong(const struct object *object, const char *format, ...)
  __attribute__((format(printf, 2, 3)));

/* Opens a child that must be a group (type H5I_GROUP) or a dataset; present = 0 if there is no such
 * link. */
int object_open(const struct object *parent, const char *child_path, H5I_type_t type,
                struct object *child, int *present);
void object_close(struct object *object);

/* Every attribute's (link's) name must be among the known ones. */
int object_known_attributes(const struct object *object, const char *const *known, int count);
int object_known_links(const struct object *object, const char *const *known, int count);

/* Attributes. present (may be NULL: then the attribute is required) tells whether it is there. */
int object_text(const struct object *object, const char *name, char *text, size_t size,
                int *present);
int object_doubles(const struct object *object, const char *name, double *values, int count,
                   int *present);
int object_integers(const struct object *object, const char *name, long long *values, int count,
                    int *present);

/* A dataset must hold numbers, have this shape (file order) and be readable here (storage.h); what:
 * how the message writes the expectation. */
int object_shape(const struct object *dataset, int rank, const long long *shape, const char *what);
/* Reads a whole dataset as doubles, all of them finite. */
int object_read(const struct object *dataset, double *values);

#endif

/* libFuzzer: the bytes are a recipe, by which a sound HDF5 file is made: objects and attributes
 * with right and wrong names, types, shapes, storage and values. What it finds is the program's. */
#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct recipe {
  const uint8_t *at, *end;
};

static const char *const groups[] = {"/",     "/grid", "/equation", "/boundary",
                                     "/user", "/rhs",  "/beta",     "/other"};
static const char *const links[] = {
  "grid",   "equation",   "boundary",      "rhs",        "alpha", "beta", "beta_x",
  "beta_y", "beta_z",     "initial_guess", "exact",      "user",  "x",    "y",
  "z",      "x_lo_value", "y_hi_value",    "z_lo_value", "rsh",   "a\nb"};
static const char *const attributes[] = {
  "format", "version", "cells",      "lower",   "upper",   "a",          "b",
  "x_lo",   "x_hi",    "x_lo_value", "x_lo_c0", "x_lo_c1", "y_lo",       "y_hi",
  "z_lo",   "z_hi",    "z_hi_value", "average", "units",   "\x1b[0m\xff"};
static const char *const texts[] = {"gmg-problem", "dirichlet",  "neumann", "robin",
                                    "periodic",    "arithmetic", "",        "nemann"};

static unsigned next(struct recipe *recipe)
{
  return recipe->at < recipe->end ? *recipe->at++ : 0;
}

#define PICK(recipe, table) (table)[next(recipe) % (sizeof(table) / sizeof *(table))]

static double number(struct recipe *recipe)
{
  static const double special[] = {0, 1, -1, 1e308, -1e-320, 2147483648., 1. / 0., 0. / 0.};
  unsigned byte = next(recipe);
  return byte < 128 ? byte / 16. : special[byte % 8];
}

/* A type of numbers, or one that holds none. */
static hid_t type_of(struct recipe *recipe)
{
  switch (next(recipe) % 16) {
  case 0:
    return H5Tcopy(H5T_IEEE_F32BE);
  case 1:
    return H5Tcopy(H5T_STD_I64BE);
  case 2:
    return H5Tcopy(H5T_STD_U8LE);
  case 3:
    return H5Tcreate(H5T_OPAQUE, 8);
  case 4:
    return H5Tcopy(H5T_NATIVE_LDOUBLE);
  case 5:
    return H5Tenum_create(H5T_NATIVE_INT);
  case 6:
    return H5Tcopy(H5T_STD_B16LE);
  case 7:
    return H5Tcopy(H5T_STD_REF_OBJ);
  default:
    return H5Tcopy(H5T_IEEE_F64LE);
  }
}

static hid_t space_of(struct recipe *recipe, const hsize_t *shape, int rank)
{
  hsize_t extent[4] = {1, 1, 1, 1};
  unsigned change = next(recipe);
  if (change == 255)
    return H5Screate(H5S_NULL);
  if (change == 254)
    return H5Screate(H5S_SCALAR);
  for (int d = 0; d < rank; d++)
    extent[d] = shape[d];
  if (change >= 240)
    extent[change % (unsigned)rank] = next(recipe) % 8;
  else if (change >= 232)
    rank = rank < 4 ? rank + 1 : 1;
  return H5Screate_simple(rank, extent, NULL);
}

/* Shapes that fit 4 × 3 × 2 cells. */
static int shape_for(const char *name, hsize_t shape[3])
{
  shape[0] = 2 + (strcmp(name, "beta_z") == 0);
  shape[1] = 3 + (strcmp(name, "beta_y") == 0);
  shape[2] = 4 + (strcmp(name, "beta_x") == 0);
  if (strlen(name) == 1) {
    shape[0] = name[0] == 'x' ? 5 : name[0] == 'y' ? 4 : 3;
    return 1;
  }
  if (strstr(name, "_value")) {
    shape[0] = name[0] == 'z' ? 3 : 2;
    shape[1] = name[0] == 'x' ? 3 : 4;
    return 2;
  }
  return 3;
}

static hid_t storage_of(struct recipe *recipe, hid_t space)
{
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  unsigned kind = next(recipe);
  hsize_t chunk[4] = {2, 2, 2, 2};
  int rank = H5Sget_simple_extent_ndims(space);
  if (kind >= 128 && rank > 0) {
    H5Pset_chunk(creation, rank, chunk);
    if (kind & 1)
      H5Pset_deflate(creation, 1);
    if (kind & 2)
      H5Pset_filter(creation, (H5Z_filter_t)(400 + kind), H5Z_FLAG_OPTIONAL, 0, NULL);
    if (kind & 4)
      H5Pset_fletcher32(creation);
  } else if (kind >= 120)
    H5Pset_layout(creation, H5D_COMPACT);
  else if (kind == 119)
    H5Pset_external(creation, "/no/such/raw/file", 0, H5F_UNLIMITED);
  else if (kind == 118 && rank > 0)
    H5Pset_virtual(creation, space, kind & 1 ? "." : "no-such-file.h5", "/other", space);
  return creation;
}

static void add_dataset(struct recipe *recipe, hid_t parent)
{
  const char *name = PICK(recipe, links);
  hsize_t shape[3];
  double values[3 * 4 * 5 * 8];
  int rank = shape_for(name, shape);
  hid_t type = type_of(recipe), space = space_of(recipe, shape, rank),
        creation = storage_of(recipe, space);
  hid_t dataset = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  double start = number(recipe), step = number(recipe);
  for (size_t n = 0; n < sizeof values / sizeof *values; n++)
    values[n] = start + step * (double)n;
  if (dataset >= 0 && H5Sget_simple_extent_npoints(space) <= 3 * 4 * 5 * 8)
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  if (dataset >= 0)
    H5Dclose(dataset);
  H5Pclose(creation);
  H5Sclose(space);
  H5Tclose(type);
}

static void add_text(struct recipe *recipe, hid_t object)
{
  const char *name = PICK(recipe, attributes), *text = PICK(recipe, texts);
  unsigned kind = next(recipe);
  char fixed[16] = "";
  snprintf(fixed, sizeof fixed, "%s", text);
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, kind & 1 ? H5T_VARIABLE : sizeof fixed);
  if (kind & 2)
    H5Tset_strpad(type, H5T_STR_SPACEPAD);
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0 && kind < 250)
    H5Awrite(attribute, type, kind & 1 ? (const void *)&text : fixed);
  if (attribute >= 0)
    H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
}

static void add_numbers(struct recipe *recipe, hid_t object)
{
  const char *name = PICK(recipe, attributes);
  const hsize_t three = 3, one = 1;
  int vector =
    strcmp(name, "cells") == 0 || strcmp(name, "lower") == 0 || strcmp(name, "upper") == 0;
  hid_t type = type_of(recipe), space = space_of(recipe, vector ? &three : &one, 1);
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  double values[64];
  for (int n = 0; n < 64; n++)
    values[n] = n < 3 ? number(recipe) : 0;
  if (attribute >= 0 && H5Sget_simple_extent_npoints(space) <= 64)
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, values);
  if (attribute >= 0)
    H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
}

static void put(hid_t object, const char *name, hid_t stored, hid_t given, hsize_t count,
                const void *values)
{
  hid_t space = count ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, given, values);
  H5Aclose(attribute);
  H5Sclose(space);
}

/* What every problem has, unless the recipe takes it away again. */
static void add_required(hid_t file)
{
  const int version = 1, cells[3] = {4, 3, 2};
  const double lower[3] = {0, 0, 0}, upper[3] = {4, 3, 2};
  hid_t text = H5Tcopy(H5T_C_S1),
        grid = H5Gcreate2(file, "grid", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Tset_size(text, 11);
  put(file, "format", text, text, 0, "gmg-problem");
  put(file, "version", H5T_STD_I32LE, H5T_NATIVE_INT, 0, &version);
  put(grid, "cells", H5T_STD_I32LE, H5T_NATIVE_INT, 3, cells);
  put(grid, "lower", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 3, lower);
  put(grid, "upper", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 3, upper);
  H5Gclose(grid);
  H5Tclose(text);
}

static void step(struct recipe *recipe, hid_t file)
{
  unsigned what = next(recipe) % 8;
  const char *group = PICK(recipe, groups);
  hid_t object = H5Oopen(file, group, H5P_DEFAULT);
  if (object < 0) { /* the first step that names a group makes it */
    object = H5Gcreate2(file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (object < 0)
      return;
  }
  if (what < 3)
    add_dataset(recipe, object);
  else if (what == 3)
    add_text(recipe, object);
  else if (what < 6)
    add_numbers(recipe, object);
  else if (what == 6 && next(recipe) & 1)
    H5Adelete(object, PICK(recipe, attributes));
  else if (what == 6)
    H5Ldelete(object, PICK(recipe, links), H5P_DEFAULT);
  else if (next(recipe) & 1)
    H5Lcreate_soft(PICK(recipe, groups), object, PICK(recipe, links), H5P_DEFAULT, H5P_DEFAULT);
  else
    H5Lcreate_external("no-such-file.h5", PICK(recipe, groups), object, PICK(recipe, links),
                       H5P_DEFAULT, H5P_DEFAULT);
  H5Oclose(object);
}

/* An empty file in memory alone. */
static hid_t create(int latest)
{
  enum { GROWTH = 1 << 16 };
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, GROWTH, 0);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  if (latest)
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  hid_t file = H5Fcreate("recipe", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct recipe recipe = {data, data + size};
  hid_t file = create(next(&recipe) & 1);
  if (file < 0)
    return 0;
  add_required(file);
  for (int n = 0; n < 40 && recipe.at < recipe.end; n++)
    step(&recipe, file);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  ssize_t length = H5Fget_file_image(file, NULL, 0);
  void *image = length > 0 ? malloc((size_t)length) : NULL;
  if (image)
    length = H5Fget_file_image(file, image, (size_t)length);
  H5Fclose(file);
  if (image && length > 0)
    reader_run(image, (size_t)length);
  free(image);
  return 0;
}

#include "tiles.h"

#include <stdlib.h>

/* Bytes of shared memory that a kernel takes; every GPU has as many. */
enum { MOST_SHARED = 48 * 1024 };

static int bytes_of(const struct gen_tiles *tiles, int data, int ring)
{
  const struct gen_nest_kernel *kernel = tiles->kernel;
  const struct gen_use *use = &kernel->use[data];
  return (2 * ring + 1) * (kernel->width + 2 * use->reach[0]) * (kernel->height + 2 * use->reach[1])
    * (int)sizeof(double);
}

/* The array that is read most often of those that may be shared and are not yet; -1: none. */
static int most_read(const struct gen_tiles *tiles, const bool *looked_at)
{
  const struct gen_nest_kernel *kernel = tiles->kernel;
  int most = -1;
  for (int a = 0; a < kernel->translation->arrays; a++) {
    const struct gen_use *use = &kernel->use[a];
    if (use->used && !use->stored && use->sideways && !looked_at[a]
        && (most < 0 || use->references > kernel->use[most].references))
      most = a;
  }
  return most;
}

void gen_keep(struct gen_tiles *tiles)
{
  struct gen_nest_kernel *kernel = tiles->kernel;
  bool looked_at[GEN_MAX_PROGRAM_ARRAYS] = {false};
  const bool sweeps = kernel->level >= 2 && kernel->dimensions == 3,
             registers = kernel->level >= 3 && kernel->dimensions == 3;
  int bytes = 0;
  for (int a = most_read(tiles, looked_at); a >= 0; a = most_read(tiles, looked_at)) {
    const struct gen_use *use = &kernel->use[a];
    const int ring = sweeps && (!registers || use->corners) ? use->reach[2] : 0;
    looked_at[a] = true;
    if (bytes + bytes_of(tiles, a, ring) > MOST_SHARED)
      continue;
    bytes += bytes_of(tiles, a, ring);
    tiles->kept[a] = (struct gen_kept){.shared = true, .ring = ring};
    if (ring && !tiles->first_ring)
      tiles->first_ring = ring;
  }
  for (int a = 0; registers && a < kernel->translation->arrays; a++)
    tiles->kept[a].registers = kernel->use[a].used && !kernel->use[a].stored
      && !kernel->use[a].corners && kernel->use[a].reach[2];
}

const char *gen_level_text(const struct gen_tiles *tiles)
{
  const struct gen_nest_kernel *kernel = tiles->kernel;
  bool shared = false, ring = false, registers = false;
  for (int a = 0; a < kernel->translation->arrays; a++) {
    shared = shared || tiles->kept[a].shared;
    ring = ring || tiles->kept[a].ring;
    registers = registers || tiles->kept[a].registers;
  }
  switch (kernel->level) {
  case 1:
    return shared ? "level 1: a plane in shared memory"
                  : "level 1 gives nothing new: no array is read beside the cell along x or y";
  case 2:
    if (kernel->dimensions == 2)
      return "level 2 gives nothing new: there is one plane";
    return ring ? "level 2: blocks go along z, with planes that take turns in shared memory"
                : "level 2: blocks go along z; no planes take turns, as no array that is read "
                  "beside the cell is read on other planes";
  case 3:
    if (registers)
      return "level 3: values on the planes before and after the cell stay in registers";
    return kernel->dimensions == 2 ? "level 3 gives nothing new: there is one plane"
                                   : "level 3 gives nothing new: no array is read on other planes "
                                     "above and below the cell alone";
  default:
    return kernel->rows > 1
      ? gen_text("level 4: each thread has %d points along y", kernel->rows)
      : "level 4 gives nothing new: the tile has an odd number of points along y";
  }
}

const char *gen_near_name(const struct gen_tiles *tiles, int data)
{
  return gen_free_name(tiles->kernel->text,
                       gen_text("near_%s", tiles->kernel->translation->array[data].name));
}

/* here, below, above, below_2, ... */
static const char *plane_name(int plane)
{
  const char *side = plane ? plane < 0 ? "below" : "above" : "here";
  return abs(plane) > 1 ? gen_text("%s_%d", side, abs(plane)) : side;
}

const char *gen_held_name(const struct gen_tiles *tiles, int data, int plane)
{
  return gen_free_name(
    tiles->kernel->text,
    gen_text("%s_%s", tiles->kernel->translation->array[data].name, plane_name(plane)));
}

const char *gen_slot_name(const struct gen_tiles *tiles, int ring, int plane)
{
  const char *name = plane_name(plane);
  return gen_free_name(tiles->kernel->text,
                       ring == tiles->first_ring ? name : gen_text("%s_of_%d", name, 2 * ring + 1));
}

const char *gen_first_name(const struct gen_nest_kernel *kernel, int d)
{
  return gen_free_name(kernel->text, gen_text("first_%s", gen_loop_name(kernel, d)));
}

/* "first_x - 1" and the like, of where what is around a block begins. */
static const char *corner(const struct gen_nest_kernel *kernel, int data, int d)
{
  const long long plus = kernel->translation->array[data].margin[d] - kernel->lower[kernel->loop[d]]
    - kernel->use[data].reach[d];
  return gen_text("%s%s", gen_first_name(kernel, d), gen_plus(plus));
}

/* How many elements there are from the corner on: "cells_x + 3 - first_x". */
static const char *left_from_corner(const struct gen_nest_kernel *kernel, int data, int d)
{
  const long long plus = kernel->translation->array[data].margin[d] + kernel->lower[kernel->loop[d]]
    + kernel->use[data].reach[d];
  return gen_text("%s%s - %s", gen_cells_name(kernel, d), gen_plus(plus),
                  gen_first_name(kernel, d));
}

void gen_write_load(const struct gen_tiles *tiles, struct gen_writer *writer, int data,
                    const char *slot, const char *z, int more)
{
  const struct gen_nest_kernel *kernel = tiles->kernel;
  const struct gen_use *use = &kernel->use[data];
  const char *row = gen_stride_name(kernel, "row", data), *y = corner(kernel, data, 1);
  const bool around = tiles->kept[data].registers;
  const char *from = gen_text("%s + %s * %s", corner(kernel, data, 0), row, gen_grouped(y));
  if (z)
    from = gen_text("%s + %s * %s", from, gen_stride_name(kernel, "plane", data),
                    gen_grouped(gen_coordinate(kernel, data, 2, z, more)));
  const char *name = gen_text(slot ? "%s[%s]" : "%s", gen_near_name(tiles, data), slot);
  const char *const size[] = {gen_free_name(kernel->text, "width"),
                              gen_free_name(kernel->text, "height")};
  const char *text =
    gen_text("&%s[0][0], &%s[%s]", name, kernel->translation->array[data].name, from);
  for (int d = 0; d < 2; d++)
    text = gen_text("%s, %s%s", text, size[d], gen_plus(2 * use->reach[d]));
  text = gen_text("%s, %s, %s, %s", text, row, left_from_corner(kernel, data, 0),
                  left_from_corner(kernel, data, 1));
  if (around)
    text = gen_text("%s, %d, %d, %s - %s, %s - %s", text, use->reach[0], use->reach[1],
                    gen_loop_end(kernel, 0), gen_first_name(kernel, 0), gen_loop_end(kernel, 1),
                    gen_first_name(kernel, 1));
  gen_line(writer, "%s(%s);", gen_free_name(kernel->text, around ? "load_around" : "load_plane"),
           text);
}

void gen_write_loaders(struct gen_writer *writer, const char *type, const char *text,
                       const char *kernels)
{
  static const char loop[] =
    "for (int n = threadIdx.x + blockDim.x * threadIdx.y; n < wide * high; "
    "n += blockDim.x * blockDim.y)";
  const char *plane = gen_free_name(text, "load_plane"),
             *around = gen_free_name(text, "load_around");
  if (gen_has_word(kernels, plane))
    gen_line(
      writer,
      "/* Brings `wide` times `high` values of a plane to shared memory, as far as the array "
      "goes. */\n"
      "static __device__ void %s(%s *to, const %s *from, int wide, int high, long "
      "row, int left_x, int left_y)\n"
      "{\n"
      "%s\n"
      "if (n %% wide < left_x && n / wide < left_y)\n"
      "to[n] = from[n %% wide + row * (n / wide)];\n"
      "}\n",
      plane, type, type, loop);
  if (gen_has_word(kernels, around))
    gen_line(writer,
             "/* Brings what is around the cells of a block, which its threads hold themselves: "
             "own_x times own_y values from (reach_x, reach_y) on. */\n"
             "static __device__ void %s(%s *to, const %s *from, int wide, int high, long "
             "row, int left_x, int left_y, int reach_x, int reach_y, int own_x, int own_y)\n"
             "{\n"
             "%s {\n"
             "const int x = n %% wide, y = n / wide;\n"
             "const bool own = x >= reach_x && x < wide - reach_x && x - reach_x < own_x && y >= "
             "reach_y && y < high - reach_y && y - reach_y < own_y;\n"
             "if (!own && x < left_x && y < left_y)\n"
             "to[n] = from[x + row * y];\n"
             "}\n"
             "}\n"
             "\n",
             around, type, type, loop);
}

#include "tiles.h"

#include "directives/precision.h"
#include "directives/reach.h"
#include "values.h"

#include <stdlib.h>

static bool sweeps(const struct gen_nest_kernel *kernel)
{
  return kernel->depth > 1;
}

static const char *own_name(const struct gen_nest_kernel *kernel, const char *name)
{
  return gen_free_name(kernel->text, name);
}

/* Of a value that a thread holds for each of its points. */
static const char *held(const struct gen_tiles *tiles, int data, int plane)
{
  const char *name = gen_held_name(tiles, data, plane);
  return tiles->kernel->rows > 1 ? gen_text("%s[%s]", name, own_name(tiles->kernel, "r")) : name;
}

/* ---- elements ---- */

static const char *near(const struct gen_tiles *tiles, int data, const int offset[GEN_MOST_SPACE])
{
  const struct gen_nest_kernel *kernel = tiles->kernel;
  const struct gen_kept *kept = &tiles->kept[data];
  const char *name = gen_near_name(tiles, data);
  if (kept->ring)
    name = gen_text("%s[%s]", name, gen_slot_name(tiles, kept->ring, offset[2]));
  return gen_text("%s[%s%s][%s%s]", name, own_name(kernel, "ty"),
                  gen_plus(kernel->use[data].reach[1] + offset[1]), own_name(kernel, "tx"),
                  gen_plus(kernel->use[data].reach[0] + offset[0]));
}

static const char *element(const struct gen_words_of_nest *words, const struct gen_syntax *syntax)
{
  const struct gen_tiles *tiles = words->data;
  const struct gen_nest_kernel *kernel = tiles->kernel;
  struct gen_point point;
  int offset[GEN_MOST_SPACE] = {0};
  if (!gen_read_cell(kernel->translation, kernel->nest, syntax, &point, offset))
    return NULL;
  const struct gen_kept *kept = &tiles->kept[point.data];
  if (kept->registers && !offset[0] && !offset[1])
    return held(tiles, point.data, offset[2]);
  if (kept->shared && abs(offset[2]) <= kept->ring)
    return near(tiles, point.data, offset);
  return gen_element_in_memory(kernel, point.data, offset);
}

/* ---- parts of the text ---- */

static void write_begin(const struct gen_tiles *tiles, struct gen_writer *writer)
{
  const struct gen_nest_kernel *kernel = tiles->kernel;
  const char *tx = own_name(kernel, "tx"), *ty = own_name(kernel, "ty");
  const char *const size[] = {own_name(kernel, "width"), own_name(kernel, "height"),
                              own_name(kernel, "depth")};
  const char *depth = sweeps(kernel) ? gen_text(", %s = %d", size[2], kernel->depth) : "";
  const char *rows =
    kernel->rows > 1 ? gen_text(", %s = %d", own_name(kernel, "rows"), kernel->rows) : "";
  gen_line(writer, "enum { %s = %d, %s = %d%s%s };", size[0], kernel->width, size[1],
           kernel->height, depth, rows);
  for (int a = 0; a < kernel->translation->arrays; a++) {
    const struct gen_kept *kept = &tiles->kept[a];
    const int *reach = kernel->use[a].reach;
    const char *planes = kept->ring ? gen_text("[%d]", 2 * kept->ring + 1) : "";
    if (kept->shared)
      gen_line(writer, "__shared__ %s %s%s[%s%s][%s%s];", gen_values_name(kernel->translation),
               gen_near_name(tiles, a), planes, size[1], gen_plus(2 * reach[1]), size[0],
               gen_plus(2 * reach[0]));
  }
  gen_write_strides(kernel, writer);
  for (int d = 0; d < kernel->dimensions; d++) {
    const long long lower = kernel->lower[kernel->loop[d]];
    const char *plus = lower ? gen_text("%lld + ", lower) : "";
    if (d < 2 || sweeps(kernel))
      gen_line(writer, "const int %s = %sblockIdx.%c * %s;", gen_first_name(kernel, d), plus,
               "xyz"[d], size[d]);
    else
      gen_line(writer, "const int %s = %sblockIdx.z;", gen_loop_name(kernel, d), plus);
  }
  gen_line(writer, "const int %s = threadIdx.x, %s = %s + %s;", tx, gen_loop_name(kernel, 0),
           gen_first_name(kernel, 0), tx);
  if (kernel->rows > 1)
    return;
  gen_line(writer, "const int %s = threadIdx.y, %s = %s + %s;", ty, gen_loop_name(kernel, 1),
           gen_first_name(kernel, 1), ty);
  gen_line(writer, "const bool %s = %s && %s;", own_name(kernel, "inside"),
           gen_within(kernel, 0, gen_loop_name(kernel, 0)),
           gen_within(kernel, 1, gen_loop_name(kernel, 1)));
}

/* What the threads do for each of their points that are cells. */
static void begin_points(const struct gen_nest_kernel *kernel, struct gen_writer *writer)
{
  const char *r = own_name(kernel, "r"), *x = gen_loop_name(kernel, 0),
             *y = gen_loop_name(kernel, 1), *ty = own_name(kernel, "ty");
  if (kernel->rows == 1) {
    gen_line(writer, "if (%s) {", own_name(kernel, "inside"));
    return;
  }
  gen_line(writer, "#pragma unroll");
  gen_line(writer, "for (int %s = 0; %s < %s; %s++) {", r, r, own_name(kernel, "rows"), r);
  gen_line(writer, "const int %s = threadIdx.y + %s * blockDim.y, %s = %s + %s;", ty, r, y,
           gen_first_name(kernel, 1), ty);
  gen_line(writer, "if (%s && %s) {", gen_within(kernel, 0, x), gen_within(kernel, 1, y));
}

static void end_points(const struct gen_nest_kernel *kernel, struct gen_writer *writer)
{
  gen_line(writer, kernel->rows == 1 ? "}" : "}\n}");
}

static bool any_registers(const struct gen_tiles *tiles)
{
  bool any = false;
  for (int a = 0; a < tiles->kernel->translation->arrays; a++)
    any = any || tiles->kept[a].registers;
  return any;
}

static void declare_held(const struct gen_tiles *tiles, struct gen_writer *writer)
{
  const struct gen_nest_kernel *kernel = tiles->kernel;
  for (int a = 0; a < kernel->translation->arrays; a++) {
    const int reach = tiles->kept[a].registers ? kernel->use[a].reach[2] : -1;
    const char *text = "";
    for (int plane = -reach; plane <= reach; plane++)
      text = gen_text("%s%s%s%s", text, *text ? ", " : "", gen_held_name(tiles, a, plane),
                      kernel->rows > 1 ? gen_text("[%s] = {0}", own_name(kernel, "rows")) : " = 0");
    if (reach > 0)
      gen_line(writer, "%s %s;", gen_values_name(kernel->translation), text);
  }
}

/* The values on the planes from the one before the first `reach` on: all but the last of them. */
static void fill_held(const struct gen_tiles *tiles, struct gen_writer *writer)
{
  const struct gen_nest_kernel *kernel = tiles->kernel;
  begin_points(kernel, writer);
  for (int a = 0; a < kernel->translation->arrays; a++) {
    const int reach = tiles->kept[a].registers ? kernel->use[a].reach[2] : 0;
    for (int plane = -reach; plane < reach; plane++) {
      gen_line(writer, "%s = %s[%s];", held(tiles, a, plane), kernel->translation->array[a].name,
               gen_cell_index(kernel, a, gen_first_name(kernel, 2), plane));
    }
  }
  end_points(kernel, writer);
}

/* The value on the last of the planes; the own cell's goes to shared memory. */
static void renew_held(const struct gen_tiles *tiles, struct gen_writer *writer)
{
  const struct gen_nest_kernel *kernel = tiles->kernel;
  static const int here[GEN_MOST_SPACE] = {0, 0, 0};
  begin_points(kernel, writer);
  for (int a = 0; a < kernel->translation->arrays; a++) {
    const int reach = kernel->use[a].reach[2];
    if (!tiles->kept[a].registers)
      continue;
    gen_line(writer, "%s = %s[%s];", held(tiles, a, reach), kernel->translation->array[a].name,
             gen_cell_index(kernel, a, gen_loop_name(kernel, 2), reach));
    if (tiles->kept[a].shared)
      gen_line(writer, "%s = %s;", near(tiles, a, here), held(tiles, a, 0));
  }
  end_points(kernel, writer);
}

/* The plane after becomes the own one. */
static void shift_held(const struct gen_tiles *tiles, struct gen_writer *writer)
{
  const struct gen_nest_kernel *kernel = tiles->kernel;
  const char *r = own_name(kernel, "r");
  if (kernel->rows > 1) {
    gen_line(writer, "#pragma unroll");
    gen_line(writer, "for (int %s = 0; %s < %s; %s++) {", r, r, own_name(kernel, "rows"), r);
  }
  for (int a = 0; a < kernel->translation->arrays; a++) {
    const int reach = tiles->kept[a].registers ? kernel->use[a].reach[2] : 0;
    for (int plane = -reach; plane < reach; plane++)
      gen_line(writer, "%s = %s;", held(tiles, a, plane), held(tiles, a, plane + 1));
  }
  if (kernel->rows > 1)
    gen_line(writer, "}");
}

/* ---- rings ---- */

/* Whether this is the first array with rings of its size. */
static bool is_first(const struct gen_tiles *tiles, int data)
{
  for (int a = 0; a < data; a++)
    if (tiles->kept[a].ring == tiles->kept[data].ring)
      return false;
  return tiles->kept[data].ring > 0;
}

/* The planes before the last one that the first cells read. */
static void fill_rings(const struct gen_tiles *tiles, struct gen_writer *writer)
{
  const char *n = own_name(tiles->kernel, "n"), *z = gen_first_name(tiles->kernel, 2);
  for (int a = 0; a < tiles->kernel->translation->arrays; a++) {
    const int ring = tiles->kept[a].ring;
    if (!ring)
      continue;
    gen_line(writer, "for (int %s = 0; %s < %d; %s++)", n, n, 2 * ring, n);
    gen_write_load(tiles, writer, a, n, gen_text("%s + %s", z, n), -ring);
  }
}

static void name_slots(const struct gen_tiles *tiles, struct gen_writer *writer)
{
  const char *z = gen_loop_name(tiles->kernel, 2), *first = gen_first_name(tiles->kernel, 2);
  for (int a = 0; a < tiles->kernel->translation->arrays; a++) {
    const int ring = tiles->kept[a].ring;
    const char *text = "";
    for (int plane = -ring; is_first(tiles, a) && plane <= ring; plane++)
      text =
        gen_text("%s%s%s = (%s - %s%s) %% %d", text, *text ? ", " : "",
                 gen_slot_name(tiles, ring, plane), z, first, gen_plus(ring + plane), 2 * ring + 1);
    if (*text)
      gen_line(writer, "const int %s;", text);
  }
}

/* ---- the whole ---- */

/* What is brought for the plane z. */
static bool write_loads(const struct gen_tiles *tiles, struct gen_writer *writer)
{
  const struct gen_nest_kernel *kernel = tiles->kernel;
  const char *z = kernel->dimensions == 3 ? gen_loop_name(kernel, 2) : NULL;
  bool any = false;
  for (int a = 0; a < kernel->translation->arrays; a++) {
    const struct gen_kept *kept = &tiles->kept[a];
    if (kept->ring)
      gen_write_load(tiles, writer, a, gen_slot_name(tiles, kept->ring, kept->ring), z, kept->ring);
    else if (kept->shared)
      gen_write_load(tiles, writer, a, NULL, z, 0);
    any = any || kept->shared;
  }
  return any;
}

/* One plane. */
static bool write_plane(const struct gen_tiles *tiles, struct gen_writer *writer)
{
  const struct gen_nest_kernel *kernel = tiles->kernel;
  const struct gen_words_of_nest words = {
    .kernel = tiles->kernel, .element = element, .data = tiles};
  name_slots(tiles, writer);
  if (any_registers(tiles))
    renew_held(tiles, writer);
  const bool waits = write_loads(tiles, writer);
  if (waits)
    gen_line(writer, "__syncthreads();");
  begin_points(kernel, writer);
  gen_write_indices(kernel, writer);
  if (!gen_write_statements(&words, writer))
    return false;
  end_points(kernel, writer);
  if (waits && sweeps(kernel))
    gen_line(writer, "__syncthreads(); /* before the planes are overwritten */");
  if (any_registers(tiles))
    shift_held(tiles, writer);
  return true;
}

bool gen_write_tiled_kernel(struct gen_nest_kernel *kernel, struct gen_writer *writer)
{
  struct gen_tiles tiles = {.kernel = kernel};
  gen_keep(&tiles);
  gen_write_head(kernel, writer,
                 gen_text("The loops over cells of line %d; %s.", kernel->event->where.line,
                          gen_level_text(&tiles)));
  write_begin(&tiles, writer);
  if (!sweeps(kernel)) {
    const bool fine = write_plane(&tiles, writer);
    gen_line(writer, "}");
    return fine;
  }
  const char *z = gen_loop_name(kernel, 2), *first = gen_first_name(kernel, 2),
             *end = gen_loop_end(kernel, 2), *last = own_name(kernel, gen_text("end_%s", z)),
             *depth = own_name(kernel, "depth");
  gen_line(writer, "const int %s = %s + %s < %s ? %s + %s : %s;", last, first, depth, end, first,
           depth, end);
  declare_held(&tiles, writer);
  if (any_registers(&tiles))
    fill_held(&tiles, writer);
  fill_rings(&tiles, writer);
  gen_line(writer, "for (int %s = %s; %s < %s; %s++) {", z, first, z, last, z);
  const bool fine = write_plane(&tiles, writer);
  gen_line(writer, "}\n}");
  return fine;
}

#include "stores.h"

#include "system/near_caches.h"
#include "system/order.h"

#include <math.h>

enum { MOST_CACHE = 32 << 20 };

double gmg_stores_room(int threads)
{
  enum { SHARE = 8 };
  const double part_of_second = 0.6, part_of_third = 0.34;
  return fmax(part_of_second * gmg_cache_second(),
              part_of_third * gmg_cache_third_near(MOST_CACHE) / gmg_smaller(threads, SHARE));
}

/* Measured with a third level of 32 MiB: passes over arrays of 15 MB have 0.9 of the speed, of
 * 24 MB 1.4 times. */
static int is_large(const struct gmg_program *program)
{
  const double part_of_third = 0.6, third = part_of_third * gmg_cache_third_near(MOST_CACHE),
               second = gmg_cache_second() * program->threads;
  return (double)program->bytes * program->made->arrays > fmax(third, second);
}

/* Two cores of an EPYC, 320^3, in turns: a copy is 1.45 times as fast as by plain stores, heat of
 * two fields 1.16, waves of three 1.0; variable coefficients, of four, 0.96, Himeno, of 14, 0.9. */
int gmg_stores_stream(const struct gmg_program *program, const struct gmg_kernel_descriptor *kernel)
{
  enum { MOST_FIELDS = 3 };
  const double most_flops = 1.5; /* for each byte: 27 points have more, and 0.9 of the speed */
  return program->stores == GMG_STORES_STREAMING
    || (program->stores == GMG_STORES_AUTO && kernel->fields <= MOST_FIELDS
        && kernel->flops <= most_flops * kernel->bytes && program->large);
}

/* Whole planes one after the other, which memory delivers fastest; where planes are too large for
 * caches, strips of them, through as many planes as a thread has. Against tiles of 32 rows and four
 * planes a copy at 320^3 is 1.4 times as fast, heat 1.3, variable coefficients 1.1, but Himeno with
 * its 14 arrays 0.8. */
static struct gmg_tile_shape find_tiles(const struct gmg_program *program)
{
  enum { LEAST_ROWS = 32, TILES_OF_THREAD = 4, MOST_ARRAYS = 5, PLANES = 3 };
  const int boxes = program->layout->local_count;
  int most = 1, planes = 1;
  ptrdiff_t row = 1;
  for (int b = 0; b < boxes; b++) {
    most = gmg_larger(most, program->box[b].cells[1]);
    planes = gmg_larger(planes, program->box[b].cells[2]);
    row = row < program->box[b].stride[0] ? program->box[b].stride[0] : row;
  }
  if (program->made->dimensions < 3 || program->made->arrays > MOST_ARRAYS || boxes == 0)
    return (struct gmg_tile_shape){0, 0};
  const double window =
    (double)row * (double)program->storage->element_bytes * PLANES * fmax(program->made->arrays, 1);
  const int fit =
              gmg_larger(LEAST_ROWS, (int)fmin(gmg_stores_room(program->threads) / window, most)),
            strips = (most + fit - 1) / fit;
  struct gmg_tile_shape shape = {(most + strips - 1) / strips, 1};
  if (strips > 1)
    shape.planes = (planes + program->threads - 1) / program->threads;
  while (shape.rows > LEAST_ROWS
         && (int64_t)boxes * ((most - 1) / shape.rows + 1) * ((planes - 1) / shape.planes + 1)
           < (int64_t)TILES_OF_THREAD * program->threads)
    shape.rows = (shape.rows + 1) / 2;
  return shape;
}

void gmg_stores_plan(struct gmg_program *program)
{
  program->large = is_large(program);
  program->tiles = find_tiles(program);
}

#include "spills.h"

enum { MANY_BYTES = 128 };

/* Registers that each thread may have where as many blocks as the shape asks for are resident. */
static int registers_of(const struct gmg_cuda_shape *shape)
{
  enum { REGISTERS = 65536, STEP = 8 };
  return REGISTERS / (shape->block_i * shape->block_j * shape->blocks) / STEP * STEP;
}

static struct gmg_spilled *find(struct gmg_spills *spills, const struct gmg_wanted *wanted)
{
  const struct gmg_cuda_shape *shape = &wanted->shape;
  for (int n = 0; n < spills->count; n++) {
    struct gmg_spilled *one = &spills->known[n];
    if (one->form == wanted->form && one->rows == shape->rows && one->planes == shape->planes
        && one->unroll == shape->unroll)
      return one;
  }
  return NULL;
}

void gmg_spills_note(struct gmg_spills *spills, const struct gmg_wanted *wanted, int bytes)
{
  const struct gmg_cuda_shape *shape = &wanted->shape;
  const int registers = registers_of(shape);
  struct gmg_spilled *known = find(spills, wanted);
  if (bytes < MANY_BYTES)
    return;
  if (known && known->registers < registers)
    known->registers = registers;
  else if (!known && spills->count < GMG_SPILLS)
    spills->known[spills->count++] =
      (struct gmg_spilled){wanted->form, shape->rows, shape->planes, shape->unroll, registers};
}

int gmg_spills_foretold(const struct gmg_spills *spills, const struct gmg_wanted *wanted)
{
  const struct gmg_spilled *known = find((struct gmg_spills *)spills, wanted);
  return known && registers_of(&wanted->shape) <= known->registers;
}

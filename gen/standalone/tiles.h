/* What a kernel of the levels 1 to 4 keeps on the chip. */
#ifndef GEN_TILES_H
#define GEN_TILES_H

#include "kernels.h"

/* How the kernel reads an array. */
struct gen_kept {
  bool shared;    /* the plane of the cells, with what is around a block, in shared memory */
  int ring;       /* and so many planes before and after it as well */
  bool registers; /* the planes before and after the own cell in registers */
};

struct gen_tiles {
  struct gen_nest_kernel *kernel;
  struct gen_kept kept[GEN_MAX_PROGRAM_ARRAYS];
  int first_ring; /* of the arrays with rings: slots of this size have plain names */
};

/* Decides what is kept. */
void gen_keep(struct gen_tiles *tiles);
/* What the level adds to the one below it for this kernel, or that it adds nothing. */
const char *gen_level_text(const struct gen_tiles *tiles);
/* Names: of an array's planes in shared memory; of a value that a thread holds, d planes on; of a
 * slot of a ring. */
const char *gen_near_name(const struct gen_tiles *tiles, int data);
const char *gen_held_name(const struct gen_tiles *tiles, int data, int plane);
const char *gen_slot_name(const struct gen_tiles *tiles, int ring, int plane);
/* The first point of a block along d. */
const char *gen_first_name(const struct gen_nest_kernel *kernel, int d);
/* Lines that bring the plane z + more of an array to where it is kept: around: without the own
 * cells. */
void gen_write_load(const struct gen_tiles *tiles, struct gen_writer *writer, int data,
                    const char *slot, const char *z, int more);

#endif

/* Cells of a rank's box that need no values of other ranks, and those beside other ranks that do:
 * devices compute the former while messages travel. */
#ifndef GMG_PROGRAMS_INSIDE_H
#define GMG_PROGRAMS_INSIDE_H

#include "program.h"

/* GMG_INSIDE_CELLS; and the layers beside the ranks before and after along the cut axis. */
enum gmg_inside_part { GMG_INSIDE_CELLS, GMG_INSIDE_LOW, GMG_INSIDE_HIGH, GMG_INSIDE_PARTS };

struct gmg_inside {
  int cut;                                    /* 1: kernels are launched part by part */
  struct gmg_extended part[GMG_INSIDE_PARTS]; /* of the one box; a layer may have no cells */
  int layer[GMG_INSIDE_PARTS];                /* 1: it has some */
  uint32_t pending;                           /* by holder, a bit: its ghosts are being filled */
};

/* Cuts the box of a program on a device, where there is one box, ranks are cut along the last axis
 * alone, each step has its exchange, and the box is thick enough; else leaves it whole. Returns -1
 * out of memory. */
int gmg_inside_plan(struct gmg_program *program, struct gmg_inside *inside);
void gmg_inside_clear(struct gmg_inside *inside);
/* Whether a kernel reads neighbours' values, so that its launch may be cut. */
int gmg_inside_cuts(const struct gmg_inside *inside, const struct gmg_program_kernel *kernel);

#endif

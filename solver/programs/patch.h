/* Patches: parts of the grid in which a block's steps are taken one by one, on a copy of the arrays
 * with as many ghosts as that needs. */
#ifndef GMG_PROGRAMS_PATCH_H
#define GMG_PROGRAMS_PATCH_H

#include "program.h"

struct gmg_patch {
  int box;
  int lower[3], upper[3];     /* cells of the grid whose values it finds */
  struct gmg_kernel_box part; /* all that it copies */
};

/* Cuts what boxes have outside of the inner cells into patches; room for them. Returns -1 out of
 * memory. */
int gmg_patches_plan(struct gmg_program *program);
void gmg_patches_free(struct gmg_program *program);
/* Takes the block's steps in all patches, and stores what arrays hold then in the targets of the
 * composed kernel. */
void gmg_patches_run(struct gmg_program *program);

#endif

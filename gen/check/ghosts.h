/* Which ghosts of a program's arrays are filled, and before which of its steps. */
#ifndef GEN_GHOSTS_H
#define GEN_GHOSTS_H

#include "ir/program.h"

/* Adds the steps that fill ghosts: once, those of arrays whose values never change; in every round,
 * those of the others, before a kernel that reads them and where nothing has filled them since the
 * values changed. Those that reductions read are filled when a value is asked for; rejects one for
 * which that would change data beyond walls. False after a rejection. */
bool gen_place_ghosts(struct gen_program *program);
/* Returns the array for which, after those steps were added, the ghosts of what a kernel writes to
 * one of its arrays are filled next, if some of them are images of cells and all that kernels see
 * of them lie beyond one wall; -1: there is none (gen/check/images.c). In two dimensions there is
 * none: a launch costs less there than what kernels lose (docs/performance/programs.md). */
int gen_images_of(const struct gen_program *program, int kernel, int array);

#endif

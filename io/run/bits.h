/* What a program's arrays hold, compared between ways to take its steps. */
#ifndef GMG_IO_RUN_BITS_H
#define GMG_IO_RUN_BITS_H

#include <stdint.h>

#include "gmg_program.h"
#include "program_table.h"

/* Fills the arrays: as the formula file says and, those of which it says nothing, with numbers
 * between 1/2 and 1 that follow from the cell's place alone. Errors: those of gmg_program_begin and
 * gmg_program_view. Calls: collective. */
gmg_status bits_begin(gmg_program *program, const struct gmg_program_descriptor *made);
/* A hash of all values in cells that mean something between two steps. It does not depend on ranks
 * and boxes. Errors: those of gmg_program_view. Calls: collective. */
gmg_status bits_hash(gmg_program *program, const struct gmg_program_descriptor *made,
                     uint64_t *hash);
/* The largest difference between the cells of two programs, over the largest size of a value in the
 * array; infinite where a value is not finite, or their boxes differ. made: the first one's.
 * Errors: those of gmg_program_view. Calls: collective. */
gmg_status bits_difference(gmg_program *program, const struct gmg_program_descriptor *made,
                           gmg_program *other, double *difference);

#endif

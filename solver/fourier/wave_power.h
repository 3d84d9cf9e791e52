/* Many steps of one wave. */
#ifndef GMG_WAVE_POWER_H
#define GMG_WAVE_POWER_H

#include "growth.h"

#include <stdint.h>

/* The amplitudes of a wave in each state, and what a step adds to each. */
struct gmg_wave {
  double complex value[GMG_GROWTH_STATES], source[GMG_GROWTH_STATES];
};

/* Puts the value after so many steps, value = matrix value + source, in its place. sourced: 0 where
 * the source is not set, and nothing is added. Leaves a power of the matrix in its place. */
void gmg_wave_power(struct gmg_growth_matrix *matrix, int64_t steps, int sourced,
                    struct gmg_wave *wave);

#endif

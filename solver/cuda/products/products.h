/* Products of dense matrices with the lines of a field along an axis, by cuBLAS: of the table of
 * functions (runtime/backend.h). */
#ifndef GMG_CUDA_PRODUCTS_H
#define GMG_CUDA_PRODUCTS_H

#include "runtime/level.h"

int gmg_cuda_multiplies(gmg_context *context, char *why, size_t size);
struct gmg_products *gmg_cuda_products(gmg_context *context, const struct gmg_level *level,
                                       const double *const matrix[3]);
void gmg_cuda_forget_products(gmg_context *context, struct gmg_products **products);
void gmg_cuda_multiply(const struct gmg_products *products, int axis, int transposed,
                       struct gmg_level_array *from, struct gmg_level_array *to);

#endif

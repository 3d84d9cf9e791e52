/* What the choice of forms asks of expressions, and the forms that not all kernels have. */
#ifndef GEN_SCHEDULE_CUDA_CHOICES_H
#define GEN_SCHEDULE_CUDA_CHOICES_H

#include "cuda.h"

/* Whether the expression divides or takes a root; whether it reads (gen/schedule/cuda_parts.c). */
bool gen_cuda_divides(const struct gen_expr *expr);
bool gen_cuda_reads(const struct gen_expr *expr);
/* Whether the expression reads a field, not only lines, outside of the parts. */
bool gen_cuda_reads_field(const struct gen_kernel *kernel, const struct gen_expr *expr,
                          const struct gen_parts *parts);
/* Whether the expression reads the array at star neighbours only; sets along_k where one of them is
 * in another plane. */
bool gen_cuda_star(const struct gen_kernel *kernel, const struct gen_expr *expr, int array,
                   bool *along_k);
/* Adds the tables along an axis that values are picked by, in order of appearance; those of `table`
 * that are unknown are -1. false: there are more than two. */
bool gen_cuda_tables(const struct gen_expr *expr, enum gen_axis axis, int table[2]);
/* Returns ", double u_im1, ..." of the six neighbours. */
const char *gen_cuda_neighbours(const struct gen_schedule *schedule, int array);
/* Adds a part, unless there are too many. */
void gen_add_part(struct gen_parts *parts, const struct gen_expr *value, const char *name);

/* Fills in cuda->threads and lanes (gen/schedule/cuda_lanes.c). */
void gen_choose_lanes(const struct gen_schedule *schedule, struct gen_cuda_schedule *cuda);
/* Fills in cuda->phases and phase (gen/schedule/cuda_phases.c). */
void gen_choose_phases(const struct gen_schedule *schedule, struct gen_cuda_schedule *cuda);
/* Fills in cuda->late and asks_ahead; and the form's shape (gen/schedule/cuda_shape.c). */
void gen_choose_ahead(struct gen_cuda_schedule *cuda);
void gen_choose_shape(const struct gen_schedule *schedule, const struct gen_cuda_schedule *cuda,
                      struct gen_cuda_form *form);
/* Each fills in a form but for its shape; false: the kernel has no such form
 * (gen/schedule/cuda_planes.c, cuda_columns.c, cuda_queue.c, cuda_staged.c). The last fills in the
 * shape, too. */
bool gen_choose_between(const struct gen_schedule *schedule, struct gen_cuda_form *form);
bool gen_choose_around(const struct gen_schedule *schedule, struct gen_cuda_form *form);
/* How many rows beside their own cells read, of all arrays together. */
int gen_rows_beside(const struct gen_schedule *schedule);
bool gen_choose_columns(const struct gen_schedule *schedule, const struct gen_work *work,
                        struct gen_cuda_form *form);
bool gen_choose_queue(const struct gen_schedule *schedule, const struct gen_work *work,
                      struct gen_cuda_form *form);
bool gen_choose_staged(const struct gen_schedule *schedule, const struct gen_work *work,
                       struct gen_cuda_form *form);
/* Fills in form->staged and shape; false: copies do not fit (gen/schedule/cuda_boxes.c). */
bool gen_choose_boxes(const struct gen_schedule *schedule, struct gen_cuda_form *form);

#endif

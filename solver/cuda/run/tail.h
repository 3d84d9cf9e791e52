/* The coarse tail: calls on small boxes, one after the other in one cooperative kernel, which walks
 * a list of operations in the device's memory with a barrier between them, so that none costs a
 * launch. */
#ifndef GMG_CUDA_TAIL_H
#define GMG_CUDA_TAIL_H

#include "cuda/runtime/modules.h"
#include "prepared.h"

/* The kernel that can do all of these, and those that it could do before: its text, not yet
 * compiled; without one where there is such a kernel. Returns -1 out of memory, with the device's
 * message. */
int gmg_tail_plan(struct gmg_device *device, const struct gmg_cuda_kernel *const *kernel, int count,
                  struct gmg_program *program);
/* Takes it, once it is loaded, when no graph has the one before; or gives up what was planned.
 * Returns -1 with the device's message. */
int gmg_tail_take(struct gmg_device *device, struct gmg_program *program, int failed);
/* Where its switch has a kernel; -1: nowhere. */
int gmg_tail_place(const struct gmg_device *device, const struct gmg_cuda_kernel *kernel);
/* How many entries from here on it can run in one launch; 0 where it is not worth one. */
int gmg_tail_run_length(const struct gmg_device *device, const struct gmg_entry *entry,
                        int entries);
void gmg_tail_unload(struct gmg_device *device);

/* A list of operations. */
struct gmg_tail_list;
/* Memory: of the device's rooms. NULL: they are full, or with the device's message it failed. */
struct gmg_tail_list *gmg_tail_list_create(struct gmg_device *device, const struct gmg_entry *entry,
                                           int entries);
void gmg_tail_list_destroy(struct gmg_device *device, struct gmg_tail_list **list);
/* Takes the scalars of the entries, if they are others than last time; before it is launched again.
 */
void gmg_tail_list_update(struct gmg_device *device, struct gmg_tail_list *list,
                          const struct gmg_entry *entry);
/* How it is launched. */
void gmg_tail_list_node(const struct gmg_device *device, struct gmg_tail_list *list,
                        CUDA_KERNEL_NODE_PARAMS *node);
/* From now on it notes when each operation ends; and once it has run, adds to the seconds of the
 * entries, `seconds` in all. */
void gmg_tail_list_clock(struct gmg_device *device, struct gmg_tail_list *list);
void gmg_tail_list_times(struct gmg_device *device, const struct gmg_tail_list *list,
                         const struct gmg_entry *entry, double seconds);

#endif

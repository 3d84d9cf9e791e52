/* A list of calls as a CUDA graph, to be run again with other numbers. */
#ifndef GMG_CUDA_GRAPH_H
#define GMG_CUDA_GRAPH_H

#include "prepared.h"

struct gmg_graph;
/* Memory: of the device's rooms, until these are cleared. NULL: they are full, or with the device's
 * message it failed. */
struct gmg_graph *gmg_graph_create(struct gmg_device *device, const struct gmg_entry *entry,
                                   int entries);
void gmg_graph_destroy(struct gmg_device *device, struct gmg_graph **graph);
/* Whether it is of these calls. */
int gmg_graph_matches(const struct gmg_graph *graph, const struct gmg_entry *entry, int entries);
/* Starts it with the scalars of the entries. */
void gmg_graph_run(struct gmg_device *device, struct gmg_graph *graph,
                   const struct gmg_entry *entry);

#endif

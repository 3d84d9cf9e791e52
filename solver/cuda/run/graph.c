#include "graph.h"

#include "cuda/memory/room.h"
#include "cuda/runtime/signals.h"
#include "pairs.h"
#include "tail.h"

#include <string.h>

struct gmg_graph {
  int entries, nodes, tails;
  struct gmg_entry *entry; /* with the scalars that it has now */
  int *first;              /* by entry: its node; of those in a tail: -1 - the tail */
  int *pass;               /* by entry: 0; of four that run in passes 1 to 4 */
  CUgraphNode *node;       /* of launches outside tails */
  struct gmg_tail_list **tail;
  int *tail_first; /* by tail: its first entry */
  CUgraph graph;
  CUgraphExec exec;
};

/* What the next node waits for. */
struct front {
  CUgraphNode *node;
  size_t nodes;
};

int gmg_graph_matches(const struct gmg_graph *graph, const struct gmg_entry *entry, int entries)
{
  if (graph->entries != entries)
    return 0;
  for (int n = 0; n < entries; n++)
    if (graph->entry[n].prepared != entry[n].prepared
        || graph->entry[n].reduces != entry[n].reduces)
      return 0;
  return 1;
}

static int add_signals(struct gmg_device *device, struct gmg_graph *graph,
                       const struct gmg_signals *signals, struct front *front)
{
  CUgraphNode *const node = &graph->node[graph->nodes];
  if (gmg_signals_node(device, signals, graph->graph, node, front->node, front->nodes))
    return -1;
  graph->nodes++;
  *front = (struct front){node, 1};
  return 0;
}

static int add_launch(struct gmg_device *device, struct gmg_graph *graph,
                      const struct gmg_entry *entry, struct front *front)
{
  const struct gmg_prepared *prepared = entry->prepared;
  CUgraphNode *const node = &graph->node[graph->nodes];
  CUDA_KERNEL_NODE_PARAMS params;
  if (prepared->signals)
    return add_signals(device, graph, prepared->signals, front);
  struct gmg_cuda_args args = prepared->args;
  void *argument[] = {&args};
  memcpy(args.scalar, entry->scalar, sizeof args.scalar);
  gmg_prepared_node(prepared, argument, &params);
  if (gmg_device_failed(device,
                        device->driver->cuGraphAddKernelNode(node, graph->graph, front->node,
                                                             front->nodes, &params),
                        "cuGraphAddKernelNode", prepared->kernel->kernel->symbol))
    return -1;
  graph->nodes++;
  *front = (struct front){node, 1};
  return 0;
}

static int add_tail(struct gmg_device *device, struct gmg_graph *graph, int first, int count,
                    struct front *front)
{
  CUDA_KERNEL_NODE_PARAMS params;
  CUkernelNodeAttrValue cooperative;
  struct gmg_tail_list *list = gmg_tail_list_create(device, graph->entry + first, count);
  if (!list)
    return -1;
  graph->tail[graph->tails] = list;
  graph->tail_first[graph->tails++] = first;
  for (int n = first; n < first + count; n++)
    graph->first[n] = -graph->tails;
  memset(&cooperative, 0, sizeof cooperative);
  cooperative.cooperative = 1;
  gmg_tail_list_node(device, list, &params);
  CUgraphNode *node = &graph->node[graph->nodes];
  if (GMG_DEVICE_TRY(device, cuGraphAddKernelNode, node, graph->graph, front->node, front->nodes,
                     &params))
    return -1;
  graph->nodes++;
  *front = (struct front){node, 1};
  return GMG_DEVICE_TRY(device, cuGraphKernelNodeSetAttribute, *node,
                        CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &cooperative);
}

/* Four entries in passes. */
static int add_passes(struct gmg_device *device, struct gmg_graph *graph, int first,
                      struct front *front)
{
  for (int n = 0; n < 4; n++) {
    struct gmg_pass_launch launch;
    CUDA_KERNEL_NODE_PARAMS params;
    CUgraphNode *node = &graph->node[graph->nodes];
    const int together = gmg_pairs_together(&graph->entry[first], n);
    graph->pass[first + n] = 1 + n;
    graph->first[first + n] = together ? graph->nodes : graph->nodes - 1;
    if (!together)
      continue;
    gmg_pairs_describe(&graph->entry[first], n, &launch, &params);
    if (gmg_device_failed(device,
                          device->driver->cuGraphAddKernelNode(node, graph->graph, front->node,
                                                               front->nodes, &params),
                          "cuGraphAddKernelNode", launch.symbol))
      return -1;
    graph->nodes++;
    *front = (struct front){node, 1};
  }
  return 0;
}

/* The sums to the device, or back. */
static int add_sums(struct gmg_device *device, struct gmg_graph *graph, int back,
                    struct front *front)
{
  CUDA_MEMCPY3D copy = {.WidthInBytes = sizeof *device->sums, .Height = 1, .Depth = 1};
  copy.srcMemoryType = back ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
  copy.dstMemoryType = back ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  if (back) {
    copy.srcDevice = device->d_sums;
    copy.dstHost = device->sums;
  } else {
    copy.srcHost = device->sums;
    copy.dstDevice = device->d_sums;
  }
  CUgraphNode *node = &graph->node[graph->nodes];
  if (GMG_DEVICE_TRY(device, cuGraphAddMemcpyNode, node, graph->graph, front->node, front->nodes,
                     &copy, device->cuda))
    return -1;
  graph->nodes++;
  *front = (struct front){node, 1};
  return 0;
}

static int build(struct gmg_device *device, struct gmg_graph *graph)
{
  struct front front = {NULL, 0};
  int reduces = 0;
  for (int n = 0; n < graph->entries; n++)
    reduces |= graph->entry[n].reduces;
  if (GMG_DEVICE_TRY(device, cuGraphCreate, &graph->graph, 0)
      || (reduces && add_sums(device, graph, 0, &front)))
    return -1;
  for (int n = 0; n < graph->entries;) {
    const int length = gmg_tail_run_length(device, graph->entry + n, graph->entries - n);
    const int passes = gmg_pairs_length(graph->entry + n, graph->entries - n);
    graph->first[n] = graph->nodes;
    if (length     ? add_tail(device, graph, n, length, &front)
          : passes ? add_passes(device, graph, n, &front)
                   : add_launch(device, graph, &graph->entry[n], &front))
      return -1;
    n += length ? length : passes ? passes : 1;
  }
  if (reduces && add_sums(device, graph, 1, &front))
    return -1;
  return GMG_DEVICE_TRY(device, cuGraphInstantiateWithFlags, &graph->exec, graph->graph, 0);
}

struct gmg_graph *gmg_graph_create(struct gmg_device *device, const struct gmg_entry *entry,
                                   int entries)
{
  const size_t count = (size_t)entries, most = count + 2; /* sums travel there and back */
  struct gmg_graph *graph = gmg_rooms_host(device, sizeof *graph);
  if (graph) {
    graph->entry = gmg_rooms_host(device, count * sizeof *graph->entry);
    graph->first = gmg_rooms_host(device, count * sizeof *graph->first);
    graph->pass = gmg_rooms_host(device, count * sizeof *graph->pass);
    graph->node = gmg_rooms_host(device, most * sizeof *graph->node);
    graph->tail = gmg_rooms_host(device, count * sizeof *graph->tail);
    graph->tail_first = gmg_rooms_host(device, count * sizeof *graph->tail_first);
  }
  if (!graph || gmg_rooms_full(device))
    return NULL;
  graph->entries = entries;
  memcpy(graph->entry, entry, count * sizeof *graph->entry);
  if (build(device, graph))
    gmg_graph_destroy(device, &graph);
  return graph;
}

void gmg_graph_destroy(struct gmg_device *device, struct gmg_graph **graph)
{
  struct gmg_graph *g = *graph;
  if (!g)
    return;
  if (g->exec)
    GMG_DEVICE_TRY(device, cuGraphExecDestroy, g->exec);
  if (g->graph)
    GMG_DEVICE_TRY(device, cuGraphDestroy, g->graph);
  for (int n = 0; n < g->tails; n++)
    gmg_tail_list_destroy(device, &g->tail[n]);
  *graph = NULL;
}

static void update_launch(struct gmg_device *device, struct gmg_graph *graph, int e)
{
  const struct gmg_prepared *prepared = graph->entry[e].prepared;
  CUDA_KERNEL_NODE_PARAMS params;
  struct gmg_cuda_args args = prepared->args;
  void *argument[] = {&args};
  memcpy(args.scalar, graph->entry[e].scalar, sizeof args.scalar);
  gmg_prepared_node(prepared, argument, &params);
  gmg_device_failed(device,
                    device->driver->cuGraphExecKernelNodeSetParams(
                      graph->exec, graph->node[graph->first[e]], &params),
                    "cuGraphExecKernelNodeSetParams", prepared->kernel->kernel->symbol);
}

/* The launch that one of four entries is in. */
static void update_pass(struct gmg_device *device, struct gmg_graph *graph, int e)
{
  const int place = graph->pass[e] - 1;
  const struct gmg_entry *four = &graph->entry[e - place];
  struct gmg_pass_launch launch;
  CUDA_KERNEL_NODE_PARAMS params;
  gmg_pairs_describe(four, gmg_pairs_together(four, place) ? place : place - 1, &launch, &params);
  gmg_device_failed(device,
                    device->driver->cuGraphExecKernelNodeSetParams(
                      graph->exec, graph->node[graph->first[e]], &params),
                    "cuGraphExecKernelNodeSetParams", launch.symbol);
}

void gmg_graph_run(struct gmg_device *device, struct gmg_graph *graph,
                   const struct gmg_entry *entry)
{
  for (int n = 0; n < graph->entries; n++) {
    if (memcmp(graph->entry[n].scalar, entry[n].scalar, sizeof entry[n].scalar) == 0)
      continue;
    memcpy(graph->entry[n].scalar, entry[n].scalar, sizeof entry[n].scalar);
    if (graph->pass[n])
      update_pass(device, graph, n); /* once more for its second entry, if that differs, too */
    else if (graph->first[n] >= 0)
      update_launch(device, graph, n);
  }
  for (int t = 0; t < graph->tails; t++)
    gmg_tail_list_update(device, graph->tail[t], graph->entry + graph->tail_first[t]);
  GMG_DEVICE_TRY(device, cuGraphLaunch, graph->exec, device->stream);
}

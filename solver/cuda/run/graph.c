#include "graph.h"

#include "cuda/memory/room.h"
#include "cuda/runtime/signals.h"
#include "pairs.h"
#include "parts.h"
#include "tail.h"

#include <string.h>

enum { IN_PARTS = 5, MOST_PARTS = 3 };

struct gmg_graph {
  int entries, nodes, tails;
  int in_parts;            /* 1: some launch is */
  struct gmg_entry *entry; /* with the scalars that it has now */
  int *first;              /* by entry: its node; of those in a tail: -1 - the tail */
  int *pass;               /* by entry: 0; of four that run in passes 1 to 4; IN_PARTS */
  CUgraphNode *node;       /* of launches outside tails */
  struct gmg_tail_list **tail;
  int *tail_first; /* by tail: its first entry */
  CUgraph graph;
  CUgraphExec exec;
};

/* What the next node waits for: the last launches, and, of messages that came after them, the last
 * one. A message waits for those of the launches that were the ends of boxes, where the last one
 * was in parts. */
struct front {
  CUgraphNode node[MOST_PARTS + 1];
  size_t nodes, ends; /* the ends come first */
  CUgraphNode message;
  int travels; /* 1: there is such a message */
};

/* Puts what a launch that needs all of it waits for into node[], the message last. */
static size_t all_of(struct front *front)
{
  front->node[front->nodes] = front->message;
  return front->nodes + (front->travels ? 1 : 0);
}

/* A node that was added, after which everything comes. */
static void go_on(struct gmg_graph *graph, struct front *front)
{
  *front = (struct front){.node = {graph->node[graph->nodes++]}, .nodes = 1, .ends = 1};
}

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

static int add_node(struct gmg_device *device, struct gmg_graph *graph,
                    const CUDA_KERNEL_NODE_PARAMS *params, const char *symbol,
                    const CUgraphNode *after, size_t afters)
{
  return gmg_device_failed(device,
                           device->driver->cuGraphAddKernelNode(
                             &graph->node[graph->nodes], graph->graph, after, afters, params),
                           "cuGraphAddKernelNode", symbol);
}

static void describe(const struct gmg_entry *entry, struct gmg_cuda_args *args,
                     CUDA_KERNEL_NODE_PARAMS *params, void **argument)
{
  *args = entry->prepared->args;
  argument[0] = args;
  memcpy(args->scalar, entry->scalar, sizeof args->scalar);
  gmg_prepared_node(entry->prepared, argument, params);
}

/* Signals or a launch, by itself. */
static int add_by_itself(struct gmg_device *device, struct gmg_graph *graph,
                         const struct gmg_entry *entry, const CUgraphNode *after, size_t afters)
{
  const struct gmg_prepared *prepared = entry->prepared;
  CUDA_KERNEL_NODE_PARAMS params;
  struct gmg_cuda_args args;
  void *argument[1];
  if (prepared->signals)
    return gmg_signals_node(device, prepared->signals, graph->graph, &graph->node[graph->nodes],
                            after, afters);
  describe(entry, &args, &params, argument);
  return add_node(device, graph, &params, prepared->kernel->kernel->symbol, after, afters);
}

/* A part of a message, which touches nothing that is between the ends of boxes. */
static int add_message(struct gmg_device *device, struct gmg_graph *graph,
                       const struct gmg_entry *entry, struct front *front)
{
  const CUgraphNode *after = front->travels ? &front->message : front->node;
  if (add_by_itself(device, graph, entry, after, front->travels ? 1 : front->ends))
    return -1;
  front->message = graph->node[graph->nodes++];
  front->travels = 1;
  if (!entry->prepared->signals)
    gmg_parts_hurry(device, front->message);
  return 0;
}

/* What an exchange copies within the box waits for no message. */
static int add_within(struct gmg_device *device, struct gmg_graph *graph,
                      const struct gmg_entry *entry, struct front *front)
{
  if (add_by_itself(device, graph, entry, front->node, front->nodes))
    return -1;
  front->node[0] = graph->node[graph->nodes++];
  front->nodes = front->ends = 1;
  return 0;
}

/* A launch in parts: its ends wait for all, what is between them for no message. */
static int add_parts(struct gmg_device *device, struct gmg_graph *graph, int e, struct front *front)
{
  const struct gmg_entry *entry = &graph->entry[e];
  const int parts = gmg_parts_of(entry->prepared);
  const size_t all = all_of(front);
  struct front next = {.nodes = (size_t)parts, .ends = (size_t)parts - 1};
  graph->pass[e] = IN_PARTS;
  graph->in_parts = 1;
  for (int n = 0; n < parts; n++) {
    CUDA_KERNEL_NODE_PARAMS params;
    struct gmg_cuda_args args;
    void *argument[1];
    gmg_parts_describe(entry, n, &args, &params, argument);
    if (add_node(device, graph, &params, entry->prepared->kernel->kernel->symbol, front->node,
                 n + 1 < parts ? all : front->nodes))
      return -1;
    next.node[n] = graph->node[graph->nodes++];
    if (n + 1 < parts)
      gmg_parts_hurry(device, next.node[n]);
  }
  *front = next;
  return 0;
}

static int add_launch(struct gmg_device *device, struct gmg_graph *graph, int e,
                      struct front *front)
{
  const struct gmg_entry *entry = &graph->entry[e];
  if (entry->prepared->beside == GMG_ENDS)
    return add_message(device, graph, entry, front);
  if (entry->prepared->beside == GMG_NO_GHOSTS)
    return add_within(device, graph, entry, front);
  if (front->travels && gmg_parts_of(entry->prepared) && !entry->reduces)
    return add_parts(device, graph, e, front);
  if (add_by_itself(device, graph, entry, front->node, all_of(front)))
    return -1;
  go_on(graph, front);
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
  if (add_node(device, graph, &params, "the coarse tail", front->node, all_of(front)))
    return -1;
  go_on(graph, front);
  return GMG_DEVICE_TRY(device, cuGraphKernelNodeSetAttribute, front->node[0],
                        CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &cooperative);
}

/* Four entries in passes. */
static int add_passes(struct gmg_device *device, struct gmg_graph *graph, int first,
                      struct front *front)
{
  for (int n = 0; n < 4; n++) {
    struct gmg_pass_launch launch;
    CUDA_KERNEL_NODE_PARAMS params;
    const int together = gmg_pairs_together(&graph->entry[first], n);
    graph->pass[first + n] = 1 + n;
    graph->first[first + n] = together ? graph->nodes : graph->nodes - 1;
    if (!together)
      continue;
    gmg_pairs_describe(&graph->entry[first], n, &launch, &params);
    if (add_node(device, graph, &params, launch.symbol, front->node, all_of(front)))
      return -1;
    go_on(graph, front);
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
  if (GMG_DEVICE_TRY(device, cuGraphAddMemcpyNode, &graph->node[graph->nodes], graph->graph,
                     front->node, all_of(front), &copy, device->cuda))
    return -1;
  go_on(graph, front);
  return 0;
}

static int build(struct gmg_device *device, struct gmg_graph *graph)
{
  struct front front = {.nodes = 0};
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
                   : add_launch(device, graph, n, &front))
      return -1;
    n += length ? length : passes ? passes : 1;
  }
  if (reduces && add_sums(device, graph, 1, &front))
    return -1;
  return GMG_DEVICE_TRY(device, cuGraphInstantiateWithFlags, &graph->exec, graph->graph,
                        graph->in_parts ? CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY : 0);
}

struct gmg_graph *gmg_graph_create(struct gmg_device *device, const struct gmg_entry *entry,
                                   int entries)
{
  const size_t count = (size_t)entries;
  size_t most = 2; /* sums travel there and back */
  for (int n = 0; n < entries; n++)
    most += gmg_parts_of(entry[n].prepared) ? MOST_PARTS : 1;
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

static void update_node(struct gmg_device *device, const struct gmg_graph *graph, int node,
                        const CUDA_KERNEL_NODE_PARAMS *params, const char *symbol)
{
  gmg_device_failed(
    device, device->driver->cuGraphExecKernelNodeSetParams(graph->exec, graph->node[node], params),
    "cuGraphExecKernelNodeSetParams", symbol);
}

static void update_launch(struct gmg_device *device, struct gmg_graph *graph, int e)
{
  const struct gmg_entry *entry = &graph->entry[e];
  const int parts = graph->pass[e] == IN_PARTS ? gmg_parts_of(entry->prepared) : 1;
  for (int n = 0; n < parts; n++) {
    CUDA_KERNEL_NODE_PARAMS params;
    struct gmg_cuda_args args;
    void *argument[1];
    if (parts > 1)
      gmg_parts_describe(entry, n, &args, &params, argument);
    else
      describe(entry, &args, &params, argument);
    update_node(device, graph, graph->first[e] + n, &params,
                entry->prepared->kernel->kernel->symbol);
  }
}

/* The launch that one of four entries is in. */
static void update_pass(struct gmg_device *device, struct gmg_graph *graph, int e)
{
  const int place = graph->pass[e] - 1;
  const struct gmg_entry *four = &graph->entry[e - place];
  struct gmg_pass_launch launch;
  CUDA_KERNEL_NODE_PARAMS params;
  gmg_pairs_describe(four, gmg_pairs_together(four, place) ? place : place - 1, &launch, &params);
  update_node(device, graph, graph->first[e], &params, launch.symbol);
}

void gmg_graph_run(struct gmg_device *device, struct gmg_graph *graph,
                   const struct gmg_entry *entry)
{
  for (int n = 0; n < graph->entries; n++) {
    if (memcmp(graph->entry[n].scalar, entry[n].scalar, sizeof entry[n].scalar) == 0)
      continue;
    memcpy(graph->entry[n].scalar, entry[n].scalar, sizeof entry[n].scalar);
    if (graph->pass[n] && graph->pass[n] != IN_PARTS)
      update_pass(device, graph, n); /* once more for its second entry, if that differs, too */
    else if (graph->first[n] >= 0)
      update_launch(device, graph, n);
  }
  for (int t = 0; t < graph->tails; t++)
    gmg_tail_list_update(device, graph->tail[t], graph->entry + graph->tail_first[t]);
  GMG_DEVICE_TRY(device, cuGraphLaunch, graph->exec, device->stream);
}

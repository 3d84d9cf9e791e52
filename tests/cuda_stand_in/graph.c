/* The stand-in driver: graphs. Nodes run in the last order that their edges leave; in every second
 * graph those first that have just become ready, and others as late as they may. */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

#include "stand_in.h"

enum { MOST_NODES = 8192, MOST_EDGES = 512 };

struct CUgraphNode_st {
  CUgraph graph;
  struct stand_in_work work;
  int after[MOST_EDGES], afters, index;
};
struct CUgraph_st {
  CUgraphNode node[MOST_NODES];
  int nodes;
};
struct CUgraphExec_st {
  struct stand_in_work work[MOST_NODES];
  int place[MOST_NODES]; /* of a node in the order of its work */
  int works;
};

CUresult cuGraphCreate(CUgraph *graph, unsigned flags)
{
  (void)flags;
  *graph = calloc(1, sizeof **graph);
  return *graph ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuGraphDestroy(CUgraph graph)
{
  for (int n = 0; n < graph->nodes; n++) {
    free(graph->node[n]->work.params);
    free(graph->node[n]);
  }
  free(graph);
  return CUDA_SUCCESS;
}

static CUresult add_node(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t afters)
{
  if (graph->nodes == MOST_NODES || afters > MOST_EDGES)
    return CUDA_ERROR_INVALID_VALUE;
  *node = calloc(1, sizeof **node);
  (*node)->index = graph->nodes;
  for (size_t n = 0; n < afters; n++)
    (*node)->after[(*node)->afters++] = after[n]->index;
  graph->node[graph->nodes++] = *node;
  return CUDA_SUCCESS;
}
CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                              size_t afters, const CUDA_KERNEL_NODE_PARAMS *p)
{
  const CUresult result = add_node(node, graph, after, afters);
  if (result != CUDA_SUCCESS)
    return result;
  return stand_in_set_kernel(
    &(*node)->work, p->func, (unsigned[]){p->gridDimX, p->gridDimY, p->gridDimZ},
    (unsigned[]){p->blockDimX, p->blockDimY, p->blockDimZ}, 0, p->kernelParams);
}
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID which,
                                       const CUkernelNodeAttrValue *value)
{
  if (which == CU_LAUNCH_ATTRIBUTE_PRIORITY) /* its order is against the list's anyway */
    return CUDA_SUCCESS;
  if (which != CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
    return CUDA_ERROR_INVALID_VALUE;
  node->work.cooperative = value->cooperative;
  return CUDA_SUCCESS;
}
CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                              size_t afters, const CUDA_MEMCPY3D *p, CUcontext context)
{
  (void)context;
  const CUresult result = add_node(node, graph, after, afters);
  if (result != CUDA_SUCCESS)
    return result;
  if (p->Height != 1 || p->Depth != 1)
    return CUDA_ERROR_INVALID_VALUE;
  (*node)->work = (struct stand_in_work){
    .kind = STAND_IN_COPY,
    .to = p->dstMemoryType == CU_MEMORYTYPE_HOST ? p->dstHost : (void *)(uintptr_t)p->dstDevice,
    .from =
      p->srcMemoryType == CU_MEMORYTYPE_HOST ? p->srcHost : (const void *)(uintptr_t)p->srcDevice,
    .bytes = p->WidthInBytes,
  };
  return CUDA_SUCCESS;
}

CUresult cuGraphAddBatchMemOpNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                                  size_t afters, const CUDA_BATCH_MEM_OP_NODE_PARAMS *p)
{
  const CUresult result = add_node(node, graph, after, afters);
  return result != CUDA_SUCCESS ? result
                                : stand_in_set_signals(&(*node)->work, p->count, p->paramArray);
}

static void copy_params(struct stand_in_work *work)
{
  if (work->kind == STAND_IN_KERNEL)
    work->params = stand_in_copy_again(work);
  else if (work->kind == STAND_IN_SIGNALS)
    work->params = stand_in_copy_of(work->params, work->bytes);
}

/* Place of the last node that a node waits for; -1: it waits for none, INT_MAX: for some that are
 * not in order yet. */
static int since(const struct CUgraphExec_st *exec, const struct CUgraphNode_st *node)
{
  int last = -1;
  for (int a = 0; a < node->afters; a++) {
    const int place = exec->place[node->after[a]];
    if (place < 0)
      return INT_MAX;
    last = place > last ? place : last;
  }
  return last;
}

static int next_of(const struct CUgraphExec_st *exec, const struct CUgraph_st *graph, int newest)
{
  int next = -1, latest = -2;
  for (int n = graph->nodes - 1; n >= 0 && (newest || next < 0); n--) {
    const int ready = exec->place[n] < 0 ? since(exec, graph->node[n]) : INT_MAX;
    if (ready != INT_MAX && (ready > latest || (ready < 0 && latest < 0))) {
      next = n;
      latest = ready > latest ? ready : latest;
    }
  }
  return next;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *result, CUgraph graph, unsigned long long flags)
{
  static int graphs;
  (void)flags;
  CUgraphExec exec = *result = calloc(1, sizeof *exec);
  const int newest = graphs++ % 2 && graph->nodes <= 512; /* it looks at all each time */
  for (int n = 0; n < graph->nodes; n++)
    exec->place[n] = -1;
  while (exec->works < graph->nodes) {
    const int next = next_of(exec, graph, newest);
    struct stand_in_work *work = &exec->work[exec->works];
    *work = graph->node[next]->work;
    copy_params(work);
    exec->place[next] = exec->works++;
  }
  return CUDA_SUCCESS;
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS *p)
{
  struct stand_in_work *work = &exec->work[exec->place[node->index]];
  const int cooperative = work->cooperative;
  free(work->params);
  return stand_in_set_kernel(work, p->func, (unsigned[]){p->gridDimX, p->gridDimY, p->gridDimZ},
                             (unsigned[]){p->blockDimX, p->blockDimY, p->blockDimZ}, cooperative,
                             p->kernelParams);
}
CUresult cuGraphExecDestroy(CUgraphExec exec)
{
  for (int n = 0; n < exec->works; n++)
    free(exec->work[n].params);
  free(exec);
  return CUDA_SUCCESS;
}
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
  int signals = 0;
  for (int n = 0; n < exec->works; n++) {
    struct stand_in_work *work = stand_in_append(stream);
    *work = exec->work[n];
    copy_params(work);
    signals |= work->kind == STAND_IN_SIGNALS;
  }
  if (signals)
    stand_in_begin(stream);
  return CUDA_SUCCESS;
}

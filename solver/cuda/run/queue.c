#include "queue.h"

#include "graph.h"
#include "pairs.h"
#include "cuda/memory/room.h"
#include "cuda/runtime/signals.h"
#include "tail_text.h"
#include "timed.h"

#include <stdlib.h>
#include <string.h>

/* Of a list: what it takes of the rooms then is at most a piece, and little more of the host's. */
enum {
  MOST_ENTRIES = 4096,
  MOST_IN_TAIL = GMG_ROOM_PIECE / sizeof(struct gmg_tail_operation),
  MOST_GRAPHS = 256 /* two ranks have some 15 of every level that they share */
};

struct gmg_queue {
  struct gmg_device *device;
  enum gmg_queue_mode mode;
  int entries, graphs;
  int in_tail;                          /* entries that go into the coarse tail */
  struct gmg_graph *graph[MOST_GRAPHS]; /* the last used first */
  struct gmg_timer *timer;
  struct gmg_entry entry[MOST_ENTRIES];
};

struct gmg_queue *gmg_queue_create(struct gmg_device *device)
{
  struct gmg_queue *queue = calloc(1, sizeof *queue); /* the context's, not a solver's */
  if (queue)
    queue->device = device;
  return queue;
}

void gmg_queue_destroy(struct gmg_queue **queue)
{
  if (!*queue)
    return;
  gmg_queue_forget(*queue);
  gmg_timer_destroy((*queue)->device, &(*queue)->timer);
  free(*queue);
  *queue = NULL;
}

void gmg_queue_set_mode(struct gmg_queue *queue, enum gmg_queue_mode mode)
{
  gmg_queue_flush(queue);
  queue->mode = mode;
}

void gmg_queue_add(struct gmg_queue *queue, struct gmg_prepared *prepared,
                   const double scalar[GMG_MAX_SCALARS], int reduces)
{
  if (prepared->boxes == 0)
    return;
  if (queue->entries == MOST_ENTRIES || queue->in_tail == MOST_IN_TAIL)
    gmg_queue_flush(queue);
  queue->in_tail += prepared->in_tail;
  struct gmg_entry *entry = &queue->entry[queue->entries++];
  entry->prepared = prepared;
  entry->reduces = reduces;
  memcpy(entry->scalar, scalar, sizeof entry->scalar);
}

void gmg_queue_forget(struct gmg_queue *queue)
{
  if (queue->graphs == 0)
    return;
  gmg_device_enter(queue->device);
  gmg_device_synchronize(queue->device);
  while (queue->graphs > 0)
    gmg_graph_destroy(queue->device, &queue->graph[--queue->graphs]);
  gmg_rooms_clear(queue->device);
  gmg_device_leave(queue->device);
}

/* The graph of what was collected, put first. */
static struct gmg_graph *find_graph(struct gmg_queue *queue)
{
  int at = 0;
  struct gmg_graph *graph = NULL;
  while (at < queue->graphs && !gmg_graph_matches(queue->graph[at], queue->entry, queue->entries))
    at++;
  if (at < queue->graphs) {
    graph = queue->graph[at];
  } else {
    if (queue->graphs == MOST_GRAPHS)
      gmg_queue_forget(queue);
    graph = gmg_graph_create(queue->device, queue->entry, queue->entries);
    if (!graph && gmg_rooms_full(queue->device) && queue->graphs > 0) {
      gmg_queue_forget(queue);
      graph = gmg_graph_create(queue->device, queue->entry, queue->entries);
    }
    if (!graph && gmg_rooms_full(queue->device))
      gmg_device_failed(queue->device, CUDA_ERROR_OUT_OF_MEMORY, "cuGraphCreate",
                        "a list of launches");
    if (!graph)
      return NULL;
    at = queue->graphs++;
  }
  memmove(queue->graph + 1, queue->graph, (size_t)at * sizeof queue->graph[0]);
  queue->graph[0] = graph;
  return graph;
}

/* A pass moves what one of its half-sweeps does. */
static void count(const struct gmg_queue *queue)
{
  for (int n = 0, place = 0; n < queue->entries; n++) {
    const struct gmg_entry *entry = &queue->entry[n];
    const struct gmg_prepared *prepared = entry->prepared;
    const int passes = place || gmg_pairs_length(entry, queue->entries - n);
    const double share = passes && gmg_pairs_together(entry - place, place) != 1 ? 0.5 : 1;
    const double moved = share * prepared->traffic;
    if (prepared->call)
      gmg_call_count(prepared->call,
                     &(struct gmg_sweep){moved, prepared->call->touched, share < 1, 1});
    else if (!prepared->signals)
      prepared->stat->calls++;
    prepared->level->moved += moved;
    place = passes ? (place + 1) % 4 : 0;
  }
}

void gmg_queue_flush(struct gmg_queue *queue)
{
  if (queue->entries == 0)
    return;
  gmg_device_enter(queue->device);
  if (queue->mode == GMG_QUEUE_TIMED) {
    gmg_queue_forget(queue);
    gmg_rooms_clear(queue->device);
    gmg_timer_run(queue->device, &queue->timer, queue->entry, queue->entries);
  } else {
    struct gmg_graph *graph = find_graph(queue);
    if (graph)
      gmg_graph_run(queue->device, graph, queue->entry);
  }
  gmg_device_leave(queue->device);
  count(queue);
  queue->entries = 0;
  queue->in_tail = 0;
  gmg_signals_end_list(queue->device);
}

void gmg_queue_wait(struct gmg_queue *queue)
{
  gmg_queue_flush(queue);
  gmg_device_enter(queue->device);
  gmg_device_synchronize(queue->device);
  gmg_device_leave(queue->device);
}

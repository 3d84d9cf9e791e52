#include "exchange.h"
#include "exchange_plan.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { PARALLEL_ELEMENTS = 65536, MESSAGE_TAG = 7 };

static void strides(const struct gmg_storage *storage, int box, const int extent[3], ptrdiff_t stride[3])
{
  stride[0] = box < 0 ? 1 : storage->step;
  stride[1] = box < 0 ? extent[0] : storage->stride[box][0];
  stride[2] = box < 0 ? (ptrdiff_t)extent[0] * extent[1] : storage->stride[box][1];
}

static void copy_double(const double *restrict from, const ptrdiff_t f[3], double *restrict to, const ptrdiff_t t[3],
                        const int extent[3])
{
  for (int k = 0; k < extent[2]; k++)
    for (int j = 0; j < extent[1]; j++) {
      const double *restrict source = from + j * f[1] + k * f[2];
      double *restrict target = to + j * t[1] + k * t[2];
      if (f[0] == 1 && t[0] == 1)
        for (int i = 0; i < extent[0]; i++)
          target[i] = source[i];
      else
        for (int i = 0; i < extent[0]; i++)
          target[i * t[0]] = source[i * f[0]];
    }
}

static void copy_float(const float *restrict from, const ptrdiff_t f[3], float *restrict to, const ptrdiff_t t[3],
                       const int extent[3])
{
  for (int k = 0; k < extent[2]; k++)
    for (int j = 0; j < extent[1]; j++) {
      const float *restrict source = from + j * f[1] + k * f[2];
      float *restrict target = to + j * t[1] + k * t[2];
      if (f[0] == 1 && t[0] == 1)
        for (int i = 0; i < extent[0]; i++)
          target[i] = source[i];
      else
        for (int i = 0; i < extent[0]; i++)
          target[i * t[0]] = source[i * f[0]];
    }
}

static void run_copy(const struct gmg_exchange *e, const struct gmg_copy *copy, const void *from, void *to)
{
  ptrdiff_t f[3], t[3];
  strides(e->from, copy->from_box, copy->extent, f);
  strides(e->to, copy->to_box, copy->extent, t);
  if (e->from->element_bytes == sizeof(double))
    copy_double((const double *)from + copy->from, f, (double *)to + copy->to, t, copy->extent);
  else
    copy_float((const float *)from + copy->from, f, (float *)to + copy->to, t, copy->extent);
}

static void run_list(const struct gmg_exchange *e, const struct gmg_copy_list *list, const void *from, void *to)
{
  const int threads = e->comm->threads > 0 ? e->comm->threads : omp_get_max_threads();
#pragma omp parallel for schedule(static) num_threads(threads) if (list->elements > PARALLEL_ELEMENTS && threads > 1)
  for (int c = 0; c < list->count; c++)
    run_copy(e, &list->copy[c], from, to);
}

/* One wall of one box. With edges and corners the ghosts along the wall are filled too: those that are beyond another wall
 * are overwritten when that axis' turn comes, or were filled in its turn. */
static void fill_wall(const struct gmg_exchange *e, const struct gmg_wall *wall, void *field)
{
  const struct gmg_storage *storage = e->to;
  const struct gmg_box *box = &storage->layout->box[storage->layout->local[wall->box]];
  const ptrdiff_t stride[3] = {1, storage->stride[wall->box][0], storage->stride[wall->box][1]};
  const int along = wall->axis, p = along == 0 ? 1 : 0, q = along == 2 ? 1 : 2;
  const int around = e->shape == GMG_FULL ? e->depth : 0;
  const ptrdiff_t ghost = wall->ghost * stride[along], mirror = wall->mirror * stride[along];
  for (int j = -around; j < box->upper[q] - box->lower[q] + around; j++)
    for (int i = -around; i < box->upper[p] - box->lower[p] + around; i++) {
      const int64_t at = storage->origin[wall->box] + i * stride[p] + j * stride[q];
      if (storage->element_bytes == sizeof(double))
        ((double *)field)[at + ghost] = wall->factor * ((double *)field)[at + mirror];
      else
        ((float *)field)[at + ghost] = (float)wall->factor * ((float *)field)[at + mirror];
    }
}

#if GMG_WITH_MPI
static int start_receives(struct gmg_exchange *e)
{
  const size_t bytes = e->to->element_bytes;
  const MPI_Datatype type = bytes == sizeof(double) ? MPI_DOUBLE : MPI_FLOAT;
  int error = MPI_SUCCESS;
  for (int m = 0; m < e->receives && error == MPI_SUCCESS; m++) {
    const struct gmg_message *message = &e->receive[m];
    error = MPI_Irecv((char *)e->receive_buffer + (size_t)message->first * bytes, message->count, type, message->rank,
                      MESSAGE_TAG, e->comm->mpi, &e->request[m]);
  }
  return error;
}

static int start_sends(struct gmg_exchange *e)
{
  const size_t bytes = e->to->element_bytes;
  const MPI_Datatype type = bytes == sizeof(double) ? MPI_DOUBLE : MPI_FLOAT;
  int error = MPI_SUCCESS;
  for (int m = 0; m < e->sends && error == MPI_SUCCESS; m++) {
    const struct gmg_message *message = &e->send[m];
    error = MPI_Isend((const char *)e->send_buffer + (size_t)message->first * bytes, message->count, type,
                      message->rank, MESSAGE_TAG, e->comm->mpi, &e->request[e->receives + m]);
  }
  return error;
}
#endif

int gmg_exchange_run(struct gmg_exchange *e, const void *from, void *to)
{
#if GMG_WITH_MPI
  int error = start_receives(e);
  if (error == MPI_SUCCESS) {
    run_list(e, &e->pack, from, e->send_buffer);
    error = start_sends(e);
  }
  if (error != MPI_SUCCESS)
    return error;
#endif
  run_list(e, &e->local, from, to);
#if GMG_WITH_MPI
  if (e->receives + e->sends > 0) /* a context on one rank does without MPI_Init */
    error = MPI_Waitall(e->receives + e->sends, e->request, MPI_STATUSES_IGNORE);
  if (error != MPI_SUCCESS)
    return error;
  run_list(e, &e->unpack, e->receive_buffer, to);
#endif
  for (int w = 0; w < e->walls; w++)
    fill_wall(e, &e->wall[w], to);
  return 0;
}

static int plan_walls(struct gmg_exchange *e, const double (*factor)[2])
{
  const struct gmg_layout *layout = e->to->layout;
  e->wall = malloc((6 * (size_t)layout->local_count * (size_t)e->depth + 1) * sizeof *e->wall);
  if (!e->wall)
    return -1;
  for (int d = 0; d < 3; d++)
    for (int b = 0; b < layout->local_count && !e->periodic[d]; b++) {
      const struct gmg_box *box = &layout->box[layout->local[b]];
      const int low = box->lower[d], n = layout->cells[d];
      for (int layer = 0; layer < e->depth; layer++) {
        if (low - e->depth <= -1 - layer)
          e->wall[e->walls++] = (struct gmg_wall){b, d, -1 - layer - low, layer - low, factor[d][0]};
        if (n + layer < box->upper[d] + e->depth)
          e->wall[e->walls++] = (struct gmg_wall){b, d, n + layer - low, n - 1 - layer - low, factor[d][1]};
      }
    }
  return 0;
}

struct gmg_exchange *gmg_exchange_ghosts(struct gmg_comm *comm, const struct gmg_storage *storage,
                                         enum gmg_exchange_shape shape, int depth, const int periodic[3],
                                         const double (*wall_factor)[2])
{
  struct gmg_exchange *e = calloc(1, sizeof *e);
  if (!e)
    return NULL;
  e->comm = comm;
  e->from = e->to = storage;
  e->shape = shape;
  e->depth = depth;
  memcpy(e->periodic, periodic, sizeof e->periodic);
  if (gmg_exchange_plan_ghosts(e) || (wall_factor && plan_walls(e, wall_factor)))
    gmg_exchange_destroy(&e);
  return e;
}

struct gmg_exchange *gmg_exchange_redistribute(struct gmg_comm *comm, const struct gmg_storage *from,
                                               const struct gmg_storage *to, enum gmg_place place)
{
  struct gmg_exchange *e = calloc(1, sizeof *e);
  if (!e)
    return NULL;
  e->comm = comm;
  e->from = from;
  e->to = to;
  e->place = place;
  if (gmg_exchange_plan_redistribution(e))
    gmg_exchange_destroy(&e);
  return e;
}

void gmg_exchange_destroy(struct gmg_exchange **exchange)
{
  if (!exchange || !*exchange)
    return;
  struct gmg_exchange *e = *exchange;
  free(e->pack.copy);
  free(e->local.copy);
  free(e->unpack.copy);
  free(e->send);
  free(e->receive);
  free(e->send_buffer);
  free(e->receive_buffer);
  free(e->wall);
#if GMG_WITH_MPI
  free(e->request);
#endif
  free(e);
  *exchange = NULL;
}

int64_t gmg_exchange_bytes(const struct gmg_exchange *e)
{
  const size_t copies = (size_t)e->pack.room + (size_t)e->local.room + (size_t)e->unpack.room;
  const size_t messages = (size_t)e->sends + (size_t)e->receives;
  const size_t values = (size_t)(e->pack.elements + e->unpack.elements);
  return (int64_t)(sizeof *e + copies * sizeof *e->local.copy + messages * sizeof *e->send
                   + values * e->from->element_bytes + (size_t)e->walls * sizeof *e->wall);
}

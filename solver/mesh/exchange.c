#include "exchange.h"
#include "system/alarm.h"
#include "exchange_plan.h"
#include "system/memory.h"
#include "system/order.h"
#include "system/team.h"

#include <string.h>

enum { PARALLEL_ELEMENTS = 65536 };

/* A block of values as a copy sees it: every other element of a row, from `at` on, `step` apart. */
struct block {
  ptrdiff_t at[2], step;
  ptrdiff_t row, plane;
};

static struct block block_of(const struct gmg_storage *storage, int box, int first,
                             const int extent[3])
{
  if (box < 0)
    return (struct block){{0, 1}, 2, extent[0], (ptrdiff_t)extent[0] * extent[1]};
  const ptrdiff_t odd = storage->odd[box];
  struct block block = {
    {0, 0}, odd ? 1 : 2 * storage->step, storage->stride[box][0], storage->stride[box][1]};
  for (int n = 0; n < 2; n++)
    block.at[n] = odd ? gmg_at(first + n, odd) : (first + n) * storage->step;
  return block;
}

/* One loop for values of a type: `count` of them, every other one of a row. */
#define GMG_COPY(type) \
  static void copy_##type(const type *restrict from, ptrdiff_t from_step, type *restrict to, \
                          ptrdiff_t to_step, int count) \
  { \
    if (from_step == 1 && to_step == 1) \
      for (int i = 0; i < count; i++) \
        to[i] = from[i]; \
    else \
      for (int i = 0; i < count; i++) \
        to[i * to_step] = from[i * from_step]; \
  }
GMG_COPY(double)
GMG_COPY(float)

/* from_at, to_at: where the ends of field `from` and `to` begin, in elements. */
static void run_copy(const struct gmg_exchange *e, const struct gmg_copy *copy, const void *from,
                     int64_t from_at, void *to, int64_t to_at)
{
  const struct block f = block_of(e->from, copy->from_box, copy->from_i, copy->extent);
  const struct block t = block_of(e->to, copy->to_box, copy->to_i, copy->extent);
  const int whole = f.step == 2 && t.step == 2; /* rows of either are contiguous */
  for (int k = 0; k < copy->extent[2]; k++)
    for (int j = 0; j < copy->extent[1]; j++)
      for (int n = 0; n < 2 - whole; n++) {
        const ptrdiff_t source = from_at + copy->from + j * f.row + k * f.plane + f.at[n];
        const ptrdiff_t target = to_at + copy->to + j * t.row + k * t.plane + t.at[n];
        const int count = whole ? copy->extent[0] : (copy->extent[0] + 1 - n) / 2;
        const ptrdiff_t from_step = whole ? 1 : f.step, to_step = whole ? 1 : t.step;
        if (e->from->element_bytes == sizeof(double))
          copy_double((const double *)from + source, from_step, (double *)to + target, to_step,
                      count);
        else
          copy_float((const float *)from + source, from_step, (float *)to + target, to_step, count);
      }
}

/* One field's copies; message: those that the copies on one side are parts of, each of `fields`
 * fields one after the other, this one the nth; NULL: there are none. */
struct copies {
  const struct gmg_exchange *exchange;
  const struct gmg_copy_list *list;
  const void *from;
  void *to;
  const struct gmg_message *message;
  int fields, n;
};

static void run_copies(void *work, int thread, int of)
{
  const struct copies *w = work;
  const struct gmg_exchange *e = w->exchange;
  int first, last;
  gmg_part(w->list->count, thread, of, &first, &last);
  for (int c = first; c < last; c++) {
    const struct gmg_copy *copy = &w->list->copy[c];
    const struct gmg_message *m = w->message ? &w->message[copy->message] : NULL;
    const int64_t at = m ? (w->fields - 1) * m->first + (int64_t)w->n * m->count : 0;
    run_copy(e, copy, w->from, w->list == &e->unpack ? at : 0, w->to, w->list == &e->pack ? at : 0);
  }
}

static void run_list(const struct gmg_exchange *e, const struct gmg_copy_list *list,
                     const void *from, void *to, const struct gmg_message *message, int fields,
                     int n)
{
  struct copies copies = {e, list, from, to, message, fields, n};
  gmg_team_share(e->comm->team, list->elements > PARALLEL_ELEMENTS ? e->comm->threads : 1,
                 run_copies, &copies);
}

static int64_t element_of(const struct gmg_storage *storage, int box, const int cell[3])
{
  const ptrdiff_t odd = storage->odd[box];
  return storage->origin[box] + (odd ? gmg_at(cell[0], odd) : cell[0])
    + cell[1] * storage->stride[box][0] + cell[2] * storage->stride[box][1];
}

/* How far along axis d a wall's ghosts go beyond the cells of a box: as far as the exchange, but
 * not past another wall's own. */
static int around(const struct gmg_exchange *e, const struct gmg_box *box, int d, int side)
{
  if (e->shape != GMG_FULL)
    return 0;
  const int to_wall = side ? e->to->layout->cells[d] - box->upper[d] : box->lower[d];
  return e->periodic[d] ? e->depth[d] : gmg_smaller(e->depth[d], to_wall + e->depth[0]);
}

/* One wall of one box. With edges and corners the ghosts along the wall are filled too: those that
 * are beyond another wall are overwritten when that axis' turn comes, or were filled in its turn.
 */
static void fill_wall(const struct gmg_exchange *e, const struct gmg_wall *wall, void *field)
{
  const struct gmg_storage *storage = e->to;
  const struct gmg_box *box = &storage->layout->box[storage->layout->local[wall->box]];
  const int along = wall->axis, p = along == 0 ? 1 : 0, q = along == 2 ? 1 : 2;
  const int p_end = box->upper[p] - box->lower[p] + around(e, box, p, 1);
  const int q_end = box->upper[q] - box->lower[q] + around(e, box, q, 1);
  int cell[3];
  for (cell[q] = -around(e, box, q, 0); cell[q] < q_end; cell[q]++)
    for (cell[p] = -around(e, box, p, 0); cell[p] < p_end; cell[p]++) {
      cell[along] = wall->ghost;
      const int64_t ghost = element_of(storage, wall->box, cell);
      cell[along] = wall->mirror;
      const int64_t mirror = element_of(storage, wall->box, cell);
      if (storage->element_bytes == sizeof(double))
        ((double *)field)[ghost] = wall->factor * ((double *)field)[mirror];
      else
        ((float *)field)[ghost] = (float)wall->factor * ((float *)field)[mirror];
    }
}

#if GMG_WITH_MPI
static MPI_Datatype type_of(const struct gmg_exchange *e)
{
  return e->to->element_bytes == sizeof(double) ? MPI_DOUBLE : MPI_FLOAT;
}

/* The messages of so many fields, on their way; those to send are begun after the others. */
static int start(struct gmg_exchange *e, int fields, int sends)
{
  const size_t bytes = e->to->element_bytes;
  int error = 0;
  if (!sends && e->receives + e->sends > 0 && gmg_comm_failure(e->comm))
    return MPI_ERR_OTHER;
  for (int m = 0; m < (sends ? e->sends : e->receives) && !error; m++) {
    const struct gmg_message *message = sends ? &e->send[m] : &e->receive[m];
    const int count = fields * message->count;
    const size_t first = (size_t)(fields * message->first) * bytes;
    MPI_Comm mpi = e->comm->mpi;
    error = sends ? MPI_Isend((char *)e->send_buffer + first, count, type_of(e), message->rank,
                              GMG_MESSAGE_TAG, mpi, &e->request[e->receives + m])
                  : MPI_Irecv((char *)e->receive_buffer + first, count, type_of(e), message->rank,
                              GMG_MESSAGE_TAG, mpi, &e->request[m]);
    e->given_up = error != MPI_SUCCESS;
  }
  return error ? gmg_comm_failed(e->comm, error, sends ? "MPI_Isend" : "MPI_Irecv") : 0;
}

/* A context on one rank does without MPI_Init. */
static int finish(struct gmg_exchange *e)
{
  const int error = e->receives + e->sends > 0
    ? gmg_comm_wait(e->comm, e->request, e->receives + e->sends, "MPI_Testall")
    : 0;
  e->given_up = error != 0;
  return error;
}
#endif

int gmg_exchange_messages(struct gmg_exchange *e, void *send, void *receive)
{
  int error = 0;
#if GMG_WITH_MPI
  void *const own_send = e->send_buffer, *const own_receive = e->receive_buffer;
  e->send_buffer = send;
  e->receive_buffer = receive;
  error = start(e, 1, 0);
  if (!error)
    error = start(e, 1, 1);
  if (!error)
    error = finish(e);
  e->send_buffer = own_send;
  e->receive_buffer = own_receive;
#else
  (void)e;
  (void)send;
  (void)receive;
#endif
  return error;
}

static int run_fields(struct gmg_exchange *e, const void *const *from, void *const *to, int fields,
                      int walls)
{
#if GMG_WITH_MPI
  int error = start(e, fields, 0);
  if (!error) {
    for (int n = 0; n < fields; n++)
      run_list(e, &e->pack, from[n], e->send_buffer, e->send, fields, n);
    error = start(e, fields, 1);
  }
  if (error)
    return error;
#endif
  for (int n = 0; n < fields; n++)
    run_list(e, &e->local, from[n], to[n], NULL, fields, n);
#if GMG_WITH_MPI
  error = finish(e);
  if (error)
    return error;
  for (int n = 0; n < fields; n++)
    run_list(e, &e->unpack, e->receive_buffer, to[n], e->receive, fields, n);
#endif
  for (int n = 0; n < fields; n++)
    for (int w = 0; w < walls; w++)
      fill_wall(e, &e->wall[w], to[n]);
  return 0;
}

int gmg_exchange_run(struct gmg_exchange *e, const void *from, void *to)
{
  return run_fields(e, &from, &to, 1, e->walls);
}

int gmg_exchange_share(struct gmg_exchange *e, void *coefficient)
{
  const void *from = coefficient;
  return run_fields(e, &from, &coefficient, 1, 0);
}

int gmg_exchange_fill(struct gmg_exchange *e, void *const *field, int fields)
{
  int error = 0;
  for (int n = 0; n < fields && !error; n += e->fields) {
    const int together = gmg_smaller(fields - n, e->fields);
    const void *from[GMG_EXCHANGE_FIELDS];
    for (int m = 0; m < together; m++)
      from[m] = field[n + m];
    error = run_fields(e, from, field + n, together, e->walls);
  }
  return error;
}

static int plan_walls(struct gmg_exchange *e, const double (*factor)[2])
{
  const struct gmg_layout *layout = e->to->layout;
  e->wall =
    gmg_malloc((6 * (size_t)layout->local_count * (size_t)e->depth[0] + 1) * sizeof *e->wall);
  if (!e->wall)
    return -1;
  for (int d = 0; d < 3; d++)
    for (int b = 0; b < layout->local_count && !e->periodic[d]; b++) {
      const struct gmg_box *box = &layout->box[layout->local[b]];
      const int low = box->lower[d], n = layout->cells[d];
      for (int layer = 0; layer < e->depth[0]; layer++) {
        if (low - e->depth[d] <= -1 - layer)
          e->wall[e->walls++] =
            (struct gmg_wall){b, d, -1 - layer - low, layer - low, factor[d][0]};
        if (n + layer < box->upper[d] + e->depth[d])
          e->wall[e->walls++] =
            (struct gmg_wall){b, d, n + layer - low, n - 1 - layer - low, factor[d][1]};
      }
    }
  return 0;
}

static struct gmg_exchange *make(struct gmg_comm *comm, const struct gmg_storage *from,
                                 const struct gmg_storage *to, int fields)
{
  struct gmg_exchange *e = gmg_calloc(1, sizeof *e);
  if (!e)
    return NULL;
  e->comm = comm;
  e->from = from;
  e->to = to;
  e->fields = fields;
  return e;
}

/* depth: along i, and along j and k. Fields that travel together may be on faces. */
static struct gmg_exchange *make_ghosts(struct gmg_comm *comm, const struct gmg_storage *storage,
                                        int fields, enum gmg_exchange_shape shape,
                                        const int depth[2], const int periodic[3],
                                        const double (*wall_factor)[2])
{
  struct gmg_exchange *e = make(comm, storage, storage, fields);
  if (!e)
    return NULL;
  e->shape = shape;
  e->last_faces = fields > 1;
  for (int d = 0; d < 3; d++)
    e->depth[d] = depth[d > 0];
  memcpy(e->periodic, periodic, sizeof e->periodic);
  if (gmg_exchange_plan_ghosts(e) || (wall_factor && plan_walls(e, wall_factor)))
    gmg_exchange_destroy(&e);
  return e;
}

struct gmg_exchange *gmg_exchange_ghosts(struct gmg_comm *comm, const struct gmg_storage *storage,
                                         enum gmg_exchange_shape shape, int depth,
                                         const int periodic[3], const double (*wall_factor)[2])
{
  return make_ghosts(comm, storage, 1, shape, (const int[]){depth, depth}, periodic, wall_factor);
}

struct gmg_exchange *gmg_exchange_overlap(struct gmg_comm *comm, const struct gmg_storage *storage,
                                          const int periodic[3], const double (*wall_factor)[2])
{
  const int depth[2] = {storage->ghost, gmg_larger(storage->ghost, storage->overlap)};
  return make_ghosts(comm, storage, GMG_EXCHANGE_FIELDS, GMG_FULL, depth, periodic, wall_factor);
}

struct gmg_exchange *gmg_exchange_redistribute(struct gmg_comm *comm,
                                               const struct gmg_storage *from,
                                               const struct gmg_storage *to, enum gmg_place place)
{
  struct gmg_exchange *e = make(comm, from, to, 1);
  if (!e)
    return NULL;
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
  gmg_free(e->pack.copy);
  gmg_free(e->local.copy);
  gmg_free(e->unpack.copy);
  gmg_free(e->send);
  gmg_free(e->receive);
  gmg_free(e->wall);
#if GMG_WITH_MPI
  if (e->given_up) {
    gmg_alarm_keep(e->send_buffer);
    gmg_alarm_keep(e->receive_buffer);
    e->send_buffer = e->receive_buffer = NULL;
  }
  gmg_free(e->request);
#endif
  gmg_free(e->send_buffer);
  gmg_free(e->receive_buffer);
  gmg_free(e);
  *exchange = NULL;
}

int64_t gmg_exchange_bytes(const struct gmg_exchange *e)
{
  const size_t copies = (size_t)e->pack.room + (size_t)e->local.room + (size_t)e->unpack.room;
  const size_t messages = (size_t)e->sends + (size_t)e->receives;
  const size_t values = (size_t)(e->pack.elements + e->unpack.elements);
  return (int64_t)(sizeof *e + copies * sizeof *e->local.copy + messages * sizeof *e->send
                   + values * (size_t)e->fields * e->from->element_bytes
                   + (size_t)e->walls * sizeof *e->wall);
}

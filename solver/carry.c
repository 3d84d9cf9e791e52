#include "carry.h"

#include "memory.h"
#include "nearby.h"
#include "openmp/bind.h"
#include "openmp/team.h"
#include "openmp/threads.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 16384 }; /* values that a thread moves at a time: of the second-level cache a part */

/* A rank's array, as the others must know it. */
struct carried {
  struct gmg_nearby process;
  uint64_t data;
  int64_t stride[3];
};

struct gmg_carry {
  int suits; /* 0: messages carry the values */
  double *piece;
  struct carried *of; /* of each rank of this machine, which are all ranks there are */
};

void gmg_carry_clear(struct gmg_together *together)
{
  if (!together->carry)
    return;
  gmg_free(together->carry->piece);
  gmg_free(together->carry->of);
  gmg_free(together->carry);
  together->carry = NULL;
}

/* All ranks of the machine know of all others'. Returns an MPI error code. */
static int tell(struct gmg_solver *s, const gmg_array *array)
{
  struct gmg_comm *comm = &s->context->comm;
  struct carried *own = &s->together.carry->of[comm->rank_here];
  own->process = gmg_nearby_own();
  own->data = array ? (uint64_t)(uintptr_t)array->data : 0;
  for (int d = 0; d < 3; d++)
    own->stride[d] = array ? array->stride[d] : 0;
  return gmg_comm_tell_machine(comm, s->together.carry->of, sizeof *own);
}

int gmg_carry_plan(struct gmg_solver *s)
{
  struct gmg_comm *comm = &s->context->comm;
  struct gmg_together *t = &s->together;
  const int leads = t->group >= 0;
  t->carry = gmg_calloc(1, sizeof *t->carry);
  if (t->carry) {
    t->carry->of = gmg_calloc((size_t)comm->here, sizeof *t->carry->of);
    t->carry->piece = gmg_malloc((leads ? (size_t)t->threads : 1) * PIECE * sizeof(double));
  }
  int lacks = !t->carry || !t->carry->of || !t->carry->piece || comm->here < comm->ranks;
  if (gmg_comm_max_int(comm, &lacks, 1))
    return -1;
  if (lacks)
    return 0;
  if (tell(s, NULL))
    return -1;
  if (!leads)
    gmg_nearby_admit(&t->carry->of[t->lead].process);
  if (gmg_comm_max_int(comm, &lacks, 1)) /* all are admitted by now */
    return -1;
  for (int r = 0; r < comm->here && leads; r++)
    lacks |= r != comm->rank_here && !gmg_nearby_reached(&t->carry->of[r].process);
  if (gmg_comm_max_int(comm, &lacks, 1))
    return -1;
  t->carry->suits = !lacks;
  return 0;
}

int gmg_carry_found(const struct gmg_together *together)
{
  return together->carry && together->carry->suits;
}

int gmg_carry_suits(struct gmg_solver *s, const ptrdiff_t stride[3])
{
  int sparse = stride[0] != 1;
  if (!gmg_carry_found(&s->together))
    return 0;
  if (gmg_comm_max_int(&s->context->comm, &sparse, 1))
    sparse = 1;
  return !sparse;
}

/* Cells of a rank's part that lie in one of this rank's boxes. */
struct region {
  const struct carried *from;
  int own; /* the part is this rank's */
  int lower[3], upper[3];
  const int *part; /* first cell of the rank's part */
  double *field;   /* element (0, 0, 0) of the box */
  const struct gmg_kernel_box *box;
};

struct work {
  const struct region *region;
  double *piece;
  int out;
  int failed;
};

/* Values of a row, `first` counted from the box's first cell, between a dense array and the level's storage. */
static void move_row(double *row, ptrdiff_t odd, int first, int count, double *dense, int out)
{
  if (!odd && out)
    memcpy(dense, row + first, (size_t)count * sizeof *dense);
  else if (!odd)
    memcpy(row + first, dense, (size_t)count * sizeof *dense);
  for (int parity = 0; parity < 2 && odd; parity++) {
    double *const values = row + gmg_at(first + parity, odd);
    const int half = (count - parity + 1) / 2;
    if (out)
      for (int n = 0; n < half; n++)
        dense[2 * n + parity] = values[n];
    else
      for (int n = 0; n < half; n++)
        values[n] = dense[2 * n + parity];
  }
}

/* Rows j to j + rows of plane k, cells i to i + count. */
static int move_rows(const struct region *r, int i, int count, int j, int rows, int k, double *piece, int out)
{
  const int64_t *stride = r->from->stride;
  const int64_t at = (i - r->part[0]) + (j - r->part[1]) * stride[1] + (k - r->part[2]) * stride[2];
  const uint64_t address = r->from->data + (uint64_t)(at * (int64_t)sizeof *piece);
  const ptrdiff_t step = (ptrdiff_t)stride[1] * (ptrdiff_t)sizeof *piece;
  const size_t bytes = (size_t)count * sizeof *piece;
  if (!out && !r->own && gmg_nearby_read(&r->from->process, address, step, rows, bytes, piece))
    return -1;
  const int *lower = r->box->lower;
  for (int n = 0; n < rows; n++) {
    double *const row = r->field + gmg_offset(r->box, 0, j + n - lower[1], k - lower[2]);
    double *const dense = r->own ? (double *)(uintptr_t)address + n * stride[1] : piece + (size_t)n * (size_t)count;
    move_row(row, r->box->odd, i - lower[0], count, dense, out);
  }
  return out && !r->own ? gmg_nearby_write(&r->from->process, address, step, rows, bytes, piece) : 0;
}

/* A thread's planes, or where there are few, its rows of each. */
static void move_region(void *work, int thread, int of)
{
  struct work *w = work;
  const struct region *r = w->region;
  double *const piece = w->piece + (size_t)thread * PIECE;
  const int planes = r->upper[2] - r->lower[2], by_rows = planes < 2 * of;
  int from[2] = {r->lower[1], r->lower[2]}, to[2] = {r->upper[1], r->upper[2]};
  gmg_part(by_rows ? to[0] - from[0] : planes, thread, of, &from[!by_rows], &to[!by_rows]);
  from[!by_rows] += r->lower[by_rows ? 1 : 2];
  to[!by_rows] += r->lower[by_rows ? 1 : 2];
  int failed = 0;
  for (int i = r->lower[0]; i < r->upper[0]; i += PIECE) {
    const int count = r->upper[0] - i < PIECE ? r->upper[0] - i : PIECE, most = PIECE / count;
    for (int k = from[1]; k < to[1]; k++)
      for (int j = from[0]; j < to[0]; j += most)
        failed |= move_rows(r, i, count, j, to[0] - j < most ? to[0] - j : most, k, piece, w->out);
  }
  if (failed)
#pragma omp atomic write
    w->failed = 1;
}

/* What part p gives of what box b of this rank needs. Of faces along an axis a part gives the low ones of its cells, and the
 * grid's last. Returns 0 where that is nothing. */
static int find_region(const struct gmg_solver *s, int p, int b, enum gmg_place place, struct region *r)
{
  const struct gmg_layout *layout = s->finest->layout;
  const struct gmg_box *part = &s->bricks->box[p], *box = &layout->box[layout->local[b]];
  int any = 1;
  for (int d = 0; d < 3; d++) {
    const int face = place != GMG_CELL && d == (int)place - (int)GMG_FACE_I;
    const int last[2] = {part->upper[d] + (face && part->upper[d] == layout->cells[d]), box->upper[d] + face};
    r->lower[d] = part->lower[d] > box->lower[d] ? part->lower[d] : box->lower[d];
    r->upper[d] = last[0] < last[1] ? last[0] : last[1];
    any &= r->lower[d] < r->upper[d] && part->lower[d] < part->upper[d];
  }
  r->from = &s->together.carry->of[p];
  r->own = p == s->context->comm.rank;
  r->part = part->lower;
  r->box = &s->finest->box[b];
  return any;
}

static void carry(struct gmg_solver *s, const gmg_array *array, struct gmg_level_array *field, enum gmg_place place,
                  int out)
{
  gmg_context *context = s->context;
  struct gmg_kernel_stat *stat = gmg_exchange_stat(s->finest);
  const double begin = gmg_seconds();
  const int error = tell(s, array);
  if (error)
    context->mpi_error = error;
  for (int p = 0; p < s->bricks->count && !error; p++)
    for (int b = 0; b < s->finest->layout->local_count; b++) {
      struct region region = {.field = field->box[b]};
      struct work work = {&region, s->together.carry->piece, out, 0};
      if (find_region(s, p, b, place, &region))
        gmg_team_share(context->team, s->together.threads, move_region, &work);
      if (work.failed)
        context->mpi_error = -1;
    }
  stat->seconds += gmg_seconds() - begin;
  stat->calls++;
}

void gmg_carry_in(struct gmg_solver *s, const gmg_array *array, struct gmg_level_array *field, enum gmg_place place)
{
  gmg_call_wait(s->context);
  carry(s, array, field, place, 0);
}

void gmg_carry_out(struct gmg_solver *s, const gmg_array *array, struct gmg_level_array *field)
{
  gmg_call_wait(s->context);
  carry(s, array, field, GMG_CELL, 1);
}

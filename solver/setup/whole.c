#include "whole.h"

static gmg_status out_of_memory(gmg_solver *s)
{
  return gmg_no_memory(s->context, "(or MPI failed) while beta was looked at on rank 0");
}

gmg_status gmg_whole_begin(gmg_solver *s, struct gmg_whole *whole)
{
  static const int one[3] = {1, 1, 1}, owner[1] = {0};
  const int *cells = s->problem.grid->cells;
  int bound[3][2] = {{0, cells[0]}, {0, cells[1]}, {0, cells[2]}};
  int *const cut[3] = {bound[0], bound[1], bound[2]};
  const struct gmg_comm *comm = &s->context->comm;
  *whole = (struct gmg_whole){.layout =
                                gmg_layout_tensor(cells, one, cut, comm->rank, comm->ranks, owner)};
  if (whole->layout)
    whole->storage = gmg_storage_create(whole->layout, 1, 0, NULL, sizeof(double), GMG_PLAIN);
  return gmg_agree(s->context, whole->storage ? GMG_OK : out_of_memory(s));
}

void gmg_whole_end(struct gmg_whole *whole)
{
  gmg_storage_destroy(&whole->storage);
  gmg_layout_destroy(&whole->layout);
}

int gmg_whole_is_here(const struct gmg_whole *whole)
{
  return whole->layout->local_count > 0;
}

gmg_status gmg_whole_gather(gmg_solver *s, const struct gmg_whole *whole,
                            const struct gmg_storage *from, const void *values,
                            enum gmg_place place, double **copy)
{
  struct gmg_exchange *exchange =
    gmg_exchange_redistribute(&s->context->comm, from, whole->storage, place);
  *copy = gmg_malloc(((size_t)whole->storage->elements + 1) * sizeof **copy);
  const gmg_status ready = gmg_agree(s->context, exchange && *copy ? GMG_OK : out_of_memory(s));
  const int failed = ready || gmg_exchange_run(exchange, values, *copy);
  gmg_exchange_destroy(&exchange);
  return gmg_agree(s->context, failed ? out_of_memory(s) : GMG_OK);
}

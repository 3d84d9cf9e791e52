#include "owned_links.h"

#include "cycle/bottom.h"

#include <string.h>

/* A copy of one field of all cells on rank 0. */
struct gathered {
  struct gmg_layout *layout;
  struct gmg_storage *storage;
  double *data;
};

static gmg_status out_of_memory(gmg_solver *s)
{
  return gmg_no_memory(s->context, "(or MPI failed) while owners were planned");
}

static gmg_status gather_begin(gmg_solver *s, const struct gmg_level *level, struct gathered *g)
{
  static const int one[3] = {1, 1, 1}, owner[1] = {0};
  int cells[3], bound[3][2] = {{0}}, *const cut[3] = {bound[0], bound[1], bound[2]};
  for (int d = 0; d < 3; d++)
    bound[d][1] = cells[d] = level->axis[d].cells;
  const struct gmg_comm *comm = &s->context->comm;
  *g =
    (struct gathered){.layout = gmg_layout_tensor(cells, one, cut, comm->rank, comm->ranks, owner)};
  if (g->layout)
    g->storage = gmg_storage_create(g->layout, 1, 0, NULL, sizeof(double), GMG_PLAIN);
  if (g->storage)
    g->data = gmg_calloc((size_t)g->storage->elements + 1, sizeof(double));
  return gmg_agree(s->context, g->data ? GMG_OK : out_of_memory(s));
}

static void gather_end(struct gathered *g)
{
  gmg_free(g->data);
  gmg_storage_destroy(&g->storage);
  gmg_layout_destroy(&g->layout);
}

static gmg_status gather(gmg_solver *s, struct gmg_level *level, int name, enum gmg_place place,
                         struct gathered *g)
{
  struct gmg_exchange *exchange =
    gmg_exchange_redistribute(&s->context->comm, level->storage, g->storage, place);
  const int failed =
    !exchange || gmg_exchange_run(exchange, gmg_level_open(level, name, GMG_READ)->data, g->data);
  gmg_exchange_destroy(&exchange);
  return gmg_agree(s->context, failed ? out_of_memory(s) : GMG_OK);
}

static double gathered_value(const struct gathered *g, const int cell[3])
{
  return g->data[g->storage->origin[0] + cell[0] + cell[1] * g->storage->stride[0][0]
                 + cell[2] * g->storage->stride[0][1]];
}

/* The couplings along an axis from the conductances of faces. */
static void take_faces(const struct gathered *g, int d, int threads, struct gmg_links *links)
{
  double *link = links->link[gmg_link_along(d)], *wall = links->wall[d];
  const int *cells = links->cells;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int k = 0; k < cells[2]; k++)
    for (int j = 0; j < cells[1]; j++)
      for (int i = 0; i < cells[0]; i++) {
        const int cell[3] = {i, j, k}, next[3] = {i + (d == 0), j + (d == 1), k + (d == 2)};
        const size_t at = gmg_links_at(links, cell);
        const int first = cell[d] == 0, last = next[d] == cells[d];
        if (!last || (links->periodic[d] && cells[d] > 1))
          link[at] = gathered_value(g, next);
        if (!links->periodic[d] && (first || last))
          wall[at] = (first ? gathered_value(g, cell) : 0) + (last ? gathered_value(g, next) : 0);
      }
}

static void take_mass(const gmg_solver *s, const struct gathered *g, const struct gmg_level *level,
                      struct gmg_links *links)
{
  const size_t count = gmg_links_count(links);
  if (s->problem.uniform_alpha && s->problem.alpha == 0)
    return;
  for (size_t at = 0; at < count; at++) {
    int cell[3];
    gmg_links_cell(links, at, cell);
    double mass = s->problem.uniform_alpha ? s->problem.alpha : gathered_value(g, cell);
    for (int d = 0; d < 3; d++)
      mass *= level->axis[d].width[cell[d]];
    links->mass[at] = mass;
  }
}

static gmg_status read_links(gmg_solver *s, struct gmg_level *level, struct gmg_links *links)
{
  struct gathered g;
  *links = (struct gmg_links){.mass = NULL};
  for (int d = 0; d < 3; d++) {
    links->cells[d] = level->axis[d].cells;
    links->periodic[d] = level->axis[d].kind[0] == GMG_PERIODIC;
  }
  gmg_status status = gather_begin(s, level, &g);
  const int here = !status && g.layout->local_count > 0;
  if (here && gmg_links_allocate(links, 0))
    status = out_of_memory(s);
  status = gmg_agree(s->context, status);
  for (int d = 0; d < 3 && !status; d++) {
    status = gather(s, level, GMG_NAME_BETA_I + d, gmg_face(d), &g);
    if (!status && here)
      take_faces(&g, d, s->context->threads, links);
  }
  if (!status && !s->problem.uniform_alpha)
    status = gather(s, level, GMG_NAME_ALPHA, GMG_CELL, &g);
  if (!status && here)
    take_mass(s, &g, level, links);
  gather_end(&g);
  return status;
}

static int share(gmg_solver *s, void *data, size_t bytes)
{
  const size_t most = (size_t)1 << 30;
  int failed = 0;
  for (size_t at = 0; at < bytes; at += most)
    failed |= gmg_comm_broadcast(&s->context->comm, (char *)data + at,
                                 (int)(bytes - at < most ? bytes - at : most), 0);
  return failed;
}

/* Hands a step's owners and coarse operator to all ranks. */
static gmg_status share_step(gmg_solver *s, struct gmg_owner_step *step)
{
  struct gmg_links *coarse = &step->coarse;
  size_t cells = 1;
  for (int d = 0; d < 3; d++)
    cells *= (size_t)step->fine_cells[d];
  gmg_status status = GMG_OK;
  if (!step->owner) {
    step->owner = gmg_malloc(cells);
    if (!step->owner || gmg_links_allocate(coarse, 1))
      status = out_of_memory(s);
  }
  status = gmg_agree(s->context, status);
  if (status)
    return status;
  const size_t bytes = gmg_links_count(coarse) * sizeof(double);
  int failed = share(s, step->owner, cells) | share(s, &step->election, sizeof step->election)
    | share(s, coarse->mass, bytes);
  for (int n = 0; n < GMG_LINKS; n++)
    failed |= share(s, coarse->link[n], bytes);
  for (int d = 0; d < 3; d++)
    failed |= share(s, coarse->wall[d], bytes);
  return gmg_agree(s->context, failed ? gmg_mpi_failed(s->context) : GMG_OK);
}

/* Makes the plan of rank 0 that of all ranks. */
static gmg_status share_plan(gmg_solver *s, const struct gmg_axis axis[3],
                             struct gmg_owner_plan **plan)
{
  struct gmg_owner_plan directions = {.steps = *plan ? (*plan)->steps : 0};
  if (s->context->comm.ranks == 1)
    return GMG_OK;
  directions.rough = *plan ? (*plan)->rough : 0;
  int failed = share(s, &directions.steps, sizeof directions.steps)
    | share(s, &directions.rough, sizeof directions.rough);
  directions.step = gmg_calloc((size_t)directions.steps + 1, sizeof *directions.step);
  for (int n = 0; directions.step && n < directions.steps; n++) {
    if (*plan)
      memcpy(directions.step[n].coarsened, (*plan)->step[n].coarsened, 3 * sizeof(int));
    failed |= share(s, directions.step[n].coarsened, 3 * sizeof(int));
  }
  if (!*plan && directions.step)
    *plan = gmg_owners_expect(axis, 1, &directions);
  if (*plan)
    (*plan)->rough = directions.rough;
  gmg_free(directions.step);
  gmg_status status = gmg_agree(s->context, failed || !*plan ? out_of_memory(s) : GMG_OK);
  for (int n = 0; n < directions.steps && !status; n++)
    status = share_step(s, &(*plan)->step[n]);
  return status;
}

gmg_status gmg_owned_plan(gmg_solver *s, struct gmg_level *level,
                          const struct gmg_owner_plan *fixed, struct gmg_owner_plan **plan)
{
  struct gmg_links links;
  *plan = NULL;
  gmg_status status = read_links(s, level, &links);
  if (!status && links.mass) {
    *plan = gmg_owners_plan(&links, level->axis, gmg_bottom_cells(&s->hierarchy), fixed,
                            s->context->threads);
    status = *plan ? GMG_OK : out_of_memory(s);
  }
  gmg_links_clear(&links);
  status = gmg_agree(s->context, status);
  if (!status)
    status = share_plan(s, level->axis, plan);
  if (status)
    gmg_owners_destroy(plan);
  if (s->memory.predicted < s->memory.peak) /* levels that are there already were predicted alone */
    s->memory.predicted = s->memory.peak;
  return status;
}

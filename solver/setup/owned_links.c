#include "owned_links.h"

#include "cycle/bottom.h"
#include "whole.h"

#include <string.h>

/* Copies of what is read of a level whose fields are not in one box. */
struct gathered {
  struct gmg_whole whole;
  double *face[3], *alpha;
};

static gmg_status out_of_memory(gmg_solver *s)
{
  return gmg_no_memory(s->context, "(or MPI failed) while owners were planned");
}

static void gather_end(struct gathered *g)
{
  for (int d = 0; d < 3; d++)
    gmg_free(g->face[d]);
  gmg_free(g->alpha);
  gmg_whole_end(&g->whole);
}

static gmg_status gather(gmg_solver *s, struct gmg_level *level, int name, enum gmg_place place,
                         struct gathered *g, double **copy)
{
  gmg_status status = g->whole.storage ? GMG_OK : gmg_whole_begin(s, &g->whole);
  if (!status)
    status = gmg_whole_gather(s, &g->whole, level->storage,
                              gmg_level_open(level, name, GMG_READ)->data, place, copy);
  return status;
}

static gmg_status take_mass(const gmg_solver *s, const struct gathered *g,
                            const struct gmg_level *level, struct gmg_links *links)
{
  const int *cells = links->cells;
  const struct gmg_storage *from = g->whole.storage;
  if (s->problem.uniform_alpha && s->problem.alpha == 0)
    return GMG_OK;
  links->mass = gmg_malloc(gmg_links_count(links) * sizeof *links->mass);
  if (!links->mass)
    return GMG_ERR_MEMORY;
#pragma omp parallel for schedule(static) num_threads(s->context->threads)
  for (int k = 0; k < cells[2]; k++)
    for (int j = 0; j < cells[1]; j++)
      for (int i = 0; i < cells[0]; i++) {
        double mass = s->problem.alpha;
        if (!s->problem.uniform_alpha)
          mass = g->alpha[from->origin[0] + i + j * from->stride[0][0] + k * from->stride[0][1]];
        mass *= level->axis[0].width[i];
        mass *= level->axis[1].width[j];
        mass *= level->axis[2].width[k];
        links->mass[gmg_links_at(links, (int[3]){i, j, k})] = mass;
      }
  return GMG_OK;
}

/* Whether a level's fields can be read where they are. */
static int is_whole(const gmg_solver *s, const struct gmg_level *level)
{
  return s->context->comm.ranks == 1 && level->layout->count == 1 && !level->box[0].odd;
}

static gmg_status read_faces(gmg_solver *s, struct gmg_level *level, struct gathered *g,
                             struct gmg_links *links)
{
  const int whole = is_whole(s, level);
  double *face[3] = {NULL, NULL, NULL};
  for (int d = 0; d < 3; d++) {
    gmg_status status = GMG_OK;
    if (whole)
      face[d] = gmg_level_open(level, GMG_NAME_BETA_I + d, GMG_READ)->box[0];
    else
      status = gather(s, level, GMG_NAME_BETA_I + d, gmg_face(d), g, &g->face[d]);
    if (status)
      return status;
    if (!whole && gmg_whole_is_here(&g->whole))
      face[d] = g->face[d] + g->whole.storage->origin[0];
  }
  if (!face[0])
    return GMG_OK;
  const ptrdiff_t *stride = whole ? level->box[0].stride : g->whole.storage->stride[0];
  gmg_links_view(links, face, (ptrdiff_t[3]){1, stride[0], stride[1]});
  return GMG_OK;
}

/* The operator of all cells on rank 0; nowhere else is any link present. */
static gmg_status read_links(gmg_solver *s, struct gmg_level *level, struct gathered *g,
                             struct gmg_links *links)
{
  *links = (struct gmg_links){.mass = NULL};
  for (int d = 0; d < 3; d++) {
    links->cells[d] = level->axis[d].cells;
    links->periodic[d] = level->axis[d].kind[0] == GMG_PERIODIC;
  }
  gmg_status status = read_faces(s, level, g, links);
  if (!status && !s->problem.uniform_alpha)
    status = gather(s, level, GMG_NAME_ALPHA, GMG_CELL, g, &g->alpha);
  if (!status && links->present)
    status = take_mass(s, g, level, links) ? out_of_memory(s) : GMG_OK;
  gmg_free(g->alpha);
  g->alpha = NULL;
  return gmg_agree(s->context, status);
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
  int failed = share(s, &directions.steps, sizeof directions.steps);
  directions.step = gmg_calloc((size_t)directions.steps + 1, sizeof *directions.step);
  for (int n = 0; directions.step && n < directions.steps; n++) {
    struct gmg_pairs *pairs = &directions.step[n].pairs;
    if (*plan)
      *pairs = (*plan)->step[n].pairs;
    failed |= share(s, pairs, sizeof *pairs);
  }
  if (!*plan && directions.step)
    *plan = gmg_owners_expect(axis, 1, &directions);
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
  struct gathered gathered = {.alpha = NULL};
  *plan = NULL;
  const int64_t held = s->memory.bytes;
  gmg_status status = read_links(s, level, &gathered, &links);
  if (!status && links.present) {
    *plan = gmg_owners_plan(&links, level->axis, gmg_bottom_cells(&s->hierarchy), fixed,
                            s->context->threads);
    status = *plan ? GMG_OK : out_of_memory(s);
  }
  gmg_links_clear(&links);
  gather_end(&gathered);
  status = gmg_agree(s->context, status);
  if (!status)
    status = share_plan(s, level->axis, plan);
  if (status)
    gmg_owners_destroy(plan);
  else
    (*plan)->bytes = s->memory.bytes - held;
  if (s->memory.predicted < s->memory.peak) /* levels that are there already were predicted alone */
    s->memory.predicted = s->memory.peak;
  return status;
}

#include "seam.h"

#include "cycle/wall.h"
#include "finest.h"
#include "system/memory.h"

/* The last faces of the boxes at the end of an axis; of each what was given and what the first
 * plane has. */
struct seam {
  int patches;
  struct gmg_source *given, *first;
};

static void destroy(struct seam *seam)
{
  for (int n = 0; n < seam->patches; n++) {
    gmg_free(seam->given[n].value);
    gmg_free(seam->first[n].value);
  }
  gmg_free(seam->given);
  gmg_free(seam->first);
}

/* Returns -1 out of memory. */
static int create(const gmg_solver *s, int d, struct seam *seam)
{
  const struct gmg_hierarchy *h = &s->hierarchy;
  const size_t boxes = (size_t)h->finest->layout->local_count;
  int failed = 0;
  seam->given = gmg_calloc(boxes + 1, sizeof *seam->given);
  seam->first = gmg_calloc(boxes + 1, sizeof *seam->first);
  if (!seam->given || !seam->first)
    return -1;
  for (int b = 0; b < (int)boxes && !failed; b++) {
    const struct gmg_kernel_box *box = &h->finest->box[b];
    if (box->lower[d] + box->cells[d] < h->cells[0][d])
      continue;
    struct gmg_source *given = &seam->given[seam->patches], *first = &seam->first[seam->patches];
    gmg_wall_patch(h, b, 2 * d + 1, given);
    gmg_wall_patch(h, b, 2 * d + 1, first);
    given->value = gmg_malloc(gmg_wall_faces(given) * sizeof *given->value);
    first->value = gmg_malloc(gmg_wall_faces(first) * sizeof *first->value);
    failed = !given->value || !first->value;
    seam->patches++;
  }
  return failed ? -1 : 0;
}

struct gmg_exchange *gmg_seam_exchange(gmg_solver *s, int d)
{
  int periodic[3] = {0, 0, 0};
  periodic[d] = 1;
  return gmg_exchange_ghosts(&s->context->comm, s->hierarchy.finest->storage, GMG_STAR, 1, periodic,
                             NULL);
}

/* Ghosts across the seam, where the last faces lie. */
static gmg_status exchange(gmg_solver *s, int d)
{
  const struct gmg_move *kept = &s->hierarchy.finest_setup.seam[d];
  if (gmg_finest_on_device(s) && kept->exchange) {
    gmg_move_run(s->context, kept);
    return s->context->mpi_error ? gmg_mpi_failed(s->context) : GMG_OK;
  }
  void *beta = gmg_level_open(s->hierarchy.finest, GMG_NAME_BETA_I + d, GMG_CHANGE)->data;
  struct gmg_exchange *once = gmg_seam_exchange(s, d);
  const int failed = !once || gmg_exchange_run(once, beta, beta);
  gmg_exchange_destroy(&once);
  return failed ? gmg_no_memory(s->context, "(or MPI failed) while beta_%c was checked", "xyz"[d])
                : GMG_OK;
}

static gmg_status compare(gmg_solver *s, int d, const struct seam *seam)
{
  const int first = d == 0 ? 1 : 0, second = d == 2 ? 1 : 2;
  for (int n = 0; n < seam->patches; n++) {
    const int *lower = s->hierarchy.finest->box[seam->given[n].box].lower,
              row = seam->given[n].extent[first], faces = (int)gmg_wall_faces(&seam->given[n]);
    for (int face = 0; face < faces; face++) {
      const double here = seam->given[n].value[face], there = seam->first[n].value[face];
      if (here - there > 1e-12 * there || there - here > 1e-12 * there)
        return gmg_fail(s->context, GMG_ERR_COEFFICIENT,
                        "beta_%c: the end planes of a periodic axis must agree, but are %g and %g "
                        "at face (%d, %d)",
                        "xyz"[d], there, here, lower[first] + face % row,
                        lower[second] + face / row);
    }
  }
  return GMG_OK;
}

gmg_status gmg_seam_close(gmg_solver *s, int d)
{
  struct seam seam = {.patches = 0};
  gmg_status status = GMG_OK;
  if (create(s, d, &seam))
    status = gmg_no_memory(s->context, "while beta_%c was checked", "xyz"[d]);
  status = gmg_agree(s->context, status);
  if (!status) {
    gmg_walls_read(&s->hierarchy, seam.given, seam.patches);
    status = gmg_agree(s->context, exchange(s, d));
  }
  if (!status) {
    gmg_walls_read(&s->hierarchy, seam.first, seam.patches);
    status = compare(s, d, &seam);
  }
  destroy(&seam);
  return gmg_agree(s->context, status);
}

/* The solver: a problem, the levels that cycles run on, a Krylov method around them, the caller's
 * arrays, what is told. Rooms below see the part that they need. */
#ifndef GMG_SOLVER_H
#define GMG_SOLVER_H

#include "hierarchy.h"
#include "method.h"
#include "report.h"

/* The caller's arrays (arrays.h). */
struct gmg_arrays {
  void *stream;              /* of the caller's device; NULL: none */
  struct gmg_layout *bricks; /* the ranks' parts */
  struct gmg_storage *view[2], *view_face[3];
  /* To the finest level, and back; of values on faces, which a device takes in, by axis. */
  struct gmg_exchange *load, *store, *load_face[3];
};

/* Calls for applications (service.h, flux.c), on the finest level. */
struct gmg_services {
  struct gmg_call *apply, *residual; /* from u, and f, to f */
  struct gmg_call *density;          /* u = f / volume */
  struct gmg_call *flux[3];          /* from u to f, on faces; NULL: the operator has none */
  struct gmg_storage *view[3];       /* of the caller's arrays of these faces, */
  struct gmg_exchange *store[3];     /* and the ways there */
};

struct gmg_fourier; /* fourier/fourier.h */

struct gmg_solver {
  gmg_context *context;
  int number; /* of the context's, in the order in which they were made */
  int set_up;
  struct gmg_problem problem;
  struct gmg_hierarchy hierarchy;
  struct gmg_krylov krylov;
  struct gmg_fourier *fourier; /* solves in place of cycles; NULL: cycles do */
  struct gmg_arrays arrays;
  struct gmg_services services;
  struct gmg_report report;
  struct gmg_memory memory;
  struct gmg_placement placement;
};

/* Takes these in on the levels that there are, with a and b as they are; all levels anew where that
 * cannot be. Calls: collective. Errors: positive ones leave the levels as they are. */
gmg_status gmg_setup_again(gmg_solver *solver, int take);

#endif

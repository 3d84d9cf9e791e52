/* The context: the ranks, the threads and the generated kernels that all objects made from it
 * share. */
#ifndef GMG_CONTEXT_H
#define GMG_CONTEXT_H

#include "system/comm.h"
#include "gmg.h"
#include "kernel.h"
#include "name.h"

enum { GMG_ADDED = 8 };

struct gmg_context {
  struct gmg_comm comm;
  int threads; /* of this rank, as it was asked for */
  const struct gmg_kernel_library *library;
  const struct gmg_kernel_library *added[GMG_ADDED]; /* the application's operators */
  struct gmg_names names;
  struct gmg_reduction *reduction; /* one per thread */
  struct gmg_team *team;           /* the threads while they solve */
  struct gmg_pass *pass;           /* kernels collected, to run in one sweep over memory */
  /* Of the device that the first solver that wanted one has opened; NULL: none is open. */
  const struct gmg_backend *backend;
  struct gmg_device *device;
  struct gmg_tuned *tuned; /* its wisdom (tuned.h); NULL: it was not needed yet */
  double cache;   /* bytes that stay in caches near a rank's cores: the least of all ranks */
  double waited;  /* seconds, for sums over the ranks and for the device */
  int solvers;    /* that were made so far */
  int mpi_error;  /* of an exchange inside a solve; 0: none */
  char note[400]; /* what every solver made from it should say (gmg_solver_fallback); "": nothing */
  char message[600];
};

/* Records the sentence and returns the status, so that a call can `return gmg_fail(...)`. */
gmg_status gmg_fail(gmg_context *context, gmg_status status, const char *format, ...)
  __attribute__((format(printf, 3, 4)));
/* Likewise GMG_ERR_MEMORY, with the sentence "out of memory …", and GMG_ERR_MPI. */
gmg_status gmg_no_memory(gmg_context *context, const char *format, ...)
  __attribute__((format(printf, 2, 3)));
gmg_status gmg_mpi_failed(gmg_context *context);
/* The status that all ranks return: the gravest of them, with its message. Calls: collective. */
gmg_status gmg_agree(gmg_context *context, gmg_status status);
/* The second half of it, where the ranks know already how grave the gravest is. 0: GMG_OK. */
gmg_status gmg_agree_on(gmg_context *context, gmg_status status, int most);
int gmg_gravity(gmg_status status);
/* The operator of that name, of the library's or the application's; NULL: there is none. */
const struct gmg_operator_descriptor *gmg_context_operator(const gmg_context *context,
                                                           const char *name);

#endif

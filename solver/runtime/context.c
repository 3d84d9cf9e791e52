#include "context.h"

#include "system/order.h"

#include "system/near_caches.h"

#include "backend.h"
#include "system/isa.h"
#include "system/memory.h"
#include "system/bound.h"
#include "pass.h"
#include "tuned.h"
#include "system/team.h"
#include "system/threads.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *gmg_status_text(gmg_status status)
{
#define STATUS_TEXT(name, value, text) \
  case name: \
    return text;
  switch (status) {
    GMG_STATUSES(STATUS_TEXT)
  case GMG_STATUS_END:
    break;
  }
#undef STATUS_TEXT
  return "unknown status";
}

gmg_status gmg_fail(gmg_context *context, gmg_status status, const char *format, ...)
{
  const char *failure = status == GMG_ERR_MPI ? gmg_comm_failure(&context->comm) : NULL;
  if (failure) {
    snprintf(context->message, sizeof context->message, "%s", failure);
    return status;
  }
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(context->message, sizeof context->message, format, arguments);
  va_end(arguments);
  return status;
}

gmg_status gmg_no_memory(gmg_context *context, const char *format, ...)
{
  const int used = snprintf(context->message, sizeof context->message, "out of memory ");
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(context->message + used, sizeof context->message - (size_t)used, format, arguments);
  va_end(arguments);
  return GMG_ERR_MEMORY;
}

gmg_status gmg_mpi_failed(gmg_context *context)
{
  return gmg_fail(context, GMG_ERR_MPI, "MPI_Allreduce failed");
}

int gmg_gravity(gmg_status status)
{
  return status < 0 ? 1000 - (int)status : (int)status;
}

static gmg_status status_of(int gravity)
{
  return (gmg_status)(gravity >= 1000 ? 1000 - gravity : gravity);
}

gmg_status gmg_agree(gmg_context *context, gmg_status status)
{
  struct gmg_comm *comm = &context->comm;
  if (comm->ranks == 1)
    return status;
  int most = gmg_gravity(status);
  if (gmg_comm_max_int(comm, &most, 1))
    return gmg_fail(context, GMG_ERR_MPI,
                    "MPI_Allreduce failed while the ranks agreed on a status");
  return gmg_agree_on(context, status, most);
}

gmg_status gmg_agree_on(gmg_context *context, gmg_status status, int most)
{
  struct gmg_comm *comm = &context->comm;
  if (most == 0)
    return GMG_OK;
  int first = gmg_gravity(status) == most ? comm->ranks - comm->rank : 0;
  if (gmg_comm_max_int(comm, &first, 1)
      || gmg_comm_broadcast(comm, context->message, (int)sizeof context->message,
                            comm->ranks - first))
    return gmg_fail(context, GMG_ERR_MPI, "MPI failed while the ranks agreed on a status");
  return status_of(most);
}

/* The last library of a list that runs here and has the name, or any name for "auto"; known takes
 * the names that run. */
static const struct gmg_kernel_library *best_library(const struct gmg_kernel_library *const *list,
                                                     const char *isa, char *known, size_t room)
{
  const struct gmg_kernel_library *best = NULL;
  for (const struct gmg_kernel_library *const *library = list; *library; library++) {
    if (!gmg_isa_runs((*library)->isa))
      continue;
    snprintf(known + strlen(known), room - strlen(known), ", %s", (*library)->isa);
    if (strcmp(isa, "auto") == 0 || strcmp(isa, (*library)->isa) == 0)
      best = *library;
  }
  return best;
}

gmg_status gmg_context_set_isa(gmg_context *context, const char *isa)
{
  if (!context || !isa)
    return GMG_ERR_ARGUMENT;
  char known[200] = "";
  const struct gmg_kernel_library *best =
    best_library(gmg_kernel_libraries, isa, known, sizeof known);
  if (!best)
    return gmg_fail(context, GMG_ERR_OPTION,
                    "isa: '%s' was not built or does not run here; known: auto%s", isa, known);
  context->library = best;
  return GMG_OK;
}

const struct gmg_operator_descriptor *gmg_context_operator(const gmg_context *context,
                                                           const char *name)
{
  for (int a = -1; a < GMG_ADDED; a++) {
    const struct gmg_kernel_library *library = a < 0 ? context->library : context->added[a];
    for (int n = 0; library && n < library->operators; n++)
      if (strcmp(library->operator_[n]->name, name) == 0)
        return library->operator_[n];
  }
  return NULL;
}

gmg_status gmg_context_add_operators(gmg_context *context,
                                     const struct gmg_kernel_library *const *operators)
{
  if (!context)
    return GMG_ERR_ARGUMENT;
  if (!operators)
    return gmg_fail(context, GMG_ERR_ARGUMENT, "gmg_context_add_operators: operators is NULL");
  char known[200] = "";
  const struct gmg_kernel_library *library =
    best_library(operators, context->library->isa, known, sizeof known);
  if (!library) /* all of them give the same bits */
    library = best_library(operators, "auto", known, sizeof known);
  if (!library)
    return gmg_fail(context, GMG_ERR_UNSUPPORTED,
                    "the operators were made for no instruction set that runs here");
  int free_place = 0;
  while (free_place < GMG_ADDED && context->added[free_place])
    free_place++;
  if (free_place == GMG_ADDED)
    return gmg_fail(context, GMG_ERR_ARGUMENT,
                    "operators were added %d times; that is all there is room for", GMG_ADDED);
  for (int n = 0; n < library->operators; n++)
    if (gmg_context_operator(context, library->operator_[n]->name))
      return gmg_fail(context, GMG_ERR_ARGUMENT, "there is an operator '%s' already",
                      library->operator_[n]->name);
  context->added[free_place] = library;
  return GMG_OK;
}

static gmg_status create(int threads, gmg_context **context)
{
  if (!context)
    return GMG_ERR_ARGUMENT;
  *context = NULL;
  if (threads < 0 || threads > 4096)
    return GMG_ERR_ARGUMENT;
  gmg_context *c = gmg_calloc(1, sizeof *c);
  if (!c)
    return GMG_ERR_MEMORY;
  c->threads = threads ? threads : gmg_threads_default();
  c->comm.ranks = 1;
  c->comm.threads = c->threads;
#if GMG_WITH_MPI
  c->comm.mpi = c->comm.machine = MPI_COMM_NULL;
#endif
  gmg_names_begin(&c->names);
  c->pass = gmg_pass_create();
  c->team = c->comm.team = gmg_team_create(c->threads);
  const gmg_status status = c->pass && c->team ? gmg_context_set_isa(c, "auto") : GMG_ERR_MEMORY;
  if (status) {
    gmg_team_destroy(&c->team);
    gmg_pass_destroy(&c->pass);
    gmg_free(c);
    return status;
  }
  *context = c;
  return GMG_OK;
}

/* Tells the team whether there are more threads than cores on this machine, every rank with its
 * own. */
static void crowd(const gmg_context *context)
{
  const struct gmg_comm *comm = &context->comm;
  int threads = 0;
  for (int r = 0; r < comm->here; r++)
    threads += comm->asked[r];
  gmg_team_crowd(context->team, threads, gmg_cores_count(comm->cores, comm->here));
}

/* Second-level caches, or where it is nearly as fast the third level, of which others have a part.
 * Measured at 40^3 to 128^3, varying coefficients, kernels one by one over those in passes: two
 * threads of a processor of AMD's: 18 MB 0.82 and 0.89, 21 MB 0.99, 26 MB 1.04, 29 MB 1.30; one
 * thread: 15 MB 0.99, 21 MB 1.46; 8 and 16 threads of Intel's with 2 MiB each: 15 MB 0.64, 0.57. */
static int find_cache(gmg_context *context)
{
  enum { MOST_THIRD = 12 << 20 };
  struct gmg_comm *comm = &context->comm;
  double least = -gmg_most((double)context->threads * gmg_cache_second(),
                           gmg_cache_third_near(MOST_THIRD) / comm->here);
  const int error = gmg_comm_max(comm, &least, 1);
  context->cache = -least;
  return error;
}

/* What depends on the other ranks. */
static int meet(gmg_context *context)
{
  if (gmg_comm_meet(&context->comm) || find_cache(context))
    return -1;
  context->reduction = gmg_calloc((size_t)context->threads, sizeof *context->reduction);
  if (!context->reduction)
    return -1;
  crowd(context);
  return gmg_bound_note(&context->comm, context->note, (int)sizeof context->note);
}

gmg_status gmg_context_create(int threads, gmg_context **context)
{
  gmg_status status = create(threads, context);
  if (!status && meet(*context)) {
    gmg_context_destroy(context);
    status = GMG_ERR_MEMORY;
  }
  return status;
}

#if GMG_WITH_MPI
gmg_status gmg_context_create_mpi(MPI_Comm communicator, int threads, gmg_context **context)
{
  int begun = 0, over = 0;
  struct gmg_comm comm = {.ranks = 1};
  if (context)
    *context = NULL;
  if (MPI_Initialized(&begun) != MPI_SUCCESS || MPI_Finalized(&over) != MPI_SUCCESS || !begun
      || over)
    return GMG_ERR_ORDER;
  if (communicator == MPI_COMM_NULL)
    return GMG_ERR_ARGUMENT;
  if (gmg_comm_open(&comm, communicator))
    return GMG_ERR_MPI;
  gmg_status status = create(threads, context);
  int most = gmg_gravity(status);
  if (gmg_comm_max_int(&comm, &most, 1))
    most = gmg_gravity(GMG_ERR_MPI);
  if (most) {
    gmg_context_destroy(context);
    gmg_comm_close(&comm);
    return status_of(most);
  }
  comm.threads = (*context)->comm.threads;
  comm.team = (*context)->comm.team;
  (*context)->comm = comm;
  status = gmg_agree(*context, meet(*context) ? GMG_ERR_MEMORY : GMG_OK);
  if (status)
    gmg_context_destroy(context);
  return status;
}
#endif

void gmg_context_destroy(gmg_context **context)
{
  if (!context || !*context)
    return;
  gmg_tuned_close(*context);
  gmg_backend_close(*context);
  gmg_comm_close(&(*context)->comm);
  gmg_team_destroy(&(*context)->team);
  gmg_pass_destroy(&(*context)->pass);
  gmg_free((*context)->reduction);
  gmg_free((*context)->comm.cores);
  gmg_free((*context)->comm.asked);
  gmg_free(*context);
  *context = NULL;
}

const char *gmg_context_message(const gmg_context *context)
{
  return context ? context->message : "there is no context";
}

int gmg_context_ranks(const gmg_context *context)
{
  return context->comm.ranks;
}

int gmg_context_rank(const gmg_context *context)
{
  return context->comm.rank;
}

int gmg_context_threads(const gmg_context *context)
{
  return context->threads;
}

const char *gmg_context_isa(const gmg_context *context)
{
  return context->library->isa;
}

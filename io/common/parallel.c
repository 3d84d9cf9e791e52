#include "config.h"

#if GMG_WITH_MPI
#include <mpi.h>
#endif

#include "parallel.h"

#include "interrupt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int this_rank, all_ranks = 1, with_mpi;

int parallel_rank(void)
{
  return this_rank;
}

int parallel_ranks(void)
{
  return all_ranks;
}

int parallel_launched(void)
{
  return with_mpi;
}

#if GMG_WITH_MPI

enum { LARGEST_MESSAGE = 1 << 30 };

/* Whether a launcher (mpirun, srun, ...) started this process. Without one MPI is left alone: as a
 * "singleton", Open MPI would start a daemon for a run that has nobody to talk to, which costs a
 * tenth of a second and can fail. */
static int launched(void)
{
  static const char *const marks[] = {
    "OMPI_COMM_WORLD_SIZE", "PMIX_RANK",           "PMI_RANK",   "PMI_SIZE",
    "MPI_LOCALNRANKS",      "MV2_COMM_WORLD_SIZE", "PALS_RANKID"};
  for (size_t n = 0; n < sizeof marks / sizeof *marks; n++)
    if (getenv(marks[n]))
      return 1;
  return 0;
}

/* The rank that the text names speaks, or else the first one; others wait, so that it is heard
 * once: the launcher ends them. */
static int speaks(const char *text)
{
  char name[40];
  snprintf(name, sizeof name, "on rank %d:", this_rank);
  return strstr(text, "on rank ") ? strstr(text, name) != NULL : this_rank == 0;
}

_Noreturn void parallel_lose(const char *text)
{
  enum { SECONDS = 4 };
  if (!speaks(text))
    sleep(SECONDS);
  fprintf(stderr, "gmg: %s: no file was left half-written\n", text);
  interrupt_remove();
  MPI_Abort(MPI_COMM_WORLD, STATUS_MACHINE);
  _exit(STATUS_MACHINE);
}

/* What follows an error of MPI is not defined: nobody is left to agree with. */
static void check(int error, const char *call)
{
  char why[MPI_MAX_ERROR_STRING] = "no reason is known", text[MPI_MAX_ERROR_STRING + 100];
  int length;
  if (error == MPI_SUCCESS)
    return;
  MPI_Error_string(error, why, &length);
  snprintf(text, sizeof text, "%s failed on rank %d: %s", call, this_rank, why);
  parallel_lose(text);
}

int parallel_start(int *argc, char ***argv, struct failure *failure)
{
  int provided;
  with_mpi = launched();
  if (!with_mpi)
    return 0;
  if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
    with_mpi = 0;
    return failure_set(failure, STATUS_MACHINE, "MPI cannot be started");
  }
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(MPI_COMM_WORLD, &this_rank), "MPI_Comm_rank");
  check(MPI_Comm_size(MPI_COMM_WORLD, &all_ranks), "MPI_Comm_size");
  return 0;
}

void parallel_finish(void)
{
  if (with_mpi)
    check(MPI_Finalize(), "MPI_Finalize");
}

_Noreturn void parallel_leave(int status)
{
  if (with_mpi)
    check(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
  _exit(status);
}

int parallel_agree(struct failure *failure)
{
  struct {
    int status, rank;
  } mine = {failure->status, this_rank}, worst;
  if (all_ranks == 1)
    return failure->status;
  check(MPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD), "MPI_Allreduce");
  if (!worst.status)
    return 0;
  failure->status = worst.status;
  check(MPI_Bcast(failure->text, (int)sizeof failure->text, MPI_CHAR, worst.rank, MPI_COMM_WORLD),
        "MPI_Bcast");
  return worst.status;
}

static void reduce(void *values, int count, MPI_Datatype type, MPI_Op operation)
{
  if (all_ranks > 1)
    check(MPI_Allreduce(MPI_IN_PLACE, values, count, type, operation, MPI_COMM_WORLD),
          "MPI_Allreduce");
}

int64_t parallel_max(int64_t value)
{
  reduce(&value, 1, MPI_INT64_T, MPI_MAX);
  return value;
}

void parallel_sum(double *values, int count)
{
  reduce(values, count, MPI_DOUBLE, MPI_SUM);
}

void parallel_max_values(double *values, int count)
{
  reduce(values, count, MPI_DOUBLE, MPI_MAX);
}

void parallel_share(double own, double *all)
{
  for (int r = 0; r < all_ranks; r++)
    all[r] = r == parallel_rank() ? own : 0;
  parallel_sum(all, all_ranks);
}

void parallel_broadcast(void *bytes, size_t count)
{
  for (char *at = bytes; count && all_ranks > 1;) {
    int now = count < LARGEST_MESSAGE ? (int)count : LARGEST_MESSAGE;
    check(MPI_Bcast(at, now, MPI_BYTE, 0, MPI_COMM_WORLD), "MPI_Bcast");
    at += now;
    count -= (size_t)now;
  }
}

void parallel_gather(const char *text, void (*take)(void *user, int rank, const char *text),
                     void *user)
{
  if (this_rank) {
    check(MPI_Send(text, (int)strlen(text) + 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD), "MPI_Send");
    return;
  }
  take(user, 0, text);
  for (int rank = 1; rank < all_ranks; rank++) {
    MPI_Status status;
    int length;
    check(MPI_Probe(rank, 0, MPI_COMM_WORLD, &status), "MPI_Probe");
    check(MPI_Get_count(&status, MPI_CHAR, &length), "MPI_Get_count");
    char *theirs = malloc((size_t)length);
    if (!theirs)
      parallel_lose("out of memory for what the ranks say");
    check(MPI_Recv(theirs, length, MPI_CHAR, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
          "MPI_Recv");
    take(user, rank, theirs);
    free(theirs);
  }
}

/* One rank does without MPI-IO, which has nothing to offer it. */
hid_t parallel_file_access(void)
{
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  if (all_ranks > 1) {
    H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL);
    H5Pset_all_coll_metadata_ops(list, 1);
    H5Pset_coll_metadata_write(list, 1);
  }
  return list;
}

hid_t parallel_transfer(void)
{
  hid_t list = H5Pcreate(H5P_DATASET_XFER);
  if (all_ranks > 1)
    H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE);
  return list;
}

gmg_status parallel_context(int threads, gmg_context **context)
{
  return with_mpi ? gmg_context_create_mpi(MPI_COMM_WORLD, threads, context)
                  : gmg_context_create(threads, context);
}

gmg_status parallel_record(const char *path, gmg_solver *solver, gmg_io_record **record)
{
  return with_mpi ? gmg_io_record_start_mpi(MPI_COMM_WORLD, path, 1, solver, record)
                  : gmg_io_record_start(path, 1, solver, record);
}

const char *parallel_version(void)
{
  static char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  if (MPI_Get_library_version(text, &length) != MPI_SUCCESS)
    snprintf(text, sizeof text, "of an unknown version");
  text[strcspn(text, ",\n")] = 0;
  return text;
}

#else

/* What a launcher put into the environment, by whichever name; 0 without one. */
static int number_in_environment(const char *const names[], int count)
{
  for (int n = 0; n < count; n++)
    if (getenv(names[n]))
      return atoi(getenv(names[n]));
  return 0;
}

int parallel_start(int *argc, char ***argv, struct failure *failure)
{
  static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE",
                                      "MPI_LOCALNRANKS"};
  static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK",
                                      "MPI_LOCALRANKID"};
  (void)argc;
  (void)argv;
  const int size = number_in_environment(sizes, 4);
  if (size <= 1)
    return 0;
  this_rank = number_in_environment(ranks, 4);
  return failure_set(failure, STATUS_INPUT,
                     "started on %d ranks, but this build has no MPI (GMG_WITH_MPI=OFF): it solves "
                     "on one, with threads",
                     size);
}

void parallel_finish(void)
{
}

_Noreturn void parallel_lose(const char *text)
{
  fprintf(stderr, "gmg: %s\n", text);
  interrupt_remove();
  _exit(STATUS_MACHINE);
}

_Noreturn void parallel_leave(int status)
{
  _exit(status);
}

int parallel_agree(struct failure *failure)
{
  return failure->status;
}

int64_t parallel_max(int64_t value)
{
  return value;
}

void parallel_sum(double *values, int count)
{
  (void)values;
  (void)count;
}

void parallel_max_values(double *values, int count)
{
  (void)values;
  (void)count;
}

void parallel_share(double own, double *all)
{
  *all = own;
}

void parallel_broadcast(void *bytes, size_t count)
{
  (void)bytes;
  (void)count;
}

void parallel_gather(const char *text, void (*take)(void *user, int rank, const char *text),
                     void *user)
{
  take(user, 0, text);
}

hid_t parallel_file_access(void)
{
  return H5Pcreate(H5P_FILE_ACCESS);
}

hid_t parallel_transfer(void)
{
  return H5Pcreate(H5P_DATASET_XFER);
}

gmg_status parallel_context(int threads, gmg_context **context)
{
  return gmg_context_create(threads, context);
}

gmg_status parallel_record(const char *path, gmg_solver *solver, gmg_io_record **record)
{
  return gmg_io_record_start(path, 1, solver, record);
}

const char *parallel_version(void)
{
  return "none (this build runs on one rank)";
}

#endif

int parallel_refused(gmg_context *context, gmg_status status, struct failure *failure)
{
  if (status == GMG_OK)
    return 0;
  const char *message = context ? gmg_context_message(context) : gmg_status_text(status);
  if (status == GMG_ERR_MPI)
    parallel_lose(message);
  return failure_set(failure, status > 0 ? STATUS_INPUT : STATUS_MACHINE, "%s", message);
}

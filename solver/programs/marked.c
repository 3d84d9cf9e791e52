/* Marked loops of a serial program: rank 0 runs its main, all ranks take the steps. */
#include "config.h"

#if GMG_WITH_MPI
#include <mpi.h> /* before gmg.h, which then has what takes a communicator */
#endif

#include "marked_walls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NAME = 64 };
static const double HOST_WEIGHT = 0.03; /* beside a GPU's 1, unless GMG_WEIGHTS says others */

/* What all ranks do together; rank 0 tells the others. */
enum order {
  ORDER_OPEN,
  ORDER_SET,
  ORDER_LOAD,
  ORDER_RUN,
  ORDER_VALUE,
  ORDER_STORE,
  ORDER_CLOSE,
  ORDER_END
};
struct command {
  enum order order;
  char name[NAME];     /* of an array, a parameter or a reduction */
  double value;        /* of a parameter */
  int64_t steps;       /* to be taken */
  int cells[3];        /* of the grid */
  ptrdiff_t extent[3]; /* of rank 0's array, ghosts included */
  int margin[3];       /* its elements before the first cell */
};

static struct {
  const struct gmg_program_descriptor *const *made;
  const char *backends;
  int rank, ranks, own_mpi, begun, placed, said;
  int empty; /* the grid has no cells: loops over them do nothing */
  int64_t steps;
  double value; /* of the reduction that was asked for last */
  gmg_context *context;
  gmg_grid *grid;
  gmg_program *program;
} marked = {.ranks = 1};

/* ---- ranks ---- */

/* Ends the program on all ranks. */
static _Noreturn void give_up(const char *text)
{
  fprintf(stderr, "gmg: %s\n", text);
#if GMG_WITH_MPI
  if (marked.ranks > 1)
    MPI_Abort(MPI_COMM_WORLD, 1);
#endif
  exit(1);
}

static void check(gmg_status status)
{
  if (status)
    give_up(marked.context ? gmg_context_message(marked.context) : gmg_status_text(status));
}

/* Rank 0's bytes, to all. Others sleep meanwhile: rank 0 may be busy with what is not marked. */
static void tell(void *bytes, size_t count)
{
#if GMG_WITH_MPI
  enum { AT_ONCE = 1 << 30 };
  const struct timespec nap = {.tv_nsec = 200000};
  for (char *at = bytes; count && marked.ranks > 1;) {
    const size_t part = count < AT_ONCE ? count : AT_ONCE;
    MPI_Request request;
    int done = 0, failed = MPI_Ibcast(at, (int)part, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    while (!failed && !done) {
      failed = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (!failed && !done && marked.rank)
        nanosleep(&nap, NULL);
    }
    if (failed)
      give_up("MPI_Ibcast failed");
    at += part;
    count -= part;
  }
#else
  (void)bytes, (void)count;
#endif
}

/* The item of a list A,B,... that is this rank's, from the first one anew where there are more
 * ranks. */
static const char *own_item(const char *list, char item[NAME])
{
  int count = 1, own;
  for (const char *at = list; *at; at++)
    count += *at == ',';
  for (own = marked.rank % count; own > 0; own--)
    list += strcspn(list, ",") + 1;
  snprintf(item, NAME, "%.*s", (int)strcspn(list, ","), list);
  return item;
}

/* ---- commands ---- */

static void open_program(const struct command *command)
{
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  const int none[3] = {0, 0, 0};
  const char *const weights = getenv("GMG_WEIGHTS");
  char item[NAME];
  const int unlike = strchr(marked.backends, ',') != NULL && marked.ranks > 1;
  if (!marked.context)
#if GMG_WITH_MPI
    check(marked.ranks > 1 ? gmg_context_create_mpi(MPI_COMM_WORLD, 0, &marked.context)
                           : gmg_context_create(0, &marked.context));
#else
    check(gmg_context_create(0, &marked.context));
#endif
  check(gmg_grid_create(marked.context, command->cells, lower, upper, &marked.grid));
  check(gmg_grid_set_part(marked.grid, none, marked.rank ? none : command->cells));
  const char *const backend = own_item(marked.backends, item);
  if (weights || unlike) {
    char word[NAME];
    const double weight = weights ? strtod(own_item(weights, word), NULL)
      : strcmp(backend, "openmp") ? 1
                                  : HOST_WEIGHT;
    check(gmg_program_create_weighted(marked.grid, marked.made, 0, 0, weight, &marked.program));
    if (!weights && !marked.rank && !marked.said++)
      fprintf(stderr,
              "gmg: a rank without a GPU has %g of the cells of one with it, a guess; GMG_WEIGHTS "
              "says otherwise, and gmg run --weights auto finds what pays\n",
              HOST_WEIGHT);
  } else {
    check(gmg_program_create(marked.grid, marked.made, 0, 0, &marked.program));
  }
  if (unlike)
    check(gmg_program_set_option(marked.program, "backends", "unlike"));
  check(gmg_program_set_option(marked.program, "backend", backend));
  marked.begun = marked.placed = 0;
}

/* values: rank 0's array, its first element. */
static void load(const struct command *command, const double *values)
{
  const ptrdiff_t stride[3] = {1, command->extent[0], command->extent[0] * command->extent[1]};
  const double *first = values;
  int array = 0;
  for (int d = 0; d < 3; d++)
    first += values ? command->margin[d] * stride[d] : 0;
  if (!marked.begun)
    check(gmg_program_begin(marked.program));
  marked.begun = 1;
  const gmg_array part = {(double *)first, {stride[0], stride[1], stride[2]}};
  check(gmg_program_load(marked.program, command->name, &part));
  while (strcmp(gmg_program_array_name(marked.program, array), command->name) != 0)
    array++;
  if (gmg_program_array_kept(marked.program, array) != 2)
    return;
  check(gmg_marked_share(marked.program, array, first, stride, tell));
}

static void store(const struct command *command, double *values)
{
  const ptrdiff_t stride[3] = {1, command->extent[0], command->extent[0] * command->extent[1]};
  double *first = values;
  for (int d = 0; d < 3; d++)
    first += values ? command->margin[d] * stride[d] : 0;
  gmg_array part = {first, {stride[0], stride[1], stride[2]}};
  check(gmg_program_store(marked.program, command->name, &part));
}

static void run(int64_t steps)
{
  if (!marked.placed)
    check(gmg_program_place(marked.program));
  marked.placed = 1;
  check(gmg_program_run(marked.program, steps));
}

static void obey(const struct command *command, double *values)
{
  switch (command->order) {
  case ORDER_OPEN:
    open_program(command);
    break;
  case ORDER_SET:
    check(gmg_program_set(marked.program, command->name, command->value));
    break;
  case ORDER_LOAD:
    load(command, values);
    break;
  case ORDER_RUN:
    run(command->steps);
    break;
  case ORDER_VALUE:
    run(command->steps);
    check(gmg_program_value(marked.program, command->name, &marked.value));
    break;
  case ORDER_STORE:
    store(command, values);
    break;
  case ORDER_CLOSE:
    gmg_program_destroy(&marked.program);
    gmg_grid_destroy(&marked.grid);
    break;
  case ORDER_END:
    gmg_context_destroy(&marked.context);
    break;
  }
}

/* On rank 0: all ranks obey. */
static void give(struct command command, const char *name, double *values)
{
  if (marked.empty && command.order != ORDER_END)
    return;
  snprintf(command.name, sizeof command.name, "%s", name);
  tell(&command, sizeof command);
  obey(&command, values);
}

/* ---- what the serial program calls ---- */

static void end(void)
{
  give((struct command){.order = ORDER_END}, "", NULL);
#if GMG_WITH_MPI
  if (marked.own_mpi)
    MPI_Finalize();
#endif
}

#if GMG_WITH_MPI
/* Whether a launcher started this process as one of several. */
static int is_launched(void)
{
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK",
                                      "MPI_LOCALNRANKS"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++)
    if (getenv(names[n]))
      return 1;
  return 0;
}
#endif

void gmg_marked_start(const struct gmg_program_descriptor *const *made, const char *backends)
{
  const char *const asked = getenv("GMG_BACKENDS");
  marked.made = made;
  marked.backends = asked ? asked : backends;
#if GMG_WITH_MPI
  int there = 0, level;
  MPI_Initialized(&there);
  if (is_launched() || there) {
    if (!there && MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level))
      give_up("MPI_Init failed");
    marked.own_mpi = !there;
    MPI_Comm_rank(MPI_COMM_WORLD, &marked.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &marked.ranks);
  }
#endif
  if (marked.rank == 0) {
    atexit(end);
    return;
  }
  struct command command;
  do {
    tell(&command, sizeof command);
    obey(&command, NULL);
  } while (command.order != ORDER_END);
#if GMG_WITH_MPI
  if (marked.own_mpi)
    MPI_Finalize();
#endif
  exit(0);
}

void gmg_marked_open(const int cells[3])
{
  marked.steps = 0;
  marked.empty = cells[0] < 1 || cells[1] < 1 || cells[2] < 1;
  give((struct command){.order = ORDER_OPEN, .cells = {cells[0], cells[1], cells[2]}}, "", NULL);
}

void gmg_marked_set(const char *parameter, double value)
{
  give((struct command){.order = ORDER_SET, .value = value}, parameter, NULL);
}

void gmg_marked_array(const char *array, const double *values, const long extent[3],
                      const int margin[3])
{
  give((struct command){.order = ORDER_LOAD,
                        .extent = {extent[0], extent[1], extent[2]},
                        .margin = {margin[0], margin[1], margin[2]}},
       array, (double *)values);
}

void gmg_marked_step(void)
{
  marked.steps++;
}

void gmg_marked_run(void)
{
  give((struct command){.order = ORDER_RUN, .steps = marked.steps}, "", NULL);
  marked.steps = 0;
}

/* For loops that gather a value; of no cells they leave what there is. */
static double value_of(const char *name, double none)
{
  marked.value = none;
  give((struct command){.order = ORDER_VALUE, .steps = marked.steps}, name, NULL);
  marked.steps = 0;
  return marked.value;
}

double gmg_marked_sum(const char *name, double so_far)
{
  return so_far + value_of(name, 0);
}

double gmg_marked_largest(const char *name, double so_far)
{
  const double value = value_of(name, so_far);
  return value > so_far || value != value ? value : so_far;
}

double gmg_marked_least(const char *name, double so_far)
{
  const double value = value_of(name, so_far);
  return value < so_far || value != value ? value : so_far;
}

void gmg_marked_result(const char *array, double *values, const long extent[3], const int margin[3])
{
  give((struct command){.order = ORDER_STORE,
                        .extent = {extent[0], extent[1], extent[2]},
                        .margin = {margin[0], margin[1], margin[2]}},
       array, values);
}

void gmg_marked_close(void)
{
  give((struct command){.order = ORDER_CLOSE}, "", NULL);
}

/* The life of a program on a grid, and its arrays. */
#include "block_walls.h"
#include "composed.h"
#include "extended.h"
#include "ghosts.h"
#include "place.h"
#include "skew.h"

#include "mesh/decompose.h"
#include "mesh/weighted.h"
#include "problem/same.h"
#include "system/available.h"
#include "system/bytes.h"
#include "system/isa.h"
#include "system/order.h"

#include <math.h>
#include <string.h>

enum { SERIAL_CELLS = 8192 };

void gmg_program_destroy(gmg_program **program)
{
  if (!program || !*program)
    return;
  gmg_program *p = *program;
  struct gmg_memory *outer = gmg_account(&p->memory);
  gmg_placed_free(p);
  gmg_program_free_ghosts(p);
  for (int back = 0; back < 2; back++) {
    gmg_exchange_destroy(&p->carry[back]);
    gmg_storage_destroy(&p->view[back]);
  }
  gmg_layout_destroy(&p->bricks);
  for (int a = 0; a < GMG_PROGRAM_ARRAYS; a++) {
    gmg_release(&p->memory, p->data[a], p->bytes);
    gmg_free(p->element[a]);
  }
  gmg_composed_free(p);
  gmg_skew_free(p);
  gmg_extended_free(p);
  gmg_block_clear(&p->block);
  gmg_free(p->box);
  gmg_storage_destroy(&p->storage);
  gmg_layout_destroy(&p->layout);
  gmg_account(outer);
  gmg_grid_destroy(&p->grid);
  gmg_free(p);
  *program = NULL;
}

/* The form for the context's instruction set, or else the last one that runs here: all of them
 * give the same bits. NULL: there is none. */
static const struct gmg_program_descriptor *
find_form(const gmg_context *context, const struct gmg_program_descriptor *const *made)
{
  const struct gmg_program_descriptor *best = NULL;
  for (; *made; made++) {
    if (strcmp((*made)->isa, context->library->isa) == 0)
      return *made;
    if (gmg_isa_runs((*made)->isa))
      best = *made;
  }
  return best;
}

/* Whether the table is one that this version reads, and the grid suits it. */
static gmg_status check(const struct gmg_program *program)
{
  const struct gmg_program_descriptor *made = program->made;
  gmg_context *context = program->context;
  if (made->format != GMG_PROGRAM_FORMAT || made->arrays > GMG_PROGRAM_ARRAYS
      || made->parameters > GMG_PROGRAM_PARAMETERS || made->ghosts > GMG_PROGRAM_CYCLE
      || made->solves > GMG_PROGRAM_SOLVES)
    return gmg_fail(context, GMG_ERR_UNSUPPORTED,
                    "program %s: its table has format %d; this version of gmg reads %d", made->name,
                    made->format, GMG_PROGRAM_FORMAT);
  for (int k = 0; k < made->kernels + made->reductions; k++) {
    const struct gmg_kernel_descriptor *kernel =
      k < made->kernels ? made->kernel[k].kernel : made->reduction[k - made->kernels].kernel.kernel;
    if (kernel->rows || kernel->lines)
      return gmg_fail(context, GMG_ERR_UNSUPPORTED,
                      "program %s: kernel %s needs row buffers, which programs do not have",
                      made->name, kernel->name);
  }
  if (made->dimensions == 2 && program->cells[2] != 1)
    return gmg_fail(context, GMG_ERR_ARGUMENT,
                    "program %s has two dimensions, and the grid has %d cells along z: expected 1",
                    made->name, program->cells[2]);
  return gmg_program_check_ghosts(program);
}

static gmg_status plan_block(struct gmg_program *program, int rounds)
{
  gmg_context *context = program->context;
  const struct gmg_program_descriptor *made = program->made;
  program->deep = made->ghosts;
  if (rounds <= 1)
    return GMG_OK;
  if (made->solves)
    return gmg_fail(context, GMG_ERR_UNSUPPORTED,
                    "program %s: found %d steps per exchange, expected 0 or 1: its steps have a "
                    "solve, '%s', which needs all ranks",
                    made->name, rounds, made->solve[0].name);
  const int found = gmg_block_plan(made, rounds, &program->block);
  if (found < 0)
    return gmg_no_memory(context, "for the steps of program %s", made->name);
  if (found)
    return gmg_fail(context, GMG_ERR_UNSUPPORTED,
                    "program %s: %d steps per exchange need ghosts %d deep; there may be %d",
                    made->name, rounds, program->block.deepest, GMG_BLOCK_DEEPEST);
  program->deep = gmg_larger(program->deep, program->block.deepest);
  return gmg_block_check_walls(program);
}

/* What all ranks ask for: weight[rank], or NULL where that is alike. */
struct shares {
  const double *own;
  double *weight;
};

/* Tells all ranks of all weights. */
static gmg_status meet_shares(gmg_context *context, struct shares *shares)
{
  struct gmg_comm *comm = &context->comm;
  double all = 0;
  if (!shares->own)
    return GMG_OK;
  shares->weight = gmg_calloc((size_t)comm->ranks, sizeof *shares->weight);
  gmg_status status = gmg_agree(
    context, shares->weight ? GMG_OK : gmg_no_memory(context, "for the weights of ranks"));
  if (status)
    return status;
  shares->weight[comm->rank] = *shares->own;
  if (gmg_comm_tell(comm, shares->weight, sizeof *shares->weight))
    return gmg_mpi_failed(context);
  for (int r = 0; r < comm->ranks; r++) {
    if (!isfinite(shares->weight[r]) || shares->weight[r] < 0)
      return gmg_fail(context, GMG_ERR_ARGUMENT,
                      "gmg_program_create_weighted: rank %d has weight %g, expected a number of at "
                      "least 0",
                      r, shares->weight[r]);
    all += shares->weight[r];
  }
  return all > 0 ? GMG_OK
                 : gmg_fail(context, GMG_ERR_ARGUMENT,
                            "gmg_program_create_weighted: all ranks have weight 0: expected one "
                            "above 0 at least");
}

/* The layout that all ranks have in common. */
static int cut(struct gmg_program *program, int nominal, const double *weight)
{
  const struct gmg_cutting cutting = {.nominal = nominal, .gather = GMG_GATHER_CELLS};
  const struct gmg_comm *comm = &program->context->comm;
  const int cells[1][3] = {{program->cells[0], program->cells[1], program->cells[2]}};
  if (!weight)
    return gmg_decompose(NULL, 1, cells, &cutting, comm->rank, comm->ranks, &program->layout, NULL);
  program->layout = gmg_layout_weighted(cells[0], program->made->dimensions - 1, nominal, weight,
                                        comm->rank, comm->ranks);
  return program->layout ? 0 : -1;
}

/* Boxes, and where their elements are. */
static int plan(struct gmg_program *program, int nominal, const double *weight)
{
  const struct gmg_program_descriptor *made = program->made;
  if (cut(program, nominal, weight))
    return -1;
  const struct gmg_layout *layout = program->layout;
  const size_t bytes = made->precision == GMG_F64 ? sizeof(double) : sizeof(float);
  program->storage = gmg_storage_create(layout, program->deep, 0, NULL, bytes, GMG_PLAIN);
  program->box = gmg_calloc((size_t)layout->local_count + 1, sizeof *program->box);
  if (!program->storage || !program->box)
    return -1;
  int64_t local = 0;
  for (int b = 0; b < layout->local_count; b++) {
    const struct gmg_box *own = &layout->box[layout->local[b]];
    struct gmg_kernel_box *box = &program->box[b];
    for (int d = 0; d < 3; d++) {
      box->lower[d] = own->lower[d];
      box->cells[d] = own->upper[d] - own->lower[d];
    }
    box->stride[0] = program->storage->stride[b][0];
    box->stride[1] = program->storage->stride[b][1];
    local += (int64_t)box->cells[0] * box->cells[1] * box->cells[2];
  }
  program->threads = local < SERIAL_CELLS ? 1 : program->context->threads;
  program->bytes = (size_t)program->storage->elements * bytes;
  program->info.boxes = layout->local_count;
  program->info.threads = program->threads;
  return 0;
}

/* Before any is taken: whether there is memory for all arrays of the ranks of this machine. */
static gmg_status check_memory(const struct gmg_program *program)
{
  struct gmg_comm *comm = &program->context->comm;
  const double own = (double)program->bytes * program->made->arrays;
  double all = own;
  if (comm->here > 1 && gmg_comm_sum_on_machine(comm, &all, 1))
    return gmg_mpi_failed(program->context);
  const struct gmg_limit process = gmg_limit_of_process(),
                         machine = gmg_limit_of_machine((int64_t)all);
  const int by_process = own > (double)process.bytes;
  if (!by_process && all <= (double)machine.bytes)
    return GMG_OK;
  char needed[40], there[40];
  gmg_bytes_text(by_process ? own : all, needed, sizeof needed);
  gmg_bytes_text((double)(by_process ? process : machine).bytes, there, sizeof there);
  return gmg_fail(program->context, GMG_ERR_MEMORY,
                  "program %s: %d arrays take %s, and there are %s (%s)", program->made->name,
                  program->made->arrays, needed, there, (by_process ? process : machine).what);
}

static int take(struct gmg_program *program)
{
  for (int a = 0; a < program->made->arrays; a++) {
    const int boxes = program->layout->local_count;
    program->holder[a] = a;
    program->data[a] = gmg_allocate(&program->memory, program->bytes);
    program->element[a] = gmg_calloc((size_t)boxes + 1, sizeof *program->element[a]);
    if (!program->data[a] || !program->element[a])
      return -1;
    gmg_first_touch(program->storage, program->box, program->threads, program->data[a]);
    for (int b = 0; b < boxes; b++)
      program->element[a][b] = (char *)program->data[a]
        + (size_t)program->storage->origin[b] * program->storage->element_bytes;
  }
  return gmg_extended_plan(program) || gmg_composed_plan(program) || gmg_skew_plan(program)
    ? -1
    : gmg_program_plan_ghosts(program);
}

static gmg_status make(struct gmg_program *program, int box, int rounds, const double *weight)
{
  gmg_context *context = program->context;
  gmg_status status = check(program);
  if (!status)
    status = plan_block(program, rounds);
  if (!status && plan(program, box, weight))
    status = gmg_no_memory(context, "for the boxes of program %s", program->made->name);
  status = gmg_agree(context, status);
  if (!status)
    status = gmg_agree(context, check_memory(program));
  if (!status && take(program))
    status = gmg_no_memory(context, "for the arrays of program %s", program->made->name);
  return gmg_agree(context, status);
}

static gmg_status create(const char *call, gmg_grid *grid,
                         const struct gmg_program_descriptor *const *made, int box, int rounds,
                         const double *weight, gmg_program **program)
{
  if (!grid)
    return GMG_ERR_ARGUMENT;
  gmg_context *context = grid->context;
  const struct gmg_program_descriptor *form = made ? find_form(context, made) : NULL;
  gmg_status status = GMG_OK;
  if (!made || !program)
    status = gmg_fail(context, GMG_ERR_ARGUMENT, "%s: an argument is NULL", call);
  else if (box < 0 || rounds < 0 || rounds > GMG_BLOCK_ROUNDS)
    status = gmg_fail(context, GMG_ERR_ARGUMENT,
                      "%s: found box %d and %d steps per exchange, expected 0 or more and 0 to %d",
                      call, box, rounds, GMG_BLOCK_ROUNDS);
  else if (!form)
    status = gmg_fail(context, GMG_ERR_UNSUPPORTED,
                      "%s: the program was made for no instruction set that runs here", call);
  const struct gmg_same same = {
    .call = call,
    .grid = grid,
    .choice = {{"box", box, NULL}, {"steps_per_exchange", rounds, NULL}}};
  status = gmg_same(context, status, &same);
  if (status)
    return status;
  *program = NULL;
  struct shares shares = {.own = weight};
  status = meet_shares(context, &shares);
  gmg_program *p = status ? NULL : gmg_calloc(1, sizeof *p);
  gmg_grid *copy = status ? NULL : gmg_grid_copy(grid);
  status = status
    ? status
    : gmg_agree(context, p && copy ? GMG_OK : gmg_no_memory(context, "for a program"));
  if (status) {
    gmg_free(shares.weight);
    gmg_grid_destroy(&copy);
    gmg_free(p);
    return status;
  }
  p->context = context;
  p->grid = copy;
  p->made = form;
  p->info.composed = p->info.steps_per_pass = p->work = 1;
  p->info.steps_per_exchange = rounds > 1 ? rounds : 1;
  p->info.single_steps = "";
  gmg_options_default(&p->options);
  memcpy(p->cells, grid->cells, sizeof p->cells);
  for (int n = 0; n < form->parameters && n < GMG_PROGRAM_PARAMETERS; n++) {
    p->has_value[n] = form->parameter[n].has_value;
    p->parameter[n] = form->parameter[n].value;
  }
  struct gmg_memory *outer = gmg_account(&p->memory);
  status = make(p, box, rounds, shares.weight);
  gmg_account(outer);
  gmg_free(shares.weight);
  if (status)
    gmg_program_destroy(&p);
  *program = p;
  return status;
}

gmg_status gmg_program_create(gmg_grid *grid, const struct gmg_program_descriptor *const *made,
                              int box, int rounds, gmg_program **program)
{
  return create("gmg_program_create", grid, made, box, rounds, NULL, program);
}

gmg_status gmg_program_create_weighted(gmg_grid *grid,
                                       const struct gmg_program_descriptor *const *made, int box,
                                       int rounds, double weight, gmg_program **program)
{
  return create("gmg_program_create_weighted", grid, made, box, rounds, &weight, program);
}

#include "place.h"

#include "composed.h"
#include "twice.h"
#include "problem/same.h"
#include "solves.h"
#include "system/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- in use ---- */

void gmg_placed_open(struct gmg_program *program, int array, enum gmg_access access)
{
  struct gmg_placed_program *placed = program->placed;
  if (placed)
    placed->stepping.backend->fetch(program->context, &placed->array[program->holder[array]],
                                    access);
  if (placed && access != GMG_READ)
    gmg_launches_changed(program, program->holder[array]);
}

double *gmg_placed_lend(struct gmg_program *program, int array, int written)
{
  struct gmg_placed_program *placed = program->placed;
  const int holder = program->holder[array];
  if (!placed)
    return program->element[array][0];
  if (written)
    gmg_launches_changed(program, holder);
  return placed->stepping.backend->stepper->lend(&placed->stepping, holder, 0, written);
}

void gmg_placed_begin(struct gmg_program *program, int64_t steps)
{
  if (program->placed)
    gmg_launches_begin(program, steps);
}

void gmg_placed_step(struct gmg_program *program, int64_t left)
{
  if (program->placed)
    gmg_launches_step(program, left);
}

int gmg_placed_wait(struct gmg_program *program)
{
  if (!program->placed)
    return 0;
  gmg_launches_begin(program, 0);
  program->context->backend->wait(program->context);
  const int error = program->context->mpi_error;
  program->context->mpi_error = 0;
  return error;
}

void gmg_placed_inform(const struct gmg_program *program, gmg_program_info *info)
{
  const struct gmg_placed_program *placed = program->placed;
  info->backend = placed ? placed->stepping.backend->name : "openmp";
  info->device = program->device;
  info->reason = program->why;
  if (!placed)
    return;
  info->device_memory = placed->stepping.bytes;
  info->kernels_compiled = placed->stepping.compiled;
  info->kernels_cached = placed->stepping.cached;
  info->overlapped = placed->stepping.overlapped > 0;
  info->kernel_seconds = placed->stepping.kernel_seconds;
  info->ghost_seconds = placed->stepping.ghost_seconds;
}

static void leave(struct gmg_program *program, enum gmg_keep keep)
{
  struct gmg_placed_program *placed = program->placed;
  program->device[0] = program->why[0] = '\0';
  if (!placed)
    return;
  placed->stepping.backend->stepper->detach(&placed->stepping, keep);
  gmg_launches_free(program);
  gmg_twice_free(program);
  gmg_free(placed->kernel);
  gmg_free(placed);
  program->placed = NULL;
}

void gmg_placed_free(struct gmg_program *program)
{
  leave(program, GMG_KEEP_NOTHING);
}

/* ---- options ---- */

static const char *const known[] = {"backend", "launch",  "device-messages", "kernel-cache",
                                    "compose", "overlap", "steps-per-pass",  "backends",
                                    "work",    "stores"};
enum { KNOWN = sizeof known / sizeof *known, MOST_WORK = 100 };

static gmg_status set_steps_per_pass(struct gmg_program *program, const char *value)
{
  char *end = NULL;
  const int by_itself = value && strcmp(value, "auto") == 0;
  const long steps = value && !by_itself ? strtol(value, &end, 10) : 0;
  if (!by_itself && (!value || end == value || *end || steps < 1 || steps > GMG_BLOCK_ROUNDS))
    return gmg_fail(program->context, GMG_ERR_OPTION,
                    "steps-per-pass: found '%s', expected auto or a whole number from 1 to %d",
                    value ? value : "(NULL)", GMG_BLOCK_ROUNDS);
  program->steps_per_pass = (int)steps;
  return GMG_OK;
}

static gmg_status set_backends(struct gmg_program *program, const char *value)
{
  const int unlike = value && strcmp(value, "unlike") == 0;
  if (!unlike && (!value || strcmp(value, "alike") != 0))
    return gmg_fail(program->context, GMG_ERR_OPTION,
                    "backends: found '%s', expected alike or unlike", value ? value : "(NULL)");
  program->unlike = unlike;
  return GMG_OK;
}

/* The number of an option's value among its words; -1: it is none of them. */
static int find_word(struct gmg_program *program, const char *name, const char *value,
                     const char *const words[3])
{
  for (int n = 0; n < 3; n++)
    if (value && strcmp(value, words[n]) == 0)
      return n;
  gmg_fail(program->context, GMG_ERR_OPTION, "%s: found '%s', expected %s, %s or %s", name,
           value ? value : "(NULL)", words[0], words[1], words[2]);
  return -1;
}

static gmg_status set_overlap(struct gmg_program *program, const char *value)
{
  static const char *const words[] = {"auto", "always", "none"}; /* of enum gmg_overlapping */
  const int n = find_word(program, "overlap", value, words);
  program->overlap = n < 0 ? program->overlap : (enum gmg_overlapping)n;
  return n < 0 ? GMG_ERR_OPTION : GMG_OK;
}

static gmg_status set_stores(struct gmg_program *program, const char *value)
{
  static const char *const words[] = {"auto", "plain", "streaming"}; /* of enum gmg_storing */
  const int n = find_word(program, "stores", value, words);
  program->stores = n < 0 ? program->stores : (enum gmg_storing)n;
  return n < 0 ? GMG_ERR_OPTION : GMG_OK;
}

/* Whether a kernel may run again and leave what it left before. */
static int is_repeatable(const struct gmg_kernel_descriptor *kernel)
{
  for (int f = 0; f < kernel->fields; f++)
    if (kernel->field[f].read && kernel->field[f].written)
      return 0;
  return 1;
}

static gmg_status set_work(struct gmg_program *program, const char *value)
{
  char *end = NULL;
  const long work = value ? strtol(value, &end, 10) : 0;
  if (!value || end == value || *end || work < 1 || work > MOST_WORK)
    return gmg_fail(program->context, GMG_ERR_OPTION,
                    "work: found '%s', expected a whole number from 1 to %d",
                    value ? value : "(NULL)", MOST_WORK);
  for (int k = 0; k < program->made->kernels && work > 1; k++)
    if (!is_repeatable(program->made->kernel[k].kernel))
      return gmg_fail(program->context, GMG_ERR_OPTION,
                      "work: found %ld, but kernel %s reads what it writes, and would leave other "
                      "values when it runs again: expected 1",
                      work, program->made->kernel[k].kernel->name);
  program->work = (int)work;
  return GMG_OK;
}

gmg_status gmg_program_set_option(gmg_program *program, const char *name, const char *value)
{
  char message[400];
  int place = 0;
  if (!program)
    return GMG_ERR_ARGUMENT;
  while (name && place < KNOWN && strcmp(known[place], name) != 0)
    place++;
  if (!name || place == KNOWN)
    return gmg_fail(
      program->context, GMG_ERR_OPTION,
      "a program has no option '%s'; it has backend, backends, launch, "
      "device-messages, kernel-cache, overlap, steps-per-pass, stores, compose and work",
      name ? name : "(NULL)");
  if (strcmp(name, "compose") == 0)
    return gmg_composed_set(program, value);
  if (strcmp(name, "steps-per-pass") == 0)
    return set_steps_per_pass(program, value);
  if (strcmp(name, "overlap") == 0)
    return set_overlap(program, value);
  if (strcmp(name, "stores") == 0)
    return set_stores(program, value);
  if (strcmp(name, "backends") == 0)
    return set_backends(program, value);
  if (strcmp(name, "work") == 0)
    return set_work(program, value);
  const gmg_status status =
    gmg_options_set(&program->options, name, value, message, sizeof message);
  return status ? gmg_fail(program->context, status, "%s", message) : GMG_OK;
}

/* Between unlike back ends messages travel through the host. */
static struct gmg_placed_options options_of(struct gmg_program *program)
{
  const struct gmg_options *o = &program->options;
  const int none = o->device_messages == GMG_MESSAGES_NONE,
            host = program->unlike || none || o->device_messages == GMG_MESSAGES_HOST;
  return (struct gmg_placed_options){
    .cache_kernels = o->kernel_cache == GMG_CACHE_ON,
    .timed = o->launch == GMG_LAUNCH_TIMED,
    .direct_messages = !host
      && (o->device_messages == GMG_MESSAGES_DIRECT
          || gmg_comm_reads_devices(&program->context->comm)),
    .messages_by_device = !host,
    .no_messages = none,
    .overlap = program->overlap,
  };
}

/* ---- there ---- */

/* The host computes after all, or the options do not allow that. */
static gmg_status give_up(struct gmg_program *program, gmg_status status, const char *why)
{
  leave(program, GMG_KEEP_ALL);
  snprintf(program->why, sizeof program->why, "%s", why);
  return program->options.backend == GMG_BACKEND_CUDA
    ? gmg_fail(program->context, status, "backend: cuda: program %s: %s", program->made->name, why)
    : GMG_OK;
}

/* A device on every rank that is to have one: with unlike back ends those that ask for one, and
 * those that take what there is. *found: whether this rank has one. Returns 1 where all do. */
static int open_device(struct gmg_program *program, int *found, gmg_status *status)
{
  gmg_context *context = program->context;
  const enum gmg_backend_choice asked = program->options.backend;
  struct gmg_device_info info = {.reason = ""};
  const int here = asked != GMG_BACKEND_OPENMP && gmg_backend_open(context, &info);
  *found = here && context->backend->stepper;
  if (here && !*found)
    snprintf(info.reason, sizeof info.reason, "it does not run programs");
  int missing = !*found && !(program->unlike && asked != GMG_BACKEND_CUDA);
  const int alone = missing;
  if (gmg_comm_max_int(&context->comm, &missing, 1)) {
    *status = gmg_mpi_failed(context);
  } else if (missing) {
    *status = give_up(program, GMG_ERR_UNSUPPORTED, alone ? info.reason : "another rank has none");
    program->why[0] = '\0';
  } else {
    *status = GMG_OK;
    if (*found)
      snprintf(program->device, sizeof program->device, "%s", info.name);
    else if (asked == GMG_BACKEND_AUTO)
      snprintf(program->why, sizeof program->why, "%s", info.reason);
  }
  return !*status && !missing;
}

/* What the device is told of the program. Returns -1 out of memory. */
static int describe(struct gmg_program *program)
{
  const struct gmg_program_descriptor *made = program->made;
  struct gmg_placed_program *placed = program->placed = gmg_calloc(1, sizeof *placed);
  if (!placed)
    return -1;
  if (gmg_twice_plan(program))
    return -1;
  const int single = made->kernels + made->reductions, more = single + placed->twice.on,
            kernels = more + program->composing.on;
  placed->kernel = gmg_calloc((size_t)kernels + 1, sizeof *placed->kernel);
  placed->stepping = (struct gmg_stepping){.context = program->context,
                                           .backend = program->context->backend,
                                           .device = program->context->device,
                                           .options = options_of(program),
                                           .storage = program->storage,
                                           .arrays = made->arrays,
                                           .array = placed->array,
                                           .kernel = placed->kernel,
                                           .kernels = kernels};
  for (int k = 0; k < kernels && placed->kernel; k++)
    placed->kernel[k] = k < made->kernels ? made->kernel[k].kernel
      : k < single                        ? made->reduction[k - made->kernels].kernel.kernel
      : k < more                          ? &placed->twice.kernel
                                          : made->composed->kernel.kernel;
  for (int a = 0; a < made->arrays; a++) {
    struct gmg_level_array *array = &placed->array[program->holder[a]];
    array->kind = GMG_FIELD;
    array->data = array->allocation = program->data[a];
    array->bytes = program->bytes;
  }
  return placed->kernel ? 0 : -1;
}

/* Whether the arrays of all ranks that share a device fit, GMG_OK; else says why they do not. */
static gmg_status check_room(struct gmg_program *program, gmg_status *fits, char *why, size_t size)
{
  struct gmg_comm *comm = &program->context->comm;
  struct gmg_stepping *stepping = program->placed ? &program->placed->stepping : NULL;
  struct gmg_device_room room = {0, 0, 1};
  char needs[40], has[40];
  gmg_status own = GMG_OK;
  if (stepping && stepping->backend->stepper->predict(stepping, &room, why, size))
    own = GMG_ERR_UNSUPPORTED;
  double all = (double)room.needed;
  if (gmg_comm_sum_on_machine(comm, &all, 1))
    return gmg_mpi_failed(program->context);
  const double share = all / room.devices,
               here = share > (double)room.needed ? share : (double)room.needed;
  if (stepping && !own && here > (double)room.available) {
    gmg_bytes_text(here, needs, sizeof needs);
    gmg_bytes_text((double)room.available, has, sizeof has);
    snprintf(why, size, "its arrays need %s on the device, and %s are free", needs, has);
    own = GMG_ERR_MEMORY;
  }
  int any = own != GMG_OK;
  if (gmg_comm_max_int(comm, &any, 1))
    return gmg_mpi_failed(program->context);
  if (!own && any)
    snprintf(why, size, "it does not fit on another rank's device");
  *fits = own ? own : any ? GMG_ERR_UNSUPPORTED : GMG_OK;
  return GMG_OK;
}

static gmg_status attach(struct gmg_program *program)
{
  struct gmg_stepping *stepping = program->placed ? &program->placed->stepping : NULL;
  const int failed =
    stepping && (stepping->backend->stepper->attach(stepping) || gmg_launches_prepare(program));
  const gmg_status own = stepping ? gmg_device_status(program->context) : GMG_OK;
  char why[480];
  snprintf(why, sizeof why, "%s",
           own        ? gmg_context_message(program->context)
             : failed ? "the device or the host has too little memory left"
                      : "another rank's device failed");
  int any = failed || own;
  if (gmg_comm_max_int(&program->context->comm, &any, 1))
    return gmg_mpi_failed(program->context);
  if (any)
    return give_up(program, own ? own : GMG_ERR_MEMORY, why);
  if (stepping)
    stepping->backend->stepper->meet(stepping);
  return gmg_agree(program->context, stepping ? gmg_device_status(program->context) : GMG_OK);
}

static gmg_status place(struct gmg_program *program)
{
  char why[400] = "";
  gmg_status status, fits = GMG_OK;
  const int on_host = program->options.backend == GMG_BACKEND_OPENMP && !program->unlike;
  int found = 0;
  leave(program, GMG_KEEP_ALL);
  if (program->composing.on && !on_host && !program->composing.whole)
    return give_up(program, GMG_ERR_UNSUPPORTED,
                   "it composes steps, which runs on the host only where not all axes are periodic "
                   "or have walls 'mirror' or 'value 0' and the same weights on both sides: "
                   "expected backend openmp, or compose off");
  if (on_host || !open_device(program, &found, &status))
    return on_host ? GMG_OK : status;
  status = found && describe(program) ? gmg_no_memory(program->context, "for a program on a device")
                                      : GMG_OK;
  status = gmg_agree(program->context, status);
  if (!status)
    status = check_room(program, &fits, why, sizeof why);
  if (!status)
    status = fits ? give_up(program, fits, why) : attach(program);
  if (status)
    leave(program, GMG_KEEP_ALL);
  return status;
}

gmg_status gmg_program_place(gmg_program *program)
{
  if (!program)
    return GMG_ERR_ARGUMENT;
  const struct gmg_same same = {
    .call = "gmg_program_place",
    .choice = {{"backend", program->unlike ? -1 : (int)program->options.backend, NULL},
               {"launch", (int)program->options.launch, NULL}},
    .number = {{"compose", program->info.composed}, {"steps-per-pass", program->steps_per_pass}}};
  gmg_status status = gmg_same(program->context, GMG_OK, &same);
  if (status)
    return status;
  struct gmg_memory *outer = gmg_account(&program->memory);
  gmg_program_forget_lent(program);
  status = gmg_agree(program->context, place(program));
  gmg_account(outer);
  return status;
}

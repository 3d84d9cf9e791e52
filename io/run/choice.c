#include "choice.h"

#include <stdio.h>
#include <string.h>

#include "common/parallel.h"
#include "prebuilt.h"
#include "rank_list.h"

const char *choice_write(const gmg_program_choice *choice, char text[CHOICE_TEXT])
{
  size_t used = 0;
  text[0] = 0;
  if (choice->box)
    used += (size_t)snprintf(text, CHOICE_TEXT, "box %d", choice->box);
  if (choice->steps_per_exchange > 1 && !choice->compose)
    used += (size_t)snprintf(text + used, CHOICE_TEXT - used, "%s%d steps per exchange",
                             used ? ", " : "", choice->steps_per_exchange);
  if (choice->steps_per_pass)
    used +=
      (size_t)snprintf(text + used, CHOICE_TEXT - used, "%s%d step%s per pass", used ? ", " : "",
                       choice->steps_per_pass, choice->steps_per_pass > 1 ? "s" : "");
  if (choice->compose)
    used += (size_t)snprintf(text + used, CHOICE_TEXT - used, "%s%d steps as one", used ? ", " : "",
                             choice->compose);
  if (!used)
    snprintf(text, CHOICE_TEXT, "as by default");
  return text;
}

struct run_request choice_apply(const struct run_request *request, const gmg_program_choice *choice,
                                char word[CHOICE_TEXT])
{
  struct run_request applied = *request;
  applied.box = choice->box;
  applied.together = choice->steps_per_exchange;
  if (choice->steps_per_pass) {
    snprintf(word, CHOICE_TEXT, "%d", choice->steps_per_pass);
    applied.per_pass = word;
  }
  return applied;
}

int choice_is_off(const char *wisdom)
{
  return wisdom && (strcmp(wisdom, ARGUMENTS_NO_WISDOM) == 0 || strcmp(wisdom, "off") == 0);
}

/* Takes in the file that --wisdom names. */
static gmg_status load(const struct run_request *request, gmg_context *context)
{
  return request->wisdom
    ? gmg_context_load_wisdom(context, choice_is_off(request->wisdom) ? NULL : request->wisdom)
    : GMG_OK;
}

/* Whether the command line leaves open how steps are taken. */
static int is_open(const struct run_request *request)
{
  return !choice_is_off(request->wisdom) && !request->box && !request->together
    && !request->per_pass && !request->compose && !request->find_weights && request->weight < 0
    && !request->work && (!request->backend || rank_list_count(request->backend) == 1);
}

static int is_on_device(const gmg_program *program)
{
  gmg_program_info info;
  gmg_program_inform(program, &info);
  return *info.device != 0;
}

/* Makes the program as the choice says. Returns 1 where it then runs where the choice was made for;
 * else there is none. */
static int follow(const struct run_request *request, struct beginning *b,
                  const gmg_program_choice *choice, int on_device)
{
  char word[CHOICE_TEXT];
  const struct run_request applied = choice_apply(request, choice, word);
  const gmg_status status = begin_make(&applied, b, b->weight, &b->program);
  const int good = !status && is_on_device(b->program) == on_device;
  if (parallel_max(!good)) {
    gmg_program_destroy(&b->program);
    return 0;
  }
  choice_write(choice, b->tuned);
  return 1;
}

static gmg_status make(const struct run_request *request, struct beginning *b)
{
  return begin_make(request, b, b->weight, &b->program);
}

/* Looks a choice up for the host or a device, and follows it where it says something. Returns 1
 * where it made the program; *known: 1 where there is a choice, which may be the default. */
static int look(const struct run_request *request, struct beginning *b, int on_device, int *known,
                gmg_status *status)
{
  gmg_program_choice choice;
  *status = gmg_program_find_choice(b->grid, b->compiled.made, on_device ? "cuda" : "openmp", 0,
                                    &choice, known);
  if (*status)
    return 0;
  snprintf(b->note, sizeof b->note, "%s", choice.note);
  const int says = choice.steps_per_pass || choice.box || choice.steps_per_exchange > 1;
  if (!*known || !says)
    return 0;
  if (on_device)
    gmg_program_destroy(&b->program);
  if (follow(request, b, &choice, on_device))
    return 1;
  *known = 0;
  return 0;
}

/* As by default, or on a device as wisdom says of it. known: 1 where the default is best on the
 * host. */
static gmg_status make_usual(const struct run_request *request, struct beginning *b, int known)
{
  const gmg_program_choice usual = {0};
  gmg_status status = make(request, b);
  if (status)
    return status;
  const int on_device = (int)parallel_max(is_on_device(b->program));
  if (on_device) {
    known = 0;
    if (look(request, b, 1, &known, &status))
      return GMG_OK;
    if (!status && !b->program)
      status = make(request, b);
  }
  if (known)
    choice_write(&usual, b->tuned);
  return status;
}

int choice_make(const struct run_request *request, struct beginning *b, struct failure *failure)
{
  int known = 0;
  gmg_status status = load(request, b->context);
  if (request->tuned)
    snprintf(b->tuned, sizeof b->tuned, "%d steps as one", request->compose);
  if (!status && !is_open(request))
    status = make(request, b);
  else if (!status && !look(request, b, 0, &known, &status) && !status)
    status = make_usual(request, b, known);
  parallel_refused(b->context, status, failure);
  return parallel_agree(failure);
}

/* Which number of steps is no multiple of those that are composed; NULL: none. */
static const char *find_odd(const struct run_request *request, const struct beginning *b,
                            int compose)
{
  return b->steps % compose         ? "--steps"
    : request->checkpoint % compose ? "--checkpoint"
    : request->series % compose     ? "--series"
    : request->values % compose     ? "--values"
                                    : NULL;
}

static void decide(struct run_request *request, const struct beginning *b, int found, int compose,
                   const struct progress *progress)
{
  const char *odd = compose ? find_odd(request, b, compose) : NULL;
  if (!found)
    progress_line(progress,
                  "composed   none: gmg tune --compose auto has found nothing for this "
                  "program, grid and machine");
  else if (!compose)
    progress_line(progress, "composed   none, which is faster here");
  else if (odd)
    progress_line(progress, "composed   none: %s is no multiple of %d, which would be faster", odd,
                  compose);
  if (!found || !compose || odd)
    return;
  run_request_compose(request, compose);
  request->tuned = 1;
}

int choice_compose(struct run_request *request, const struct progress *progress,
                   struct failure *failure)
{
  static struct beginning probe;
  gmg_program_choice choice = {0};
  int found = 0;
  memset(&probe, 0, sizeof probe);
  if (!choice_is_off(request->wisdom) && !prebuilt_named(request->program)
      && !begin_grid(request, &probe, failure)) {
    gmg_status status = load(request, probe.context);
    if (!status)
      status =
        gmg_program_find_choice(probe.grid, probe.compiled.made, "openmp", 1, &choice, &found);
    parallel_refused(probe.context, status, failure);
  }
  if (!parallel_agree(failure))
    decide(request, &probe, found, choice.compose, progress);
  begin_clear(&probe);
  return failure->status;
}

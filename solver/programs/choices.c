/* What wisdom says of a program's steps. */
#include "gmg_program.h"

#include "problem/same.h"
#include "program_table.h"
#include "runtime/tuned.h"
#include "runtime/tuned_program.h"

#include <stdio.h>
#include <string.h>

/* What a call is about. */
struct place {
  enum gmg_target target;
  struct gmg_wisdom_entry entry; /* with subject and cells */
};

/* The members of a choice, by the names that wisdom has. */
enum { MEMBERS = 4 };
static const char *const names[MEMBERS] = {"box", "steps-per-exchange", "steps-per-pass",
                                           "compose"};
static int *member(gmg_program_choice *choice, int n)
{
  int *const members[MEMBERS] = {&choice->box, &choice->steps_per_exchange, &choice->steps_per_pass,
                                 &choice->compose};
  return members[n];
}

/* Checks the arguments on all ranks, and opens the wisdom. */
static gmg_status begin(const char *call, gmg_grid *grid,
                        const struct gmg_program_descriptor *const *made, const char *backend,
                        int may_compose, struct place *place)
{
  gmg_context *context = grid->context;
  gmg_status status = GMG_OK;
  memset(place, 0, sizeof *place);
  if (!made || !*made || !backend)
    status = gmg_fail(context, GMG_ERR_ARGUMENT, "%s: an argument is NULL", call);
  else if (strcmp(backend, "openmp") != 0 && strcmp(backend, "cuda") != 0)
    status = gmg_fail(context, GMG_ERR_ARGUMENT,
                      "%s: found the back end '%s', expected openmp or cuda", call, backend);
  else if (strcmp(backend, "cuda") == 0)
    place->target = GMG_TARGET_CUDA;
  const struct gmg_same same = {
    .call = call,
    .grid = grid,
    .choice = {{"backend", (int)place->target, NULL}, {"may_compose", may_compose != 0, NULL}}};
  status = gmg_same(context, status, &same);
  if (status)
    return status;
  gmg_tuned_program_subject((*made)->source_hash, context->comm.ranks, may_compose,
                            place->entry.subject);
  memcpy(place->entry.cells, grid->cells, sizeof place->entry.cells);
  return gmg_tuned_open(context);
}

gmg_status gmg_program_find_choice(gmg_grid *grid, const struct gmg_program_descriptor *const *made,
                                   const char *backend, int may_compose, gmg_program_choice *choice,
                                   int *found)
{
  struct place place;
  if (!grid || !choice || !found)
    return GMG_ERR_ARGUMENT;
  memset(choice, 0, sizeof *choice);
  *found = 0;
  const gmg_status status =
    begin("gmg_program_find_choice", grid, made, backend, may_compose, &place);
  if (status)
    return status;
  choice->note = grid->context->tuned->note;
  const struct gmg_wisdom_entry *entry =
    gmg_tuned_find(grid->context, place.target, place.entry.subject, place.entry.cells);
  if (!entry)
    return GMG_OK;
  *found = 1;
  choice->seconds = entry->seconds;
  choice->default_seconds = entry->default_seconds;
  for (int c = 0; c < entry->choices; c++)
    for (int n = 0; n < MEMBERS; n++)
      if (strcmp(entry->choice[c].name, names[n]) == 0)
        *member(choice, n) = entry->choice[c].number;
  return GMG_OK;
}

gmg_status gmg_program_keep_choice(gmg_grid *grid, const struct gmg_program_descriptor *const *made,
                                   const char *backend, int may_compose,
                                   const gmg_program_choice *choice)
{
  static const char call[] = "gmg_program_keep_choice";
  struct place place;
  if (!grid || !choice)
    return GMG_ERR_ARGUMENT;
  gmg_status status = begin(call, grid, made, backend, may_compose, &place);
  if (!status && !grid->context->tuned->key[place.target].machine[0])
    status = gmg_fail(grid->context, GMG_ERR_ORDER, "%s: no GPU is open", call);
  if (status)
    return status;
  gmg_program_choice copy = *choice;
  struct gmg_wisdom_entry *entry = &place.entry;
  entry->seconds = choice->seconds;
  entry->default_seconds = choice->default_seconds;
  for (int n = 0; n < MEMBERS; n++)
    if (*member(&copy, n)) {
      struct gmg_wisdom_choice *one = &entry->choice[entry->choices++];
      snprintf(one->name, sizeof one->name, "%s", names[n]);
      one->number = *member(&copy, n);
    }
  return gmg_agree(grid->context, gmg_tuned_add(grid->context, place.target, entry));
}

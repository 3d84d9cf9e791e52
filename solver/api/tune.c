/* Tuning, and the context's wisdom. */
#include "problem/solver.h"

#include "problem/same.h"
#include "runtime/backend.h"
#include "runtime/tuned.h"
#include "setup/tune/levels.h"
#include "system/threads.h"
#include "tuning/wisdom_file.h"

#include <stdio.h>
#include <string.h>

gmg_status gmg_solver_tune(gmg_solver *solver, const gmg_tuning *tuning, gmg_tuning_result *result)
{
  static const gmg_tuning usual;
  enum { SECONDS = 60 };
  if (!solver)
    return GMG_ERR_ARGUMENT;
  const gmg_tuning *how = tuning ? tuning : &usual;
  const struct gmg_same same = {.call = "gmg_solver_tune",
                                .solver = solver,
                                .choice = {{"exhaustive", how->exhaustive, NULL}},
                                .number = {{"budget", how->budget}}};
  gmg_status status = GMG_OK;
  if (!solver->set_up)
    status = gmg_fail(solver->context, GMG_ERR_ORDER,
                      "gmg_solver_tune: the solver is not set up yet: call gmg_solver_setup");
  else if (!(how->budget >= 0))
    status = gmg_fail(solver->context, GMG_ERR_ARGUMENT,
                      "gmg_solver_tune: the budget is %g seconds; expected 0 or more", how->budget);
  status = gmg_same(solver->context, status, &same);
  if (status)
    return status;
  struct gmg_tune state = {.exhaustive = how->exhaustive,
                           .end = gmg_seconds() + (how->budget > 0 ? how->budget : SECONDS),
                           .stop = &solver->report.stop,
                           .progress = how->progress,
                           .record = how->record,
                           .user = how->user};
  struct gmg_memory *outer = gmg_account(&solver->memory);
  struct gmg_placement *p = &solver->placement;
  if (p->attached && p->backend->tune)
    status = p->backend->tune(p, &state);
  if (!status)
    status = gmg_tune_levels(solver, &state);
  gmg_account(outer);
  atomic_store(&solver->report.stop, 0);
  if (result)
    *result = (gmg_tuning_result){state.measured, state.discarded, state.better};
  return gmg_agree(solver->context, status);
}

gmg_status gmg_context_load_wisdom(gmg_context *context, const char *path)
{
  return context ? gmg_tuned_load(context, path) : GMG_ERR_ARGUMENT;
}

gmg_status gmg_context_save_wisdom(gmg_context *context, const char *path)
{
  if (!context)
    return GMG_ERR_ARGUMENT;
  char own[400], sentence[GMG_WISDOM_SENTENCE];
  gmg_status status = gmg_tuned_open(context);
  if (status)
    return status;
  if (context->comm.rank == 0 && !path) {
    path = own;
    if (gmg_wisdom_user_path(own, sizeof own) != GMG_WISDOM_OK)
      status = gmg_fail(context, GMG_ERR_ARGUMENT,
                        "wisdom: there is no place for the user's file: neither XDG_CACHE_HOME nor "
                        "HOME is set");
  }
  if (context->comm.rank == 0 && !status) {
    if (gmg_wisdom_save(context->tuned->wisdom, GMG_WISDOM_ADDED, path, sentence) != GMG_WISDOM_OK)
      status = gmg_fail(context, GMG_ERR_ARGUMENT, "wisdom: %s", sentence);
    else
      gmg_wisdom_saved(context->tuned->wisdom);
  }
  return gmg_agree(context, status);
}

const char *gmg_context_wisdom(gmg_context *context)
{
  if (!context || gmg_tuned_open(context))
    return "there is no wisdom";
  struct gmg_tuned *tuned = context->tuned;
  int count[GMG_TARGETS] = {0, 0};
  for (int n = 0; n < gmg_wisdom_count(tuned->wisdom); n++) {
    const struct gmg_wisdom_entry *entry = gmg_wisdom_at(tuned->wisdom, n);
    count[strcmp(entry->key.target, "cpu") != 0] +=
      gmg_wisdom_standing(tuned->wisdom, entry) == GMG_WISDOM_IS_CURRENT;
  }
  char device[160] = "", files[1400];
  gmg_tuned_files(context, files, sizeof files);
  if (tuned->key[GMG_TARGET_CUDA].machine[0])
    snprintf(device, sizeof device, ", %d for %s", count[GMG_TARGET_CUDA],
             tuned->key[GMG_TARGET_CUDA].machine);
  snprintf(tuned->sentence, sizeof tuned->sentence,
           "%d choices for %s on %d thread%s%s, from %s%s%s", count[GMG_TARGET_CPU],
           tuned->key[GMG_TARGET_CPU].machine, tuned->key[GMG_TARGET_CPU].threads,
           tuned->key[GMG_TARGET_CPU].threads == 1 ? "" : "s", device, files[0] ? files : "no file",
           tuned->note[0] ? "; " : "", tuned->note);
  return tuned->sentence;
}

#include "step_weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static gmg_status refuse(const struct gmg_program *program, const char *call, const char *reason)
{
  return gmg_fail(program->context, GMG_ERR_UNSUPPORTED,
                  "%s: the steps of program %s are not linear with the same weights in all cells: "
                  "%s",
                  call, program->made->name, reason);
}

/* The arrays that steps go on from. */
static gmg_status find_states(const struct gmg_program *program, const char *call,
                              struct gmg_step_weights *w)
{
  for (int a = 0; a < program->made->arrays; a++) {
    if (program->made->array[a].age == GMG_AGE_NEXT)
      continue;
    if (w->states == GMG_GROWTH_STATES)
      return gmg_fail(program->context, GMG_ERR_UNSUPPORTED,
                      "%s: program %s has more than %d arrays, past values counted in", call,
                      program->made->name, GMG_GROWTH_STATES);
    w->array[w->states++] = a;
  }
  return GMG_OK;
}

static int same_entry(const struct gmg_program_term *a, const struct gmg_program_term *b)
{
  return a->kernel == b->kernel && a->to == b->to && a->from == b->from;
}

/* Gathers the table's terms by entry; weight: of each of them. */
static void gather(const double *weight, struct gmg_step_weights *w)
{
  const struct gmg_program_linear *linear = &w->made->linear;
  for (int n = 0; n < linear->terms; n++) {
    const struct gmg_program_term *like = &linear->term[n];
    int seen = 0;
    for (int m = 0; m < n && !seen; m++)
      seen = same_entry(&linear->term[m], like);
    w->sources |= like->from < 0 && weight[n] != 0;
    if (seen || like->from < 0)
      continue;
    struct gmg_step_entry *entry = &w->entry[w->entries++];
    *entry = (struct gmg_step_entry){like->kernel, like->to, like->from, w->terms, 0};
    for (int m = n; m < linear->terms; m++)
      if (same_entry(&linear->term[m], like)) {
        w->term[w->terms] = linear->term[m];
        w->weight[w->terms++] = weight[m];
        entry->terms++;
        for (int d = 0; d < 3; d++)
          if (abs(linear->term[m].offset[d]) > w->reach[d])
            w->reach[d] = abs(linear->term[m].offset[d]);
      }
  }
}

gmg_status gmg_step_weights_find(const struct gmg_program *program, const char *call,
                                 struct gmg_step_weights *w)
{
  const struct gmg_program_linear *linear = &program->made->linear;
  *w = (struct gmg_step_weights){.made = program->made};
  if (*linear->reason)
    return refuse(program, call, linear->reason);
  for (int n = 0; n < program->made->parameters; n++)
    if (!program->has_value[n])
      return gmg_fail(program->context, GMG_ERR_ORDER,
                      "%s: parameter '%s' of program %s has no value", call,
                      program->made->parameter[n].name, program->made->name);
  for (int s = 0; s < program->made->once; s++)
    if (program->made->step[s].kind != GMG_STEP_GHOSTS)
      return refuse(program, call, "some of the steps are taken once");
  const size_t count = (size_t)linear->terms + 1;
  double *weight = gmg_calloc(count, sizeof *weight);
  w->term = gmg_calloc(count, sizeof *w->term);
  w->weight = gmg_calloc(count, sizeof *w->weight);
  w->entry = gmg_calloc(count, sizeof *w->entry);
  gmg_status status = weight && w->term && w->weight && w->entry
    ? find_states(program, call, w)
    : gmg_no_memory(program->context, "for the weights of program %s", program->made->name);
  if (!status) {
    linear->weights(program->parameter, weight);
    for (int n = 0; n < linear->terms && !status; n++)
      if (!isfinite(weight[n]))
        status = refuse(program, call, "with these parameters a weight is not finite");
    gather(weight, w);
  }
  gmg_free(weight);
  return status;
}

void gmg_step_weights_clear(struct gmg_step_weights *w)
{
  gmg_free(w->term);
  gmg_free(w->weight);
  gmg_free(w->entry);
  *w = (struct gmg_step_weights){.terms = 0};
}

/* By array: the amplitude that it has, as a sum of those of the states at the start. */
struct rows {
  double complex of[GMG_PROGRAM_ARRAYS][GMG_GROWTH_STATES];
};

static void run_kernel(const struct gmg_step_weights *w, int which, const double complex *entry,
                       struct rows *rows)
{
  const struct gmg_program_kernel *bound = &w->made->kernel[which];
  const size_t bytes = sizeof rows->of[0];
  double complex stored[GMG_PROGRAM_ARRAYS][GMG_GROWTH_STATES];
  for (int f = 0; f < bound->kernel->fields; f++)
    memset(stored[bound->array[f]], 0, bytes);
  for (int n = 0; n < w->entries; n++)
    if (w->entry[n].kernel == which)
      for (int s = 0; s < w->states; s++)
        stored[w->entry[n].to][s] += entry[n] * rows->of[w->entry[n].from][s];
  for (int f = 0; f < bound->kernel->fields; f++)
    if (bound->kernel->field[f].written)
      memcpy(rows->of[bound->array[f]], stored[bound->array[f]], bytes);
}

static void permute(const struct gmg_program_step *step, struct rows *rows)
{
  double complex first[GMG_GROWTH_STATES];
  memcpy(first, rows->of[step->cycle[0]], sizeof first);
  for (int n = 0; n + 1 < step->count; n++)
    memcpy(rows->of[step->cycle[n]], rows->of[step->cycle[n + 1]], sizeof first);
  memcpy(rows->of[step->cycle[step->count - 1]], first, sizeof first);
}

void gmg_step_weights_matrix(const struct gmg_step_weights *w, const double complex *entry,
                             struct gmg_growth_matrix *matrix)
{
  struct rows rows;
  memset(rows.of, 0, (size_t)w->made->arrays * sizeof rows.of[0]);
  for (int s = 0; s < w->states; s++)
    rows.of[w->array[s]][s] = 1;
  for (int s = w->made->once; s < w->made->steps; s++)
    if (w->made->step[s].kind == GMG_STEP_RUN)
      run_kernel(w, w->made->step[s].which, entry, &rows);
    else if (w->made->step[s].kind == GMG_STEP_PERMUTE)
      permute(&w->made->step[s], &rows);
  matrix->n = w->states;
  for (int to = 0; to < w->states; to++)
    memcpy(matrix->a[to], rows.of[w->array[to]], sizeof matrix->a[to]);
}

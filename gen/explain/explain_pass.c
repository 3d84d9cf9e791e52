/* --explain, the part that draws a pass. */
#include "schedule/pass.h"

#include "explain.h"

#include <string.h>

enum { SWEEPS = 2 };

/* The planes around the stage's own, the last stage's to the left. */
static const char *bar(struct gen_session *session, int shift, int last, int reach)
{
  char line[8 * GEN_MAX_STAGES];
  int n = 0;
  for (int plane = last + reach; plane >= -reach && n < (int)sizeof line - 1; plane--)
    line[n++] = plane == shift ? '#' : plane >= shift - reach && plane <= shift + reach ? '+' : '.';
  line[n] = 0;
  return gen_text(session, "%s", line);
}

static const char *stages_text(struct gen_session *session, const struct gen_pass *pass, int reach)
{
  const int last = pass->stage[pass->stages - 1].shift;
  const char *text = "";
  for (int s = 0; s < pass->stages; s++) {
    const struct gen_stage *stage = &pass->stage[s];
    const char *colour = stage->colour < 0 ? "" : gen_text(session, "colour %d", stage->colour);
    text = gen_text(session, "%s    %2d  %-20s %-9s K - %-3d %s\n", text, s, stage->name, colour,
                    stage->shift, bar(session, stage->shift, last, reach));
  }
  return text;
}

/* Of the kernels one by one. */
static double reals_apart(const struct gen_pass *pass)
{
  double reals = 0;
  for (int s = 0; s < pass->stages; s++)
    reals += gen_bytes(pass->stage[s].kernel, 1);
  return reals;
}

const char *gen_explain_pass(struct gen_session *session, const struct gen_operator *op,
                             const struct gen_kernel *interpolation)
{
  struct gen_pass pass = {0};
  struct gen_proof proof = {0};
  if (!gen_pass_of_cycle(session, op, interpolation, SWEEPS, &pass)
      || !gen_pass_shift(session, &pass, &proof))
    return "  pass: none; a cycle's kernels run one by one\n";
  const int last = pass.stage[pass.stages - 1].shift, planes = last + 2 * op->reach + 1;
  const double together = gen_pass_reals(&pass), apart = reals_apart(&pass);
  const char *text =
    gen_text(session,
             "  pass: %sone V(%d,%d)-cycle's way up and the next one's way down in one sweep over "
             "memory; planes that a\n"
             "  stage computes (#) or is next to (+) while the first one computes plane K, the "
             "last to the left; rows likewise:\n%s",
             interpolation ? "" : "without interpolation (give its file to see it), ", SWEEPS,
             SWEEPS, stages_text(session, &pass, op->reach));
  text =
    gen_text(session,
             "%s    window in cache: %d planes of %d fields, on the rows of a strip and %d more\n"
             "    compulsory bytes per point: %g in double, %g in float; kernel by kernel %g and "
             "%g: %.1f times\n"
             "    shifts: the least that keep every dependence; for all extents isl finds no two "
             "iterations further apart along k "
             "or j\n    that touch one element which either writes:\n",
             text, planes, gen_pass_fields(&pass), last, 8 * together, 4 * together, 8 * apart,
             4 * apart, apart / together);
  for (int n = 0; n < proof.sentences; n++)
    text = gen_text(session, "%s      %s\n", text, proof.sentence[n]);
  return text;
}

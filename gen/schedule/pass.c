#include "pass.h"

#include "check/conflict.h"
#include "check/polyhedra.h"

#include <string.h>

static const struct gen_kernel *derived(const struct gen_operator *op, enum gen_role role)
{
  for (int n = 0; n < op->count; n++)
    if (op->derived[n].role == role && !*op->derived[n].variant)
      return op->derived[n].kernel;
  return NULL;
}

static bool add(struct gen_pass *pass, const struct gen_kernel *kernel, const char *name,
                int colour)
{
  if (!kernel || pass->stages == GEN_MAX_STAGES)
    return false;
  pass->stage[pass->stages++] =
    (struct gen_stage){.name = name, .kernel = kernel, .colour = colour};
  return true;
}

/* What it corrects is called fine there, and u here. */
static const struct gen_kernel *on_u(struct gen_session *session,
                                     const struct gen_kernel *interpolation)
{
  struct gen_kernel *kernel = gen_clone(session, interpolation, interpolation->name);
  const int fine = gen_find_array(kernel, "fine");
  if (fine < 0)
    return NULL;
  kernel->array[fine].name = "u";
  return kernel;
}

bool gen_pass_of_cycle(struct gen_session *session, const struct gen_operator *op,
                       const struct gen_kernel *interpolation, int sweeps, struct gen_pass *pass)
{
  const struct gen_kernel *smoother = derived(op, GEN_ROLE_GAUSS_SEIDEL);
  bool fits = !interpolation || add(pass, on_u(session, interpolation), interpolation->name, -1);
  for (int n = 0; n < 2 * sweeps; n++)
    for (int colour = 0; colour < op->colours; colour++)
      fits = fits && add(pass, smoother, "gauss_seidel", op->colours > 1 ? colour : -1);
  const struct gen_kernel *residual = derived(op, GEN_ROLE_RESIDUAL);
  return fits && add(pass, derived(op, GEN_ROLE_RESIDUAL_NORM), "residual_norm", -1)
    && (!derived(op, GEN_ROLE_RESIDUAL_RESTRICT) || add(pass, residual, "residual_restrict", -1));
}

/* ---- two kernels over one set of iterations ---- */

struct pair {
  struct gen_kernel *both;        /* the earlier one, with the arrays and arguments of the later */
  int symbol_of[GEN_MAX_SYMBOLS]; /* of the later */
  int array_of[GEN_MAX_ARRAYS];   /* likewise; -1: no room */
  const struct gen_kernel *before, *behind;
};

static int find_symbol(struct gen_kernel *kernel, const char *name)
{
  for (int s = GEN_AXES; s < kernel->symbols; s++)
    if (strcmp(kernel->symbol[s].name, name) == 0)
      return s;
  if (kernel->symbols == GEN_MAX_SYMBOLS)
    return -1;
  kernel->symbol[kernel->symbols].name = name;
  return kernel->symbols++;
}

static struct gen_affine translate(const struct pair *pair, const struct gen_affine *from)
{
  struct gen_affine to = gen_affine_constant(from->constant);
  for (int s = 0; s < GEN_MAX_SYMBOLS; s++)
    if (from->coefficient[s])
      to.coefficient[pair->symbol_of[s]] = from->coefficient[s];
  return to;
}

static bool same_loops(const struct pair *pair)
{
  for (int axis = 0; axis < GEN_AXES; axis++) {
    const struct gen_affine lower = translate(pair, &pair->behind->loop[axis].lower),
                            upper = translate(pair, &pair->behind->loop[axis].upper);
    if (!gen_affine_equal(&lower, &pair->before->loop[axis].lower)
        || !gen_affine_equal(&upper, &pair->before->loop[axis].upper))
      return false;
  }
  return true;
}

static bool join(struct gen_session *session, struct pair *pair)
{
  struct gen_kernel *both = pair->both = gen_clone(session, pair->before, pair->before->name);
  for (int s = 0; s < pair->behind->symbols; s++) {
    pair->symbol_of[s] = s < GEN_AXES ? s : find_symbol(both, pair->behind->symbol[s].name);
    if (pair->symbol_of[s] < 0)
      return false;
  }
  for (int a = 0; a < pair->behind->arrays; a++)
    pair->array_of[a] = gen_find_array(both, pair->behind->array[a].name);
  return same_loops(pair);
}

static bool in_tables(const struct gen_access *access)
{
  for (int axis = 0; axis < GEN_AXES; axis++)
    if (access->subscript[axis].table >= 0)
      return true;
  return false;
}

/* The accesses of an array that a kernel writes, or that it reads, in the words of `both`. */
static void collect(struct gen_session *session, const struct pair *pair, bool later, int array,
                    bool writes, struct gen_accesses *list)
{
  const struct gen_kernel *kernel = later ? pair->behind : pair->before;
  list->count = 0;
  if (!writes)
    *list = *gen_reads_of(session, kernel, array);
  for (int s = 0; writes && s < kernel->statements; s++)
    if (kernel->statement[s].kind == GEN_STORE && kernel->statement[s].target.array == array)
      list->access[list->count++] = &kernel->statement[s].target;
  for (int n = 0; later && n < list->count; n++) {
    struct gen_access *copy = gen_allocate(session, sizeof *copy);
    *copy = *list->access[n];
    copy->array = pair->array_of[array];
    for (int axis = 0; axis < GEN_AXES; axis++)
      copy->subscript[axis].affine = translate(pair, &copy->subscript[axis].affine);
    list->access[n] = copy;
  }
}

/* ---- distances ---- */

/* The largest lead along k or j that an iteration of the earlier kernel has over one of the later
 * that must follow it. */
struct distance {
  int planes;
  const struct gen_access *first, *second; /* what gives it */
  bool first_writes;
};

static bool stretch(const struct gen_polyhedra *polyhedra, const struct gen_accesses *first,
                    const struct gen_accesses *second, bool first_writes, struct distance *distance)
{
  for (int a = 0; a < first->count; a++)
    for (int b = 0; b < second->count; b++) {
      if (in_tables(first->access[a]) || in_tables(second->access[b]))
        return false;
      isl_map *pairs = gen_polyhedra_conflicts(polyhedra, polyhedra->iterations, first->access[a],
                                               second->access[b]);
      for (int axis = GEN_J; axis <= GEN_K; axis++) {
        const int lead = gen_polyhedra_lead(pairs, axis);
        if (lead < 0) {
          isl_map_free(pairs);
          return false;
        }
        if (lead > distance->planes)
          *distance = (struct distance){lead, first->access[a], second->access[b], first_writes};
      }
      isl_map_free(pairs);
    }
  return true;
}

static bool measure(struct gen_session *session, const struct pair *pair, struct distance *distance)
{
  static const struct gen_guard everywhere = {.kind = GEN_EVERYWHERE};
  struct gen_polyhedra *polyhedra = gen_polyhedra_create(session, pair->both, &everywhere);
  struct gen_accesses *first = gen_allocate(session, sizeof *first),
                      *second = gen_allocate(session, sizeof *second);
  bool limited = true;
  for (int a = 0; a < pair->behind->arrays; a++) {
    const int own = pair->array_of[a];
    for (int turn = 0; own >= 0 && turn < 3 && limited;
         turn++) { /* write then read, read then write, write twice */
      collect(session, pair, false, own, turn != 1, first);
      collect(session, pair, true, a, turn != 0, second);
      limited = stretch(polyhedra, first, second, turn != 1, distance);
    }
  }
  gen_polyhedra_destroy(&polyhedra);
  return limited;
}

static const char *reason(struct gen_session *session, const struct pair *pair,
                          const struct distance *distance)
{
  if (!distance->planes)
    return gen_text(
      session,
      "%s may run where %s has just been: neither touches a neighbour that the other writes.",
      pair->behind->name, pair->before->name);
  return gen_text(session, "%s stays %d behind %s: it %s %s where that %s %s.", pair->behind->name,
                  distance->planes, pair->before->name,
                  distance->first_writes ? "touches" : "writes",
                  gen_access_text(session, pair->both, distance->second),
                  distance->first_writes ? "writes" : "reads",
                  gen_access_text(session, pair->both, distance->first));
}

bool gen_pass_shift(struct gen_session *session, struct gen_pass *pass, struct gen_proof *proof)
{
  enum { MOST_PAIRS = 32 };
  struct {
    struct pair pair;
    int planes;
  } *known = gen_allocate(session, MOST_PAIRS * sizeof *known);
  int pairs = 0;
  for (int later = 1; later < pass->stages; later++)
    for (int earlier = 0; earlier < later; earlier++) {
      struct pair pair = {.before = pass->stage[earlier].kernel,
                          .behind = pass->stage[later].kernel};
      int n = 0;
      while (n < pairs
             && (known[n].pair.before != pair.before || known[n].pair.behind != pair.behind))
        n++;
      if (n == pairs) {
        struct distance distance = {0};
        if (pairs == MOST_PAIRS || !join(session, &pair) || !measure(session, &pair, &distance))
          return false;
        gen_prove(proof, reason(session, &pair, &distance));
        known[pairs].pair = pair;
        known[pairs++].planes = distance.planes;
      }
      const int shift = pass->stage[earlier].shift + known[n].planes;
      if (shift > pass->stage[later].shift)
        pass->stage[later].shift = shift;
    }
  return true;
}

/* ---- counts ---- */

/* Arrays of the level by name, and how the pass uses them: 1 for reading, 1 for writing. */
static int count(const struct gen_pass *pass, double *reals)
{
  const char *name[GEN_MAX_ARRAYS * 2];
  int uses[GEN_MAX_ARRAYS * 2], arrays = 0;
  for (int s = 0; s < pass->stages; s++)
    for (int a = 0; a < pass->stage[s].kernel->arrays; a++) {
      const struct gen_array *array = &pass->stage[s].kernel->array[a];
      if (array->rank != 4 || array->level != GEN_OWN || !(array->read || array->written)
          || (strcmp(array->name, "r") == 0 && s + 1 == pass->stages))
        continue; /* r is never stored: the restriction takes it in */
      int n = 0;
      while (n < arrays && strcmp(name[n], array->name) != 0)
        n++;
      if (n == GEN_MAX_ARRAYS * 2)
        continue;
      if (n == arrays) {
        name[arrays] = array->name;
        uses[arrays++] = 0;
      }
      uses[n] |= array->read | array->written << 1;
    }
  *reals = 0;
  for (int n = 0; n < arrays; n++)
    *reals += (uses[n] & 1) + (uses[n] >> 1);
  return arrays;
}

double gen_pass_reals(const struct gen_pass *pass)
{
  double reals;
  count(pass, &reals);
  return reals + 2 * 0.125; /* the coarse correction read, the coarse right side written */
}

int gen_pass_fields(const struct gen_pass *pass)
{
  double reals;
  return count(pass, &reals);
}

#include "make_request.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/arguments.h"
#include "coordinates.h"
#include "common/names.h"
#include "file/sides.h"

enum make_option {
  MAKE_CASE,
  MAKE_CELLS,
  MAKE_OUTPUT,
  MAKE_LOWER,
  MAKE_UPPER,
  MAKE_ASPECT,
  MAKE_STRETCH,
  MAKE_STRETCH_CELLS,
  MAKE_BOUNDARY,
  MAKE_C0,
  MAKE_C1,
  MAKE_A,
  MAKE_B,
  MAKE_RATIO,
  MAKE_RADIUS,
  MAKE_SIZE,
  MAKE_SIGMA,
  MAKE_LENGTH,
  MAKE_SEED,
  MAKE_NOISE,
  MAKE_FILE,
  MAKE_QUIET,
  MAKE_HELP,
  MAKE_OPTIONS
};
static const struct option make_options[MAKE_OPTIONS] = {
  [MAKE_CASE] = {"case", OPTION_VALUE, "NAME", "which problem"},
  [MAKE_CELLS] = {"cells", OPTION_VALUE, "NX,NY,NZ", "cells; one number for a cube"},
  [MAKE_OUTPUT] = {"output", OPTION_VALUE, "FILE.h5", "the file to write; default NAME.h5"},
  [MAKE_LOWER] = {"lower", OPTION_VALUE, "X,Y,Z", "low corner; default 0,0,0"},
  [MAKE_UPPER] = {"upper", OPTION_VALUE, "X,Y,Z",
                  "high corner; default: equal spacing, the longest side 1"},
  [MAKE_ASPECT] = {"aspect", OPTION_VALUE, "X,Y,Z",
                   "instead of --upper: the spacings' ratio, the longest side 1"},
  [MAKE_STRETCH] = {"stretch", OPTION_VALUE, "X,Y,Z",
                    "each cell's width over the one before; one number for all axes"},
  [MAKE_STRETCH_CELLS] = {"stretch-cells", OPTION_VALUE, "N",
                          "--stretch is that of N cells: one smooth map for any number of cells"},
  [MAKE_BOUNDARY] = {"boundary", OPTION_VALUE, "KIND",
                     "of all sides, or six kinds with commas between: x_lo,x_hi,…"},
  [MAKE_C0] = {"c0", OPTION_VALUE, "C0", "Robin sides: c0 u + c1 du/dn = value; default 1.5"},
  [MAKE_C1] = {"c1", OPTION_VALUE, "C1", "likewise; default 0.7"},
  [MAKE_A] = {"a", OPTION_VALUE, "A", "factor a of the equation; default: the case's"},
  [MAKE_B] = {"b", OPTION_VALUE, "B", "factor b of the equation; default 1"},
  [MAKE_RATIO] = {"ratio", OPTION_VALUE, "R", "beta inside over beta outside; default 1000"},
  [MAKE_RADIUS] = {"radius", OPTION_VALUE, "R",
                   "of the sphere; default a quarter of the shortest side"},
  [MAKE_SIZE] =
    {"size", OPTION_VALUE, "N",
     "cells of an inclusion, a layer, a block, a rod, a ball's radius; default 3, 1, 4, 2, 3"},
  [MAKE_SIGMA] = {"sigma", OPTION_VALUE, "S", "standard deviation of log beta; default 1"},
  [MAKE_LENGTH] = {"length", OPTION_VALUE, "L",
                   "correlation length; default a tenth of the longest side"},
  [MAKE_SEED] = {"seed", OPTION_VALUE, "N", "of random numbers; default 1"},
  [MAKE_NOISE] = {"noise", OPTION_FLAG, "",
                  "f of random numbers (--seed), boundary values 0: the hardest to solve for"},
  [MAKE_FILE] = {"options", OPTION_FILE, "FILE",
                 "more options: \"name value\" on each line; # begins a comment"},
  [MAKE_QUIET] = {"quiet", OPTION_FLAG, "", "print nothing but errors"},
  [MAKE_HELP] = {"help", OPTION_FLAG, "", "this text"},
};

#define OF(medium) (1u << (medium))
/* The media whose parameters some options are. */
static const unsigned media_of[MAKE_OPTIONS] = {
  [MAKE_RATIO] = OF(MEDIUM_SPHERE) | OF(MEDIUM_INCLUSIONS) | OF(MEDIUM_LAYERS)
    | OF(MEDIUM_CHECKERBOARD) | OF(MEDIUM_RODS) | OF(MEDIUM_BALLS) | OF(MEDIUM_NOISE),
  [MAKE_RADIUS] = OF(MEDIUM_SPHERE),
  [MAKE_SIZE] = OF(MEDIUM_INCLUSIONS) | OF(MEDIUM_LAYERS) | OF(MEDIUM_CHECKERBOARD)
    | OF(MEDIUM_RODS) | OF(MEDIUM_BALLS),
  [MAKE_SIGMA] = OF(MEDIUM_LOGNORMAL),
  [MAKE_LENGTH] = OF(MEDIUM_LOGNORMAL),
  [MAKE_SEED] = OF(MEDIUM_INCLUSIONS) | OF(MEDIUM_RODS) | OF(MEDIUM_BALLS) | OF(MEDIUM_NOISE)
    | OF(MEDIUM_LOGNORMAL),
};

struct parse {
  struct make_request *request;
  const char *given[MAKE_OPTIONS]; /* texts; "" for a flag */
  struct failure *failure;
};

static int take(void *user, int option, const char *value, struct failure *failure)
{
  (void)failure;
  struct parse *parse = user;
  parse->given[option] = value ? value : "";
  return 0;
}

#define WRONG(parse, ...) failure_set((parse)->failure, STATUS_INPUT, __VA_ARGS__)

/* `count` numbers separated by commas, or one that stands for all, if the option was given. */
static int numbers(const struct parse *parse, enum make_option option, int count, double *values)
{
  const char *text = parse->given[option], *at = text;
  int found = 0, more = text != NULL;
  if (!text)
    return 0;
  while (more && found < count) {
    char *end;
    values[found] = strtod(at, &end);
    if (end == at || !isfinite(values[found]))
      break;
    found++;
    more = *end == ',';
    at = end + more;
  }
  for (int n = 1; found == 1 && n < count; n++)
    values[n] = values[0];
  if (!more && !*at && (found == count || found == 1))
    return 0;
  return WRONG(parse, "--%s: '%s' is not %s", make_options[option].name, text,
               count == 1 ? "a number" : "three numbers with commas between them, or one");
}

/* Reads an option's numbers, each of them > 0, or with `zero` >= 0. */
static int positive_numbers(const struct parse *parse, enum make_option option, int count, int zero,
                            double *values)
{
  if (numbers(parse, option, count, values))
    return parse->failure->status;
  for (int n = 0; n < count && parse->given[option]; n++)
    if (values[n] < 0 || (!zero && values[n] == 0))
      return WRONG(parse, "--%s: '%s' is not %s %s 0", make_options[option].name,
                   parse->given[option], count == 1 ? "a number" : "three numbers",
                   zero ? ">=" : ">");
  return 0;
}

static int parse_case(struct parse *parse)
{
  const char *names[32], *name = parse->given[MAKE_CASE];
  char list[400], nearest[100];
  for (int n = 0; n < case_count; n++)
    names[n] = case_kinds[n].name;
  names_list(names, case_count, list, sizeof list);
  if (!name)
    return WRONG(parse, "gmg make needs --case NAME, one of %s", list);
  const int found = names_find(name, names, case_count);
  names_suggest(name, names, case_count, nearest, sizeof nearest);
  if (found < 0)
    return WRONG(parse, "--case: '%s' is not one of %s%s", name, list, nearest);
  const struct case_kind *kind = parse->request->kind = &case_kinds[found];
  for (int option = 0; option < MAKE_OPTIONS; option++) {
    const unsigned media = media_of[option];
    const int noisy = option == MAKE_SEED && parse->given[MAKE_NOISE];
    int count = 0;
    if (!media || !parse->given[option] || (media & OF(kind->medium)) || noisy)
      continue;
    for (int n = 0; n < case_count; n++)
      if (media & OF(case_kinds[n].medium))
        names[count++] = case_kinds[n].name;
    names_list(names, count, list, sizeof list);
    return WRONG(parse, "--%s is of the case%s %s, not of %s", make_options[option].name,
                 count == 1 ? "" : "s", list, name);
  }
  return 0;
}

static int parse_cells(struct parse *parse)
{
  struct problem *problem = &parse->request->problem;
  const int *own = parse->request->kind->cells;
  double cells[3] = {own[0], own[1], own[2]};
  if (!parse->given[MAKE_CELLS] && !own[0])
    return WRONG(parse, "gmg make needs --cells NX,NY,NZ");
  if (numbers(parse, MAKE_CELLS, 3, cells))
    return parse->failure->status;
  for (int d = 0; d < 3; d++) {
    if (!(cells[d] >= 1 && cells[d] <= 1 << 30) || cells[d] != floor(cells[d]))
      return WRONG(parse, "--cells: '%s' are not whole numbers from 1 to 2^30",
                   parse->given[MAKE_CELLS]);
    problem->cells[d] = (int)cells[d];
  }
  if (cells[0] * cells[1] * cells[2] > 1099511627776.)
    return WRONG(parse, "--cells: '%s' are more than 2^40 cells in all", parse->given[MAKE_CELLS]);
  return 0;
}

/* The box. */
static int parse_extents(struct parse *parse)
{
  struct problem *problem = &parse->request->problem;
  const double *own = parse->request->kind->aspect;
  double aspect[3] = {1, 1, 1}, longest = 0;
  if (own[0] > 0)
    memcpy(aspect, own, sizeof aspect);
  if (parse->given[MAKE_UPPER] && parse->given[MAKE_ASPECT])
    return WRONG(parse, "--upper and --aspect both say how large the box is, expected one of them");
  if (positive_numbers(parse, MAKE_ASPECT, 3, 0, aspect)
      || numbers(parse, MAKE_LOWER, 3, problem->lower))
    return parse->failure->status;
  for (int d = 0; d < 3; d++)
    longest = fmax(longest, problem->cells[d] * aspect[d]);
  for (int d = 0; d < 3; d++)
    problem->upper[d] = problem->lower[d] + problem->cells[d] * aspect[d] / longest;
  if (numbers(parse, MAKE_UPPER, 3, problem->upper))
    return parse->failure->status;
  for (int d = 0; d < 3; d++)
    if (!(problem->upper[d] > problem->lower[d]))
      return WRONG(parse, "--lower and --upper are %g and %g in %c, expected lower < upper",
                   problem->lower[d], problem->upper[d], "xyz"[d]);
  return 0;
}

static int parse_stretch(struct parse *parse)
{
  static const double most =
    1e8; /* of the widest cell over the narrowest: faces must stay apart after rounding */
  struct problem *problem = &parse->request->problem;
  double ratio[3] = {1, 1, 1};
  int cells = 0;
  if (parse->request->kind->stretch[0] > 0)
    memcpy(ratio, parse->request->kind->stretch, sizeof ratio);
  if (positive_numbers(parse, MAKE_STRETCH, 3, 0, ratio)
      || arguments_integer("stretch-cells", parse->given[MAKE_STRETCH_CELLS], 1, 1 << 30, &cells,
                           parse->failure))
    return parse->failure->status;
  for (int d = 0; d < 3; d++) {
    const int of = cells ? cells : problem->cells[d];
    if (ratio[d] == 1)
      continue;
    if (fabs(log(ratio[d])) * of > log(most))
      return WRONG(parse,
                   "--stretch: %g over %d cells makes widths in %c that differ more than %g-fold",
                   ratio[d], of, "xyz"[d], most);
    if (coordinates_stretch(problem, d, ratio[d], cells, parse->failure))
      return parse->failure->status;
  }
  return 0;
}

/* The kind of each side, from "--boundary neumann" or "--boundary dirichlet,robin,…". */
static int parse_kinds(struct parse *parse, gmg_boundary kind[6])
{
  const char *text = parse->given[MAKE_BOUNDARY], *at = text;
  int found = 0;
  if (!text)
    return 0;
  for (int more = 1; more && found < 6; found++) {
    char word[20], nearest[100];
    const size_t length = strcspn(at, ",");
    snprintf(word, sizeof word, "%.*s", (int)length, at);
    const int index = length < sizeof word ? names_find(word, problem_boundary_names, 4) : -1;
    names_suggest(word, problem_boundary_names, 4, nearest, sizeof nearest);
    if (index < 0)
      return WRONG(parse, "--boundary: '%s' is not one of dirichlet, neumann, robin, periodic%s",
                   word, nearest);
    kind[found] = (gmg_boundary)index;
    more = at[length] == ',';
    at += length + (size_t)more;
  }
  if (*at || (found != 1 && found != 6))
    return WRONG(parse, "--boundary: '%s' is not one kind, or six with commas between them", text);
  for (int s = 1; found == 1 && s < 6; s++)
    kind[s] = kind[0];
  return 0;
}

static int parse_sides(struct parse *parse)
{
  const struct case_kind *kind = parse->request->kind;
  gmg_boundary side[6];
  double c[2] = {1.5, 0.7};
  int any = 0;
  memcpy(side, kind->side, sizeof side);
  if (parse_kinds(parse, side) || numbers(parse, MAKE_C0, 1, &c[0])
      || numbers(parse, MAKE_C1, 1, &c[1]))
    return parse->failure->status;
  for (int s = 0; s < 6; s++) {
    parse->request->problem.side[s] = (struct problem_side){.kind = side[s],
                                                            .c0 = side[s] == GMG_ROBIN ? c[0] : 0,
                                                            .c1 = side[s] == GMG_ROBIN ? c[1] : 0};
    any |= side[s] == GMG_ROBIN;
    if ((side[s] == GMG_PERIODIC) != (side[s ^ 1] == GMG_PERIODIC))
      return WRONG(parse, "--boundary: both or neither side of %c is 'periodic'", "xyz"[s / 2]);
    for (int t = 0; t < 2 && kind->term[t] && side[s] == GMG_PERIODIC; t++)
      if (!kind->term[t]->periodic)
        return WRONG(parse, "--boundary: the solution of --case %s is not periodic", kind->name);
  }
  if (any && ((c[0] < 0 && c[1] > 0) || (c[0] > 0 && c[1] < 0) || (c[0] == 0 && c[1] == 0)))
    return WRONG(parse, "--c0 and --c1 are %g and %g, expected the same sign and not both 0", c[0],
                 c[1]);
  if (!any && (parse->given[MAKE_C0] || parse->given[MAKE_C1]))
    return WRONG(parse, "--%s is of Robin sides, and --case %s has none here",
                 parse->given[MAKE_C0] ? "c0" : "c1", kind->name);
  return 0;
}

static int parse_equation(struct parse *parse)
{
  struct problem *problem = &parse->request->problem;
  problem->a = parse->request->kind->a;
  problem->b = 1;
  return positive_numbers(parse, MAKE_A, 1, 1, &problem->a)
    || positive_numbers(parse, MAKE_B, 1, 0, &problem->b);
}

static int usual_size(enum medium_kind kind)
{
  switch (kind) {
  case MEDIUM_INCLUSIONS:
  case MEDIUM_BALLS:
    return 3;
  case MEDIUM_CHECKERBOARD:
    return 4;
  case MEDIUM_RODS:
    return 2;
  default:
    return 1;
  }
}

static int parse_medium(struct parse *parse)
{
  const struct problem *problem = &parse->request->problem;
  struct medium *medium = &parse->request->medium;
  const enum medium_kind kind = parse->request->kind->medium;
  double shortest = INFINITY, longest = 0;
  for (int d = 0; d < 3; d++) {
    shortest = fmin(shortest, problem_extent(problem, d));
    longest = fmax(longest, problem_extent(problem, d));
  }
  *medium = (struct medium){.kind = kind,
                            .ratio = 1000,
                            .radius = 0.25 * shortest,
                            .size = usual_size(kind),
                            .sigma = 1,
                            .length = 0.1 * longest,
                            .seed = 1};
  if (positive_numbers(parse, MAKE_RATIO, 1, 0, &medium->ratio)
      || positive_numbers(parse, MAKE_RADIUS, 1, 0, &medium->radius)
      || positive_numbers(parse, MAKE_SIGMA, 1, 1, &medium->sigma)
      || positive_numbers(parse, MAKE_LENGTH, 1, 0, &medium->length)
      || arguments_integer("size", parse->given[MAKE_SIZE], 1, 1 << 20, &medium->size,
                           parse->failure)
      || arguments_integer("seed", parse->given[MAKE_SEED], 0, 2147483647, &medium->seed,
                           parse->failure))
    return parse->failure->status;
  if (medium->sigma > 20)
    return WRONG(parse, "--sigma: '%s' is more than 20", parse->given[MAKE_SIGMA]);
  return 0;
}

int make_request_parse(int count, char **words, struct make_request *request,
                       struct failure *failure)
{
  struct parse parse = {.request = request, .failure = failure};
  memset(request, 0, sizeof *request);
  if (arguments_scan(count, words, make_options, MAKE_OPTIONS, take, &parse, &request->file,
                     failure))
    return failure->status;
  request->quiet = parse.given[MAKE_QUIET] != NULL;
  request->help = parse.given[MAKE_HELP] != NULL;
  request->noise = parse.given[MAKE_NOISE] != NULL;
  request->output = parse.given[MAKE_OUTPUT];
  if (!request->help
      && !(parse_case(&parse) || parse_cells(&parse) || parse_extents(&parse)
           || parse_stretch(&parse) || parse_sides(&parse) || parse_equation(&parse)))
    parse_medium(&parse);
  return failure->status;
}

void make_request_clear(struct make_request *request)
{
  problem_clear(&request->problem);
  options_file_clear(&request->file);
}

void make_request_help(void)
{
  printf("gmg make writes a problem file for gmg --input.\n\n");
  arguments_print(make_options, MAKE_OPTIONS);
  printf("\nCases; all but the last eight have an exact solution, from which the boundary values "
         "follow:\n");
  for (int n = 0; n < case_count; n++)
    printf("  %-16s %s\n", case_kinds[n].name, case_kinds[n].help);
}

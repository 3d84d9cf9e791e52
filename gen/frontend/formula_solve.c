#include "formula_solve.h"

#include "formula_head.h"
#include "formula_kernel.h"

#include <string.h>

/* NAME: what comes before the list. */
static bool read_name(struct gen_formula *formula, struct gen_solve *solve)
{
  struct gen_scanner *scanner = &formula->scanner;
  if (!gen_scan_next(scanner))
    return false;
  const struct gen_token name = scanner->token;
  if (name.kind != GEN_TOKEN_NAME)
    return gen_scan_wrong(scanner, "the name of a solve (solve NAME: rhs f, solution u;)");
  *solve = (struct gen_solve){.name = name.text, .where = name.where};
  for (int w = 0; w < GEN_SOLVE_WORDS; w++)
    solve->array[w] = -1;
  for (int n = 0; n < formula->program->solves; n++)
    if (strcmp(formula->program->solve[n].name, name.text) == 0)
      return gen_reject(name.where, "there are two solves '%s'", name.text);
  return gen_formula_free_name(formula, &name) && gen_scan_next(scanner)
    && gen_scan_expect(scanner, ":", " (solve NAME: rhs f, solution u;)");
}

/* The last face of an axis is the first ghost beyond its cells. */
static bool note_face(struct gen_program *program, int axis, const struct gen_token *name,
                      struct gen_program_array *array)
{
  if (axis >= program->dimensions)
    return gen_reject(name->where, "'%s' is on faces along %c, and the program has 2 dimensions",
                      name->text, "xyz"[axis]);
  if (!array->wall[axis][0].kind || !array->wall[axis][1].kind)
    return gen_reject(name->where,
                      "'%s' is on faces along %c, the last of which is its first ghost there, but "
                      "no 'boundary' says what is beyond the walls in %c",
                      name->text, "xyz"[axis], "xyz"[axis]);
  array->ghosts = array->ghosts ? array->ghosts : 1;
  return true;
}

/* WORD ARRAY */
static bool read_entry(struct gen_formula *formula, struct gen_solve *solve)
{
  struct gen_scanner *scanner = &formula->scanner;
  struct gen_program *program = formula->program;
  int word = 0;
  while (word < GEN_SOLVE_WORDS && !gen_scan_is(scanner, gen_solve_words[word]))
    word++;
  if (word == GEN_SOLVE_WORDS)
    return gen_scan_wrong(scanner, "alpha, beta, beta_x, beta_y, beta_z, rhs or solution");
  if (solve->array[word] >= 0)
    return gen_reject(scanner->token.where, "'%s' is said twice", gen_solve_words[word]);
  if (!gen_scan_next(scanner))
    return false;
  const struct gen_token name = scanner->token;
  const int a = name.kind == GEN_TOKEN_NAME ? gen_formula_array(program, name.text) : -1;
  if (a < 0)
    return gen_scan_wrong(scanner, gen_text("an array, for %s,", gen_solve_words[word]));
  struct gen_program_array *array = &program->array[a];
  if (word == GEN_SOLVE_SOLUTION && gen_formula_has_past(program, a))
    return gen_reject(name.where, "'%s' has past values, which equations alone pass on", name.text);
  const int axis = gen_solve_axis(word);
  if (axis >= 0 && !note_face(program, axis, &name, array))
    return false;
  array->read = true;
  array->written = array->written || word == GEN_SOLVE_SOLUTION;
  solve->array[word] = a;
  return gen_scan_next(scanner);
}

/* What only the whole list shows. */
static bool check_list(const struct gen_program *program, const struct gen_solve *solve)
{
  const int *array = solve->array, solution = array[GEN_SOLVE_SOLUTION];
  int faces = 0;
  if (array[GEN_SOLVE_RHS] < 0 || solution < 0)
    return gen_reject(solve->where, "'solve %s' has no '%s': it needs rhs and solution",
                      solve->name, array[GEN_SOLVE_RHS] < 0 ? "rhs" : "solution");
  for (int w = 0; w < GEN_SOLVE_SOLUTION; w++) {
    faces += gen_solve_axis(w) >= 0 && array[w] >= 0;
    if (array[w] == solution)
      return gen_reject(solve->where, "'%s' is both %s and solution of 'solve %s'",
                        program->array[solution].name, gen_solve_words[w], solve->name);
  }
  if (faces && (faces < program->dimensions || array[GEN_SOLVE_BETA] >= 0))
    return gen_reject(solve->where,
                      "'solve %s' has beta on the faces of %d axes%s: expected %s, or beta alone",
                      solve->name, faces, array[GEN_SOLVE_BETA] >= 0 ? ", and on cells" : "",
                      program->dimensions == 3 ? "beta_x, beta_y and beta_z" : "beta_x and beta_y");
  if (program->type == GEN_FLOAT)
    return gen_reject(solve->where,
                      "'solve %s' takes arrays in double precision: expected 'type "
                      "double;'",
                      solve->name);
  return true;
}

bool gen_formula_solve(struct gen_formula *formula)
{
  struct gen_program *program = formula->program;
  struct gen_scanner *scanner = &formula->scanner;
  if (program->solves == GEN_MAX_SOLVES)
    return gen_reject(scanner->token.where, "more than %d solves", GEN_MAX_SOLVES);
  struct gen_solve *solve = &program->solve[program->solves];
  if (!read_name(formula, solve))
    return false;
  while (read_entry(formula, solve)) {
    if (!gen_scan_is(scanner, ","))
      return gen_scan_expect(scanner, ";", " after a solve") && check_list(program, solve)
        && gen_add_step(program, -1,
                        (struct gen_step){.kind = GEN_STEP_SOLVE,
                                          .where = solve->where,
                                          .solve = program->solves++});
    if (!gen_scan_next(scanner))
      return false;
  }
  return false;
}

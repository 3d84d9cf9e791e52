/* What follows from the role of a derived kernel alone. */
#include "derive.h"

const char *gen_role_name(enum gen_role role)
{
#define NAME(role, name, comment) #name,
  static const char *const names[] = {GEN_ROLES(NAME)};
  return names[role];
}

const char *gen_role_comment(enum gen_role role)
{
#define COMMENT(role, name, comment) comment,
  static const char *const comments[] = {GEN_ROLES(COMMENT)};
  return comments[role];
}

bool gen_is_from_zero(enum gen_role role)
{
  return role == GEN_ROLE_ZERO_FIRST || role == GEN_ROLE_ZERO_SECOND;
}

bool gen_is_gauss_seidel(enum gen_role role)
{
  return role == GEN_ROLE_GAUSS_SEIDEL || role == GEN_ROLE_GAUSS_SEIDEL_SUMS;
}

/* In double a GPU is slower by sums, and what they round shows (docs/performance/relaxation.md). */
bool gen_is_emitted(enum gen_role role, enum gen_type precision)
{
  if (role == GEN_ROLE_TERMS_NORM) /* of solutions, which are in double */
    return precision == GEN_DOUBLE;
  return precision == GEN_FLOAT || role != GEN_ROLE_GAUSS_SEIDEL_SUMS;
}

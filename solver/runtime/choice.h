/* What the host may do on a level in one way or another, with the same bits: how its kernels are
 * cut up among threads, and how they follow one another through memory. */
#ifndef GMG_CHOICE_H
#define GMG_CHOICE_H

/* X(name, least, most): what each may be; 0 where the code that asks has a rule of its own.
 *   rows         rows of a strip of a pass (openmp/strips.c)
 *   planes       planes from one wait of a strip for the one that it follows to the next
 *   stages       kernels of a pass, at most
 *   fetch        1: a pass asks for no rows ahead; 2: for those of the next planes
 *   threads      that sweep the level
 *   tile_rows, tile_planes    of the tiles that kernels outside passes are cut into
 *   passes       1: kernels run one by one; 2: in passes, where that is right */
#define GMG_CHOICES(X) \
  X(rows, 1, 4096) \
  X(planes, 1, 256) \
  X(stages, 2, 24) \
  X(fetch, 1, 2) \
  X(threads, 1, 4096) \
  X(tile_rows, 1, 4096) \
  X(tile_planes, 1, 4096) \
  X(passes, 1, 2)

struct gmg_choice {
#define GMG_CHOICE_MEMBER(name, least, most) int name;
  GMG_CHOICES(GMG_CHOICE_MEMBER)
#undef GMG_CHOICE_MEMBER
};

enum { GMG_FETCH_NEVER = 1, GMG_FETCH_ALWAYS, GMG_ALONE = 1, GMG_TOGETHER };
/* How many there are; choice->NAME of the n-th name. */
#define GMG_CHOICE_ONE(name, least, most) +1
enum { GMG_CHOICE_COUNT = 0 GMG_CHOICES(GMG_CHOICE_ONE) };
#undef GMG_CHOICE_ONE

const char *gmg_choice_name(int n);
int *gmg_choice_member(struct gmg_choice *choice, int n);
/* Returns the number of a name, or -1; whether a value may be chosen. */
int gmg_choice_find(const char *name);
int gmg_choice_allows(int n, int value);
/* Writes what is chosen, "rows=24 planes=8 passes=2", without what is left to a rule. Returns the
 * text, or NULL where all is left to rules. */
enum { GMG_CHOICE_TEXT = 160 };
const char *gmg_choice_write(const struct gmg_choice *choice, char text[GMG_CHOICE_TEXT]);

#endif

/* The threads of a solve: one OpenMP region from its begin to its end, in which they take up one
 * piece of work after the other. Their waits are the library's own (gate.h), since those of an
 * OpenMP run time cannot be told, by a program that is not its own, to let other processes run. */
#ifndef GMG_OPENMP_TEAM_H
#define GMG_OPENMP_TEAM_H

struct gmg_team;
struct gmg_gate;

/* A thread's share of a piece of work: thread 0 to of - 1. */
typedef void gmg_share(void *work, int thread, int of);

/* threads: the most that there will be. Memory: gives the team; NULL: out of memory. */
struct gmg_team *gmg_team_create(int threads);
void gmg_team_destroy(struct gmg_team **team);
/* Tells it how many threads there are on this machine, those of other ranks too, and how many cores
 * they have; 0: not known. Where threads are more than cores, who waits sleeps at once. */
void gmg_team_crowd(struct gmg_team *team, int threads, int cores);
/* A gate for waits within a piece of work. */
struct gmg_gate *gmg_team_gate(struct gmg_team *team);
/* Runs lead(work) on the calling thread, as thread 0, with the others at hand until it returns. */
void gmg_team_lead(struct gmg_team *team, void (*lead)(void *work), void *work);
/* Whether that is so now. */
int gmg_team_together(const struct gmg_team *team);
/* Runs share on `threads` threads, on fewer where there are fewer; returns when all are done. In an
 * OpenMP region of its own where the team is not together. team: NULL allowed. */
void gmg_team_share(struct gmg_team *team, int threads, gmg_share *share, void *work);

/* Thread n's part [*from, *to) of things, as OpenMP's static schedule has it, so that memory that
 * one region touched first lies near those who use it in another. */
void gmg_part(int things, int thread, int of, int *from, int *to);

#endif

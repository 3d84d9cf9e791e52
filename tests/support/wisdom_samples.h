/* Wisdom that tests make up: a program on a made-up machine, and entries for it. */
#ifndef WISDOM_SAMPLES_H
#define WISDOM_SAMPLES_H

#include "tuning/wisdom.h"

/* A CPU with 2 threads, and a GPU: the machine of all tables from sample_wisdom. */
extern const struct gmg_wisdom_key sample_cpu, sample_gpu;
/* The hash of all kernels; subjects that begin with "unknown" have none. */
#define SAMPLE_SOURCE "0123456789abcdef"
#define SAMPLE_GENERATOR "0.2.0"

/* An empty table that allows numbers from 1 to 1024 and the words march, queue and staged. Memory:
 * gives it. */
struct gmg_wisdom *sample_wisdom(void);
/* An entry of the CPU for a subject and cells; `rows` makes choices differ. */
struct gmg_wisdom_entry sample_entry(const char *subject, int nx, int ny, int nz, int rows);
/* A folder of its own below TMPDIR or /tmp; sample_remove removes it with what it holds. Memory:
 * static. */
const char *sample_folder(void);
void sample_remove(const char *folder);

#endif

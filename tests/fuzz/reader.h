/* What every fuzz target does with the bytes of a file: reads them as the program reads a problem.
 */
#ifndef GMG_FUZZ_READER_H
#define GMG_FUZZ_READER_H

#include <stddef.h>

/* Reads the structure in a child process (io/file/guard.h), then in this one, then every value
 * where they are few. What the child does of itself, a crash or no end, is the reader's design: a
 * refusal. Aborts if the refusal is no sentence that names the file and an object in it, and if
 * this process would end. With GMG_FUZZ_REPORTS=FOLDER in the environment, the sanitizer's reports
 * of children that were stopped are written there, each beside the bytes in question (.h5). */
void reader_run(const void *bytes, size_t size);

#endif

/* What stands before the user's text in a CUDA file. */
#ifndef GEN_STANDALONE_HELPERS_H
#define GEN_STANDALONE_HELPERS_H

#include "host.h"

/* The functions that take memory of the device and copy, and what lets C be compiled as C++. */
void gen_write_helpers(const struct gen_host *host, struct gen_writer *writer);

#endif

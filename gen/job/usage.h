/* What gmg-gen --help prints. */
#ifndef GEN_USAGE_H
#define GEN_USAGE_H

#include <stdio.h>

void gen_usage(FILE *out);

#endif

/* The XDMF file beside a solution, so that ParaView opens it. */
#ifndef GMG_IO_XDMF_H
#define GMG_IO_XDMF_H

#include "common/failure.h"
#include "output.h"
#include "problem.h"

/* solution: path of the HDF5 file, in the same folder as the XDMF file. On one rank. Errors:
 * STATUS_MACHINE. */
int xdmf_write(const struct output *output, const char *solution, const struct problem *problem,
               struct failure *failure);

#endif

/* Instruction sets by name. */
#ifndef GMG_ISA_H
#define GMG_ISA_H

/* Whether this machine runs an instruction set that kernels are built for. */
int gmg_isa_runs(const char *isa);

#endif

/* Which of a machine's devices a rank takes: one near the cores that it may run on, as far as that
 * leaves no device with more ranks than another one; else the devices in turn. Every rank finds the
 * same by itself. */
#ifndef GMG_CUDA_LOCALITY_H
#define GMG_CUDA_LOCALITY_H

#include "system/comm.h"

enum { GMG_LOCALITY_DEVICES = 64, GMG_LOCALITY_ID = 32 };

/* A machine's devices: by the address on the PCI bus that the driver says, "0000:1B:00.0". */
struct gmg_locality {
  int devices;
  char id[GMG_LOCALITY_DEVICES][GMG_LOCALITY_ID];
};

/* The device of this rank. folder: where the system lists the devices of the bus and the cores near
 * each, "/sys/bus/pci/devices". *near: 1 if it is near, which is only said where not every device
 * is near every rank; 0 in turn; NULL: not asked for. */
int gmg_locality_choose(const struct gmg_locality *locality, const struct gmg_comm *comm,
                        const char *folder, int *near);

#endif

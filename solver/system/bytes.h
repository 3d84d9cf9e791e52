/* Sizes of memory and files, for people. */
#ifndef GMG_BYTES_H
#define GMG_BYTES_H

#include <stddef.h>

/* "812 bytes", "77.3 KiB", "0.752 MiB", "1.42 GiB", "1.1 TiB". */
void gmg_bytes_text(double bytes, char *text, size_t size);

#endif

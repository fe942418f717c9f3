// What the modem's Swift calls of C. No system's headers: the module is for no system, and these are what the archive has.
#include <stddef.h>
#include <stdint.h>

#include "../../NearbyModemC/embedded/functions.h"

void *calloc(size_t, size_t);
void *realloc(void *, size_t);

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <sys/ioctl.h>

// Swift does not import macros that have arguments or that expand to such macros.

static inline unsigned long nearby_hci_device_down(void) { return HCIDEVDOWN; }

static inline uint16_t nearby_hci_opcode(uint16_t group, uint16_t command) { return cmd_opcode_pack(group, command); }

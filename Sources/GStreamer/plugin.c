#include "nearbylisten.h"
#include "nearbytoken.h"

static gboolean plugin_init(GstPlugin *plugin) {
    gboolean is_registered = GST_ELEMENT_REGISTER(nearbytoken, plugin);
    return GST_ELEMENT_REGISTER(nearbylisten, plugin) && is_registered;
}

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, nearby, "Near-ultrasonic tokens in sound", plugin_init, VERSION,
                  "MIT/X11", PACKAGE, "https://nearby-modem.invalid")

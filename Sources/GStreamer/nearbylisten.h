#ifndef NEARBY_LISTEN_H
#define NEARBY_LISTEN_H

#include <gst/audio/gstaudiofilter.h>

G_BEGIN_DECLS

#define NEARBY_TYPE_LISTEN (nearby_listen_get_type())
G_DECLARE_FINAL_TYPE(NearbyListen, nearby_listen, NEARBY, LISTEN, GstAudioFilter)

GST_ELEMENT_REGISTER_DECLARE(nearbylisten)

G_END_DECLS

#endif

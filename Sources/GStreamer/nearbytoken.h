#ifndef NEARBY_TOKEN_H
#define NEARBY_TOKEN_H

#include <gst/audio/gstaudiofilter.h>

G_BEGIN_DECLS

#define NEARBY_TYPE_TOKEN (nearby_token_get_type())
G_DECLARE_FINAL_TYPE(NearbyToken, nearby_token, NEARBY, TOKEN, GstAudioFilter)

GST_ELEMENT_REGISTER_DECLARE(nearbytoken)

G_END_DECLS

#endif

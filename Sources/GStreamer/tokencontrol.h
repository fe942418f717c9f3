/* What nearbytoken sends: by its properties, or by what a box tells. */
#ifndef NEARBY_TOKEN_CONTROL_H
#define NEARBY_TOKEN_CONTROL_H

#include "nearbytoken.h"
#include "player_mixer.h"
#include "token_follower.h"
#include "tokenproperties.h"

GST_DEBUG_CATEGORY_EXTERN(nearby_token_debug);
#define GST_CAT_DEFAULT nearby_token_debug

struct _NearbyToken {
    GstAudioFilter parent;

    /* The mixer that the streaming thread uses. It is made and freed only while that thread mixes nothing. */
    struct player_mixer *mixer;

    /* Guards all that follows, and all but the mixing of the mixer. Not for transform_ip(). */
    GMutex lock;
    TokenProperties properties;
    /* The last properties that were right. */
    TokenProperties used;
    /* What is sent. */
    struct token_settings settings;
    /* What the box told last, without the level. */
    struct token_settings told;
    /* The programme's format; it has no channels until it is known. */
    struct player_format format;
    gboolean is_changed;
    gboolean is_started;

    /* Made at the start, and ended at the stop, if there is a socket. Calls take_from_box() on its thread. */
    struct token_follower *follower;
};

/* Reads the properties and sends by them, with the lock held. Returns FALSE, with the reason in `error`, if they are not
 * right; then all is as it was. */
gboolean nearby_token_read_properties(NearbyToken *self, char *error);

/* Begins to follow a box, without the lock. Returns FALSE, with the reason in `error`, if that cannot be. */
gboolean nearby_token_follow(NearbyToken *self, const gchar *socket, char *error);

#endif

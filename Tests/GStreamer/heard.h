/* What nearbylisten posts, for its tests. */
#pragma once

#include <string.h>

#include "player.h"

#define SENT "nearbytoken name=nearbytoken profile=dsss-quick token=cafe "
#define HEARD "nearbylisten name=nearbylisten profile=dsss-quick "

static inline guint64 time_in(const GstStructure *token, const gchar *name) {
    guint64 time = 0;
    fail_unless(gst_structure_get(token, name, GST_TYPE_CLOCK_TIME, &time, NULL), "%s is missing", name);
    return time;
}

static inline void check_near(guint64 time, guint64 expected) {
    fail_unless(ABS(GST_CLOCK_DIFF(time, expected)) < (gint64)GST_MSECOND, "%" GST_TIME_FORMAT " is not %" GST_TIME_FORMAT,
                GST_TIME_ARGS(time), GST_TIME_ARGS(expected));
}

/* The next token that was posted, whose time is checked. */
static inline void check_token(Player *player, const gchar *token, guint64 timestamp, guint64 running_time) {
    GstStructure *heard = player_token(player);

    fail_unless(heard != NULL, "%s was not heard", token);
    fail_unless_equals_string(gst_structure_get_string(heard, "token"), token);
    check_near(time_in(heard, "timestamp"), timestamp);
    check_near(time_in(heard, "running-time"), running_time);
    gst_structure_free(heard);
}

static inline void check_no_token(Player *player) {
    GstStructure *heard = player_token(player);
    fail_unless(heard == NULL);
}

static inline void end_of_stream(Player *player) { fail_unless(gst_harness_push_event(player->harness, gst_event_new_eos())); }

/* Plays one frame of a token, 1.5 s in all. */
static inline void play_token(Player *player) {
    player_seek(player, gst_util_uint64_scale_round(player->frame, GST_SECOND, 48000));
    player_play_seconds(player, 1.5);
}

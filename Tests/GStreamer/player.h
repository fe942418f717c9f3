/* A programme that is played through elements, and what is heard in what comes out. */
#ifndef NEARBY_TEST_PLAYER_H
#define NEARBY_TEST_PLAYER_H

#include <gst/audio/audio.h>
#include <gst/check/check.h>
#include <gst/check/gstharness.h>
#include <nearby_modem.h>

typedef struct {
    GstHarness *harness;
    GstBus *bus;
    GstAudioInfo info;
    /* The next frame of the programme, and the state of its noise. */
    guint64 frame;
    guint32 noise;
    /* The peak of the programme's noise, of 1. */
    gdouble loudness;
    /* Flags of the next buffers. */
    guint flags;
    /* All that came out. */
    GByteArray *out;
    guint buffer_count;
    guint gap_count;
} Player;

typedef struct {
    gchar token[2 * NBM_MAX_TOKEN_BYTES + 1];
    gdouble start_seconds;
    gdouble level_dbfs;
} Heard;

/* `launch` is as for gst-launch-1.0; `format` is such as "S16LE", `more` such as ",channel-mask=(bitmask)0x3f". */
Player player_new(const gchar *launch, const gchar *format, gint rate_hz, gint channel_count, const gchar *more);
void player_set_format(Player *player, const gchar *format, gint rate_hz, gint channel_count, const gchar *more);
void player_end(Player *player);

/* Plays so many frames, in buffers of `part` frames at most. */
void player_play(Player *player, guint64 frame_count, guint64 part);
void player_play_seconds(Player *player, gdouble seconds);
/* A buffer of the next frames, not pushed. */
GstBuffer *player_buffer(Player *player, guint64 frame_count);
/* Takes what has come out. */
void player_pull(Player *player);

/* A flush and a segment that begins at a time, as after a seek. */
void player_seek(Player *player, GstClockTime time);

/* The element of that name. */
GstElement *player_element(Player *player, const gchar *name);
guint64 player_frames_sent(Player *player);

/* The text of the next message of that type, or NULL; free it. */
gchar *player_words(Player *player, GstMessageType type);
/* The structure of the next message of a token, or NULL; free it. */
GstStructure *player_token(Player *player);

/* What is heard in a channel of what came out. */
GArray *player_hear(Player *player, guint channel, const gchar *profile);
/* How often a token is heard there. */
guint player_count(Player *player, guint channel, const gchar *profile, const gchar *token);

#endif

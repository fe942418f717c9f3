/* Which time of the stream a frame has that the receiver counts from its beginning. */
#ifndef NEARBY_SOUND_TIMELINE_H
#define NEARBY_SOUND_TIMELINE_H

#include <gst/gst.h>

typedef struct {
    gint rate_hz;
    /* The frames that the receiver has taken since its beginning. */
    guint64 frame_count;
    /* The time of the next frame. */
    GstClockTime next;
} SoundTimeline;

/* How a buffer follows the sound before it. */
typedef enum {
    SOUND_FOLLOWS,
    /* Sound was lost before it. */
    SOUND_HAS_HOLE,
    /* It is from elsewhere: its time is before that of what came last. */
    SOUND_IS_OTHER,
} SoundContinuity;

/* Begins at no known time. */
void sound_timeline_reset(SoundTimeline *timeline, gint rate_hz);

/* Compares the time of a buffer, which may be GST_CLOCK_TIME_NONE, with what is expected. Sets how many frames a hole
 * has. */
SoundContinuity sound_timeline_compare(const SoundTimeline *timeline, GstClockTime start, gboolean is_discont,
                                       guint64 *lost_frames);

/* Takes frames, the first of them at `start`; GST_CLOCK_TIME_NONE: right after the last ones. */
void sound_timeline_add(SoundTimeline *timeline, GstClockTime start, guint64 frame_count);

/* The time of a frame; frames before the stream's beginning have 0. */
GstClockTime sound_timeline_time(const SoundTimeline *timeline, gdouble frame);

#endif

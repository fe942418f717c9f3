#include "soundtimeline.h"

/* Times that differ by less than this are those of sound without a hole, unless the buffer says that there is one: live
 * sources measure their times, and those of some files are rounded. As audio sinks' alignment-threshold. */
#define TOLERANCE (40 * GST_MSECOND)

void sound_timeline_reset(SoundTimeline *timeline, gint rate_hz) {
    *timeline = (SoundTimeline) { .rate_hz = rate_hz, .next = GST_CLOCK_TIME_NONE };
}

SoundContinuity sound_timeline_compare(const SoundTimeline *timeline, GstClockTime start, gboolean is_discont,
                                       guint64 *lost_frames) {
    GstClockTimeDiff jump;

    *lost_frames = 0;
    if (!GST_CLOCK_TIME_IS_VALID(start) || !GST_CLOCK_TIME_IS_VALID(timeline->next)) return SOUND_FOLLOWS;
    jump = GST_CLOCK_DIFF(timeline->next, start);
    if (jump <= -(GstClockTimeDiff)TOLERANCE) return SOUND_IS_OTHER;
    if (jump < (is_discont ? 0 : (GstClockTimeDiff)TOLERANCE)) return SOUND_FOLLOWS;
    *lost_frames = gst_util_uint64_scale_round((guint64)jump, (guint64)timeline->rate_hz, GST_SECOND);
    return *lost_frames > 0 ? SOUND_HAS_HOLE : SOUND_FOLLOWS;
}

void sound_timeline_add(SoundTimeline *timeline, GstClockTime start, guint64 frame_count) {
    if (!GST_CLOCK_TIME_IS_VALID(start)) start = GST_CLOCK_TIME_IS_VALID(timeline->next) ? timeline->next : 0;
    timeline->frame_count += frame_count;
    timeline->next = start + gst_util_uint64_scale_round(frame_count, GST_SECOND, (guint64)timeline->rate_hz);
}

GstClockTime sound_timeline_time(const SoundTimeline *timeline, gdouble frame) {
    /* From the last frame backwards: the drift of a live source's clock since the beginning does not matter then. */
    gdouble ago = ((gdouble)timeline->frame_count - frame) / timeline->rate_hz * GST_SECOND;
    gdouble time = (gdouble)timeline->next - ago;

    return time > 0 ? (GstClockTime)(time + 0.5) : 0;
}

/**
 * SECTION:element-nearbylisten
 * @title: nearbylisten
 *
 * Passes sound unchanged, and posts an element message for each near-ultrasonic token that it hears. The message's
 * structure is called `nearby-token`:
 *
 * * #gchararray `token`: hexadecimal digits
 * * #gchararray `profile`
 * * #GstClockTime `timestamp`, `stream-time`, `running-time`: where the token's frame begins
 * * #GstClockTime `duration`: of the frame
 * * #gdouble `snr`: in dB, over the profile's band
 * * #gdouble `ebn0`: in dB
 * * #gdouble `level`: in dBFS
 * * #gdouble `speed`: in m/s, at which sender and receiver approach
 * * #guint `repeats`: frames that were combined to hear it
 * * #guint `lane`
 * * #gboolean `checked`: check bits held; otherwise the token is only likely
 *
 * A frame is known 0.1 s after its end if it is loud, and up to five seconds after it if it is faint. A flush forgets
 * what was not settled yet.
 *
 * |[
 * gst-launch-1.0 -m pulsesrc ! audioconvert ! audioresample ! nearbylisten ! fakesink
 * ]|
 */
#include "nearbylisten.h"

#include "audioformat.h"
#include "profilelist.h"
#include "soundtimeline.h"

GST_DEBUG_CATEGORY_STATIC(nearby_listen_debug);
#define GST_CAT_DEFAULT nearby_listen_debug

enum { PROP_0, PROP_PROFILE, PROP_CHANNEL };

struct _NearbyListen {
    GstAudioFilter parent;

    /* Under the object's lock; the streaming thread reads them when the format is set. */
    gchar *profile;
    guint channel;

    /* The streaming thread's. */
    nbm_receiver *receiver;
    SoundTimeline timeline;
};

G_DEFINE_TYPE_WITH_CODE(NearbyListen, nearby_listen, GST_TYPE_AUDIO_FILTER,
    GST_DEBUG_CATEGORY_INIT(nearby_listen_debug, "nearbylisten", 0, "Tokens heard in sound"))
GST_ELEMENT_REGISTER_DEFINE(nearbylisten, "nearbylisten", GST_RANK_NONE, NEARBY_TYPE_LISTEN)

/* ---- What is heard ------------------------------------------------------------------------------------------------- */

static void post_token(void *context, const nbm_report *report) {
    NearbyListen *self = NEARBY_LISTEN(context);
    const GstSegment *segment = &GST_BASE_TRANSFORM(self)->segment;
    gboolean has_times = segment->format == GST_FORMAT_TIME;
    GstClockTime time = sound_timeline_time(&self->timeline, report->start_frame);
    char token[2 * NBM_MAX_TOKEN_BYTES + 1];
    GstStructure *heard;

    token_write_hex(report->token, report->token_bytes, token);
    GST_DEBUG_OBJECT(self, "token %s at %" GST_TIME_FORMAT ", SNR %.1f dB", token, GST_TIME_ARGS(time), (double)report->snr_decibels);
    heard = gst_structure_new("nearby-token",
        "token", G_TYPE_STRING, token, "profile", G_TYPE_STRING, report->profile,
        "timestamp", GST_TYPE_CLOCK_TIME, time,
        "stream-time", GST_TYPE_CLOCK_TIME, has_times ? gst_segment_to_stream_time(segment, GST_FORMAT_TIME, time) : GST_CLOCK_TIME_NONE,
        "running-time", GST_TYPE_CLOCK_TIME, has_times ? gst_segment_to_running_time(segment, GST_FORMAT_TIME, time) : GST_CLOCK_TIME_NONE,
        "duration", GST_TYPE_CLOCK_TIME, (GstClockTime)(report->seconds_on_air * GST_SECOND),
        "snr", G_TYPE_DOUBLE, (gdouble)report->snr_decibels, "ebn0", G_TYPE_DOUBLE, (gdouble)report->ebn0_decibels,
        "level", G_TYPE_DOUBLE, (gdouble)report->level_dbfs, "speed", G_TYPE_DOUBLE, (gdouble)report->speed_meters_per_second,
        "repeats", G_TYPE_UINT, (guint)report->repeats, "lane", G_TYPE_UINT, (guint)report->lane,
        "channel", G_TYPE_UINT, (guint)report->channel + 1,
        "checked", G_TYPE_BOOLEAN, report->is_checked != 0, NULL);
    gst_element_post_message(GST_ELEMENT(self), gst_message_new_element(GST_OBJECT(self), heard));
}

/* Ends the sound, and begins anew. */
static void begin_anew(NearbyListen *self, gboolean is_told) {
    if (!self->receiver) return;
    nbm_receiver_finish(self->receiver, is_told ? post_token : NULL, self);
    sound_timeline_reset(&self->timeline, self->timeline.rate_hz);
}

/* Takes the next frames; `frames` is NULL if they are silent. */
static gboolean listen_to(NearbyListen *self, const void *frames, guint64 frame_count, GstClockTime start, gboolean is_discont) {
    nbm_result result = NBM_OK;
    guint64 lost_frames;

    switch (sound_timeline_compare(&self->timeline, start, is_discont, &lost_frames)) {
    case SOUND_FOLLOWS: break;
    case SOUND_HAS_HOLE:
        GST_DEBUG_OBJECT(self, "%" G_GUINT64_FORMAT " frames are missing before %" GST_TIME_FORMAT, lost_frames, GST_TIME_ARGS(start));
        sound_timeline_add(&self->timeline, GST_CLOCK_TIME_NONE, lost_frames);
        result = nbm_receiver_skip(self->receiver, lost_frames, post_token, self);
        break;
    case SOUND_IS_OTHER:
        GST_DEBUG_OBJECT(self, "other sound begins at %" GST_TIME_FORMAT, GST_TIME_ARGS(start));
        begin_anew(self, TRUE);
    }
    if (result == NBM_OK) {
        sound_timeline_add(&self->timeline, start, frame_count);
        result = frames ? nbm_receiver_push(self->receiver, frames, frame_count, post_token, self)
                        : nbm_receiver_skip(self->receiver, frame_count, post_token, self);
    }
    if (result == NBM_OK) return TRUE;
    GST_ELEMENT_ERROR(self, LIBRARY, FAILED, ("%s", nbm_receiver_last_error(self->receiver)), (NULL));
    return FALSE;
}

/* ---- Start, format, stop ------------------------------------------------------------------------------------------- */

static gboolean nearby_listen_start(GstBaseTransform *base) {
    NearbyListen *self = NEARBY_LISTEN(base);
    char error[TOKEN_ERROR_SIZE];
    gchar **names;

    GST_OBJECT_LOCK(self);
    names = profile_list_parse(self->profile, error);
    GST_OBJECT_UNLOCK(self);
    if (!names) GST_ELEMENT_ERROR(self, LIBRARY, SETTINGS, ("%s", error), (NULL));
    g_strfreev(names);
    return names != NULL;
}

static gboolean nearby_listen_stop(GstBaseTransform *base) {
    NearbyListen *self = NEARBY_LISTEN(base);

    nbm_receiver_destroy(self->receiver);
    self->receiver = NULL;
    return TRUE;
}

static nbm_receiver *make_receiver(const GstAudioInfo *info, gchar **names, guint channel, char *error) {
    nbm_receiver_options options = NBM_RECEIVER_OPTIONS_INIT;
    nbm_receiver *receiver = NULL;
    nbm_result result;

    if (!profile_list_check_rate(names, (guint)GST_AUDIO_INFO_RATE(info), error)) return NULL;
    options.profiles = (const char *const *)names;
    options.profile_count = g_strv_length(names);
    options.sample_rate_hz = (guint32)GST_AUDIO_INFO_RATE(info);
    options.channel_count = (guint32)GST_AUDIO_INFO_CHANNELS(info);
    options.format = nearby_audio_format(info);
    options.channel = channel ? channel - 1 : NBM_ALL_CHANNELS;
    result = nbm_receiver_create(&options, &receiver);
    if (result != NBM_OK) g_snprintf(error, TOKEN_ERROR_SIZE, "%s", nbm_error_string(result));
    return receiver;
}

static gboolean nearby_listen_setup(GstAudioFilter *filter, const GstAudioInfo *info) {
    NearbyListen *self = NEARBY_LISTEN(filter);
    char error[TOKEN_ERROR_SIZE] = "";
    gchar **names;
    guint channel;

    GST_OBJECT_LOCK(self);
    names = profile_list_parse(self->profile, error);
    channel = self->channel;
    GST_OBJECT_UNLOCK(self);

    begin_anew(self, TRUE);
    nbm_receiver_destroy(self->receiver);
    self->receiver = NULL;
    sound_timeline_reset(&self->timeline, GST_AUDIO_INFO_RATE(info));
    if (names && channel > (guint)GST_AUDIO_INFO_CHANNELS(info)) {
        g_snprintf(error, sizeof error, "expected a channel of 1 to %d, as the sound has, not %u", GST_AUDIO_INFO_CHANNELS(info), channel);
    } else if (names) {
        self->receiver = make_receiver(info, names, channel, error);
    }
    g_strfreev(names);
    if (!self->receiver) GST_ELEMENT_WARNING(self, STREAM, FORMAT, ("%s; the sound passes, and nothing is heard in it", error), (NULL));
    return TRUE;
}

/* ---- The streaming thread ------------------------------------------------------------------------------------------ */

static GstFlowReturn nearby_listen_transform_ip(GstBaseTransform *base, GstBuffer *buffer) {
    NearbyListen *self = NEARBY_LISTEN(base);
    gsize frame_count = gst_buffer_get_size(buffer) / (gsize)GST_AUDIO_FILTER_BPF(self);
    gboolean is_discont = GST_BUFFER_IS_DISCONT(buffer), is_well;
    GstMapInfo map;

    /* Played backwards, buffers come from the last to the first. */
    if (!self->receiver || base->segment.rate < 0) return GST_FLOW_OK;
    if (GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_GAP))
        return listen_to(self, NULL, frame_count, GST_BUFFER_PTS(buffer), is_discont) ? GST_FLOW_OK : GST_FLOW_ERROR;
    if (!gst_buffer_map(buffer, &map, GST_MAP_READ)) {
        GST_ELEMENT_ERROR(self, RESOURCE, READ, ("a buffer of sound cannot be read"), (NULL));
        return GST_FLOW_ERROR;
    }
    is_well = listen_to(self, map.data, frame_count, GST_BUFFER_PTS(buffer), is_discont);
    gst_buffer_unmap(buffer, &map);
    return is_well ? GST_FLOW_OK : GST_FLOW_ERROR;
}

static void take_gap(NearbyListen *self, GstEvent *event) {
    GstClockTime start, duration;

    gst_event_parse_gap(event, &start, &duration);
    if (!self->receiver || !GST_CLOCK_TIME_IS_VALID(duration)) return;
    listen_to(self, NULL, gst_util_uint64_scale_round(duration, (guint64)self->timeline.rate_hz, GST_SECOND), start, FALSE);
}

static gboolean nearby_listen_sink_event(GstBaseTransform *base, GstEvent *event) {
    NearbyListen *self = NEARBY_LISTEN(base);
    const GstSegment *segment;

    /* Before it is passed on: what is told now belongs to the segment that ends. */
    switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_SEGMENT:
        gst_event_parse_segment(event, &segment);
        if (!gst_segment_is_equal(segment, &base->segment)) begin_anew(self, TRUE);
        break;
    case GST_EVENT_EOS: begin_anew(self, TRUE); break;
    case GST_EVENT_FLUSH_STOP: begin_anew(self, FALSE); break;
    case GST_EVENT_GAP: take_gap(self, event); break;
    default: break;
    }
    return GST_BASE_TRANSFORM_CLASS(nearby_listen_parent_class)->sink_event(base, event);
}

/* ---- Properties and class ------------------------------------------------------------------------------------------ */

static void nearby_listen_set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
    NearbyListen *self = NEARBY_LISTEN(object);

    GST_OBJECT_LOCK(self);
    switch (id) {
    case PROP_PROFILE:
        g_free(self->profile);
        self->profile = g_value_dup_string(value);
        break;
    case PROP_CHANNEL: self->channel = g_value_get_uint(value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
    GST_OBJECT_UNLOCK(self);
}

static void nearby_listen_get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
    NearbyListen *self = NEARBY_LISTEN(object);

    GST_OBJECT_LOCK(self);
    switch (id) {
    case PROP_PROFILE: g_value_set_string(value, self->profile); break;
    case PROP_CHANNEL: g_value_set_uint(value, self->channel); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
    GST_OBJECT_UNLOCK(self);
}

static void nearby_listen_finalize(GObject *object) {
    g_free(NEARBY_LISTEN(object)->profile);
    G_OBJECT_CLASS(nearby_listen_parent_class)->finalize(object);
}

static void nearby_listen_init(NearbyListen *self) {
    self->profile = g_strdup("dsss");
    self->channel = 1;
    gst_base_transform_set_passthrough(GST_BASE_TRANSFORM(self), TRUE);
}

static void nearby_listen_class_init(NearbyListenClass *class) {
    GObjectClass *object_class = G_OBJECT_CLASS(class);
    GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS(class);
    const GParamFlags ready = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY;
    GstCaps *caps = gst_caps_from_string(NEARBY_AUDIO_CAPS);

    object_class->set_property = nearby_listen_set_property;
    object_class->get_property = nearby_listen_get_property;
    object_class->finalize = nearby_listen_finalize;
    g_object_class_install_property(object_class, PROP_PROFILE,
        g_param_spec_string("profile", "Profile",
            "Profiles to listen for, separated by commas, as 'nearby-modem profiles' lists them; each costs its own search; "
            "auto: all but dsss-wide", "dsss", ready));
    g_object_class_install_property(object_class, PROP_CHANNEL,
        g_param_spec_uint("channel", "Channel", "Channel to listen to; the first is 1; 0: all of them, together", 0, 8, 1, ready));

    gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(class), "Nearby listener", "Filter/Analyzer/Audio",
                                          "Posts a message for each near-ultrasonic token in the sound", "The nearby-modem authors");
    gst_audio_filter_class_add_pad_templates(GST_AUDIO_FILTER_CLASS(class), caps);
    gst_caps_unref(caps);

    GST_AUDIO_FILTER_CLASS(class)->setup = nearby_listen_setup;
    transform_class->start = nearby_listen_start;
    transform_class->stop = nearby_listen_stop;
    transform_class->sink_event = nearby_listen_sink_event;
    transform_class->transform_ip = nearby_listen_transform_ip;
    transform_class->transform_ip_on_passthrough = TRUE;
}

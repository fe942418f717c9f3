/**
 * SECTION:element-nearbytoken
 * @title: nearbytoken
 *
 * Mixes a near-ultrasonic token into the programme that passes, in place and without delay. Who listens nearby, by
 * nearbylisten or `nearby-modem listen`, finds the device that plays.
 *
 * All properties may be changed while it plays; those that one g_object_set() sets are one change. What is wrong is an
 * error when the element starts, and a warning while it plays: then it goes on as before. A programme whose sample rate
 * is too low for the profile passes unchanged, with a warning, because sound without a token is better than none.
 *
 * With #NearbyToken:socket, it sends what the set-top box on this machine tells it, and nothing while there is no box.
 *
 * |[
 * gst-launch-1.0 playbin uri=file:///film.mkv audio-filter="nearbytoken token=0123456789abcdef"
 * ]|
 */
#include "nearbytoken.h"

#include "audioformat.h"
#include "tokencontrol.h"

GST_DEBUG_CATEGORY(nearby_token_debug);

enum {
    /* A gap is filled with buffers of this length. */
    GAP_BUFFER_MS = 100,
};

G_DEFINE_TYPE_WITH_CODE(NearbyToken, nearby_token, GST_TYPE_AUDIO_FILTER,
    GST_DEBUG_CATEGORY_INIT(nearby_token_debug, "nearbytoken", 0, "Tokens mixed into a programme"))
GST_ELEMENT_REGISTER_DEFINE(nearbytoken, "nearbytoken", GST_RANK_NONE, NEARBY_TYPE_TOKEN)

/* ---- Properties ---------------------------------------------------------------------------------------------------- */

/* Is called once for all properties of a g_object_set(): token and profile may change together. */
static void nearby_token_dispatch_properties_changed(GObject *object, guint count, GParamSpec **specs) {
    NearbyToken *self = NEARBY_TOKEN(object);
    char error[TOKEN_ERROR_SIZE] = "";

    g_mutex_lock(&self->lock);
    if (self->is_changed && self->is_started) {
        self->is_changed = FALSE;
        if (!nearby_token_read_properties(self, error)) token_properties_copy(&self->properties, &self->used);
    }
    g_mutex_unlock(&self->lock);
    if (*error) GST_ELEMENT_WARNING(self, LIBRARY, SETTINGS, ("%s; what was set before stays in use", error), (NULL));
    G_OBJECT_CLASS(nearby_token_parent_class)->dispatch_properties_changed(object, count, specs);
}

static void nearby_token_set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
    NearbyToken *self = NEARBY_TOKEN(object);

    g_mutex_lock(&self->lock);
    if (token_properties_set(&self->properties, id, value)) {
        self->is_changed = TRUE;
    } else {
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
    g_mutex_unlock(&self->lock);
}

static GstStructure *make_stats(NearbyToken *self) {
    nbm_mixer_status status = { .size = sizeof status, .level_dbfs = -200, .programme_dbfs = -200 };
    g_autofree gchar *tokens = token_list_text(&self->settings.tokens);

    if (self->mixer) player_mixer_get_status(self->mixer, &status);
    return gst_structure_new("application/x-nearbytoken-stats", "token", G_TYPE_STRING, tokens, "profile", G_TYPE_STRING,
                             self->settings.profile, "frames-sent", G_TYPE_UINT64, (guint64)status.frames_sent,
                             "sounding", G_TYPE_BOOLEAN, status.is_sounding != 0, "level", G_TYPE_DOUBLE,
                             (gdouble)status.level_dbfs, "programme-level", G_TYPE_DOUBLE, (gdouble)status.programme_dbfs, NULL);
}

static void nearby_token_get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
    NearbyToken *self = NEARBY_TOKEN(object);

    g_mutex_lock(&self->lock);
    if (id == PROP_STATS) {
        g_value_take_boxed(value, make_stats(self));
    } else if (!token_properties_get(&self->properties, id, value)) {
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
    g_mutex_unlock(&self->lock);
}

/* ---- Start, format, stop ------------------------------------------------------------------------------------------- */

static gboolean nearby_token_start(GstBaseTransform *base) {
    NearbyToken *self = NEARBY_TOKEN(base);
    char error[TOKEN_ERROR_SIZE] = "";
    gchar *socket;

    g_mutex_lock(&self->lock);
    self->is_changed = FALSE;
    token_settings_init(&self->told);
    self->is_started = nearby_token_read_properties(self, error);
    socket = g_strdup(self->properties.socket);
    g_mutex_unlock(&self->lock);
    if (self->is_started && socket) nearby_token_follow(self, socket, error);
    g_free(socket);
    if (!*error) return TRUE;
    self->is_started = FALSE;
    GST_ELEMENT_ERROR(self, LIBRARY, SETTINGS, ("%s", error), (NULL));
    return FALSE;
}

static struct player_mixer *take_mixer(NearbyToken *self, struct player_mixer *mixer) {
    struct player_mixer *old = self->mixer;
    self->mixer = mixer;
    return old;
}

static gboolean nearby_token_stop(GstBaseTransform *base) {
    NearbyToken *self = NEARBY_TOKEN(base);
    struct player_mixer *old;

    token_follower_stop(self->follower);
    self->follower = NULL;
    g_mutex_lock(&self->lock);
    self->is_started = FALSE;
    self->format.channel_count = 0;
    old = take_mixer(self, NULL);
    g_mutex_unlock(&self->lock);
    player_mixer_destroy(old);
    return TRUE;
}

static gboolean nearby_token_setup(GstAudioFilter *filter, const GstAudioInfo *info) {
    NearbyToken *self = NEARBY_TOKEN(filter);
    const struct player_format format = {
        .format = nearby_audio_format(info),
        .sample_rate_hz = (guint32)GST_AUDIO_INFO_RATE(info),
        .channel_count = (guint32)GST_AUDIO_INFO_CHANNELS(info),
        .skipped_channels = nearby_low_frequency_channels(info),
    };
    char error[TOKEN_ERROR_SIZE] = "";
    struct player_mixer *mixer, *old;

    g_mutex_lock(&self->lock);
    self->format = format;
    mixer = player_mixer_create(&format, &self->settings, error);
    old = take_mixer(self, mixer);
    g_mutex_unlock(&self->lock);
    player_mixer_destroy(old);
    gst_base_transform_set_passthrough(GST_BASE_TRANSFORM(self), !mixer);
    if (mixer) {
        GST_DEBUG_OBJECT(self, "mixes into %u channels but 0x%x, %u Hz", format.channel_count, format.skipped_channels,
                         format.sample_rate_hz);
    } else {
        GST_ELEMENT_WARNING(self, STREAM, FORMAT, ("%s; the programme passes without a token: put audioresample before it", error), (NULL));
    }
    return TRUE;
}

/* ---- The streaming thread ------------------------------------------------------------------------------------------ */

static gboolean mix_into(NearbyToken *self, GstBuffer *buffer) {
    GstMapInfo map;

    if (!gst_buffer_map(buffer, &map, GST_MAP_READWRITE)) {
        GST_ELEMENT_ERROR(self, RESOURCE, WRITE, ("a buffer of sound cannot be written"), (NULL));
        return FALSE;
    }
    if (player_mixer_mix(self->mixer, map.data, map.size / (gsize)GST_AUDIO_FILTER_BPF(self))) {
        /* Silence with a token in it is no silence: converters and sinks drop what is marked as a gap. */
        GST_BUFFER_FLAG_UNSET(buffer, GST_BUFFER_FLAG_GAP);
    }
    gst_buffer_unmap(buffer, &map);
    return TRUE;
}

static GstFlowReturn nearby_token_transform_ip(GstBaseTransform *base, GstBuffer *buffer) {
    NearbyToken *self = NEARBY_TOKEN(base);

    if (G_UNLIKELY(!self->mixer)) return GST_FLOW_NOT_NEGOTIATED;
    return mix_into(self, buffer) ? GST_FLOW_OK : GST_FLOW_ERROR;
}

/* Replaces a gap by buffers of silence, for the token to sound in it. Returns FALSE if that cannot be: then the event
 * is to be passed on. */
static gboolean fill_gap(NearbyToken *self, GstEvent *event) {
    const GstAudioInfo *info = GST_AUDIO_FILTER_INFO(self);
    GstClockTime start, duration;
    guint64 left, done = 0;

    gst_event_parse_gap(event, &start, &duration);
    if (!self->mixer || !GST_CLOCK_TIME_IS_VALID(start) || !GST_CLOCK_TIME_IS_VALID(duration)) return FALSE;
    left = gst_util_uint64_scale_round(duration, GST_AUDIO_INFO_RATE(info), GST_SECOND);
    while (left > 0) {
        guint64 count = MIN(left, (guint64)GST_AUDIO_INFO_RATE(info) * GAP_BUFFER_MS / 1000);
        gsize size = count * (gsize)GST_AUDIO_INFO_BPF(info);
        GstBuffer *buffer = gst_buffer_new_allocate(NULL, size, NULL);
        GstClockTime end = gst_util_uint64_scale_round(done + count, GST_SECOND, GST_AUDIO_INFO_RATE(info));

        gst_buffer_memset(buffer, 0, 0, size);
        GST_BUFFER_PTS(buffer) = start + gst_util_uint64_scale_round(done, GST_SECOND, GST_AUDIO_INFO_RATE(info));
        GST_BUFFER_DURATION(buffer) = start + end - GST_BUFFER_PTS(buffer);
        GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_GAP);
        if (!mix_into(self, buffer)) {
            gst_buffer_unref(buffer);
            return TRUE;
        }
        /* What is downstream tells the next buffer, too, that it flushes or has failed. */
        if (gst_pad_push(GST_BASE_TRANSFORM_SRC_PAD(self), buffer) != GST_FLOW_OK) return TRUE;
        left -= count;
        done += count;
    }
    return TRUE;
}

static gboolean nearby_token_sink_event(GstBaseTransform *base, GstEvent *event) {
    NearbyToken *self = NEARBY_TOKEN(base);
    gboolean has_token;

    switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_FLUSH_STOP:
        /* Part of the frame under way was thrown away. */
        g_mutex_lock(&self->lock);
        if (self->mixer) player_mixer_restart(self->mixer);
        g_mutex_unlock(&self->lock);
        break;
    case GST_EVENT_GAP:
        g_mutex_lock(&self->lock);
        has_token = self->settings.tokens.count > 0;
        g_mutex_unlock(&self->lock);
        if (has_token && fill_gap(self, event)) {
            gst_event_unref(event);
            return TRUE;
        }
        break;
    default: break;
    }
    return GST_BASE_TRANSFORM_CLASS(nearby_token_parent_class)->sink_event(base, event);
}

/* ---- The class ----------------------------------------------------------------------------------------------------- */

static void nearby_token_init(NearbyToken *self) {
    g_mutex_init(&self->lock);
    token_properties_init(&self->properties);
    token_settings_init(&self->settings);
    token_settings_init(&self->told);
}

static void nearby_token_finalize(GObject *object) {
    NearbyToken *self = NEARBY_TOKEN(object);

    token_properties_clear(&self->properties);
    token_properties_clear(&self->used);
    g_mutex_clear(&self->lock);
    G_OBJECT_CLASS(nearby_token_parent_class)->finalize(object);
}

static void nearby_token_class_init(NearbyTokenClass *class) {
    GObjectClass *object_class = G_OBJECT_CLASS(class);
    GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS(class);
    GstCaps *caps = gst_caps_from_string(NEARBY_AUDIO_CAPS);

    object_class->set_property = nearby_token_set_property;
    object_class->get_property = nearby_token_get_property;
    object_class->dispatch_properties_changed = nearby_token_dispatch_properties_changed;
    object_class->finalize = nearby_token_finalize;
    token_properties_install(object_class);

    gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(class), "Nearby token", "Filter/Effect/Audio",
                                          "Mixes a near-ultrasonic token into a programme", "The nearby-modem authors");
    gst_audio_filter_class_add_pad_templates(GST_AUDIO_FILTER_CLASS(class), caps);
    gst_caps_unref(caps);

    GST_AUDIO_FILTER_CLASS(class)->setup = nearby_token_setup;
    transform_class->start = nearby_token_start;
    transform_class->stop = nearby_token_stop;
    transform_class->sink_event = nearby_token_sink_event;
    transform_class->transform_ip = nearby_token_transform_ip;
    transform_class->transform_ip_on_passthrough = FALSE;
}

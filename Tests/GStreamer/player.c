#include "player.h"

#include <string.h>

static nbm_format format_of(const GstAudioInfo *info) {
    switch (GST_AUDIO_INFO_FORMAT(info)) {
    case GST_AUDIO_FORMAT_S16LE: return NBM_FORMAT_S16;
    case GST_AUDIO_FORMAT_S24LE: return NBM_FORMAT_S24_PACKED;
    case GST_AUDIO_FORMAT_S24_32LE: return NBM_FORMAT_S24;
    case GST_AUDIO_FORMAT_S32LE: return NBM_FORMAT_S32;
    default: return NBM_FORMAT_FLOAT;
    }
}

Player player_new(const gchar *launch, const gchar *format, gint rate_hz, gint channel_count, const gchar *more) {
    Player player = { .harness = gst_harness_new_parse(launch), .bus = gst_bus_new(), .noise = 1, .loudness = 0.02 };

    player.out = g_byte_array_new();
    gst_element_set_bus(player.harness->element, player.bus);
    player_set_format(&player, format, rate_hz, channel_count, more);
    return player;
}

void player_set_format(Player *player, const gchar *format, gint rate_hz, gint channel_count, const gchar *more) {
    gchar *text = g_strdup_printf("audio/x-raw,format=%s,rate=%d,channels=%d,layout=interleaved%s", format, rate_hz, channel_count, more);
    GstCaps *caps = gst_caps_from_string(text);

    fail_unless(gst_audio_info_from_caps(&player->info, caps), "%s", text);
    gst_harness_set_src_caps(player->harness, caps);
    g_byte_array_set_size(player->out, 0);
    g_free(text);
}

void player_end(Player *player) {
    gst_element_set_bus(player->harness->element, NULL);
    gst_harness_teardown(player->harness);
    gst_object_unref(player->bus);
    g_byte_array_unref(player->out);
}

static gdouble next_noise(Player *player) {
    player->noise = player->noise * 1664525u + 1013904223u;
    return player->loudness * ((gdouble)player->noise / 2147483648.0 - 1);
}

GstBuffer *player_buffer(Player *player, guint64 frame_count) {
    const GstAudioFormatInfo *format = player->info.finfo;
    gsize sample_count = frame_count * (gsize)player->info.channels, size = frame_count * (gsize)player->info.bpf;
    gboolean is_float = GST_AUDIO_FORMAT_INFO_IS_FLOAT(format);
    gpointer unpacked = g_malloc(sample_count * 8);
    GstBuffer *buffer = gst_buffer_new_allocate(NULL, size, NULL);
    GstMapInfo map;

    for (gsize i = 0; i < sample_count; i++) {
        if (is_float) ((gdouble *)unpacked)[i] = next_noise(player);
        else ((gint32 *)unpacked)[i] = (gint32)(2147483647.0 * next_noise(player));
    }
    gst_buffer_map(buffer, &map, GST_MAP_WRITE);
    format->pack_func(format, GST_AUDIO_PACK_FLAG_NONE, unpacked, map.data, (gint)sample_count);
    gst_buffer_unmap(buffer, &map);
    g_free(unpacked);
    GST_BUFFER_PTS(buffer) = gst_util_uint64_scale_round(player->frame, GST_SECOND, (guint64)player->info.rate);
    GST_BUFFER_DURATION(buffer) = gst_util_uint64_scale_round(frame_count, GST_SECOND, (guint64)player->info.rate);
    GST_BUFFER_FLAG_SET(buffer, player->flags);
    player->frame += frame_count;
    return buffer;
}

void player_pull(Player *player) {
    for (GstBuffer *buffer; (buffer = gst_harness_try_pull(player->harness)); gst_buffer_unref(buffer)) {
        GstMapInfo map;
        gst_buffer_map(buffer, &map, GST_MAP_READ);
        g_byte_array_append(player->out, map.data, (guint)map.size);
        gst_buffer_unmap(buffer, &map);
        player->buffer_count++;
        if (GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_GAP)) player->gap_count++;
    }
}

void player_play(Player *player, guint64 frame_count, guint64 part) {
    while (frame_count > 0) {
        guint64 count = MIN(frame_count, part);
        fail_unless_equals_int(gst_harness_push(player->harness, player_buffer(player, count)), GST_FLOW_OK);
        frame_count -= count;
        player_pull(player);
    }
}

void player_play_seconds(Player *player, gdouble seconds) {
    player_play(player, (guint64)(seconds * player->info.rate + 0.5), (guint64)player->info.rate / 100);
}

void player_seek(Player *player, GstClockTime time) {
    GstSegment segment;

    gst_segment_init(&segment, GST_FORMAT_TIME);
    segment.start = segment.time = segment.position = time;
    fail_unless(gst_harness_push_event(player->harness, gst_event_new_flush_start()));
    fail_unless(gst_harness_push_event(player->harness, gst_event_new_flush_stop(TRUE)));
    fail_unless(gst_harness_push_event(player->harness, gst_event_new_segment(&segment)));
    player->frame = gst_util_uint64_scale_round(time, (guint64)player->info.rate, GST_SECOND);
}

GstElement *player_element(Player *player, const gchar *name) {
    GstElement *element = gst_harness_find_element(player->harness, name);
    fail_unless(element != NULL);
    /* The harness holds it. */
    gst_object_unref(element);
    return element;
}

guint64 player_frames_sent(Player *player) {
    guint64 count = 0;
    GstStructure *stats;

    g_object_get(player_element(player, "nearbytoken"), "stats", &stats, NULL);
    fail_unless(gst_structure_get_uint64(stats, "frames-sent", &count));
    gst_structure_free(stats);
    return count;
}

gchar *player_words(Player *player, GstMessageType type) {
    GstMessage *message = gst_bus_pop_filtered(player->bus, type);
    GError *error = NULL;
    gchar *words;

    if (!message) return NULL;
    if (type == GST_MESSAGE_ERROR) gst_message_parse_error(message, &error, NULL);
    else gst_message_parse_warning(message, &error, NULL);
    words = g_strdup(error->message);
    g_error_free(error);
    gst_message_unref(message);
    return words;
}

GstStructure *player_token(Player *player) {
    GstMessage *message = gst_bus_pop_filtered(player->bus, GST_MESSAGE_ELEMENT);
    GstStructure *token;

    if (!message) return NULL;
    fail_unless(gst_message_has_name(message, "nearby-token"));
    token = gst_structure_copy(gst_message_get_structure(message));
    gst_message_unref(message);
    return token;
}

static void take(void *context, const nbm_report *report) {
    Heard heard = { .start_seconds = report->start_seconds, .level_dbfs = (gdouble)report->level_dbfs };
    for (gsize i = 0; i < report->token_bytes; i++) g_snprintf(heard.token + 2 * i, 3, "%02x", report->token[i]);
    g_array_append_val((GArray *)context, heard);
}

/* Loud frames are told before faint ones. */
static gint by_start(gconstpointer a, gconstpointer b) {
    gdouble difference = ((const Heard *)a)->start_seconds - ((const Heard *)b)->start_seconds;
    return (difference > 0) - (difference < 0);
}

GArray *player_hear(Player *player, guint channel, const gchar *profile) {
    nbm_receiver_options options = NBM_RECEIVER_OPTIONS_INIT;
    GArray *heard = g_array_new(FALSE, FALSE, sizeof(Heard));
    nbm_receiver *receiver;

    options.profiles = &profile;
    options.profile_count = 1;
    options.sample_rate_hz = (guint32)player->info.rate;
    options.channel_count = (guint32)player->info.channels;
    options.format = format_of(&player->info);
    options.channel = channel;
    fail_unless_equals_int(nbm_receiver_create(&options, &receiver), NBM_OK);
    nbm_receiver_push(receiver, player->out->data, player->out->len / (guint)player->info.bpf, take, heard);
    nbm_receiver_finish(receiver, take, heard);
    nbm_receiver_destroy(receiver);
    g_array_sort(heard, by_start);
    return heard;
}

guint player_count(Player *player, guint channel, const gchar *profile, const gchar *token) {
    GArray *heard = player_hear(player, channel, profile);
    guint count = 0;

    for (guint i = 0; i < heard->len; i++) count += strcmp(g_array_index(heard, Heard, i).token, token) == 0;
    g_array_unref(heard);
    return count;
}

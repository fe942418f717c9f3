/* nearbytoken: what it does to sound, to flags and events. */
#include <string.h>

#include "player.h"

/* A frame takes 0.45 s: two of them in 1.5 s. */
#define QUICK "nearbytoken name=nearbytoken profile=dsss-quick every=1 "

/* ---- Sound --------------------------------------------------------------------------------------------------------- */

static const gchar *const formats[] = { "S16LE", "S24LE", "S24_32LE", "S32LE", "F32LE" };
static const struct { gint rate_hz, channel_count; const gchar *more; } layouts[] = {
    { 48000, 1, "" }, { 44100, 2, "" }, { 48000, 8, ",channel-mask=(bitmask)0" }, { 96000, 6, ",channel-mask=(bitmask)0x3f" },
};

GST_START_TEST(test_every_format_carries_the_token) {
    for (guint i = 0; i < G_N_ELEMENTS(layouts); i++) {
        Player player = player_new(QUICK "token=cafe", formats[__i__], layouts[i].rate_hz, layouts[i].channel_count, layouts[i].more);
        player_play_seconds(&player, 1.5);
        fail_unless_equals_int(player_frames_sent(&player), 2);
        fail_unless_equals_int(player_count(&player, 0, "dsss-quick", "cafe"), 2);
        fail_unless_equals_int(player_count(&player, (guint)layouts[i].channel_count - 1, "dsss-quick", "cafe"), 2);
        player_end(&player);
    }
}
GST_END_TEST

static GByteArray *played(const gchar *launch, guint64 part, gdouble seconds) {
    Player player = player_new(launch, "S16LE", 48000, 2, "");
    GByteArray *out;

    player_play(&player, (guint64)(seconds * 48000), part);
    out = g_byte_array_ref(player.out);
    player_end(&player);
    return out;
}

static gboolean is_same(const GByteArray *a, const GByteArray *b) {
    return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

GST_START_TEST(test_buffers_of_any_size_sound_alike) {
    GByteArray *whole = played(QUICK "token=cafe", 96000, 2), *parts = played(QUICK "token=cafe", 77, 2);
    fail_unless(is_same(whole, parts));
    g_byte_array_unref(whole);
    g_byte_array_unref(parts);
}
GST_END_TEST

GST_START_TEST(test_without_a_token_nothing_changes) {
    GByteArray *bare = played("identity", 480, 1), *none = played(QUICK, 480, 1), *one = played(QUICK "token=00", 480, 1);
    fail_unless(is_same(bare, none));
    fail_if(is_same(bare, one));
    g_byte_array_unref(bare);
    g_byte_array_unref(none);
    g_byte_array_unref(one);
}
GST_END_TEST

GST_START_TEST(test_programme_at_full_scale_is_not_wrapped) {
    Player player = player_new(QUICK "token=cafe level=-6 min-level=-6", "S16LE", 48000, 1, "");
    Player bare = player_new("identity", "S16LE", 48000, 1, "");
    gint greatest = 0;

    bare.loudness = player.loudness = 1;
    player_play_seconds(&bare, 1);
    player_play_seconds(&player, 1);
    for (guint i = 0; i < 48000; i++) {
        gint before = ((gint16 *)(gpointer)bare.out->data)[i], after = ((gint16 *)(gpointer)player.out->data)[i];
        greatest = MAX(greatest, ABS(after - before));
    }
    /* A sum over full scale that is not held there has the other sign, and differs by twice full scale. */
    fail_unless(greatest > 8000 && greatest < 16500, "a sample was moved by %d", greatest);
    player_end(&bare);
    player_end(&player);
}
GST_END_TEST

/* Every sample of a channel of what came out. */
static GByteArray *channel_of(Player *player, guint channel) {
    guint bytes = (guint)player->info.bpf / (guint)player->info.channels;
    GByteArray *samples = g_byte_array_new();

    for (guint at = channel * bytes; at < player->out->len; at += (guint)player->info.bpf)
        g_byte_array_append(samples, player->out->data + at, bytes);
    return samples;
}

/* Bit n of `low`: channel n is a low-frequency one. */
static void check_low_frequency(gint channel_count, const gchar *mask, guint low) {
    Player bare = player_new("identity", "S24LE", 48000, channel_count, mask);
    Player player = player_new(QUICK "token=cafe", "S24LE", 48000, channel_count, mask);
    GByteArray *before, *after;

    bare.loudness = player.loudness = 0.001;
    player_play(&bare, 48000, 777);
    player_play(&player, 48000, 777);
    for (guint channel = 0; channel < (guint)channel_count; channel++) {
        before = channel_of(&bare, channel);
        after = channel_of(&player, channel);
        if (low >> channel & 1) {
            fail_unless(is_same(before, after), "the low-frequency channel was changed");
            fail_unless_equals_int(player_count(&player, channel, "dsss-quick", "cafe"), 0);
        } else {
            fail_unless(player_count(&player, channel, "dsss-quick", "cafe") == 1, "channel %u of %d has no token", channel + 1, channel_count);
        }
        g_byte_array_unref(before);
        g_byte_array_unref(after);
    }
    player_end(&bare);
    player_end(&player);
}

GST_START_TEST(test_low_frequency_channel_gets_no_token) {
    /* 5.1; 7.1; 2.1; two of them. */
    check_low_frequency(6, ",channel-mask=(bitmask)0x3f", 1 << 3);
    check_low_frequency(8, ",channel-mask=(bitmask)0xc3f", 1 << 3);
    check_low_frequency(3, ",channel-mask=(bitmask)0xb", 1 << 2);
    check_low_frequency(8, ",channel-mask=(bitmask)0x63f", 1 << 3 | 1 << 6);
}
GST_END_TEST

GST_START_TEST(test_low_frequency_alone_passes) {
    Player player = player_new(QUICK "token=cafe", "S16LE", 48000, 1, ",channel-mask=(bitmask)0x8");
    player_play_seconds(&player, 1);
    fail_unless_equals_int(player_count(&player, 0, "dsss-quick", "cafe"), 0);
    player_end(&player);
}
GST_END_TEST

/* ---- Flags, events, formats ---------------------------------------------------------------------------------------- */

static void set(Player *player, const gchar *name, const gchar *value) {
    gst_util_set_object_arg(G_OBJECT(player_element(player, "nearbytoken")), name, value);
}

GST_START_TEST(test_gap_flag_goes_where_the_token_sounds) {
    Player player = player_new(QUICK "token=cafe", "S16LE", 48000, 1, "");

    player.loudness = 0;
    player.flags = GST_BUFFER_FLAG_GAP;
    player_play_seconds(&player, 1);
    fail_unless_equals_int(player_count(&player, 0, "dsss-quick", "cafe"), 1);
    /* The frame takes 0.45 s; the rest is a gap still. */
    fail_unless(player.buffer_count - player.gap_count >= 44 && player.buffer_count - player.gap_count <= 46,
                "%u of %u buffers are no gaps", player.buffer_count - player.gap_count, player.buffer_count);
    player_end(&player);

    player = player_new(QUICK, "S16LE", 48000, 1, "");
    player.flags = GST_BUFFER_FLAG_GAP;
    player_play_seconds(&player, 1);
    fail_unless_equals_int(player.gap_count, 100);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_gap_event_becomes_sound_with_the_token) {
    Player player = player_new(QUICK "token=cafe", "S16LE", 48000, 2, "");

    player_play_seconds(&player, 0.01);
    fail_unless(gst_harness_push_event(player.harness, gst_event_new_gap(10 * GST_MSECOND, GST_SECOND)));
    player_pull(&player);
    player.frame += 48000;
    player_play_seconds(&player, 1);
    fail_unless_equals_int(player.out->len, 4 * (480 + 48000 + 48000));
    fail_unless_equals_int(player_count(&player, 0, "dsss-quick", "cafe"), 2);
    player_end(&player);

    /* Without a token, and without a length, it stays one. */
    player = player_new(QUICK, "S16LE", 48000, 2, "");
    fail_unless(gst_harness_push_event(player.harness, gst_event_new_gap(0, GST_SECOND)));
    set(&player, "token", "cafe");
    fail_unless(gst_harness_push_event(player.harness, gst_event_new_gap(GST_SECOND, GST_CLOCK_TIME_NONE)));
    player_pull(&player);
    fail_unless_equals_int(player.buffer_count, 0);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_seek_begins_a_frame_anew) {
    Player player = player_new("nearbytoken name=nearbytoken profile=dsss-quick token=cafe", "S16LE", 48000, 1, "");
    GArray *heard;

    player_play_seconds(&player, 0.2);
    player_seek(&player, 60 * GST_SECOND);
    g_byte_array_set_size(player.out, 0);
    player_play_seconds(&player, 1);
    heard = player_hear(&player, 0, "dsss-quick");
    fail_unless(heard->len >= 1);
    /* 20 ms to fade, and the pause between two frames. */
    fail_unless(g_array_index(heard, Heard, 0).start_seconds < 0.23, "begins after %g s", g_array_index(heard, Heard, 0).start_seconds);
    g_array_unref(heard);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_format_changes_while_it_plays) {
    Player player = player_new(QUICK "token=cafe", "S16LE", 48000, 2, "");

    player_play_seconds(&player, 1);
    fail_unless_equals_int(player_count(&player, 1, "dsss-quick", "cafe"), 1);
    player_set_format(&player, "F32LE", 44100, 6, ",channel-mask=(bitmask)0x3f");
    player_play_seconds(&player, 1);
    fail_unless_equals_int(player_count(&player, 5, "dsss-quick", "cafe"), 1);
    /* Too low for the band: the programme passes, and it is told. */
    player_set_format(&player, "S16LE", 24000, 1, "");
    player_play_seconds(&player, 1);
    fail_unless_equals_int(player.out->len, 2 * 24000);
    gchar *words = player_words(&player, GST_MESSAGE_WARNING);
    fail_unless(words && strstr(words, "as the profile dsss-quick needs, not 24000 Hz; the programme passes without a token"), "%s", words);
    g_free(words);
    /* The token of then is not forgotten, and a profile that fits begins at once. */
    set(&player, "token", "babe");
    player_set_format(&player, "S16LE", 48000, 1, "");
    player_play_seconds(&player, 1);
    fail_unless_equals_int(player_count(&player, 0, "dsss-quick", "babe"), 1);
    player_set_format(&player, "S16LE", 24000, 1, "");
    set(&player, "profile", "fsk-audible");
    player_play_seconds(&player, 2);
    fail_unless_equals_int(player_count(&player, 0, "fsk-audible", "babe"), 1);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_starts_again_after_a_stop) {
    Player player = player_new(QUICK "token=cafe", "S16LE", 48000, 2, "");
    GstElement *element = player_element(&player, "nearbytoken");

    player_play_seconds(&player, 0.1);
    fail_unless_equals_int(gst_element_set_state(element, GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
    set(&player, "token", "babe");
    fail_unless_equals_int(gst_element_set_state(element, GST_STATE_PLAYING), GST_STATE_CHANGE_SUCCESS);
    player_set_format(&player, "S16LE", 48000, 2, "");
    player_seek(&player, 0);
    player_play_seconds(&player, 1);
    fail_unless_equals_int(player_count(&player, 0, "dsss-quick", "babe"), 1);
    player_end(&player);
}
GST_END_TEST

static Suite *nearbytoken_suite(void) {
    Suite *suite = suite_create("nearbytoken");
    TCase *sound = tcase_create("sound"), *events = tcase_create("events");

    suite_add_tcase(suite, sound);
    tcase_add_loop_test(sound, test_every_format_carries_the_token, 0, (gint)G_N_ELEMENTS(formats));
    tcase_add_test(sound, test_buffers_of_any_size_sound_alike);
    tcase_add_test(sound, test_without_a_token_nothing_changes);
    tcase_add_test(sound, test_programme_at_full_scale_is_not_wrapped);
    tcase_add_test(sound, test_low_frequency_channel_gets_no_token);
    tcase_add_test(sound, test_low_frequency_alone_passes);

    suite_add_tcase(suite, events);
    tcase_add_test(events, test_gap_flag_goes_where_the_token_sounds);
    tcase_add_test(events, test_gap_event_becomes_sound_with_the_token);
    tcase_add_test(events, test_seek_begins_a_frame_anew);
    tcase_add_test(events, test_format_changes_while_it_plays);
    tcase_add_test(events, test_starts_again_after_a_stop);
    return suite;
}

GST_CHECK_MAIN(nearbytoken)

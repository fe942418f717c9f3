/* nearbylisten: what it posts, and at which times. */
#include <string.h>

#include "player.h"

#define SENT "nearbytoken name=nearbytoken profile=dsss-quick token=cafe "
#define HEARD "nearbylisten name=nearbylisten profile=dsss-quick "

static guint64 time_in(const GstStructure *token, const gchar *name) {
    guint64 time = 0;
    fail_unless(gst_structure_get(token, name, GST_TYPE_CLOCK_TIME, &time, NULL), "%s is missing", name);
    return time;
}

static void check_near(guint64 time, guint64 expected) {
    fail_unless(ABS(GST_CLOCK_DIFF(time, expected)) < (gint64)GST_MSECOND, "%" GST_TIME_FORMAT " is not %" GST_TIME_FORMAT,
                GST_TIME_ARGS(time), GST_TIME_ARGS(expected));
}

/* The next token that was posted, whose time is checked. */
static void check_token(Player *player, const gchar *token, guint64 timestamp, guint64 running_time) {
    GstStructure *heard = player_token(player);

    fail_unless(heard != NULL, "%s was not heard", token);
    fail_unless_equals_string(gst_structure_get_string(heard, "token"), token);
    check_near(time_in(heard, "timestamp"), timestamp);
    check_near(time_in(heard, "running-time"), running_time);
    gst_structure_free(heard);
}

static void check_no_token(Player *player) {
    GstStructure *heard = player_token(player);
    fail_unless(heard == NULL);
}

static void end_of_stream(Player *player) { fail_unless(gst_harness_push_event(player->harness, gst_event_new_eos())); }

GST_START_TEST(test_message_says_what_was_heard) {
    Player player = player_new(SENT "lane=2 ! " HEARD, "S16LE", 48000, 2, "");
    GstStructure *heard;
    gdouble snr, level;
    guint lane, repeats;
    gboolean is_checked;

    player_play_seconds(&player, 0.6);
    end_of_stream(&player);
    heard = player_token(&player);
    fail_unless(heard != NULL);
    fail_unless_equals_string(gst_structure_get_string(heard, "token"), "cafe");
    fail_unless_equals_string(gst_structure_get_string(heard, "profile"), "dsss-quick");
    check_near(time_in(heard, "timestamp"), 0);
    check_near(time_in(heard, "stream-time"), 0);
    check_near(time_in(heard, "running-time"), 0);
    fail_unless(time_in(heard, "duration") > 200 * GST_MSECOND && time_in(heard, "duration") < 450 * GST_MSECOND);
    fail_unless(gst_structure_get(heard, "snr", G_TYPE_DOUBLE, &snr, "level", G_TYPE_DOUBLE, &level, "lane", G_TYPE_UINT, &lane,
                                  "repeats", G_TYPE_UINT, &repeats, "checked", G_TYPE_BOOLEAN, &is_checked, NULL));
    fail_unless(snr > 0 && snr < 60 && level > -60 && level < -20 && lane == 2 && repeats == 1 && is_checked);
    gst_structure_free(heard);
    check_no_token(&player);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_sound_passes_untouched) {
    Player player = player_new(HEARD, "S24_32LE", 48000, 8, ",channel-mask=(bitmask)0");
    GstBuffer *in = player_buffer(&player, 480), *out;

    gst_buffer_ref(in);
    out = gst_harness_push_and_pull(player.harness, in);
    /* Not even copied. */
    fail_unless(in == out);
    gst_buffer_unref(in);
    gst_buffer_unref(out);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_every_format_is_heard) {
    static const gchar *const formats[] = { "S16LE", "S24LE", "S24_32LE", "S32LE", "F32LE" };
    Player player = player_new(SENT " ! " HEARD "channel=6", formats[__i__], 44100, 6, ",channel-mask=(bitmask)0x3f");
    player_play_seconds(&player, 1);
    end_of_stream(&player);
    check_token(&player, "cafe", 0, 0);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_times_are_those_of_the_segment) {
    Player player = player_new(SENT " ! " HEARD, "S16LE", 48000, 1, "");
    GstSegment segment;
    GstStructure *heard;

    /* Played at twice the speed, from 100 s on, after 5 s. */
    gst_segment_init(&segment, GST_FORMAT_TIME);
    segment.rate = 2;
    segment.base = 5 * GST_SECOND;
    segment.start = 100 * GST_SECOND;
    segment.time = 40 * GST_SECOND;
    fail_unless(gst_harness_push_event(player.harness, gst_event_new_segment(&segment)));
    player.frame = 102 * 48000;
    player_play_seconds(&player, 1);
    end_of_stream(&player);
    heard = player_token(&player);
    fail_unless(heard != NULL);
    check_near(time_in(heard, "timestamp"), 102 * GST_SECOND);
    check_near(time_in(heard, "stream-time"), 42 * GST_SECOND);
    check_near(time_in(heard, "running-time"), 6 * GST_SECOND);
    gst_structure_free(heard);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_seek_forgets_and_begins_anew) {
    Player player = player_new(SENT " ! " HEARD, "S16LE", 48000, 1, "");

    player_play_seconds(&player, 0.2);
    player_seek(&player, 3600 * GST_SECOND);
    player_play_seconds(&player, 1);
    end_of_stream(&player);
    /* The frame that the seek has cut is not heard; the next begins after 20 ms to fade and 0.2 s of pause. */
    check_token(&player, "cafe", 3600 * GST_SECOND + 220 * GST_MSECOND, 220 * GST_MSECOND);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_flush_drops_what_was_not_settled) {
    Player player = player_new(SENT " every=10 ! " HEARD, "S16LE", 48000, 1, "");
    GstStructure *early;

    /* 0.36 s after the frame's beginning, which is its end, it is not settled. */
    player_play_seconds(&player, 0.3);
    early = player_token(&player);
    fail_unless(early == NULL);
    player_seek(&player, 0);
    g_object_set(player_element(&player, "nearbytoken"), "token", "", NULL);
    player_play_seconds(&player, 2);
    end_of_stream(&player);
    check_no_token(&player);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_new_segment_tells_what_was_heard_before) {
    Player player = player_new(SENT " every=10 ! " HEARD, "S16LE", 48000, 1, "");
    GstSegment segment;

    player_play_seconds(&player, 0.45);
    gst_segment_init(&segment, GST_FORMAT_TIME);
    segment.base = 450 * GST_MSECOND;
    segment.start = segment.time = 7 * GST_SECOND;
    fail_unless(gst_harness_push_event(player.harness, gst_event_new_segment(&segment)));
    /* Its times are those of the segment before. */
    check_token(&player, "cafe", 0, 0);
    player_end(&player);
}
GST_END_TEST

/* Plays one frame of a token, 1.5 s in all. */
static void play_token(Player *player) {
    player_seek(player, gst_util_uint64_scale_round(player->frame, GST_SECOND, 48000));
    player_play_seconds(player, 1.5);
}

GST_START_TEST(test_lost_sound_moves_the_times) {
    Player player = player_new("identity name=gate ! " HEARD, "S16LE", 48000, 1, "");
    Player sender = player_new(SENT " every=1", "S16LE", 48000, 1, "");
    GstBuffer *buffer;

    /* 3 s with frames at 0, 1 and 2 s, of which 0.5 to 0.9 s and the buffer at 1.95 s are lost. */
    player_play_seconds(&sender, 3);
    for (guint part = 0; part < 300; part++) {
        if ((part >= 50 && part < 90) || part == 195) continue;
        buffer = gst_buffer_new_memdup(sender.out->data + 960 * part, 960);
        GST_BUFFER_PTS(buffer) = part * 10 * GST_MSECOND;
        GST_BUFFER_DURATION(buffer) = 10 * GST_MSECOND;
        if (part == 196) GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DISCONT);
        gst_harness_push(player.harness, buffer);
    }
    end_of_stream(&player);
    for (guint64 second = 0; second < 3; second++) check_token(&player, "cafe", second * GST_SECOND, second * GST_SECOND);
    check_no_token(&player);
    player_end(&sender);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_drifting_clock_does_not_matter) {
    Player player = player_new(HEARD, "S16LE", 48000, 1, "");
    Player sender = player_new(SENT " every=1", "S16LE", 48000, 1, "");

    /* A source whose clock is 0.1 % slow, and whose times waver by 3 ms. */
    player_play_seconds(&sender, 20);
    for (guint part = 0; part < 2000; part++) {
        GstBuffer *buffer = gst_buffer_new_memdup(sender.out->data + 960 * part, 960);
        GST_BUFFER_PTS(buffer) = part * 10010 * GST_USECOND + (part % 2) * 3 * GST_MSECOND;
        gst_harness_push(player.harness, buffer);
    }
    end_of_stream(&player);
    for (guint64 second = 0; second < 20; second++) {
        GstStructure *heard = player_token(&player);
        GstClockTimeDiff error;
        fail_unless(heard != NULL);
        error = GST_CLOCK_DIFF(second * 1001 * GST_MSECOND, time_in(heard, "timestamp"));
        fail_unless(ABS(error) < 5 * (gint64)GST_MSECOND, "%" G_GINT64_FORMAT " ns off", error);
        gst_structure_free(heard);
    }
    player_end(&sender);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_gaps_pass_as_silence) {
    Player player = player_new(SENT " every=10 ! identity ! " HEARD, "S16LE", 48000, 1, "");

    /* Gaps before a token, of one kind and of the other, and 100 s of them take hardly any time. */
    player.flags = GST_BUFFER_FLAG_GAP;
    g_object_set(player_element(&player, "nearbytoken"), "token", "", NULL);
    player_play_seconds(&player, 1);
    fail_unless(gst_harness_push_event(player.harness, gst_event_new_gap(GST_SECOND, 100 * GST_SECOND)));
    player.frame = 101 * 48000;
    player.flags = 0;
    g_object_set(player_element(&player, "nearbytoken"), "token", "cafe", NULL);
    player_play_seconds(&player, 1);
    end_of_stream(&player);
    check_token(&player, "cafe", 101 * GST_SECOND, 101 * GST_SECOND);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_sound_without_times_is_counted) {
    Player player = player_new(HEARD, "S16LE", 48000, 1, "");
    Player sender = player_new(SENT " every=1", "S16LE", 48000, 1, "");

    player_play_seconds(&sender, 2);
    for (guint part = 0; part < 200; part++) gst_harness_push(player.harness, gst_buffer_new_memdup(sender.out->data + 960 * part, 960));
    end_of_stream(&player);
    check_token(&player, "cafe", 0, 0);
    check_token(&player, "cafe", GST_SECOND, GST_SECOND);
    player_end(&sender);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_format_changes_while_it_plays) {
    Player player = player_new(SENT " every=10 ! " HEARD, "S16LE", 48000, 2, "");
    gchar *words;

    player_play_seconds(&player, 0.45);
    player_set_format(&player, "F32LE", 44100, 1, "");
    check_token(&player, "cafe", 0, 0);
    player.frame = 44100;
    player_play_seconds(&player, 1);
    player_set_format(&player, "F32LE", 16000, 1, "");
    check_token(&player, "cafe", GST_SECOND, GST_SECOND);
    player_play_seconds(&player, 1);
    words = player_words(&player, GST_MESSAGE_WARNING);
    fail_unless(words && strstr(words, "not 16000 Hz; the sound passes, and nothing is heard in it"), "%s", words);
    g_free(words);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_channel_that_is_not_there_is_told) {
    Player player = player_new(HEARD " channel=3", "S16LE", 48000, 2, "");
    gchar *words = player_words(&player, GST_MESSAGE_WARNING);

    fail_unless_equals_string(words, "expected a channel of 1 to 2, as the sound has, not 3; the sound passes, and nothing is heard in it");
    g_free(words);
    player_play_seconds(&player, 0.1);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_several_profiles_and_auto) {
    static const gchar *const launches[] = {
        "nearbytoken name=nearbytoken token=cafe profile=fsk ! nearbylisten profile=dsss-quick,fsk",
        "nearbytoken name=nearbytoken token=cafe profile=fsk ! nearbylisten profile=auto",
    };
    Player player = player_new(launches[__i__], "S16LE", 48000, 1, "");
    GstStructure *heard;

    player_play_seconds(&player, 1.8);
    end_of_stream(&player);
    heard = player_token(&player);
    fail_unless(heard != NULL);
    fail_unless_equals_string(gst_structure_get_string(heard, "profile"), "fsk");
    gst_structure_free(heard);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_bad_profile_is_an_error_at_the_start) {
    GstElement *element = gst_object_ref_sink(gst_element_factory_make("nearbylisten", NULL));
    Player player = { .bus = gst_bus_new() };
    gchar *words;

    gst_element_set_bus(element, player.bus);
    g_object_set(element, "profile", "dsss,none", NULL);
    fail_unless_equals_int(gst_element_set_state(element, GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
    words = player_words(&player, GST_MESSAGE_ERROR);
    fail_unless(words && g_str_has_prefix(words, "expected one of the profiles dsss, ") && g_str_has_suffix(words, ", not 'none'"), "%s", words);
    g_free(words);
    gst_element_set_state(element, GST_STATE_NULL);
    gst_element_set_bus(element, NULL);
    gst_object_unref(element);
    gst_object_unref(player.bus);
}
GST_END_TEST

GST_START_TEST(test_two_listeners_hear_alike) {
    Player player = player_new(SENT " every=1 ! " HEARD " ! nearbylisten profile=dsss-quick", "S16LE", 48000, 1, "");

    play_token(&player);
    end_of_stream(&player);
    for (guint frame = 0; frame < 4; frame++) {
        GstStructure *heard = player_token(&player);
        fail_unless(heard != NULL);
        gst_structure_free(heard);
    }
    check_no_token(&player);
    player_end(&player);
}
GST_END_TEST

static Suite *nearbylisten_suite(void) {
    Suite *suite = suite_create("nearbylisten");
    TCase *messages = tcase_create("messages"), *times = tcase_create("times");

    suite_add_tcase(suite, messages);
    tcase_add_test(messages, test_message_says_what_was_heard);
    tcase_add_test(messages, test_sound_passes_untouched);
    tcase_add_loop_test(messages, test_every_format_is_heard, 0, 5);
    tcase_add_loop_test(messages, test_several_profiles_and_auto, 0, 2);
    tcase_add_test(messages, test_channel_that_is_not_there_is_told);
    tcase_add_test(messages, test_bad_profile_is_an_error_at_the_start);
    tcase_add_test(messages, test_two_listeners_hear_alike);

    suite_add_tcase(suite, times);
    tcase_add_test(times, test_times_are_those_of_the_segment);
    tcase_add_test(times, test_seek_forgets_and_begins_anew);
    tcase_add_test(times, test_flush_drops_what_was_not_settled);
    tcase_add_test(times, test_new_segment_tells_what_was_heard_before);
    tcase_add_test(times, test_lost_sound_moves_the_times);
    tcase_add_test(times, test_drifting_clock_does_not_matter);
    tcase_add_test(times, test_gaps_pass_as_silence);
    tcase_add_test(times, test_sound_without_times_is_counted);
    tcase_add_test(times, test_format_changes_while_it_plays);
    return suite;
}

GST_CHECK_MAIN(nearbylisten)

/* nearbylisten: at which times it posts what it has heard. */
#include "heard.h"

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

GST_START_TEST(test_lost_sound_moves_the_times) {
    Player player = player_new("identity name=gate ! " HEARD, "S16LE", 48000, 1, "");
    Player sender = player_new(SENT " every=2", "S16LE", 48000, 1, "");
    GstBuffer *buffer;

    /* 6 s with frames at 0, 2 and 4 s, of which 1 to 1.4 s and the buffer at 3.95 s are lost. A frame that begins with the sound is
       told of a second after its end. */
    player_play_seconds(&sender, 6);
    for (guint part = 0; part < 600; part++) {
        if ((part >= 100 && part < 140) || part == 395) continue;
        buffer = gst_buffer_new_memdup(sender.out->data + 960 * part, 960);
        GST_BUFFER_PTS(buffer) = part * 10 * GST_MSECOND;
        GST_BUFFER_DURATION(buffer) = 10 * GST_MSECOND;
        if (part == 396) GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DISCONT);
        gst_harness_push(player.harness, buffer);
    }
    end_of_stream(&player);
    for (guint64 second = 0; second < 6; second += 2) check_token(&player, "cafe", second * GST_SECOND, second * GST_SECOND);
    check_no_token(&player);
    player_end(&sender);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_drifting_clock_does_not_matter) {
    Player player = player_new(HEARD, "S16LE", 48000, 1, "");
    Player sender = player_new(SENT " every=2", "S16LE", 48000, 1, "");

    /* A source whose clock is 0.1 % slow, and whose times waver by 3 ms. */
    player_play_seconds(&sender, 40);
    for (guint part = 0; part < 4000; part++) {
        GstBuffer *buffer = gst_buffer_new_memdup(sender.out->data + 960 * part, 960);
        GST_BUFFER_PTS(buffer) = part * 10010 * GST_USECOND + (part % 2) * 3 * GST_MSECOND;
        gst_harness_push(player.harness, buffer);
    }
    end_of_stream(&player);
    for (guint64 second = 0; second < 40; second += 2) {
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
    Player sender = player_new(SENT " every=2", "S16LE", 48000, 1, "");

    player_play_seconds(&sender, 4);
    for (guint part = 0; part < 400; part++) gst_harness_push(player.harness, gst_buffer_new_memdup(sender.out->data + 960 * part, 960));
    end_of_stream(&player);
    check_token(&player, "cafe", 0, 0);
    check_token(&player, "cafe", 2 * GST_SECOND, 2 * GST_SECOND);
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

static Suite *nearbylisten_times_suite(void) {
    Suite *suite = suite_create("nearbylisten_times");
    TCase *all = tcase_create("all");

    suite_add_tcase(suite, all);
    tcase_add_test(all, test_times_are_those_of_the_segment);
    tcase_add_test(all, test_seek_forgets_and_begins_anew);
    tcase_add_test(all, test_flush_drops_what_was_not_settled);
    tcase_add_test(all, test_new_segment_tells_what_was_heard_before);
    tcase_add_test(all, test_lost_sound_moves_the_times);
    tcase_add_test(all, test_drifting_clock_does_not_matter);
    tcase_add_test(all, test_gaps_pass_as_silence);
    tcase_add_test(all, test_sound_without_times_is_counted);
    tcase_add_test(all, test_format_changes_while_it_plays);
    return suite;
}

GST_CHECK_MAIN(nearbylisten_times)

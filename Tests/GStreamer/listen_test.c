/* nearbylisten: what it posts. */
#include "heard.h"

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

GST_START_TEST(test_all_channels_are_heard_together) {
    Player player = player_new(SENT " every=10 ! " HEARD "channel=0", "S16LE", 48000, 3, ",channel-mask=(bitmask)0");
    player_play_seconds(&player, 1);
    end_of_stream(&player);
    check_token(&player, "cafe", 0, 0);
    check_no_token(&player);
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
    TCase *all = tcase_create("all");

    suite_add_tcase(suite, all);
    tcase_add_test(all, test_message_says_what_was_heard);
    tcase_add_test(all, test_sound_passes_untouched);
    tcase_add_loop_test(all, test_every_format_is_heard, 0, 5);
    tcase_add_test(all, test_all_channels_are_heard_together);
    tcase_add_test(all, test_channel_that_is_not_there_is_told);
    tcase_add_loop_test(all, test_several_profiles_and_auto, 0, 2);
    tcase_add_test(all, test_bad_profile_is_an_error_at_the_start);
    tcase_add_test(all, test_two_listeners_hear_alike);
    return suite;
}

GST_CHECK_MAIN(nearbylisten)

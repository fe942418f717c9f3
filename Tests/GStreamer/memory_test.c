/* Everything once, on little sound, for valgrind: formats, changes, seeks, gaps, errors, a stop and a start. */
#include "player.h"

#define LAUNCH "nearbytoken name=nearbytoken profile=dsss-quick token=cafe ! nearbylisten name=nearbylisten profile=dsss-quick"

static void expect_token(Player *player) {
    GstStructure *heard = player_token(player);
    fail_unless(heard != NULL);
    gst_structure_free(heard);
}

GST_START_TEST(test_everything_once) {
    Player player = player_new(LAUNCH, "F32LE", 48000, 6, ",channel-mask=(bitmask)0x3f");
    GstElement *token = player_element(&player, "nearbytoken"), *listen = player_element(&player, "nearbylisten");
    gchar *text;

    player_play_seconds(&player, 0.5);
    g_object_set(token, "token", "babe,0123", "level", -20.0, NULL);
    player_play_seconds(&player, 0.05);
    /* Other mixers, as for another profile: one that plays, one that never does. */
    g_object_set(token, "lane", 1, NULL);
    player_play_seconds(&player, 0.02);
    g_object_set(token, "lane", 2, NULL);
    g_object_set(token, "lane", 3, NULL);
    player_play_seconds(&player, 0.3);
    player_seek(&player, 10 * GST_SECOND);
    fail_unless(gst_harness_push_event(player.harness, gst_event_new_gap(10 * GST_SECOND, 50 * GST_MSECOND)));
    player.frame += 2400;
    player_play_seconds(&player, 0.02);
    /* A hole, and sound from elsewhere. */
    player.frame += 48000;
    player_play_seconds(&player, 0.02);
    player.frame = 0;
    player_play_seconds(&player, 0.02);
    player_pull(&player);

    player_set_format(&player, "S24LE", 44100, 1, "");
    g_object_set(token, "token", "cafe", NULL);
    player_play_seconds(&player, 0.1);
    player_set_format(&player, "S16LE", 8000, 1, "");
    player_play_seconds(&player, 0.05);
    g_object_set(token, "token", "bad", "profile", "none", NULL);
    text = player_words(&player, GST_MESSAGE_WARNING);
    fail_unless(text != NULL);
    g_free(text);
    g_object_get(token, "token", &text, NULL);
    g_free(text);
    player_set_format(&player, "S32LE", 48000, 2, "");
    player_play_seconds(&player, 0.5);
    player_set_format(&player, "S24_32LE", 48000, 2, "");
    expect_token(&player);

    fail_unless_equals_int(gst_element_set_state(token, GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
    fail_unless_equals_int(gst_element_set_state(listen, GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
    g_object_set(listen, "profile", "none", NULL);
    fail_unless_equals_int(gst_element_set_state(listen, GST_STATE_PLAYING), GST_STATE_CHANGE_FAILURE);
    g_object_set(listen, "profile", "dsss-quick", "channel", 2, NULL);
    fail_unless_equals_int(gst_element_set_state(listen, GST_STATE_PLAYING), GST_STATE_CHANGE_SUCCESS);
    fail_unless_equals_int(gst_element_set_state(token, GST_STATE_PLAYING), GST_STATE_CHANGE_SUCCESS);
    player_set_format(&player, "S16LE", 48000, 2, "");
    player_seek(&player, 0);
    player_play_seconds(&player, 0.05);
    fail_unless(gst_harness_push_event(player.harness, gst_event_new_eos()));
    player_end(&player);
}
GST_END_TEST

static Suite *memory_suite(void) {
    Suite *suite = suite_create("memory");
    TCase *test_case = tcase_create("memory");

    suite_add_tcase(suite, test_case);
    tcase_set_timeout(test_case, 300);
    tcase_add_test(test_case, test_everything_once);
    return suite;
}

GST_CHECK_MAIN(memory)

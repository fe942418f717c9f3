/* nearbytoken: how it takes new properties while it plays, and wrong ones. */
#include <string.h>

#include "player.h"

/* A frame takes 0.45 s: two of them in 1.5 s. */
#define QUICK "nearbytoken name=nearbytoken profile=dsss-quick every=1 "

static void set(Player *player, const gchar *name, const gchar *value) {
    gst_util_set_object_arg(G_OBJECT(player_element(player, "nearbytoken")), name, value);
}

GST_START_TEST(test_token_changes_with_the_next_frame) {
    Player player = player_new(QUICK "token=cafe", "F32LE", 48000, 1, "");
    GArray *heard;

    player_play_seconds(&player, 0.1);
    set(&player, "token", "0123456789abcdef,babe");
    player_play_seconds(&player, 2.5);
    heard = player_hear(&player, 0, "dsss-quick");
    fail_unless_equals_int(heard->len, 3);
    /* The frame under way is finished; then these take turns. */
    fail_unless_equals_string(g_array_index(heard, Heard, 0).token, "cafe");
    fail_unless_equals_string(g_array_index(heard, Heard, 1).token, "0123456789abcdef");
    fail_unless_equals_string(g_array_index(heard, Heard, 2).token, "babe");
    g_array_unref(heard);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_profile_changes_with_the_next_frame) {
    Player player = player_new(QUICK "token=cafe", "S16LE", 48000, 2, "");

    player_play_seconds(&player, 0.1);
    /* Neither profile nor token would do without the other: dsss does not carry 40 bytes. */
    g_object_set(player_element(&player, "nearbytoken"), "token", "11223344", "profile", "fsk", NULL);
    player_play_seconds(&player, 2.5);
    fail_unless_equals_int(player_count(&player, 1, "dsss-quick", "cafe"), 1);
    fail_unless_equals_int(player_count(&player, 1, "fsk", "11223344"), 1);
    fail_unless_equals_int(player_frames_sent(&player), 2);
    /* Twice, with no sound between, and back. */
    g_object_set(player_element(&player, "nearbytoken"), "profile", "fsk-long", NULL);
    g_object_set(player_element(&player, "nearbytoken"), "profile", "dsss-quick", "token", "babe", NULL);
    player_play_seconds(&player, 3);
    fail_unless(player_count(&player, 1, "dsss-quick", "babe") >= 2);
    fail_unless(player_words(&player, GST_MESSAGE_WARNING) == NULL);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_profile_changes_between_long_buffers) {
    Player player = player_new("nearbytoken name=nearbytoken profile=dsss-quick token=cafe", "S16LE", 48000, 1, "");

    /* A frame of 0.45 s each 0.65 s: one is under way at 1 s, at 2 s and at 3 s. */
    player_play(&player, 48000, 48000);
    set(&player, "profile", "dsss");
    player_play(&player, 3 * 48000, 48000);
    fail_unless_equals_int(player_count(&player, 0, "dsss-quick", "cafe"), 2);
    fail_unless(player_count(&player, 0, "dsss", "cafe") >= 1);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_token_and_profile_change_at_once) {
    Player player = player_new(QUICK "token=cafe", "S16LE", 48000, 1, "");
    gchar *longer = g_strnfill(80, '7'), *words;

    /* 40 bytes are too long for dsss-quick, not for ggwave's profile. */
    g_object_set(player_element(&player, "nearbytoken"), "token", longer, "profile", "ggwave-dt-fastest", NULL);
    fail_unless(player_words(&player, GST_MESSAGE_WARNING) == NULL);
    set(&player, "profile", "dsss-quick");
    words = player_words(&player, GST_MESSAGE_WARNING);
    fail_unless_equals_string(words,
        "expected a token of 1 to 32 bytes, as the profile dsss-quick carries, not 40 bytes; what was set before stays in use");
    g_free(words);
    g_free(longer);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_level_changes_with_the_next_frame) {
    Player player = player_new(QUICK "token=cafe level=-40 min-level=0", "F32LE", 48000, 1, "");
    GArray *heard;

    player.loudness = 0.0001;
    player_play_seconds(&player, 0.3);
    set(&player, "level", "-20");
    player_play_seconds(&player, 1.5);
    heard = player_hear(&player, 0, "dsss-quick");
    fail_unless(heard->len >= 2);
    fail_unless(ABS(g_array_index(heard, Heard, 1).level_dbfs - g_array_index(heard, Heard, 0).level_dbfs - 20) < 0.5);
    g_array_unref(heard);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_no_token_any_more_fades_out) {
    Player player = player_new(QUICK "token=cafe", "S16LE", 48000, 1, "");
    guint64 at;

    player.loudness = 0;
    player_play_seconds(&player, 0.2);
    set(&player, "token", "");
    player_play_seconds(&player, 1);
    for (at = player.out->len; at > 0 && player.out->data[at - 1] == 0; at--) continue;
    /* 0.2 s, and 20 ms to fade. */
    fail_unless(at > 2 * 9600 && at <= 2 * (9600 + 960), "sounds until sample %" G_GUINT64_FORMAT, at / 2);
    fail_unless_equals_int(player_frames_sent(&player), 0);
    player_end(&player);
}
GST_END_TEST

GST_START_TEST(test_bad_properties_leave_the_old_in_use) {
    static const struct { const gchar *name, *value, *words; } cases[] = {
        { "token", "xyzw", "expected hexadecimal digits for a token, such as 48656c6c6f, not 'xyzw'; " },
        { "token", "abc", "expected two hexadecimal digits for each byte of a token, such as 48656c6c6f, not 'abc'; " },
        { "token", "ab,", "expected two hexadecimal digits for each byte of a token, such as 48656c6c6f, not ''; " },
        { "profile", "none", "expected one of the profiles dsss, " },
        { "profile", "", "expected one of the profiles dsss, " },
    };
    Player player = player_new(QUICK "token=cafe", "S16LE", 48000, 1, "");
    gchar *value, *words;

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        set(&player, cases[i].name, cases[i].value);
        words = player_words(&player, GST_MESSAGE_WARNING);
        fail_unless(words && g_str_has_prefix(words, cases[i].words), "'%s' gave: %s", cases[i].value, words);
        g_free(words);
    }
    g_object_get(player_element(&player, "nearbytoken"), "token", &value, NULL);
    fail_unless_equals_string(value, "cafe");
    g_free(value);
    player_play_seconds(&player, 1);
    fail_unless_equals_int(player_count(&player, 0, "dsss-quick", "cafe"), 1);
    player_end(&player);
}
GST_END_TEST

static void check_start_fails(const gchar *name, const gchar *value, const gchar *expected) {
    GstElement *element = gst_object_ref_sink(gst_element_factory_make("nearbytoken", NULL));
    Player player = { .bus = gst_bus_new() };
    gchar *words;

    gst_element_set_bus(element, player.bus);
    gst_util_set_object_arg(G_OBJECT(element), name, value);
    fail_unless_equals_int(gst_element_set_state(element, GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
    words = player_words(&player, GST_MESSAGE_ERROR);
    fail_unless(words && g_str_has_prefix(words, expected), "'%s' gave: %s", value, words);
    g_free(words);
    gst_element_set_state(element, GST_STATE_NULL);
    gst_element_set_bus(element, NULL);
    gst_object_unref(element);
    gst_object_unref(player.bus);
}

GST_START_TEST(test_bad_properties_are_errors_at_the_start) {
    check_start_fails("token", "xyzw", "expected hexadecimal digits");
    check_start_fails("profile", "none", "expected one of the profiles dsss, ");
    check_start_fails("token", "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20",
                      "expected a token of 1 to 32 bytes, as the profile dsss carries, not 33 bytes");
}
GST_END_TEST

typedef struct {
    GstElement *element;
    gint is_over;
    guint count;
} Hand;

static gpointer turn_knobs(gpointer data) {
    static const gchar *const profiles[] = { "dsss-quick", "fsk", "dsss" };
    Hand *hand = data;
    gchar token[17];

    for (; !g_atomic_int_get(&hand->is_over); hand->count++) {
        GstStructure *stats;
        g_snprintf(token, sizeof token, "%016x", hand->count);
        g_object_set(hand->element, "token", hand->count % 5 ? token : "", "profile", profiles[hand->count % 3],
                     "level", -20.0 - hand->count % 10, NULL);
        g_object_get(hand->element, "stats", &stats, NULL);
        gst_structure_free(stats);
    }
    return NULL;
}

GST_START_TEST(test_another_thread_turns_the_knobs) {
    Player player = player_new(QUICK "token=cafe", "S16LE", 48000, 2, "");
    Hand hand = { .element = player_element(&player, "nearbytoken") };
    GThread *thread = g_thread_new("hand", turn_knobs, &hand);

    player_play_seconds(&player, 10);
    /* Until some changes were made and mixed. */
    while (g_atomic_int_get(&hand.count) < 12) player_play_seconds(&player, 1);
    g_atomic_int_set(&hand.is_over, TRUE);
    g_thread_join(thread);
    fail_unless(player_words(&player, GST_MESSAGE_WARNING) == NULL);
    g_byte_array_set_size(player.out, 0);
    g_object_set(hand.element, "token", "cafe", "profile", "dsss-quick", NULL);
    player_play_seconds(&player, 4);
    fail_unless(player_count(&player, 0, "dsss-quick", "cafe") >= 2);
    player_end(&player);
}
GST_END_TEST

static Suite *properties_suite(void) {
    Suite *suite = suite_create("properties");
    TCase *properties = tcase_create("properties");

    suite_add_tcase(suite, properties);
    tcase_add_test(properties, test_token_changes_with_the_next_frame);
    tcase_add_test(properties, test_profile_changes_with_the_next_frame);
    tcase_add_test(properties, test_profile_changes_between_long_buffers);
    tcase_add_test(properties, test_token_and_profile_change_at_once);
    tcase_add_test(properties, test_level_changes_with_the_next_frame);
    tcase_add_test(properties, test_no_token_any_more_fades_out);
    tcase_add_test(properties, test_bad_properties_leave_the_old_in_use);
    tcase_add_test(properties, test_bad_properties_are_errors_at_the_start);
    tcase_add_test(properties, test_another_thread_turns_the_knobs);
    return suite;
}

GST_CHECK_MAIN(properties)

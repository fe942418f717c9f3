/* nearbytoken socket=…: it follows a box, here one that the test plays. */
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "player.h"

typedef struct {
    gchar *folder, *path;
    int listener, player;
} Box;

static void box_begin(Box *box) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };

    g_strlcpy(address.sun_path, box->path, sizeof address.sun_path);
    box->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    fail_unless(bind(box->listener, (struct sockaddr *)&address, sizeof address) == 0);
    fail_unless(listen(box->listener, 1) == 0);
}

static Box box_new(void) {
    Box box = { .folder = g_dir_make_tmp("nearbyXXXXXX", NULL), .player = -1 };
    box.path = g_build_filename(box.folder, "token", NULL);
    box_begin(&box);
    return box;
}

static void box_end(Box *box) {
    if (box->player >= 0) close(box->player);
    close(box->listener);
    unlink(box->path);
    box->player = -1;
}

static void box_free(Box *box) {
    box_end(box);
    rmdir(box->folder);
    g_free(box->folder);
    g_free(box->path);
}

/* Waits for the player. */
static void box_accept(Box *box) {
    box->player = accept(box->listener, NULL, NULL);
    fail_unless(box->player >= 0);
}

static void box_say(Box *box, const gchar *text) {
    fail_unless_equals_int(send(box->player, text, strlen(text), MSG_NOSIGNAL), (int)strlen(text));
}

static Player player_of(const Box *box, const gchar *more) {
    gchar *launch = g_strdup_printf("nearbytoken name=nearbytoken socket=%s %s", box->path, more);
    Player player = player_new(launch, "S16LE", 48000, 1, "");
    g_free(launch);
    return player;
}

/* Waits until that is what the element is to send. */
static void wait_for_token(Player *player, const gchar *expected) {
    for (guint tries = 0; tries < 3000; tries++) {
        GstStructure *stats;
        gboolean is_it;
        g_object_get(player_element(player, "nearbytoken"), "stats", &stats, NULL);
        is_it = g_strcmp0(gst_structure_get_string(stats, "token"), expected) == 0;
        gst_structure_free(stats);
        if (is_it) return;
        g_usleep(10000);
    }
    fail("never told to send '%s'", expected);
}

/* Waits for a warning. */
static void wait_for_words(Player *player, const gchar *expected) {
    GstMessage *message = gst_bus_timed_pop_filtered(player->bus, 30 * GST_SECOND, GST_MESSAGE_WARNING);
    GError *error = NULL;

    fail_unless(message != NULL, "nothing was said, expected: %s", expected);
    gst_message_parse_warning(message, &error, NULL);
    fail_unless(strstr(error->message, expected) != NULL, "%s", error->message);
    g_error_free(error);
    gst_message_unref(message);
}

GST_START_TEST(test_follows_the_box) {
    Box box = box_new();
    Player player = player_of(&box, "");

    box_accept(&box);
    box_say(&box, "silent\nsend profile=dsss-quick lane=1 every=1 jitter=0 tok");
    box_say(&box, "ens=cafe,babe news=unknown\n");
    wait_for_token(&player, "cafe,babe");
    player_play_seconds(&player, 1.9);
    fail_unless_equals_int(player_count(&player, 0, "dsss-quick", "cafe"), 1);
    fail_unless_equals_int(player_count(&player, 0, "dsss-quick", "babe"), 1);

    g_byte_array_set_size(player.out, 0);
    box_say(&box, "send profile=dsss lane=0 every=0 jitter=0 tokens=0123456789abcdef\n");
    wait_for_token(&player, "0123456789abcdef");
    player_play_seconds(&player, 3);
    fail_unless(player_count(&player, 0, "dsss", "0123456789abcdef") >= 1);

    box_say(&box, "silent\n");
    wait_for_token(&player, "");
    fail_unless(player_words(&player, GST_MESSAGE_WARNING) == NULL);
    player_end(&player);
    box_free(&box);
}
GST_END_TEST

GST_START_TEST(test_falls_silent_with_the_box_and_finds_it_again) {
    Box box = box_new();
    Player player = player_of(&box, "");

    box_accept(&box);
    box_say(&box, "send profile=dsss-quick tokens=cafe\n");
    wait_for_token(&player, "cafe");
    box_end(&box);
    wait_for_token(&player, "");
    wait_for_words(&player, "no box answers there (No such file or directory): sending nothing, and trying again each second");
    box_begin(&box);
    box_accept(&box);
    box_say(&box, "send profile=dsss-quick tokens=babe\n");
    wait_for_token(&player, "babe");
    player_play_seconds(&player, 1);
    fail_unless(player_count(&player, 0, "dsss-quick", "babe") >= 1);
    player_end(&player);
    box_free(&box);
}
GST_END_TEST

GST_START_TEST(test_waits_for_the_box) {
    Box box = box_new();
    Player player;

    box_end(&box);
    player = player_of(&box, "");
    box_begin(&box);
    box_accept(&box);
    box_say(&box, "send tokens=cafe\n");
    wait_for_token(&player, "cafe");
    player_end(&player);
    box_free(&box);
}
GST_END_TEST

GST_START_TEST(test_bad_lines_are_told_and_passed_over) {
    static const struct { const gchar *line, *words; } cases[] = {
        { "hello\n", "expected a box's line 'send profile=... tokens=...' or 'silent', not 'hello'" },
        { "\n", "or 'silent', not ''" },
        { "send profile=none tokens=00\n", "expected one of the profiles dsss, " },
        { "send tokens=xy\n", "expected hexadecimal digits" },
        { "send lane=4 tokens=00\n", "not 'lane=4'" },
        { "send every=-1 tokens=00\n", "not 'every=-1'" },
        { "send every=nan tokens=00\n", "not 'every=nan'" },
        { "send jitter=1x tokens=00\n", "not 'jitter=1x'" },
    };
    Box box = box_new();
    Player player = player_of(&box, "");

    box_accept(&box);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        box_say(&box, cases[i].line);
        wait_for_words(&player, cases[i].words);
        box_say(&box, "send tokens=cafe\n");
        wait_for_token(&player, "cafe");
        box_say(&box, "silent\n");
        wait_for_token(&player, "");
    }
    /* What never ends is no line; another connection begins anew. */
    gchar *endless = g_strnfill(20000, 'x');
    box_say(&box, endless);
    wait_for_words(&player, "longer than any line");
    g_free(endless);
    close(box.player);
    box_accept(&box);
    box_say(&box, "send tokens=cafe\n");
    wait_for_token(&player, "cafe");
    player_end(&player);
    box_free(&box);
}
GST_END_TEST

GST_START_TEST(test_level_is_the_elements_own) {
    Box box = box_new();
    Player player = player_of(&box, "level=-20 min-level=0");
    GArray *heard;

    player.loudness = 0;
    box_accept(&box);
    box_say(&box, "send profile=dsss-quick every=1 tokens=cafe\n");
    wait_for_token(&player, "cafe");
    player_play_seconds(&player, 0.9);
    g_object_set(player_element(&player, "nearbytoken"), "level", -40.0, NULL);
    player_play_seconds(&player, 1);
    heard = player_hear(&player, 0, "dsss-quick");
    fail_unless_equals_int(heard->len, 2);
    fail_unless(ABS(g_array_index(heard, Heard, 0).level_dbfs - g_array_index(heard, Heard, 1).level_dbfs - 20) < 0.5);
    g_array_unref(heard);
    player_end(&player);
    box_free(&box);
}
GST_END_TEST

static void check_start_fails(const gchar *socket, const gchar *token, const gchar *expected) {
    GstElement *element = gst_object_ref_sink(gst_element_factory_make("nearbytoken", NULL));
    Player player = { .bus = gst_bus_new() };
    gchar *words;

    gst_element_set_bus(element, player.bus);
    g_object_set(element, "socket", socket, "token", token, NULL);
    fail_unless_equals_int(gst_element_set_state(element, GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
    words = player_words(&player, GST_MESSAGE_ERROR);
    fail_unless_equals_string(words, expected);
    g_free(words);
    gst_element_set_state(element, GST_STATE_NULL);
    gst_element_set_bus(element, NULL);
    gst_object_unref(element);
    gst_object_unref(player.bus);
}

GST_START_TEST(test_sockets_that_cannot_be) {
    gchar *path = g_strnfill(200, 'x');

    check_start_fails("/nope", "cafe", "expected either a token or a socket that tells it, not both");
    check_start_fails(path, NULL, "expected a socket's path of at most 107 bytes, not 200");
    g_free(path);
}
GST_END_TEST

static Suite *socket_suite(void) {
    Suite *suite = suite_create("socket");
    TCase *test_case = tcase_create("socket");

    suite_add_tcase(suite, test_case);
    tcase_add_test(test_case, test_follows_the_box);
    tcase_add_test(test_case, test_falls_silent_with_the_box_and_finds_it_again);
    tcase_add_test(test_case, test_waits_for_the_box);
    tcase_add_test(test_case, test_bad_lines_are_told_and_passed_over);
    tcase_add_test(test_case, test_level_is_the_elements_own);
    tcase_add_test(test_case, test_sockets_that_cannot_be);
    return suite;
}

GST_CHECK_MAIN(socket)

#include "first_header.h"

#include <stdlib.h>
#include <string.h>

typedef void (*first_on_token)(void *context, const first_report *report);

int nbm_profile_named(const char *name, first_profile *profile);
int nbm_mixer_create(const first_mixer_options *options, void **mixer);
int nbm_mixer_set_level(void *mixer, const first_level *level);
int nbm_mixer_set_token(void *mixer, const uint8_t *token, size_t token_bytes, uint32_t frame_count);
int nbm_mixer_fill(void *mixer, void *frames, size_t frame_count);
int nbm_mixer_get_status(const void *mixer, first_mixer_status *status);
void nbm_mixer_destroy(void *mixer);
int nbm_receiver_create(const first_receiver_options *options, void **receiver);
int nbm_receiver_push(void *receiver, const void *frames, size_t frame_count, first_on_token on_token, void *context);
void nbm_receiver_destroy(void *receiver);
int nbm_offline_token(const first_offline_project *project, uint32_t sender, uint64_t unix_seconds, uint8_t token[8],
                      uint32_t *valid_seconds);

enum { RATE = 48000, FRAMES = 4 * RATE, GUARD = 64 };

static const uint8_t token[8] = {1, 2, 3, 4, 5, 6, 7, 8};

static void heard(void *context, const first_report *report) {
    if (report->size < sizeof *report || report->token_bytes != sizeof token) return;
    if (memcmp(report->token, token, sizeof token) == 0 && report->is_checked == 1) ++*(int *)context;
}

/// Whether the library left alone what follows a structure.
static int is_untouched(const unsigned char *guard) {
    for (int i = 0; i < GUARD; i++)
        if (guard[i] != 0xA5) return 0;
    return 1;
}

static const char *profile_is_filled(void) {
    struct { first_profile it; unsigned char guard[GUARD]; } place;
    memset(&place, 0xA5, sizeof place);
    place.it.size = sizeof place.it;
    if (nbm_profile_named("dsss", &place.it) != 0) return "nbm_profile_named: refused";
    if (place.it.size != sizeof place.it || strcmp(place.it.name, "dsss") != 0 || place.it.is_checked != 1)
        return "nbm_profile_named: wrong fields";
    return is_untouched(place.guard) ? NULL : "nbm_profile_named: wrote beyond the structure";
}

static const char *status_is_filled(const void *mixer) {
    struct { first_mixer_status it; unsigned char guard[GUARD]; } place;
    memset(&place, 0xA5, sizeof place);
    place.it.size = sizeof place.it;
    if (nbm_mixer_get_status(mixer, &place.it) != 0) return "nbm_mixer_get_status: refused";
    if (place.it.frames_sent != 1) return "nbm_mixer_get_status: wrong fields";
    return is_untouched(place.guard) ? NULL : "nbm_mixer_get_status: wrote beyond the structure";
}

static const char *token_is_heard(float *sound) {
    first_mixer_options mixing = {sizeof mixing, "dsss", RATE, 1, 5, 0, 0, 0, 7};
    first_level level = {sizeof level, -12, -20, -20};
    first_receiver_options listening = {sizeof listening, NULL, 0, RATE, 1, 5, 0};
    void *mixer = NULL, *receiver = NULL;
    const char *wrong = NULL;
    int count = 0;
    if (nbm_mixer_create(&mixing, &mixer) != 0) return "nbm_mixer_create: refused";
    if (nbm_mixer_set_level(mixer, &level) != 0) wrong = "nbm_mixer_set_level: refused";
    else if (nbm_mixer_set_token(mixer, token, sizeof token, 1) != 0) wrong = "nbm_mixer_set_token: refused";
    else if (nbm_mixer_fill(mixer, sound, FRAMES) != 0) wrong = "nbm_mixer_fill: refused";
    else if (nbm_receiver_create(&listening, &receiver) != 0) wrong = "nbm_receiver_create: refused";
    else if (nbm_receiver_push(receiver, sound, FRAMES, heard, &count) != 0) wrong = "nbm_receiver_push: refused";
    else if (count != 1) wrong = "nbm_receiver_push: the token was not heard once";
    else wrong = status_is_filled(mixer);
    nbm_mixer_destroy(mixer);
    nbm_receiver_destroy(receiver);
    return wrong;
}

const char *first_header_try(void) {
    const char *wrong = profile_is_filled();
    if (wrong) return wrong;
    first_offline_project project = {sizeof project, "shop", {0}};
    uint8_t offline[8];
    if (nbm_offline_token(&project, 1, 1700000000, offline, NULL) != 0) return "nbm_offline_token: refused";
    float *sound = calloc(FRAMES, sizeof *sound);
    if (!sound) return "out of memory";
    wrong = token_is_heard(sound);
    free(sound);
    return wrong;
}

void first_header_sizes(size_t sizes[7]) {
    const size_t all[7] = {sizeof(first_profile),          sizeof(first_mixer_options), sizeof(first_level),
                           sizeof(first_mixer_status),     sizeof(first_receiver_options), sizeof(first_report),
                           sizeof(first_offline_project)};
    memcpy(sizes, all, sizeof all);
}

/*
 * What a box meets that runs for hours: positions of more than 31 bits. On a 32-bit processor they are no `Int`.
 *
 *     hours HOURS
 *
 * First a receiver of each profile hears a frame at its beginning, and frames across 2^31, 2^32 and 20 * 2^31 samples: sound that was
 * lost moves its clock on. Then a mixer runs for so many hours, and a receiver hears all of it. Exit code 1 when a token is not heard,
 * or not at its time.
 */
#include <math.h>
#include <nearby_modem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 48000, EVERY_SECONDS = 600 };

static const uint8_t token[4] = {0xca, 0xfe, 0x01, 0x23};
static unsigned long heard_count;
static double start_frame;

static void heard(void *context, const nbm_report *report) {
    (void)context;
    if (report->token_bytes < sizeof token || memcmp(report->token, token, sizeof token)) return;
    heard_count++;
    start_frame = report->start_frame;
}

static void check(nbm_result result, const char *what) {
    if (result == NBM_OK) return;
    fprintf(stderr, "hours: %s: %s\n", what, nbm_error_string(result));
    exit(1);
}

/* A frame of the profile, quiet noise before and after it, of which `lead` samples are before. */
static float *sound_of(const char *profile, size_t lead, size_t *count) {
    size_t frame = 0;
    nbm_encode(profile, RATE, 0, token, sizeof token, NULL, 0, &frame);
    *count = lead + frame + RATE;
    float *sound = (float *)malloc(*count * sizeof *sound);
    if (!sound) exit(71);
    check(nbm_encode(profile, RATE, 0, token, sizeof token, sound + lead, frame, &frame), profile);
    memset(sound, 0, lead * sizeof *sound);
    memset(sound + lead + frame, 0, RATE * sizeof *sound);
    srand(5);
    for (size_t i = 0; i < *count; i++) sound[i] = 0.3f * sound[i] + 0.01f * ((float)rand() / (float)RAND_MAX - 0.5f);
    return sound;
}

/* Whether a receiver hears a frame at its beginning, and one across each of the positions, and what was lost between them is time. */
static int is_heard_across(const char *profile, const uint64_t *positions, size_t position_count) {
    size_t lead = RATE / 2, count;
    float *sound = sound_of(profile, lead, &count);
    nbm_receiver_options options = NBM_RECEIVER_OPTIONS_INIT;
    nbm_receiver *receiver = NULL;
    int is_right = 1;
    uint64_t end = 0;
    options.profiles = &profile;
    options.profile_count = 1;
    options.format = NBM_FORMAT_FLOAT;
    check(nbm_receiver_create(&options, &receiver), profile);
    for (size_t i = 0; i <= position_count; i++) {
        uint64_t begin = i == 0 ? 0 : positions[i - 1] - RATE;
        heard_count = 0;
        check(nbm_receiver_skip(receiver, begin - end, NULL, NULL), "skip");
        check(nbm_receiver_push(receiver, sound, count, heard, NULL), "push");
        /* Silence, until the frame is settled. */
        check(nbm_receiver_skip(receiver, 12 * RATE, heard, NULL), "skip");
        end = begin + count + 12 * RATE;
        /* Families that measure time by whole tones are right within 20 ms. */
        if (heard_count == 1 && fabs(start_frame - (double)(begin + lead)) < RATE / 50) continue;
        fprintf(stderr, "hours: %s at %.0f: heard %lu times, the last at %.1f\n", profile, (double)(begin + lead), heard_count,
                start_frame);
        is_right = 0;
    }
    nbm_receiver_destroy(receiver);
    free(sound);
    return is_right;
}

/* Whether all that a mixer sends in so many hours is heard, a frame each ten minutes. The receiver is given the sound within fifteen
 * seconds of a frame, and all within ten minutes of 2^31 samples; the rest, which is silent, it skips: emulation is slow. */
static int is_heard_for(double hours) {
    static int16_t sound[RATE];
    nbm_mixer_options options = NBM_MIXER_OPTIONS_INIT;
    nbm_mixer_status status = NBM_MIXER_STATUS_INIT;
    nbm_mixer *mixer = NULL;
    nbm_receiver *receiver = NULL;
    const long edge = (1L << 30) / RATE * 2;
    long seconds = (long)(hours * 3600), silent = 0;
    options.channel_count = 1;
    options.every_seconds = EVERY_SECONDS;
    check(nbm_mixer_create(&options, &mixer), "mixer");
    check(nbm_mixer_set_token(mixer, token, sizeof token, 0), "token");
    check(nbm_receiver_create(NULL, &receiver), "receiver");
    heard_count = 0;
    for (long second = 0; second < seconds; second++) {
        check(nbm_mixer_fill(mixer, sound, RATE), "fill");
        silent++;
        for (size_t i = 0; i < RATE; i++)
            if (sound[i]) silent = 0;
        if (silent < 15 || labs(second - edge) < EVERY_SECONDS)
            check(nbm_receiver_push(receiver, sound, RATE, heard, NULL), "push");
        else
            check(nbm_receiver_skip(receiver, RATE, heard, NULL), "skip");
    }
    check(nbm_receiver_finish(receiver, heard, NULL), "finish");
    check(nbm_mixer_get_status(mixer, &status), "status");
    nbm_receiver_destroy(receiver);
    nbm_mixer_destroy(mixer);
    unsigned long sent = (unsigned long)status.frames_sent;
    double last = EVERY_SECONDS * (double)(sent - 1);
    int is_right = sent > 0 && heard_count == sent && fabs(start_frame / RATE - last) < EVERY_SECONDS / 10;
    printf("%.1f h of sound: %lu tokens sent, %lu heard, the last at %.1f s\n", hours, sent, heard_count, start_frame / RATE);
    return is_right;
}

int main(int argc, char **argv) {
    static const char *const profiles[] = {"dsss-quick", "dsss", "dsss-far", "fsk", "fsk-long"};
    static const uint64_t positions[] = {(uint64_t)1 << 31, (uint64_t)1 << 32, (uint64_t)20 << 31};
    int is_right = 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    double hours = argc == 2 ? strtod(argv[1], NULL) : -1;
    if (hours < 0) {
        fputs("usage: hours HOURS\n", stderr);
        return 64;
    }
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++)
        is_right &= is_heard_across(profiles[i], positions, sizeof positions / sizeof *positions);
    if (is_right) puts("five profiles across 2^31, 2^32 and 20 * 2^31 samples: each heard, at its time");
    if (hours > 0) is_right &= is_heard_for(hours);
    return is_right ? 0 : 1;
}

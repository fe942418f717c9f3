/*
 * Sends a token: mixed into a programme in a pipe, or alone on a sound device.
 *
 *     player … | play_token 0123456789abcdef | sink …       S16 PCM through a pipe, 48 kHz stereo
 *     play_token -d default 0123456789abcdef                on an ALSA device, until Ctrl-C
 *
 * In a player of your own, what matters is three calls: nbm_mixer_create(), nbm_mixer_set_token(), and nbm_mixer_mix()
 * on each buffer that is about to be written.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <nearby_modem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t is_interrupted = 0;

static void interrupt(int signal) {
    (void)signal;
    is_interrupted = 1;
}

static int keep_going(void *context) {
    (void)context;
    return !is_interrupted;
}

static void usage(void) {
    fputs("usage: play_token [-d DEVICE] [-p PROFILE] [-r RATE] [-c CHANNELS] [-l CEILING] [-n FRAMES] TOKEN\n"
          "TOKEN is hexadecimal. Without -d, 16-bit PCM is read, mixed and written.\n"
          "-r 48000   -c 2   -p dsss   -l -26 (loudest peak, dBFS)   -n 0 (for ever)\n",
          stderr);
    exit(64);
}

static void check(nbm_result result, const char *words) {
    if (result == NBM_OK) return;
    fprintf(stderr, "play_token: %s\n", words && *words ? words : nbm_error_string(result));
    exit(result == NBM_ERROR_NO_ALSA || result == NBM_ERROR_DEVICE ? 69 : 64);
}

/* Bytes of the token, or 0 for what is not hexadecimal. */
static size_t parse(const char *text, uint8_t *token, size_t room) {
    size_t count = strlen(text) / 2;
    if (strlen(text) % 2 || strspn(text, "0123456789abcdefABCDEF") != strlen(text) || count > room) return 0;
    for (size_t i = 0; i < count; i++) {
        char digits[3] = {text[2 * i], text[2 * i + 1], 0};
        token[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return count;
}

/* Like read(2), but for signals, and until `count` bytes or the end. */
static size_t read_all(unsigned char *bytes, size_t count) {
    size_t done = 0;
    while (done < count && !is_interrupted) {
        ssize_t got = read(STDIN_FILENO, bytes + done, count - done);
        if (got == 0 || (got < 0 && errno != EINTR)) break;
        if (got > 0) done += (size_t)got;
    }
    return done;
}

static int write_all(const unsigned char *bytes, size_t count) {
    size_t done = 0;
    while (done < count) {
        ssize_t put = write(STDOUT_FILENO, bytes + done, count - done);
        if (put < 0 && errno != EINTR) return 0;
        if (put > 0) done += (size_t)put;
    }
    return 1;
}

static void mix_pipe(nbm_mixer *mixer, size_t frame_bytes) {
    /* 10 ms: any size will do. */
    enum { FRAMES = 480 };
    unsigned char *buffer = (unsigned char *)malloc(FRAMES * frame_bytes);
    if (!buffer) exit(71);
    for (;;) {
        size_t frames = read_all(buffer, FRAMES * frame_bytes) / frame_bytes;
        if (frames == 0) break;
        check(nbm_mixer_mix(mixer, buffer, frames), NULL);
        if (!write_all(buffer, frames * frame_bytes)) break;
    }
    free(buffer);
}

/* A signal that was ignored when the program started stays ignored: `&` of a shell script, nohup. */
static void heed(int number) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_IGN) return;
    memset(&action, 0, sizeof action);
    action.sa_handler = interrupt;
    sigaction(number, &action, NULL);
}

int main(int argc, char **argv) {
    nbm_mixer_options options = NBM_MIXER_OPTIONS_INIT;
    nbm_level level = NBM_LEVEL_INIT;
    const char *device = NULL;
    uint32_t frame_count = 0;
    uint8_t token[NBM_MAX_TOKEN_BYTES];
    int option;

    options.channel_count = 2;
    while ((option = getopt(argc, argv, "d:p:r:c:l:n:")) != -1) switch (option) {
        case 'd': device = optarg; break;
        case 'p': options.profile = optarg; break;
        case 'r': options.sample_rate_hz = (uint32_t)strtoul(optarg, NULL, 10); break;
        case 'c': options.channel_count = (uint32_t)strtoul(optarg, NULL, 10); break;
        case 'l': level.ceiling_dbfs = strtod(optarg, NULL); break;
        case 'n': frame_count = (uint32_t)strtoul(optarg, NULL, 10); break;
        default: usage();
        }
    if (optind + 1 != argc || options.channel_count == 0) usage();
    size_t token_bytes = parse(argv[optind], token, sizeof token);
    if (token_bytes == 0) usage();
    if (level.floor_dbfs > level.ceiling_dbfs) level.floor_dbfs = level.ceiling_dbfs;

    heed(SIGINT);
    heed(SIGTERM);
    signal(SIGPIPE, SIG_IGN);

    nbm_mixer *mixer = NULL;
    check(nbm_mixer_create(&options, &mixer), NULL);
    check(nbm_mixer_set_level(mixer, &level), nbm_mixer_last_error(mixer));
    check(nbm_mixer_set_token(mixer, token, token_bytes, frame_count), nbm_mixer_last_error(mixer));
    if (device) {
        nbm_result result = nbm_alsa_play(mixer, device, keep_going, NULL);
        check(result, nbm_mixer_last_error(mixer));
    } else {
        mix_pipe(mixer, options.channel_count * nbm_format_bytes(NBM_FORMAT_S16));
    }
    nbm_mixer_destroy(mixer);
    return 0;
}

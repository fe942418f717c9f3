/*
 * Listens: a line for every token that is heard, in a pipe or on a sound device.
 *
 *     arecord -f S16_LE -r 48000 -c 1 -t raw | hear_tokens
 *     hear_tokens -d default
 *     hear_tokens -d hw:0 -c 4 -a        four microphones, together
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <nearby_modem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PROFILES = 16 };

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
    fputs("usage: hear_tokens [-d DEVICE] [-p PROFILE]... [-r RATE] [-c CHANNELS] [-a]\n"
          "Without -d, 16-bit PCM is read. -r 48000   -c 1 (the first is listened to; -a: all, together)   -p dsss\n",
          stderr);
    exit(64);
}

static void check(nbm_result result, const char *words) {
    if (result == NBM_OK) return;
    fprintf(stderr, "hear_tokens: %s\n", words && *words ? words : nbm_error_string(result));
    exit(result == NBM_ERROR_NO_ALSA || result == NBM_ERROR_DEVICE ? 69 : 64);
}

static void heard(void *context, const nbm_report *report) {
    unsigned *count = (unsigned *)context;
    *count += 1;
    printf("%9.3f s  ", report->start_seconds);
    for (size_t i = 0; i < report->token_bytes; i++) printf("%02x", report->token[i]);
    printf("  %s, channel %u, SNR %.1f dB, level %.1f dBFS, %+.1f m/s%s\n", report->profile,
           (unsigned)report->channel + 1, (double)report->snr_decibels, (double)report->level_dbfs,
           (double)report->speed_meters_per_second, report->is_checked ? "" : ", unchecked");
    fflush(stdout);
}

static void hear_pipe(nbm_receiver *receiver, size_t frame_bytes, unsigned *count) {
    static unsigned char buffer[8192];
    size_t kept = 0;
    while (!is_interrupted) {
        ssize_t got = read(STDIN_FILENO, buffer + kept, sizeof buffer - kept);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        size_t bytes = kept + (size_t)got, frames = bytes / frame_bytes;
        check(nbm_receiver_push(receiver, buffer, frames, heard, count), nbm_receiver_last_error(receiver));
        /* Part of a frame waits for the rest. */
        kept = bytes - frames * frame_bytes;
        memmove(buffer, buffer + frames * frame_bytes, kept);
    }
    check(nbm_receiver_finish(receiver, heard, count), nbm_receiver_last_error(receiver));
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
    nbm_receiver_options options = NBM_RECEIVER_OPTIONS_INIT;
    const char *profiles[MOST_PROFILES];
    const char *device = NULL;
    unsigned count = 0;
    int option;

    options.channel_count = 1;
    while ((option = getopt(argc, argv, "d:p:r:c:a")) != -1) switch (option) {
        case 'd': device = optarg; break;
        case 'p':
            if (options.profile_count == MOST_PROFILES) usage();
            profiles[options.profile_count++] = optarg;
            options.profiles = profiles;
            break;
        case 'r': options.sample_rate_hz = (uint32_t)strtoul(optarg, NULL, 10); break;
        case 'c': options.channel_count = (uint32_t)strtoul(optarg, NULL, 10); break;
        case 'a': options.channel = NBM_ALL_CHANNELS; break;
        default: usage();
        }
    if (optind != argc || options.channel_count == 0) usage();

    heed(SIGINT);
    heed(SIGTERM);

    nbm_receiver *receiver = NULL;
    check(nbm_receiver_create(&options, &receiver), NULL);
    if (device) {
        nbm_result result = nbm_alsa_listen(receiver, device, heard, keep_going, &count);
        check(result, nbm_receiver_last_error(receiver));
    } else {
        hear_pipe(receiver, options.channel_count * nbm_format_bytes(NBM_FORMAT_S16), &count);
    }
    nbm_receiver_destroy(receiver);
    /* As nearby-modem decode: 1 when there was none. */
    return count > 0 ? 0 : 1;
}

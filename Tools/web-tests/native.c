// The C library as a filter, for comparing the modem of WebAssembly with it.
//     native encode PROFILE RATE TOKEN      one frame, as floats
//     native hear PROFILE RATE              tokens of the floats on standard input, a line each
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearby_modem.h"

static void tell(void *context, const nbm_report *report) {
    (void)context;
    for (size_t index = 0; index < report->token_bytes; index++) printf("%02x", report->token[index]);
    printf(" %s %.3f %.1f\n", report->profile, report->start_seconds, report->snr_decibels);
}

static int encode(const char *profile, uint32_t rate, const char *digits) {
    uint8_t token[NBM_MAX_TOKEN_BYTES];
    size_t bytes = strlen(digits) / 2, count = 0;
    for (size_t index = 0; index < bytes; index++) {
        unsigned byte;
        if (sscanf(digits + 2 * index, "%2x", &byte) != 1) return 64;
        token[index] = (uint8_t)byte;
    }
    if (nbm_encode(profile, rate, 0, token, bytes, NULL, 0, &count) != NBM_OK) return 65;
    float *samples = malloc(count * sizeof *samples);
    if (!samples || nbm_encode(profile, rate, 0, token, bytes, samples, count, &count) != NBM_OK) return 65;
    return fwrite(samples, sizeof *samples, count, stdout) == count ? 0 : 74;
}

static int hear(const char *profile, uint32_t rate) {
    nbm_receiver *receiver;
    nbm_receiver_options options = NBM_RECEIVER_OPTIONS_INIT;
    options.profiles = &profile;
    options.profile_count = 1;
    options.sample_rate_hz = rate;
    options.format = NBM_FORMAT_FLOAT;
    if (nbm_receiver_create(&options, &receiver) != NBM_OK) return 65;
    static float block[4800];
    for (size_t count; (count = fread(block, sizeof *block, 4800, stdin)) > 0;) nbm_receiver_push(receiver, block, count, tell, NULL);
    nbm_receiver_finish(receiver, tell, NULL);
    nbm_receiver_destroy(receiver);
    return 0;
}

int main(int count, char **words) {
    if (count == 5 && !strcmp(words[1], "encode")) return encode(words[2], (uint32_t)atoi(words[3]), words[4]);
    if (count == 4 && !strcmp(words[1], "hear")) return hear(words[2], (uint32_t)atoi(words[3]));
    return 64;
}

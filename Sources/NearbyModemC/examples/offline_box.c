/*
 * A box that needs no server: mixes into a programme what it publishes, sealed with its project's key.
 *
 *     nearby offline create shop -o shop.key
 *     player … | offline_box shop.key type 'some text' | sink …        S16 PCM, 48 kHz stereo
 *     nearby subscribe --type type --offline shop.key                  finds it
 */
#define _POSIX_C_SOURCE 200809L
#include <nearby_modem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAMES = 480, LINE = 512 };

static void check(nbm_result result) {
    if (result == NBM_OK) return;
    fprintf(stderr, "offline_box: %s\n", nbm_error_string(result));
    exit(65);
}

/* The lines "project NAME" and "key 43 letters" of a key file. */
static void read_key(const char *path, char *name, nbm_offline_project *project) {
    char line[LINE];
    int has_key = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(66);
    }
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        if (strncmp(line, "project ", 8) == 0) snprintf(name, LINE, "%s", line + 8);
        if (strncmp(line, "key ", 4) == 0) has_key = nbm_offline_key(line + 4, project->key) == NBM_OK;
    }
    fclose(file);
    if (!has_key || !*name) {
        fprintf(stderr, "offline_box: %s has no lines 'project NAME' and 'key KEY'\n", path);
        exit(65);
    }
    project->name = name;
}

/* What is sent for the next five minutes; returns until when. */
static time_t renew(nbm_mixer *mixer, const nbm_offline_project *project, uint32_t sender, const char *type,
                    const char *text) {
    uint8_t token[NBM_OFFLINE_TOKEN_BYTES];
    nbm_offline_frame frames[NBM_OFFLINE_MAX_FRAMES];
    const uint8_t *tokens[NBM_OFFLINE_MAX_FRAMES + 1];
    size_t token_bytes[NBM_OFFLINE_MAX_FRAMES + 1], frame_count;
    uint32_t valid_seconds;
    time_t now = time(NULL);

    check(nbm_offline_token(project, sender, (uint64_t)now, token, &valid_seconds));
    check(nbm_offline_message(project, sender, 1, (uint64_t)now, NULL, type, (const uint8_t *)text, strlen(text),
                              frames, &frame_count));
    tokens[0] = token;
    token_bytes[0] = sizeof token;
    for (size_t i = 0; i < frame_count; i++) {
        tokens[i + 1] = frames[i].bytes;
        token_bytes[i + 1] = frames[i].byte_count;
    }
    check(nbm_mixer_set_tokens(mixer, tokens, token_bytes, frame_count + 1, 0));
    return now + (time_t)valid_seconds;
}

int main(int argc, char **argv) {
    static unsigned char buffer[FRAMES * 4];
    static char name[LINE];
    nbm_offline_project project = NBM_OFFLINE_PROJECT_INIT;
    nbm_mixer_options options = NBM_MIXER_OPTIONS_INIT;
    nbm_mixer *mixer = NULL;
    uint32_t sender = 0;
    time_t renewal = 0;
    size_t frames;

    if (argc != 4) {
        fputs("usage: offline_box KEYFILE TYPE TEXT\n", stderr);
        return 64;
    }
    read_key(argv[1], name, &project);
    FILE *random = fopen("/dev/urandom", "rb");
    if (!random || fread(&sender, sizeof sender, 1, random) != 1) return 71;
    fclose(random);

    options.profile = "dsss-far";
    check(nbm_mixer_create(&options, &mixer));
    while ((frames = fread(buffer, 4, FRAMES, stdin)) > 0) {
        /* In a player, this belongs into another thread than nbm_mixer_mix(). */
        if (time(NULL) >= renewal) renewal = renew(mixer, &project, sender, argv[2], argv[3]);
        check(nbm_mixer_mix(mixer, buffer, frames));
        if (fwrite(buffer, 4, frames, stdout) != frames) break;
    }
    nbm_mixer_destroy(mixer);
    return 0;
}

#include "player_mixer.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Frames that are gathered at a time where channels are skipped. */
    BLOCK_FRAMES = 256,
    MOST_CHANNELS = 8,
    MOST_SAMPLE_BYTES = 4,
};

/*
 * A change of profile takes another nbm_mixer. It is handed over without a lock:
 *
 *     controlling thread: newest ──▶ next ──▶ playing :audio thread, between two frames
 *                         frees it ◀── retired ◀──┘
 */
struct player_mixer {
    struct player_format format;
    size_t sample_bytes;

    /* The audio thread's. */
    nbm_mixer *playing;
    size_t mixed_channels[MOST_CHANNELS];
    size_t mixed_count;
    uint8_t block[BLOCK_FRAMES * MOST_CHANNELS * MOST_SAMPLE_BYTES];

    /* Both threads'. */
    _Atomic(nbm_mixer *) next;
    _Atomic(nbm_mixer *) retired;

    /* The controlling thread's. */
    struct token_settings settings;
    nbm_mixer *newest;
    /* The mixer before the newest one, which may still be playing; NULL if it was retired. */
    nbm_mixer *previous;
    uint64_t frames_sent_before;
};

/* ---- The controlling thread ---------------------------------------------------------------------------------------- */

/* Sends what the settings say. */
static nbm_result send_tokens(nbm_mixer *mixer, const struct token_settings *settings) {
    const uint8_t *tokens[TOKEN_LIST_LIMIT];
    nbm_result result = nbm_mixer_set_level(mixer, &settings->level);

    if (result != NBM_OK) return result;
    if (settings->tokens.count == 0) return nbm_mixer_fade_out(mixer);
    for (size_t i = 0; i < settings->tokens.count; i++) tokens[i] = settings->tokens.bytes[i];
    return nbm_mixer_set_tokens(mixer, tokens, settings->tokens.byte_count, settings->tokens.count, 0);
}

static nbm_mixer *make_mixer(const struct player_mixer *mixer, const struct token_settings *settings, char *error) {
    nbm_mixer_options options = NBM_MIXER_OPTIONS_INIT;
    nbm_profile profile = NBM_PROFILE_INIT;
    nbm_mixer *made = NULL;
    nbm_result result;

    if (!token_settings_check(settings, error) || !profile_find(settings->profile, &profile, error) ||
        !profile_check_rate(&profile, mixer->format.sample_rate_hz, error))
        return NULL;
    options.profile = settings->profile;
    options.sample_rate_hz = mixer->format.sample_rate_hz;
    options.channel_count = (uint32_t)(mixer->mixed_count > 0 ? mixer->mixed_count : 1);
    options.format = mixer->format.format;
    options.lane = settings->lane;
    options.every_seconds = settings->every_seconds;
    options.jitter_seconds = settings->jitter_seconds;
    result = nbm_mixer_create(&options, &made);
    if (result == NBM_OK) result = send_tokens(made, settings);
    if (result == NBM_OK) return made;
    snprintf(error, TOKEN_ERROR_SIZE, "%s", made && *nbm_mixer_last_error(made) ? nbm_mixer_last_error(made) : nbm_error_string(result));
    nbm_mixer_destroy(made);
    return NULL;
}

struct player_mixer *player_mixer_create(const struct player_format *format, const struct token_settings *settings,
                                         char error[TOKEN_ERROR_SIZE]) {
    struct player_mixer *mixer;

    if (format->channel_count < 1 || format->channel_count > MOST_CHANNELS) {
        snprintf(error, TOKEN_ERROR_SIZE, "expected 1 to %d channels, not %u", MOST_CHANNELS, format->channel_count);
        return NULL;
    }
    mixer = calloc(1, sizeof *mixer);
    if (!mixer) {
        snprintf(error, TOKEN_ERROR_SIZE, "there is no memory for a mixer");
        return NULL;
    }
    mixer->format = *format;
    mixer->sample_bytes = nbm_format_bytes(format->format);
    for (uint32_t channel = 0; channel < format->channel_count; channel++)
        if (!(format->skipped_channels >> channel & 1)) mixer->mixed_channels[mixer->mixed_count++] = channel;
    mixer->playing = mixer->newest = make_mixer(mixer, settings, error);
    if (mixer->playing) {
        mixer->settings = *settings;
        return mixer;
    }
    free(mixer);
    return NULL;
}

void player_mixer_destroy(struct player_mixer *mixer) {
    if (!mixer) return;
    nbm_mixer_destroy(atomic_load(&mixer->next));
    nbm_mixer_destroy(atomic_load(&mixer->retired));
    nbm_mixer_destroy(mixer->playing);
    free(mixer);
}

/* Frees the mixer that the audio thread has let go. */
static void collect(struct player_mixer *mixer) {
    nbm_mixer *retired = atomic_exchange(&mixer->retired, NULL);
    nbm_mixer_status status = NBM_MIXER_STATUS_INIT;

    if (!retired) return;
    nbm_mixer_get_status(retired, &status);
    mixer->frames_sent_before += status.frames_sent;
    if (retired == mixer->previous) mixer->previous = NULL;
    nbm_mixer_destroy(retired);
}

static void hand_over(struct player_mixer *mixer, nbm_mixer *made) {
    nbm_mixer *untaken = atomic_exchange(&mixer->next, made);

    /* After the exchange: then no mixer but this one can be taken, and `retired` has room for the one before it. */
    collect(mixer);
    if (untaken) {
        nbm_mixer_destroy(untaken);
    } else {
        mixer->previous = mixer->newest;
    }
    mixer->newest = made;
    if (!mixer->previous) return;
    /* The frame under way is finished, unless silence is wanted. */
    if (mixer->settings.tokens.count == 0) {
        nbm_mixer_fade_out(mixer->previous);
    } else {
        nbm_mixer_clear(mixer->previous);
    }
}

static bool needs_other_mixer(const struct token_settings *a, const struct token_settings *b) {
    return strcmp(a->profile, b->profile) != 0 || a->lane != b->lane || a->every_seconds != b->every_seconds ||
           a->jitter_seconds != b->jitter_seconds;
}

bool player_mixer_change(struct player_mixer *mixer, const struct token_settings *settings, char error[TOKEN_ERROR_SIZE]) {
    nbm_result result;

    collect(mixer);
    if (needs_other_mixer(settings, &mixer->settings)) {
        nbm_mixer *made = make_mixer(mixer, settings, error);
        if (!made) return false;
        mixer->settings = *settings;
        hand_over(mixer, made);
        return true;
    }
    if (!token_settings_check(settings, error)) return false;
    result = send_tokens(mixer->newest, settings);
    if (result != NBM_OK) {
        snprintf(error, TOKEN_ERROR_SIZE, "%s", nbm_mixer_last_error(mixer->newest));
        return false;
    }
    if (settings->tokens.count == 0 && mixer->previous) nbm_mixer_fade_out(mixer->previous);
    mixer->settings = *settings;
    return true;
}

void player_mixer_restart(struct player_mixer *mixer) {
    collect(mixer);
    if (mixer->previous) nbm_mixer_fade_out(mixer->previous);
    nbm_mixer_fade_out(mixer->newest);
    /* It took these before. */
    if (mixer->settings.tokens.count > 0) send_tokens(mixer->newest, &mixer->settings);
}

void player_mixer_get_status(const struct player_mixer *mixer, nbm_mixer_status *status) {
    nbm_mixer_status previous = NBM_MIXER_STATUS_INIT;

    nbm_mixer_get_status(mixer->newest, status);
    status->frames_sent += mixer->frames_sent_before;
    if (!mixer->previous) return;
    nbm_mixer_get_status(mixer->previous, &previous);
    status->frames_sent += previous.frames_sent;
    status->is_sounding |= previous.is_sounding;
}

/* ---- The audio thread ---------------------------------------------------------------------------------------------- */

static nbm_mixer_status status_of(const nbm_mixer *mixer) {
    nbm_mixer_status status = NBM_MIXER_STATUS_INIT;
    nbm_mixer_get_status(mixer, &status);
    return status;
}

/* Takes the next mixer between two frames of the one that plays. */
static void take_next(struct player_mixer *mixer) {
    nbm_mixer *next;

    if (!atomic_load(&mixer->next) || atomic_load(&mixer->retired) || status_of(mixer->playing).is_sounding) return;
    next = atomic_exchange(&mixer->next, NULL);
    if (!next) return;
    atomic_store(&mixer->retired, mixer->playing);
    mixer->playing = next;
}

/* Copies the channels that are mixed, or back. */
static void copy_channels(struct player_mixer *mixer, uint8_t *frames, size_t frame_count, bool is_back) {
    size_t bytes = mixer->sample_bytes, frame_bytes = bytes * mixer->format.channel_count;
    uint8_t *packed = mixer->block;

    for (size_t frame = 0; frame < frame_count; frame++, frames += frame_bytes)
        for (size_t i = 0; i < mixer->mixed_count; i++, packed += bytes) {
            uint8_t *sample = frames + mixer->mixed_channels[i] * bytes;
            memcpy(is_back ? sample : packed, is_back ? packed : sample, bytes);
        }
}

static void mix_some_channels(struct player_mixer *mixer, uint8_t *frames, size_t frame_count) {
    while (frame_count > 0) {
        size_t count = frame_count < BLOCK_FRAMES ? frame_count : BLOCK_FRAMES;
        copy_channels(mixer, frames, count, false);
        nbm_mixer_mix(mixer->playing, mixer->block, count);
        copy_channels(mixer, frames, count, true);
        frames += count * mixer->format.channel_count * mixer->sample_bytes;
        frame_count -= count;
    }
}

bool player_mixer_mix(struct player_mixer *mixer, void *frames, size_t frame_count) {
    nbm_mixer_status before, after;

    if (mixer->mixed_count == 0) return false;
    take_next(mixer);
    before = status_of(mixer->playing);
    if (mixer->mixed_count == mixer->format.channel_count) {
        nbm_mixer_mix(mixer->playing, frames, frame_count);
    } else {
        mix_some_channels(mixer, frames, frame_count);
    }
    after = status_of(mixer->playing);
    return before.is_sounding || after.is_sounding || after.frames_sent != before.frames_sent;
}

/*
 * A mixer for players: as nbm_mixer of the C library, but its profile can be changed while it plays, and some channels,
 * such as the low-frequency one, get no token.
 *
 * Threads: one thread mixes. Another one calls all the rest, except that player_mixer_destroy() has the mixer to itself.
 */
#ifndef PLAYER_MIXER_H
#define PLAYER_MIXER_H

#include "token_settings.h"

/* The programme's format. */
struct player_format {
    nbm_format format;
    uint32_t sample_rate_hz;
    uint32_t channel_count;
    /* Bit n: channel n is neither measured nor changed. */
    uint32_t skipped_channels;
};

struct player_mixer;

/* Returns NULL, with the reason in `error`, if the settings or the format cannot be taken. */
struct player_mixer *player_mixer_create(const struct player_format *format, const struct token_settings *settings,
                                         char error[TOKEN_ERROR_SIZE]);

/* Frees a mixer that no thread is using any more. NULL is no mistake. */
void player_mixer_destroy(struct player_mixer *mixer);

/* Takes new settings. The frame under way is finished, and the next one has them; if nothing is to be sent any more, it
 * fades out within 20 ms. Returns false, with the reason in `error`, and then goes on with the old settings. */
bool player_mixer_change(struct player_mixer *mixer, const struct token_settings *settings, char error[TOKEN_ERROR_SIZE]);

/* Begins a frame anew, because part of the one under way is not played: after a seek. */
void player_mixer_restart(struct player_mixer *mixer);

/* What was sent since the mixer was made. */
void player_mixer_get_status(const struct player_mixer *mixer, nbm_mixer_status *status);

/* Adds the token to the programme's next frames. Returns true if part of a token is in them. Asks for no memory, takes
 * no lock and makes no system call. */
bool player_mixer_mix(struct player_mixer *mixer, void *frames, size_t frame_count);

#endif

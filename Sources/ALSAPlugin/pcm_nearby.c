/*
 * The PCM type `nearby`: mixes a token into what a player plays that cannot be changed.
 *
 *     pcm.box { type nearby slave.pcm "hw:0" socket "/run/nearby-stb/token" }
 */
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "player_mixer.h"
#include "plugin_settings.h"
#include "token_follower.h"

enum {
    /* Frames that are mixed at a time. */
    BLOCK_FRAMES = 256,
    MOST_CHANNELS = 8,
    MOST_SAMPLE_BYTES = 4,
};

struct nearby_pcm {
    snd_pcm_extplug_t ext;
    struct player_format format;
    /* NULL where the rate is too low for the profile: then the sound passes. */
    struct player_mixer *mixer;
    uint8_t block[BLOCK_FRAMES * MOST_CHANNELS * MOST_SAMPLE_BYTES];

    /* Guards the settings, and all but the mixing of the mixer, against the follower's thread. */
    pthread_mutex_t lock;
    struct token_settings settings;
    struct token_follower *follower;
};

static const unsigned int formats[] = {
    SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S24_LE, SND_PCM_FORMAT_S32_LE, SND_PCM_FORMAT_FLOAT_LE,
};

static nbm_format format_of(snd_pcm_format_t format) {
    switch (format) {
    case SND_PCM_FORMAT_S16_LE: return NBM_FORMAT_S16;
    case SND_PCM_FORMAT_S24_3LE: return NBM_FORMAT_S24_PACKED;
    case SND_PCM_FORMAT_S24_LE: return NBM_FORMAT_S24;
    case SND_PCM_FORMAT_S32_LE: return NBM_FORMAT_S32;
    default: return NBM_FORMAT_FLOAT;
    }
}

/* ---- The player's thread ------------------------------------------------------------------------------------------- */

static snd_pcm_sframes_t transfer(snd_pcm_extplug_t *ext, const snd_pcm_channel_area_t *to, snd_pcm_uframes_t to_offset,
                                  const snd_pcm_channel_area_t *from, snd_pcm_uframes_t from_offset, snd_pcm_uframes_t size) {
    struct nearby_pcm *self = ext->private_data;
    unsigned int bits = (unsigned int)snd_pcm_format_physical_width(ext->format);
    snd_pcm_channel_area_t block[MOST_CHANNELS];

    /* Channels may lie apart on either side; in the block they lie as the mixer needs them. */
    for (unsigned int channel = 0; channel < ext->channels; channel++)
        block[channel] = (snd_pcm_channel_area_t) { .addr = self->block, .first = channel * bits, .step = ext->channels * bits };
    for (snd_pcm_uframes_t done = 0, count; done < size; done += count) {
        count = size - done < BLOCK_FRAMES ? size - done : BLOCK_FRAMES;
        snd_pcm_areas_copy(block, 0, from, from_offset + done, ext->channels, count, ext->format);
        if (self->mixer) player_mixer_mix(self->mixer, self->block, count);
        snd_pcm_areas_copy(to, to_offset + done, block, 0, ext->channels, count, ext->format);
    }
    return (snd_pcm_sframes_t)size;
}

/* A bit for each low-frequency channel: as the device says, otherwise where ALSA has it in 5.1 and 7.1. */
static uint32_t low_frequency_channels(snd_pcm_extplug_t *ext) {
    snd_pcm_chmap_t *map = snd_pcm_get_chmap(ext->pcm);
    uint32_t bits = 0;

    if (!map) return ext->channels == 6 || ext->channels == 8 ? 1u << 5 : 0;
    for (unsigned int channel = 0; channel < map->channels && channel < MOST_CHANNELS; channel++)
        if ((map->pos[channel] & SND_CHMAP_POSITION_MASK) == SND_CHMAP_LFE) bits |= 1u << channel;
    free(map);
    return bits;
}

/* Is called when the player is ready to play, and again after each interruption. */
static int init(snd_pcm_extplug_t *ext) {
    struct nearby_pcm *self = ext->private_data;
    const struct player_format format = {
        .format = format_of(ext->format), .sample_rate_hz = ext->rate, .channel_count = ext->channels,
        .skipped_channels = low_frequency_channels(ext),
    };
    char error[TOKEN_ERROR_SIZE];

    pthread_mutex_lock(&self->lock);
    if (self->mixer && memcmp(&format, &self->format, sizeof format) == 0) {
        player_mixer_restart(self->mixer);
    } else {
        player_mixer_destroy(self->mixer);
        self->format = format;
        self->mixer = player_mixer_create(&format, &self->settings, error);
        if (!self->mixer) SNDERR("nearby: %s; the sound passes without a token", error);
    }
    pthread_mutex_unlock(&self->lock);
    return 0;
}

static int end(snd_pcm_extplug_t *ext) {
    struct nearby_pcm *self = ext->private_data;

    token_follower_stop(self->follower);
    player_mixer_destroy(self->mixer);
    pthread_mutex_destroy(&self->lock);
    free(self);
    return 0;
}

static const snd_pcm_extplug_callback_t callbacks = { .transfer = transfer, .init = init, .close = end };

/* ---- The follower's thread ----------------------------------------------------------------------------------------- */

static void take_from_box(void *context, const struct token_settings *told) {
    struct nearby_pcm *self = context;
    char error[TOKEN_ERROR_SIZE] = "";
    nbm_level level;

    pthread_mutex_lock(&self->lock);
    level = self->settings.level;
    self->settings = *told;
    self->settings.level = level;
    if (self->mixer) player_mixer_change(self->mixer, &self->settings, error);
    pthread_mutex_unlock(&self->lock);
    if (*error) SNDERR("nearby: %s", error);
}

static void warn_of_box(void *context, const char *words) {
    (void)context;
    SNDERR("nearby: %s", words);
}

/* ---- Opening ------------------------------------------------------------------------------------------------------- */

static int limit_to_what_can_be_mixed(snd_pcm_extplug_t *ext) {
    const unsigned int count = sizeof formats / sizeof *formats;
    int error = snd_pcm_extplug_set_param_list(ext, SND_PCM_EXTPLUG_HW_FORMAT, count, formats);

    if (error >= 0) error = snd_pcm_extplug_set_slave_param_list(ext, SND_PCM_EXTPLUG_HW_FORMAT, count, formats);
    if (error >= 0) error = snd_pcm_extplug_set_param_link(ext, SND_PCM_EXTPLUG_HW_FORMAT, 1);
    if (error >= 0) error = snd_pcm_extplug_set_param_minmax(ext, SND_PCM_EXTPLUG_HW_CHANNELS, 1, MOST_CHANNELS);
    if (error >= 0) error = snd_pcm_extplug_set_slave_param_minmax(ext, SND_PCM_EXTPLUG_HW_CHANNELS, 1, MOST_CHANNELS);
    if (error >= 0) error = snd_pcm_extplug_set_param_link(ext, SND_PCM_EXTPLUG_HW_CHANNELS, 1);
    return error;
}

SND_PCM_PLUGIN_DEFINE_FUNC(nearby) {
    struct plugin_settings settings;
    char words[TOKEN_ERROR_SIZE];
    struct nearby_pcm *self;
    int error;

    (void)root;
    if (stream != SND_PCM_STREAM_PLAYBACK) {
        SNDERR("nearby: expected a stream that plays: a token cannot be mixed into what is recorded");
        return -EINVAL;
    }
    if (!plugin_settings_read(conf, &settings, words)) {
        SNDERR("nearby: %s", words);
        return -EINVAL;
    }
    self = calloc(1, sizeof *self);
    if (!self) return -ENOMEM;
    pthread_mutex_init(&self->lock, NULL);
    self->settings = settings.tokens;
    self->ext = (snd_pcm_extplug_t) {
        .version = SND_PCM_EXTPLUG_VERSION, .name = "Nearby token", .callback = &callbacks, .private_data = self,
    };
    error = snd_pcm_extplug_create(&self->ext, name, root, settings.slave, stream, mode);
    if (error < 0) {
        pthread_mutex_destroy(&self->lock);
        free(self);
        return error;
    }
    error = limit_to_what_can_be_mixed(&self->ext);
    if (error >= 0 && settings.socket[0]) {
        self->follower = token_follower_start(settings.socket, take_from_box, warn_of_box, self, words);
        if (!self->follower) {
            SNDERR("nearby: %s", words);
            error = -EINVAL;
        }
    }
    if (error < 0) {
        /* Calls end(). */
        snd_pcm_extplug_delete(&self->ext);
        return error;
    }
    *pcmp = self->ext.pcm;
    return 0;
}

SND_PCM_PLUGIN_SYMBOL(nearby);

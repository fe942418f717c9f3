/* What a user writes into asound.conf about the plugin. */
#ifndef PLUGIN_SETTINGS_H
#define PLUGIN_SETTINGS_H

#include <alsa/asoundlib.h>

#include "token_settings.h"

struct plugin_settings {
    /* The PCM that plays: its name or its definition. Points into the configuration. */
    snd_config_t *slave;
    struct token_settings tokens;
    /* The path of a box's token.socket; "" if there is none. */
    char socket[128];
};

/* Reads the definition of a PCM. Returns false, with the reason in `error`, if it says something that is not known, or
 * not right. */
bool plugin_settings_read(snd_config_t *definition, struct plugin_settings *settings, char error[TOKEN_ERROR_SIZE]);

#endif

#include "tokenproperties.h"

#include <gst/gst.h>

static const nbm_level default_level = NBM_LEVEL_INIT;

void token_properties_init(TokenProperties *properties) {
    *properties = (TokenProperties) {
        .profile = g_strdup("dsss"),
        .level = default_level.ceiling_dbfs,
        .min_level = default_level.floor_dbfs,
        .relative_level = default_level.relative_decibels,
    };
}

void token_properties_clear(TokenProperties *properties) {
    g_free(properties->token);
    g_free(properties->profile);
    g_free(properties->socket);
    *properties = (TokenProperties) { 0 };
}

void token_properties_copy(TokenProperties *to, const TokenProperties *from) {
    TokenProperties copy = *from;

    copy.token = g_strdup(from->token);
    copy.profile = g_strdup(from->profile);
    copy.socket = g_strdup(from->socket);
    token_properties_clear(to);
    *to = copy;
}

void token_properties_install(GObjectClass *class) {
    const GParamFlags live = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING;

    g_object_class_install_property(class, PROP_TOKEN,
        g_param_spec_string("token", "Token",
            "Token as hexadecimal digits, 1 to 32 bytes (ggwave's profiles: 140); several, separated by commas, take turns; "
            "empty: none is sent", NULL, live));
    g_object_class_install_property(class, PROP_PROFILE,
        g_param_spec_string("profile", "Profile", "Profile to send with, as 'nearby-modem profiles' lists them", "dsss", live));
    g_object_class_install_property(class, PROP_LEVEL,
        g_param_spec_double("level", "Level", "Greatest peak of the token in dBFS", -90, 0, default_level.ceiling_dbfs, live));
    g_object_class_install_property(class, PROP_MIN_LEVEL,
        g_param_spec_double("min-level", "Least level",
            "Least peak of the token in dBFS, where the programme hides less; 0: the token always has its level",
            -90, 0, default_level.floor_dbfs, live));
    g_object_class_install_property(class, PROP_RELATIVE_LEVEL,
        g_param_spec_double("relative-level", "Relative level",
            "Power of the token relative to the programme's over 12 kHz, in dB, between min-level and level",
            -60, 20, default_level.relative_decibels, live));
    g_object_class_install_property(class, PROP_LANE,
        g_param_spec_uint("lane", "Lane", "Lane: transmitters that overlap in time are best kept on different lanes", 0, 3, 0, live));
    g_object_class_install_property(class, PROP_EVERY,
        g_param_spec_double("every", "Every",
            "Time from one frame's beginning to the next in seconds; at least 0.2 s of pause remain", 0, 3600, 0, live));
    g_object_class_install_property(class, PROP_JITTER,
        g_param_spec_double("jitter", "Jitter",
            "Up to this many seconds more, at random, so that boxes do not stay in step", 0, 3600, 0, live));
    g_object_class_install_property(class, PROP_SOCKET,
        g_param_spec_string("socket", "Socket",
            "Path of a box's token.socket (nearby-stb): its tokens are sent, by the profile, on the lane and as often as it says",
            NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
    g_object_class_install_property(class, PROP_STATS,
        g_param_spec_boxed("stats", "Statistics",
            "What is sent and was sent: token, profile, frames-sent, sounding, level of the last frame in dBFS, programme's level over 12 kHz in dBFS",
            GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

gboolean token_properties_set(TokenProperties *properties, guint id, const GValue *value) {
    switch (id) {
    case PROP_TOKEN:
        g_free(properties->token);
        properties->token = g_value_dup_string(value);
        return TRUE;
    case PROP_PROFILE:
        g_free(properties->profile);
        properties->profile = g_value_dup_string(value);
        return TRUE;
    case PROP_LEVEL: properties->level = g_value_get_double(value); return TRUE;
    case PROP_MIN_LEVEL: properties->min_level = g_value_get_double(value); return TRUE;
    case PROP_RELATIVE_LEVEL: properties->relative_level = g_value_get_double(value); return TRUE;
    case PROP_LANE: properties->lane = g_value_get_uint(value); return TRUE;
    case PROP_EVERY: properties->every = g_value_get_double(value); return TRUE;
    case PROP_JITTER: properties->jitter = g_value_get_double(value); return TRUE;
    case PROP_SOCKET:
        g_free(properties->socket);
        properties->socket = g_value_dup_string(value);
        return TRUE;
    default: return FALSE;
    }
}

gboolean token_properties_get(const TokenProperties *properties, guint id, GValue *value) {
    switch (id) {
    case PROP_TOKEN: g_value_set_string(value, properties->token); return TRUE;
    case PROP_PROFILE: g_value_set_string(value, properties->profile); return TRUE;
    case PROP_LEVEL: g_value_set_double(value, properties->level); return TRUE;
    case PROP_MIN_LEVEL: g_value_set_double(value, properties->min_level); return TRUE;
    case PROP_RELATIVE_LEVEL: g_value_set_double(value, properties->relative_level); return TRUE;
    case PROP_LANE: g_value_set_uint(value, properties->lane); return TRUE;
    case PROP_EVERY: g_value_set_double(value, properties->every); return TRUE;
    case PROP_JITTER: g_value_set_double(value, properties->jitter); return TRUE;
    case PROP_SOCKET: g_value_set_string(value, properties->socket); return TRUE;
    default: return FALSE;
    }
}

gchar *token_list_text(const struct token_list *tokens) {
    GString *text = g_string_new(NULL);
    char token[2 * NBM_MAX_TOKEN_BYTES + 1];

    for (gsize i = 0; i < tokens->count; i++) {
        token_write_hex(tokens->bytes[i], tokens->byte_count[i], token);
        g_string_append_printf(text, "%s%s", i > 0 ? "," : "", token);
    }
    return g_string_free(text, FALSE);
}

gboolean token_properties_read(const TokenProperties *properties, struct token_settings *settings,
                               char error[TOKEN_ERROR_SIZE]) {
    nbm_profile profile = NBM_PROFILE_INIT;

    token_settings_init(settings);
    if (!token_list_parse(&settings->tokens, properties->token, error)) return FALSE;
    if (!profile_find(properties->profile ? properties->profile : "", &profile, error)) return FALSE;
    g_strlcpy(settings->profile, profile.name, sizeof settings->profile);
    settings->level.ceiling_dbfs = properties->level;
    settings->level.floor_dbfs = MIN(properties->min_level, properties->level);
    settings->level.relative_decibels = properties->relative_level;
    settings->lane = properties->lane;
    settings->every_seconds = properties->every;
    settings->jitter_seconds = properties->jitter;
    return token_settings_check(settings, error);
}

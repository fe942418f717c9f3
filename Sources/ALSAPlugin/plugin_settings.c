#include "plugin_settings.h"

#include <stdio.h>
#include <string.h>

static bool is_named(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0) return true;
    return false;
}

static bool read_text(const snd_config_t *entry, const char *name, const char **text, char *error) {
    if (snd_config_get_string(entry, text) >= 0) return true;
    snprintf(error, TOKEN_ERROR_SIZE, "%s: expected text in quotation marks", name);
    return false;
}

static bool read_number(const snd_config_t *entry, const char *name, double least, double most, double *number, char *error) {
    if (snd_config_get_ireal(entry, number) >= 0 && *number >= least && *number <= most) return true;
    snprintf(error, TOKEN_ERROR_SIZE, "%s: expected a number of %g to %g", name, least, most);
    return false;
}

static bool read_entry(snd_config_t *entry, const char *name, struct plugin_settings *settings, char *error) {
    struct token_settings *tokens = &settings->tokens;
    const char *text;
    double lane;

    if (strcmp(name, "slave") == 0) {
        settings->slave = entry;
        return true;
    }
    if (strcmp(name, "every") == 0) return read_number(entry, name, 0, 3600, &tokens->every_seconds, error);
    if (strcmp(name, "jitter") == 0) return read_number(entry, name, 0, 3600, &tokens->jitter_seconds, error);
    if (strcmp(name, "level") == 0) return read_number(entry, name, -90, 0, &tokens->level.ceiling_dbfs, error);
    if (strcmp(name, "min_level") == 0) return read_number(entry, name, -90, 0, &tokens->level.floor_dbfs, error);
    if (strcmp(name, "relative_level") == 0) return read_number(entry, name, -60, 20, &tokens->level.relative_decibels, error);
    if (strcmp(name, "lane") == 0) {
        if (!read_number(entry, name, 0, 3, &lane, error)) return false;
        tokens->lane = (uint32_t)lane;
        return true;
    }
    if (!is_named(name, (const char *const[]) { "token", "profile", "socket", NULL })) {
        snprintf(error, TOKEN_ERROR_SIZE, "expected slave, token, socket, profile, lane, every, jitter, level, min_level or relative_level, not '%s'", name);
        return false;
    }
    if (!read_text(entry, name, &text, error)) return false;
    if (strcmp(name, "token") == 0) return token_list_parse(&tokens->tokens, text, error);
    if (strcmp(name, "profile") == 0) {
        snprintf(tokens->profile, sizeof tokens->profile, "%s", text);
    } else {
        snprintf(settings->socket, sizeof settings->socket, "%s", text);
    }
    return true;
}

bool plugin_settings_read(snd_config_t *definition, struct plugin_settings *settings, char error[TOKEN_ERROR_SIZE]) {
    snd_config_iterator_t i, next;

    memset(settings, 0, sizeof *settings);
    token_settings_init(&settings->tokens);
    snd_config_for_each(i, next, definition) {
        snd_config_t *entry = snd_config_iterator_entry(i);
        const char *name;
        if (snd_config_get_id(entry, &name) < 0 || is_named(name, (const char *const[]) { "comment", "type", "hint", NULL })) continue;
        if (!read_entry(entry, name, settings, error)) return false;
    }
    if (!settings->slave) {
        snprintf(error, TOKEN_ERROR_SIZE, "expected a slave that plays: slave.pcm \"hw:0\"");
        return false;
    }
    if ((settings->tokens.tokens.count > 0) == (settings->socket[0] != 0)) {
        snprintf(error, TOKEN_ERROR_SIZE, "expected either a token or a socket that tells it: token \"0123456789abcdef\"");
        return false;
    }
    if (settings->tokens.level.floor_dbfs > settings->tokens.level.ceiling_dbfs)
        settings->tokens.level.floor_dbfs = settings->tokens.level.ceiling_dbfs;
    return token_settings_check(&settings->tokens, error);
}

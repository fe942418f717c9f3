#include "player_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a number within bounds. */
static bool parse_number(const char *text, double most, double *number) {
    char *end;
    *number = strtod(text, &end);
    return end != text && !*end && *number >= 0 && *number <= most;
}

static bool parse_word(const char *word, struct token_settings *settings, char *error) {
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : 0;
    double number;

    if (!equals) return true;
    if (strncmp(word, "tokens", length) == 0 && length == 6) return token_list_parse(&settings->tokens, equals + 1, error);
    if (strncmp(word, "profile", length) == 0 && length == 7) {
        snprintf(settings->profile, sizeof settings->profile, "%s", equals + 1);
    } else if (strncmp(word, "lane", length) == 0 && length == 4) {
        if (!parse_number(equals + 1, 3, &number)) goto refuse;
        settings->lane = (uint32_t)number;
    } else if (strncmp(word, "every", length) == 0 && length == 5) {
        if (!parse_number(equals + 1, 3600, &settings->every_seconds)) goto refuse;
    } else if (strncmp(word, "jitter", length) == 0 && length == 6) {
        if (!parse_number(equals + 1, 3600, &settings->jitter_seconds)) goto refuse;
    }
    return true;
refuse:
    snprintf(error, TOKEN_ERROR_SIZE, "expected a lane of 0 to 3, or 0 to 3600 seconds, not '%.40s'", word);
    return false;
}

bool player_line_parse(char *line, struct token_settings *settings, char error[TOKEN_ERROR_SIZE]) {
    const nbm_level level = settings->level;
    char *rest = NULL, *word = strtok_r(line, " ", &rest);

    token_settings_init(settings);
    settings->level = level;
    if (word && strcmp(word, "silent") == 0) return true;
    if (!word || strcmp(word, "send") != 0) {
        snprintf(error, TOKEN_ERROR_SIZE, "expected a box's line 'send profile=... tokens=...' or 'silent', not '%.40s'", word ? word : "");
        return false;
    }
    while ((word = strtok_r(NULL, " ", &rest)))
        if (!parse_word(word, settings, error)) return false;
    return token_settings_check(settings, error);
}

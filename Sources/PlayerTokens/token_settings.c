#include "token_settings.h"

#include <stdio.h>
#include <string.h>

enum { MOST_SAMPLE_RATE_HZ = 384000 };

void token_settings_init(struct token_settings *settings) {
    const nbm_level level = NBM_LEVEL_INIT;

    memset(settings, 0, sizeof *settings);
    strcpy(settings->profile, "dsss");
    settings->level = level;
}

bool profile_find(const char *name, nbm_profile *profile, char error[TOKEN_ERROR_SIZE]) {
    nbm_profile known = NBM_PROFILE_INIT;
    size_t length;

    profile->size = sizeof *profile;
    if (nbm_profile_named(name, profile) == NBM_OK) return true;
    length = (size_t)snprintf(error, TOKEN_ERROR_SIZE, "expected one of the profiles");
    for (size_t i = 0; i < nbm_profile_count() && nbm_profile_at(i, &known) == NBM_OK && length < TOKEN_ERROR_SIZE; i++)
        length += (size_t)snprintf(error + length, TOKEN_ERROR_SIZE - length, "%s %s", i > 0 ? "," : "", known.name);
    if (length < TOKEN_ERROR_SIZE) snprintf(error + length, TOKEN_ERROR_SIZE - length, ", not '%.40s'", name);
    return false;
}

bool profile_check_rate(const nbm_profile *profile, uint32_t sample_rate_hz, char error[TOKEN_ERROR_SIZE]) {
    if (sample_rate_hz >= profile->min_sample_rate_hz && sample_rate_hz <= MOST_SAMPLE_RATE_HZ) return true;
    snprintf(error, TOKEN_ERROR_SIZE, "expected a sample rate of %u to %d Hz, as the profile %s needs, not %u Hz",
             profile->min_sample_rate_hz, MOST_SAMPLE_RATE_HZ, profile->name, sample_rate_hz);
    return false;
}

bool token_settings_check(const struct token_settings *settings, char error[TOKEN_ERROR_SIZE]) {
    const struct token_list *tokens = &settings->tokens;
    nbm_profile profile = NBM_PROFILE_INIT;

    if (!profile_find(settings->profile, &profile, error)) return false;
    for (size_t i = 0; i < tokens->count; i++) {
        size_t bytes = tokens->byte_count[i];
        if (bytes >= profile.min_token_bytes && bytes <= profile.max_token_bytes) continue;
        snprintf(error, TOKEN_ERROR_SIZE, "expected a token of %u to %u bytes, as the profile %s carries, not %zu bytes",
                 profile.min_token_bytes, profile.max_token_bytes, profile.name, bytes);
        return false;
    }
    return true;
}

/* What is sent, and how: all that a player's owner can set. */
#ifndef TOKEN_SETTINGS_H
#define TOKEN_SETTINGS_H

#include "token_list.h"

enum {
    /* Room for a profile's name, as in nbm_profile. */
    PROFILE_NAME_SIZE = 40,
};

struct token_settings {
    struct token_list tokens;
    char profile[PROFILE_NAME_SIZE];
    /* 0 to 3: transmitters that overlap in time are best kept on different lanes. */
    uint32_t lane;
    /* The time from one frame's beginning to the next; at least 0.2 s of pause remain. */
    double every_seconds;
    double jitter_seconds;
    nbm_level level;
};

/* Sends nothing, by the profile dsss, at the C library's levels. */
void token_settings_init(struct token_settings *settings);

/* Returns false, with the reason in `error`, if there is no such profile, or if it does not carry these tokens. */
bool token_settings_check(const struct token_settings *settings, char error[TOKEN_ERROR_SIZE]);

/* Finds the profile of that name, which may be longer than any. Returns false, with the names that there are. */
bool profile_find(const char *name, nbm_profile *profile, char error[TOKEN_ERROR_SIZE]);

/* Returns false, with the reason in `error`, if the rate is too low for the profile's band, or too high for the library. */
bool profile_check_rate(const nbm_profile *profile, uint32_t sample_rate_hz, char error[TOKEN_ERROR_SIZE]);

#endif

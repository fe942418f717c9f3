#ifndef FIRST_HEADER_H
#define FIRST_HEADER_H

// A program that was compiled with version 1.0 of nearby_modem.h, linked with today's library. Nothing here is ever changed.

#include <stddef.h>
#include <stdint.h>

typedef struct first_profile {
    size_t size;
    char name[40];
    double band_low_hz;
    double band_high_hz;
    double seconds_on_air;
    uint32_t min_token_bytes;
    uint32_t max_token_bytes;
    uint32_t min_sample_rate_hz;
    uint32_t is_checked;
} first_profile;

typedef struct first_mixer_options {
    size_t size;
    const char *profile;
    uint32_t sample_rate_hz;
    uint32_t channel_count;
    int format;
    uint32_t lane;
    double every_seconds;
    double jitter_seconds;
    uint64_t seed;
} first_mixer_options;

typedef struct first_level {
    size_t size;
    double relative_decibels;
    double floor_dbfs;
    double ceiling_dbfs;
} first_level;

typedef struct first_mixer_status {
    size_t size;
    uint64_t frames_sent;
    uint32_t is_sounding;
    float level_dbfs;
    float programme_dbfs;
} first_mixer_status;

typedef struct first_receiver_options {
    size_t size;
    const char *const *profiles;
    size_t profile_count;
    uint32_t sample_rate_hz;
    uint32_t channel_count;
    int format;
    uint32_t channel;
} first_receiver_options;

typedef struct first_report {
    size_t size;
    const uint8_t *token;
    size_t token_bytes;
    const char *profile;
    double start_seconds;
    double start_frame;
    double seconds_on_air;
    float level_dbfs;
    float snr_decibels;
    float ebn0_decibels;
    float speed_meters_per_second;
    uint32_t repeats;
    uint32_t lane;
    uint32_t is_checked;
} first_report;

typedef struct first_offline_project {
    size_t size;
    const char *name;
    uint8_t key[32];
} first_offline_project;

/// Sends a token through a mixer into a receiver, with every structure of version 1.0 between bytes that are not to change.
/// Returns NULL when all is as that version promises, or what is not.
const char *first_header_try(void);

/// Bytes of each structure, in the order in which they stand here.
void first_header_sizes(size_t sizes[7]);

#endif

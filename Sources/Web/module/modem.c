#include "nearby_modem.h"

#include "libc.h"

// The C library as JavaScript calls it: no structures to lay out, no function table, no import. What was heard waits in a queue
// of flat records, each field at one place.

#define EXPORT(name) __attribute__((export_name(#name)))

#ifdef ONE_CHANNEL
enum { MOST_CHANNELS = 1 };
#else
enum { MOST_CHANNELS = 8 };
#endif
enum { BLOCK_FRAMES = 4800, QUEUE_RECORDS = 64, MOST_PROFILES = 64 };

/// 232 bytes; `modem.js` reads them by these places.
typedef struct {
    double start_seconds;                 // 0
    double seconds_on_air;                // 8
    float level_dbfs;                     // 16
    float snr_decibels;                   // 20
    float ebn0_decibels;                  // 24
    float speed_meters_per_second;        // 28
    uint32_t repeats;                     // 32
    uint32_t lane;                        // 36
    uint32_t is_checked;                  // 40
    uint32_t token_bytes;                 // 44
    char profile[40];                     // 48
    uint8_t token[NBM_MAX_TOKEN_BYTES];   // 88
    uint32_t channel;                     // 228
} heard_record;
_Static_assert(sizeof(heard_record) == 232, "modem.js knows the places");

/// 80 bytes.
typedef struct {
    double band_low_hz;           // 0
    double band_high_hz;          // 8
    double seconds_on_air;        // 16
    uint32_t min_token_bytes;     // 24
    uint32_t max_token_bytes;     // 28
    uint32_t min_sample_rate_hz;  // 32
    uint32_t is_checked;          // 36
    char name[40];                // 40
} profile_record;
_Static_assert(sizeof(profile_record) == 80, "modem.js knows the places");

typedef struct {
    nbm_receiver *receiver;
    /// Records in the queue, and the oldest of them.
    uint32_t count, first;
    float block[BLOCK_FRAMES * MOST_CHANNELS];
    heard_record queue[QUEUE_RECORDS];
} web_receiver;

static void heard(void *context, const nbm_report *report) {
    web_receiver *receiver = context;
    // The caller takes after every push, and a tenth of a second never tells so many. Nothing is lost without a word.
    if (receiver->count == QUEUE_RECORDS) __builtin_trap();
    heard_record *record = &receiver->queue[(receiver->first + receiver->count++) % QUEUE_RECORDS];
    record->start_seconds = report->start_seconds;
    record->seconds_on_air = report->seconds_on_air;
    record->level_dbfs = report->level_dbfs;
    record->snr_decibels = report->snr_decibels;
    record->ebn0_decibels = report->ebn0_decibels;
    record->speed_meters_per_second = report->speed_meters_per_second;
    record->repeats = report->repeats;
    record->lane = report->lane;
    record->is_checked = report->is_checked;
    record->token_bytes = (uint32_t)report->token_bytes;
    record->channel = report->channel;
    size_t length = strlen(report->profile);
    if (length >= sizeof record->profile) length = sizeof record->profile - 1;
    memcpy(record->profile, report->profile, length);
    record->profile[length] = 0;
    memcpy(record->token, report->token, report->token_bytes);
}

/// The profile at an index, written to where it stays until the next call; NULL beyond the last.
EXPORT(nbw_profile_at) const profile_record *nbw_profile_at(uint32_t index) {
    static profile_record record;
    nbm_profile profile = NBM_PROFILE_INIT;
    if (nbm_profile_at(index, &profile) != NBM_OK) return NULL;
    record.band_low_hz = profile.band_low_hz;
    record.band_high_hz = profile.band_high_hz;
    record.seconds_on_air = profile.seconds_on_air;
    record.min_token_bytes = profile.min_token_bytes;
    record.max_token_bytes = profile.max_token_bytes;
    record.min_sample_rate_hz = profile.min_sample_rate_hz;
    record.is_checked = profile.is_checked;
    memcpy(record.name, profile.name, sizeof record.name);
    return &record;
}

/// The most channels that a receiver of this module hears.
EXPORT(nbw_most_channels) uint32_t nbw_most_channels(void) { return MOST_CHANNELS; }

/// Makes a receiver of channels of floats, at most MOST_CHANNELS, that are heard together; NULL where nbm_receiver_create() refuses,
/// and `*result` says why.
///
/// names: separated by commas; the commas become the ends of strings.
EXPORT(nbw_receiver_new)
web_receiver *nbw_receiver_new(char *names, uint32_t sample_rate_hz, uint32_t channel_count, uint32_t *result) {
    const char *profiles[MOST_PROFILES];
    size_t count = 0;
    for (char *place = names; *place && count < MOST_PROFILES;) {
        profiles[count++] = place;
        while (*place && *place != ',') place++;
        if (*place) *place++ = 0;
    }
    web_receiver *receiver = calloc(1, sizeof *receiver);
    if (!receiver) __builtin_trap();
    nbm_receiver_options options = NBM_RECEIVER_OPTIONS_INIT;
    options.profiles = profiles;
    options.profile_count = count;
    options.sample_rate_hz = sample_rate_hz;
    options.channel_count = channel_count;
    options.channel = channel_count > 1 ? NBM_ALL_CHANNELS : 0;
    options.format = NBM_FORMAT_FLOAT;
    *result = nbm_receiver_create(&options, &receiver->receiver);
    if (*result == NBM_OK) return receiver;
    free(receiver);
    return NULL;
}

EXPORT(nbw_receiver_free) void nbw_receiver_free(web_receiver *receiver) {
    nbm_receiver_destroy(receiver->receiver);
    free(receiver);
}

/// Where the next frames are written, at most BLOCK_FRAMES of them, all channels of a frame side by side.
EXPORT(nbw_receiver_block) float *nbw_receiver_block(web_receiver *receiver) { return receiver->block; }

/// Takes the frames of the block. Returns how many records wait.
EXPORT(nbw_receiver_push) uint32_t nbw_receiver_push(web_receiver *receiver, uint32_t frame_count) {
    if (frame_count > BLOCK_FRAMES) __builtin_trap();
    nbm_receiver_push(receiver->receiver, receiver->block, frame_count, heard, receiver);
    return receiver->count;
}

/// Moves the clock on by frames that were lost; a double, as JavaScript has no other number that holds them.
EXPORT(nbw_receiver_skip) uint32_t nbw_receiver_skip(web_receiver *receiver, double frame_count) {
    nbm_receiver_skip(receiver->receiver, (uint64_t)frame_count, heard, receiver);
    return receiver->count;
}

EXPORT(nbw_receiver_finish) uint32_t nbw_receiver_finish(web_receiver *receiver) {
    nbm_receiver_finish(receiver->receiver, heard, receiver);
    return receiver->count;
}

/// The oldest record, whose place is good until the next push; NULL when none waits.
EXPORT(nbw_receiver_take) const heard_record *nbw_receiver_take(web_receiver *receiver) {
    if (!receiver->count) return NULL;
    const heard_record *record = &receiver->queue[receiver->first];
    receiver->first = (receiver->first + 1) % QUEUE_RECORDS;
    receiver->count--;
    return record;
}

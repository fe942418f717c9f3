/**
 * @file nearby_modem.h
 * Tokens of 1 to 32 bytes as near-ultrasonic sound, and back, in C.
 *
 * **Objects.** A mixer sends, a receiver listens. There is no global state: any number of each may live side by side.
 *
 * **Errors.** Every function that can fail returns an nbm_result; NBM_OK is 0. Bad arguments, NULL included, are told
 * and never crash; pointers must point to what they say. An object remembers, in words, what it refused last.
 *
 * **Threads.** A receiver is used by one thread at a time. A mixer is used by two at most: one calls nbm_mixer_mix()
 * and nbm_mixer_fill(), another one all the rest.
 *
 * **Real time.** nbm_mixer_mix(), nbm_mixer_fill() and nbm_mixer_get_status() ask for no memory, take no lock and make no
 * system call: they may run in an audio thread. Nothing else promises that.
 *
 * **Growth.** Structures begin with `size`: set it to sizeof, best by the NBM_…_INIT macros. A newer library takes older,
 * shorter structures, and an older library newer, longer ones. New fields come after all others; nbm_offline_frame, which
 * has no size, never changes.
 */
#ifndef NEARBY_MODEM_H
#define NEARBY_MODEM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of this header: changes when programs must be compiled anew. */
#define NBM_VERSION_MAJOR 1
/** Version of this header: grows with what is added. */
#define NBM_VERSION_MINOR 2

/** Longest token of any profile, bytes. */
#define NBM_MAX_TOKEN_BYTES 140
/** Bytes of a project's key without a server. */
#define NBM_OFFLINE_KEY_BYTES 32
/** Bytes of a token without a server. */
#define NBM_OFFLINE_TOKEN_BYTES 8
/** Most frames that what a box publishes without a server takes. */
#define NBM_OFFLINE_MAX_FRAMES 16

/** How a call ended. */
typedef enum nbm_result {
    NBM_OK = 0,                    /**< As asked. */
    NBM_ERROR_NULL = 1,            /**< A pointer is NULL that must not be. */
    NBM_ERROR_STRUCT_SIZE = 2,     /**< A structure's `size` was not set: use the NBM_…_INIT macro. */
    NBM_ERROR_PROFILE = 3,         /**< There is no profile of that name, or at that index. */
    NBM_ERROR_SAMPLE_RATE = 4,     /**< The rate is out of 8000 to 384000 Hz, or too low for the profile's band. */
    NBM_ERROR_CHANNELS = 5,        /**< There are 1 to 8 channels, and a channel's index is below their count. */
    NBM_ERROR_FORMAT = 6,          /**< That is not one of the sample formats. */
    NBM_ERROR_TOKEN_LENGTH = 7,    /**< The profile does not carry tokens of so many bytes. */
    NBM_ERROR_RANGE = 8,           /**< A number is out of its range, or not a number. */
    NBM_ERROR_BUFFER = 9,          /**< The caller's buffer is too small; what is needed was told. */
    NBM_ERROR_NO_ALSA = 10,        /**< libasound.so.2 is not installed here, or lacks a function. */
    NBM_ERROR_DEVICE = 11,         /**< The sound device cannot be opened, does not take the format, or is gone. */
    NBM_ERROR_TOO_LONG = 12,       /**< Text or content is longer than frames carry. */
    NBM_RESULT_IS_INT = 0x7fffffff /**< Never returned: gives the type its size. */
} nbm_result;

/** How samples lie in memory: little-endian, channels interleaved, frame after frame. Any alignment will do. */
typedef enum nbm_format {
    NBM_FORMAT_S16 = 1,               /**< 16 bits, signed. */
    NBM_FORMAT_S24_PACKED = 2,        /**< 24 bits in 3 bytes, signed; ALSA's S24_3LE. */
    NBM_FORMAT_S24 = 3,               /**< 24 bits in the lower 3 of 4 bytes, signed; ALSA's S24_LE. */
    NBM_FORMAT_S32 = 4,               /**< 32 bits, signed. */
    NBM_FORMAT_FLOAT = 5,             /**< 32 bits, floating point, full scale ±1. */
    NBM_FORMAT_IS_INT = 0x7fffffff    /**< No format: gives the type its size. */
} nbm_format;

/** The library's version, as 100 * major + minor: at least that of the header a program was compiled with. */
uint32_t nbm_version(void);

/** An error in a few English words, for ever valid; "unknown error" for anything else. Never NULL. */
const char *nbm_error_string(nbm_result result);

/** Bytes of one sample; 0 for what is no format. */
size_t nbm_format_bytes(nbm_format format);

/* ---- Profiles ------------------------------------------------------------------------------------------------------ */

/** A waveform: both ends must have the same. */
typedef struct nbm_profile {
    size_t size;                /**< Set by the caller: sizeof(nbm_profile). */
    char name[40];              /**< As in options: "dsss". */
    double band_low_hz;         /**< Where its energy is. */
    double band_high_hz;        /**< Where its energy is. */
    double seconds_on_air;      /**< Of a frame with a token of 8 bytes. */
    uint32_t min_token_bytes;   /**< Shortest token. */
    uint32_t max_token_bytes;   /**< Longest token. */
    uint32_t min_sample_rate_hz;/**< Lowest rate that holds the band. */
    uint32_t is_checked;        /**< 1: check bits tell tokens from chance; 0: a token heard is only likely. */
} nbm_profile;

/** All zero but for `size`. */
#define NBM_PROFILE_INIT { sizeof(nbm_profile), { 0 }, 0, 0, 0, 0, 0, 0, 0 }

/** How many profiles there are; the first is "dsss", the default, the last "dsss-wide", which is heard only where it is named. */
size_t nbm_profile_count(void);

/** Describes the profile at an index below nbm_profile_count(). NBM_ERROR_PROFILE beyond it. */
nbm_result nbm_profile_at(size_t index, nbm_profile *profile);

/** Describes the profile of that name. NBM_ERROR_PROFILE when there is none. */
nbm_result nbm_profile_named(const char *name, nbm_profile *profile);

/* ---- Encoding ------------------------------------------------------------------------------------------------------ */

/**
 * One frame as samples of one channel, peak 1.
 *
 * @param profile its name; NULL for "dsss"
 * @param sample_rate_hz the waveform is made at this rate, not resampled
 * @param lane 0 to 3: boxes that overlap in time are best kept on different lanes
 * @param samples `capacity` of them; NULL to ask how many there are
 * @param sample_count is always set to the number of samples when the other arguments are right
 * @return NBM_ERROR_BUFFER when capacity is less than that; nothing was written then
 */
nbm_result nbm_encode(const char *profile, uint32_t sample_rate_hz, uint32_t lane, const uint8_t *token,
                      size_t token_bytes, float *samples, size_t capacity, size_t *sample_count);

/* ---- Sending ------------------------------------------------------------------------------------------------------- */

/** Sends a token again and again, alone or mixed into a programme. */
typedef struct nbm_mixer nbm_mixer;

/** What a mixer is made for. Zeros mean the defaults, but for `size`. */
typedef struct nbm_mixer_options {
    size_t size;             /**< sizeof(nbm_mixer_options). */
    const char *profile;     /**< A profile's name; NULL: "dsss". Copied. */
    uint32_t sample_rate_hz; /**< Of the programme; 0: 48000. */
    uint32_t channel_count;  /**< Of the programme, 1 to 8; 0: 2. The token goes to all of them alike. */
    nbm_format format;       /**< Of the programme; 0: NBM_FORMAT_S16. */
    uint32_t lane;           /**< 0 to 3: boxes that overlap in time are best kept on different lanes. */
    double every_seconds;    /**< From one frame's beginning to the next; at least 0.2 s of pause remain. 0 to 3600. */
    double jitter_seconds;   /**< Up to this much more, at random, so that boxes do not stay in step. 0 to 3600. */
    uint64_t seed;           /**< Of that chance; 0: drawn from the system. */
} nbm_mixer_options;

/** The defaults. */
#define NBM_MIXER_OPTIONS_INIT { sizeof(nbm_mixer_options), NULL, 0, 0, (nbm_format)0, 0, 0, 0, 0 }

/**
 * How loud the token is. Each frame keeps one level: what the programme's treble hides, within two bounds.
 *
 *     level = programme's power over 12 kHz + relative_decibels, but at least floor_dbfs and at most ceiling_dbfs
 *
 * floor_dbfs = ceiling_dbfs fixes it. Where the programme's peaks leave less room it is lowered, to no less than the floor.
 */
typedef struct nbm_level {
    size_t size;              /**< sizeof(nbm_level). */
    double relative_decibels; /**< Token's mean power to that of the programme's treble, -60 to 20; default -12. */
    double floor_dbfs;        /**< Least peak of the token, -90 to 0; default -38. */
    double ceiling_dbfs;      /**< Greatest peak, and that of nbm_mixer_fill(), -90 to 0; default -26. */
} nbm_level;

/** The defaults. */
#define NBM_LEVEL_INIT { sizeof(nbm_level), -12.0, -38.0, -26.0 }

/** What a mixer has done. */
typedef struct nbm_mixer_status {
    size_t size;           /**< Set by the caller: sizeof(nbm_mixer_status). */
    uint64_t frames_sent;  /**< Whole frames since it was made. */
    uint32_t is_sounding;  /**< 1: a frame is on its way. */
    float level_dbfs;      /**< Peak of the last frame's token; -200 before the first. */
    float programme_dbfs;  /**< Programme's mean power over 12 kHz of late, a full-scale square wave being 0. */
    uint32_t reserved;     /**< 0. */
} nbm_mixer_status;

/** All zero but for `size`. */
#define NBM_MIXER_STATUS_INIT { sizeof(nbm_mixer_status), 0, 0, 0, 0, 0 }

/** Makes a mixer, silent until it is given a token. `*mixer` is NULL after an error. `options`: NULL for the defaults. */
nbm_result nbm_mixer_create(const nbm_mixer_options *options, nbm_mixer **mixer);

/** Frees a mixer that no thread is using any more. NULL is no mistake. */
void nbm_mixer_destroy(nbm_mixer *mixer);

/**
 * The token of the next frame and of those after it; a frame under way is finished first. Some milliseconds of work.
 *
 * @param frame_count how many frames are to be sent; 0 for any number
 */
nbm_result nbm_mixer_set_token(nbm_mixer *mixer, const uint8_t *token, size_t token_bytes, uint32_t frame_count);

/** Tokens that take turns, frame by frame, as those of a message without a server do. All else as nbm_mixer_set_token(). */
nbm_result nbm_mixer_set_tokens(nbm_mixer *mixer, const uint8_t *const *tokens, const size_t *token_bytes,
                                size_t token_count, uint32_t frame_count);

/** The levels of the next frame and of those after it. */
nbm_result nbm_mixer_set_level(nbm_mixer *mixer, const nbm_level *level);

/** Sends nothing any more, until it is given a token again; a frame under way is finished. */
nbm_result nbm_mixer_clear(nbm_mixer *mixer);

/** As nbm_mixer_clear(), but a frame under way fades out within 20 ms. */
nbm_result nbm_mixer_fade_out(nbm_mixer *mixer);

/**
 * Adds the token to the next frames of the programme, in place. Calls may be of any size; the sound does not depend on it.
 * Never moves a sample beyond full scale: where there is no room, the token gives way. Realtime-safe.
 *
 * @param frames `frame_count` frames of `channel_count` samples, in the mixer's format; may be NULL if frame_count is 0
 */
nbm_result nbm_mixer_mix(nbm_mixer *mixer, void *frames, size_t frame_count);

/** Writes the next frames: the token at nbm_level's ceiling, or silence. Realtime-safe. */
nbm_result nbm_mixer_fill(nbm_mixer *mixer, void *frames, size_t frame_count);

/** What it has done by now. Realtime-safe; may be called by both of its threads. */
nbm_result nbm_mixer_get_status(const nbm_mixer *mixer, nbm_mixer_status *status);

/** Why the last call on it failed, in words; "" if none has. Valid until the next call. Never NULL. */
const char *nbm_mixer_last_error(const nbm_mixer *mixer);

/* ---- Listening ----------------------------------------------------------------------------------------------------- */

/** Hears tokens. */
typedef struct nbm_receiver nbm_receiver;

/** What a receiver is made for. Zeros mean the defaults, but for `size`. */
typedef struct nbm_receiver_options {
    size_t size;                  /**< sizeof(nbm_receiver_options). */
    const char *const *profiles;  /**< Names of what to listen for; NULL: "dsss" alone. Each costs its own search. Copied. */
    size_t profile_count;         /**< Of `profiles`. */
    uint32_t sample_rate_hz;      /**< Of what is pushed; 0: 48000, which is the cheapest. */
    uint32_t channel_count;       /**< Of what is pushed, 1 to 8; 0: 1. */
    nbm_format format;            /**< Of what is pushed; 0: NBM_FORMAT_S16. */
    uint32_t channel;             /**< Which of them is listened to, from 0; or NBM_ALL_CHANNELS, since version 1.2. */
} nbm_receiver_options;

/**
 * Listens to all channels, as to the microphones of an array: to each by itself, which costs as much for each, and for the "dsss"
 * profiles also to up to four of them together, which hear fainter frames than any of them hears. A frame is told of once, with the
 * channel that heard it first. Since version 1.2.
 */
#define NBM_ALL_CHANNELS UINT32_MAX

/** The defaults. */
#define NBM_RECEIVER_OPTIONS_INIT { sizeof(nbm_receiver_options), NULL, 0, 0, 0, (nbm_format)0, 0 }

/** A token that was heard. Valid within the callback only. */
typedef struct nbm_report {
    size_t size;               /**< Set by the library: what lies beyond it is not there. */
    const uint8_t *token;      /**< `token_bytes` bytes. */
    size_t token_bytes;        /**< 1 to NBM_MAX_TOKEN_BYTES. */
    const char *profile;       /**< Its name. */
    double start_seconds;      /**< Where the frame begins, from the first frame pushed. */
    double start_frame;        /**< The same in frames, at the rate pushed. */
    double seconds_on_air;     /**< How long the frame is. */
    float level_dbfs;          /**< Of its band while it sounded, 0 being a full-scale sine. */
    float snr_decibels;        /**< Frame over noise in its band. */
    float ebn0_decibels;       /**< Energy for each of its bits over the noise's density. */
    float speed_meters_per_second; /**< At which sender and receiver approach; clocks 100 ppm apart look like 0.034 m/s. */
    uint32_t repeats;          /**< Frames that were combined to hear it. */
    uint32_t lane;             /**< The sender's, 0 to 3. */
    uint32_t is_checked;       /**< 1: check bits held; 0: the token is only likely. */
    uint32_t reserved;         /**< 0. */
    uint32_t channel;          /**< The channel that heard it, from 0; of several together, the best. Since version 1.2. */
} nbm_report;

/** Is told of a token; must not call into the receiver. `context` is what was given with it. */
typedef void (*nbm_on_token)(void *context, const nbm_report *report);

/** Makes a receiver. `*receiver` is NULL after an error. `options`: NULL for the defaults. */
nbm_result nbm_receiver_create(const nbm_receiver_options *options, nbm_receiver **receiver);

/** Frees a receiver that no thread is using any more. NULL is no mistake. */
void nbm_receiver_destroy(nbm_receiver *receiver);

/**
 * Takes the next frames, of any number, and tells of the tokens that are settled by now: loud frames 0.1 s after their end,
 * others of the "dsss" profiles a second or so, of the others four or five. What is not a number counts as silence.
 *
 * @param on_token is called within this call, on this thread; NULL to drop what is heard
 */
nbm_result nbm_receiver_push(nbm_receiver *receiver, const void *frames, size_t frame_count, nbm_on_token on_token,
                             void *context);

/**
 * Sound that was lost, as by an overrun of the sound device: the receiver's time goes on by so many frames, as if they were silent,
 * but takes hardly any of yours, however many they are. Within a token's frame it costs what was lost of it. Since version 1.1.
 *
 * @param frame_count at most 2^53
 */
nbm_result nbm_receiver_skip(nbm_receiver *receiver, uint64_t frame_count, nbm_on_token on_token, void *context);

/** The end of the sound: tells of what silence after it would bring out. The receiver then begins anew, at 0 s. */
nbm_result nbm_receiver_finish(nbm_receiver *receiver, nbm_on_token on_token, void *context);

/** Why the last call on it failed, in words; "" if none has. Valid until the next call. Never NULL. */
const char *nbm_receiver_last_error(const nbm_receiver *receiver);

/* ---- Sound devices ------------------------------------------------------------------------------------------------- */

/** Asked some fifty times a second whether to go on: 0 ends the call it was given to. */
typedef int (*nbm_keep_going)(void *context);

/**
 * Plays a mixer on an ALSA device, until `keep_going` says 0 (NULL: for ever) or all its frames are sent, and then one more
 * period of silence. Blocks: give it a thread. Channels, format and rate are the mixer's. While it runs it is the mixer's
 * audio thread, so another thread may change token and level. libasound.so.2 is loaded when first needed.
 *
 * @param device as in aplay -L: "default", "hw:0", "plughw:1,3"; NULL for "default"
 */
nbm_result nbm_alsa_play(nbm_mixer *mixer, const char *device, nbm_keep_going keep_going, void *context);

/**
 * Listens to an ALSA device until `keep_going` says 0 (NULL: for ever). Channels, format and rate are the receiver's. What the
 * device loses is skipped, as far as the clock tells.
 * `context` goes to both callbacks. All else as nbm_alsa_play().
 */
nbm_result nbm_alsa_listen(nbm_receiver *receiver, const char *device, nbm_on_token on_token, nbm_keep_going keep_going,
                           void *context);

/* ---- Without a server ---------------------------------------------------------------------------------------------- */

/** A project whose devices share a key and need no server: what `nearby offline create` writes. */
typedef struct nbm_offline_project {
    size_t size;                        /**< sizeof(nbm_offline_project). */
    const char *name;                   /**< UTF-8; two projects of one key and different names do not hear each other. */
    uint8_t key[NBM_OFFLINE_KEY_BYTES]; /**< From a strong source of random numbers; never a password. */
} nbm_offline_project;

/** No name, no key. */
#define NBM_OFFLINE_PROJECT_INIT { sizeof(nbm_offline_project), NULL, { 0 } }

/** Reads the 43 letters after `key` in a project's key file. NBM_ERROR_RANGE for anything else. */
nbm_result nbm_offline_key(const char *text, uint8_t key[NBM_OFFLINE_KEY_BYTES]);

/**
 * The token by which this box is known to the project's devices for now. It changes every 300 s: ask again then.
 *
 * @param sender a random number that the box keeps as long as it runs
 * @param unix_seconds the wall clock, seconds since 1970; clocks of a project may differ by 300 s
 * @param valid_seconds is set to how long the token is the one to send, if it is not NULL
 */
nbm_result nbm_offline_token(const nbm_offline_project *project, uint32_t sender, uint64_t unix_seconds,
                             uint8_t token[NBM_OFFLINE_TOKEN_BYTES], uint32_t *valid_seconds);

/** A frame of up to 32 bytes, to be sent as a token is. */
typedef struct nbm_offline_frame {
    uint32_t byte_count; /**< 16 to 32. */
    uint8_t bytes[32];   /**< `byte_count` of them. */
} nbm_offline_frame;

/**
 * What the box publishes, one message, sealed for the project's devices, as frames that take turns with the token; they
 * change with it. Phones find it by `nearby subscribe --offline`, best by the profile "dsss-far".
 *
 * @param generation counts what this sender has published: one more whenever the message changes
 * @param name_space,type UTF-8, at most 255 bytes each; NULL for ""
 * @param content at most 255 bytes; NULL only if content_bytes is 0
 * @param frames NBM_OFFLINE_MAX_FRAMES of them
 * @param frame_count is set to how many were written
 * @return NBM_ERROR_TOO_LONG: name_space, type and content together take at most 267 bytes
 */
nbm_result nbm_offline_message(const nbm_offline_project *project, uint32_t sender, uint16_t generation,
                               uint64_t unix_seconds, const char *name_space, const char *type,
                               const uint8_t *content, size_t content_bytes, nbm_offline_frame *frames,
                               size_t *frame_count);

#ifdef __cplusplus
}
#endif

#endif

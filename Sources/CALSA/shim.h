#include <alsa/asoundlib.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// The first and the last line that alsa-lib has for people during one call: the cause, and what failed by it.
struct nearby_alsa_words {
    char first[256], last[256];
};

// Where this thread's words go now; without a place they are dropped. Within a function, as Swift emits no variables of a header.
static inline struct nearby_alsa_words **nearby_alsa_place(void) {
    static __thread struct nearby_alsa_words *place;
    return &place;
}

// In C, as Swift cannot write functions of variable arguments.
static void nearby_alsa_hear(
    const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error;
    struct nearby_alsa_words *words = *nearby_alsa_place();
    if (!words) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words->last, sizeof words->last, format, arguments);
    va_end(arguments);
    if (!words->first[0]) memcpy(words->first, words->last, sizeof words->first);
}

// Otherwise alsa-lib prints on standard error what it also returns.
static inline void nearby_alsa_be_quiet(void) { snd_lib_error_set_handler(nearby_alsa_hear); }

// snd_pcm_open, and the words that go with a failure.
static inline int nearby_alsa_open(
    snd_pcm_t **pcm, const char *name, snd_pcm_stream_t stream, int mode, struct nearby_alsa_words *words) {
    nearby_alsa_be_quiet();
    *nearby_alsa_place() = words;
    int code = snd_pcm_open(pcm, name, stream, mode);
    *nearby_alsa_place() = NULL;
    return code;
}

// snd_config_update, likewise; reads everything anew.
static inline int nearby_alsa_read_configuration(struct nearby_alsa_words *words) {
    nearby_alsa_be_quiet();
    *nearby_alsa_place() = words;
    snd_config_update_free_global();
    int code = snd_config_update();
    *nearby_alsa_place() = NULL;
    return code;
}

// A global variable, which Swift takes for unsafe: read after snd_config_update() only.
static inline snd_config_t *nearby_alsa_configuration(void) { return snd_config; }

// glibc's, which Swift's module of it leaves out: waiting that a change of the wall clock does not disturb.
int sem_clockwait(sem_t *, clockid_t, const struct timespec *);
int pthread_timedjoin_np(pthread_t, void **, const struct timespec *);

#include <alsa/asoundlib.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

// alsa-lib prints on standard error what it also returns; and Swift cannot write functions of variable arguments.
static void nearby_alsa_say_nothing(
    const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

static inline int nearby_alsa_be_quiet(void) { return snd_lib_error_set_handler(nearby_alsa_say_nothing); }

// A global variable, which Swift takes for unsafe: read after snd_config_update() only.
static inline snd_config_t *nearby_alsa_configuration(void) { return snd_config; }

// glibc's, which Swift's module of it leaves out: waiting that a change of the wall clock does not disturb.
int sem_clockwait(sem_t *, clockid_t, const struct timespec *);
int pthread_timedjoin_np(pthread_t, void **, const struct timespec *);

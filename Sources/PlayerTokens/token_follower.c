#define _GNU_SOURCE
#include "token_follower.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "player_line.h"

enum { RETRY_MS = 1000 };

struct token_follower {
    struct sockaddr_un address;
    token_follower_take take;
    token_follower_warn warn;
    void *context;
    pthread_t thread;
    /* Readable when the thread is to end. */
    int end;
    bool has_warned;
    char line[PLAYER_LINE_SIZE];
    size_t length;
};

static void warn_once(struct token_follower *follower, const char *words) {
    if (!follower->has_warned) follower->warn(follower->context, words);
    follower->has_warned = true;
}

static void take_line(struct token_follower *follower, char *line) {
    struct token_settings settings;
    char error[TOKEN_ERROR_SIZE];

    token_settings_init(&settings);
    if (player_line_parse(line, &settings, error)) {
        follower->has_warned = false;
        follower->take(follower->context, &settings);
    } else {
        warn_once(follower, error);
    }
}

/* Tells of the lines that are complete. Returns false if one is too long to be one. */
static bool take_lines(struct token_follower *follower) {
    char *begin = follower->line, *end;

    while ((end = memchr(begin, '\n', follower->length))) {
        follower->length -= (size_t)(end + 1 - begin);
        *end = 0;
        take_line(follower, begin);
        begin = end + 1;
    }
    memmove(follower->line, begin, follower->length);
    if (follower->length < sizeof follower->line) return true;
    warn_once(follower, "a line of the box is longer than any line of tokens");
    return false;
}

/* Waits until the socket can be read. Returns false if the thread is to end. */
static bool wait_for(struct token_follower *follower, int handle, int timeout_ms) {
    struct pollfd polls[2] = { { .fd = follower->end, .events = POLLIN }, { .fd = handle, .events = POLLIN } };

    while (poll(polls, 2, timeout_ms) < 0 && errno == EINTR) continue;
    return !polls[0].revents;
}

/* Reads until the box is gone, or the thread is to end. */
static void read_lines(struct token_follower *follower, int handle) {
    follower->length = 0;
    while (wait_for(follower, handle, -1)) {
        ssize_t count = read(handle, follower->line + follower->length, sizeof follower->line - follower->length);
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (count <= 0) return;
        follower->length += (size_t)count;
        if (!take_lines(follower)) return;
    }
}

static int connect_to_box(struct token_follower *follower) {
    int handle = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (handle >= 0 && connect(handle, (const struct sockaddr *)&follower->address, sizeof follower->address) == 0) return handle;
    int reason = errno;
    if (handle >= 0) close(handle);
    errno = reason;
    return -1;
}

static void *follow(void *argument) {
    struct token_follower *follower = argument;
    struct token_settings silence;
    char words[TOKEN_ERROR_SIZE];

    token_settings_init(&silence);
    do {
        int handle = connect_to_box(follower);
        if (handle < 0) {
            snprintf(words, sizeof words, "%s: no box answers there (%s): sending nothing, and trying again each second",
                     follower->address.sun_path, strerror(errno));
            warn_once(follower, words);
            continue;
        }
        read_lines(follower, handle);
        close(handle);
        follower->take(follower->context, &silence);
    } while (wait_for(follower, -1, RETRY_MS));
    return NULL;
}

struct token_follower *token_follower_start(const char *path, token_follower_take take, token_follower_warn warn,
                                            void *context, char error[TOKEN_ERROR_SIZE]) {
    struct token_follower *follower = calloc(1, sizeof *follower);
    sigset_t all, before;
    int reason;

    if (!follower || strlen(path) >= sizeof follower->address.sun_path) {
        snprintf(error, TOKEN_ERROR_SIZE, "expected a socket's path of at most %zu bytes, not %zu",
                 sizeof follower->address.sun_path - 1, strlen(path));
        free(follower);
        return NULL;
    }
    follower->address.sun_family = AF_UNIX;
    strcpy(follower->address.sun_path, path);
    follower->take = take;
    follower->warn = warn;
    follower->context = context;
    follower->end = eventfd(0, EFD_CLOEXEC);
    /* A player's signals are for its own threads. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    reason = follower->end < 0 ? errno : pthread_create(&follower->thread, NULL, follow, follower);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (reason == 0) return follower;
    snprintf(error, TOKEN_ERROR_SIZE, "no thread can be had to follow the box: %s", strerror(reason));
    if (follower->end >= 0) close(follower->end);
    free(follower);
    return NULL;
}

void token_follower_stop(struct token_follower *follower) {
    const uint64_t one = 1;

    if (!follower) return;
    while (write(follower->end, &one, sizeof one) < 0 && errno == EINTR) continue;
    pthread_join(follower->thread, NULL);
    close(follower->end);
    free(follower);
}

#define _GNU_SOURCE
#include "watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RADIO = 3, CONTROL = 4, FIRST_OTHER = 5 };

/// Leaves open RADIO, CONTROL, and nothing of the parent's: not its terminal, not its files.
static void keep_only(int radio, int control) {
    // Both out of the way of both.
    radio = fcntl(radio, F_DUPFD, FIRST_OTHER);
    control = fcntl(control, F_DUPFD, FIRST_OTHER);
    if (radio < 0 || control < 0 || dup2(radio, RADIO) < 0 || dup2(control, CONTROL) < 0) _exit(1);
    int nothing = open("/dev/null", O_RDWR);
    for (int standard = 0; standard <= 2; standard++)
        if (nothing < 0 || dup2(nothing, standard) < 0) close(standard);
#ifdef SYS_close_range
    if (syscall(SYS_close_range, FIRST_OTHER, ~0U, 0) == 0) return;
#endif
    // Before Linux 5.9.
    struct rlimit limit;
    int count = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 1 << 20 ? (int)limit.rlim_cur : 1 << 20;
    for (int other = FIRST_OTHER; other < count; other++) close(other);
}

static int milliseconds_since(const struct timespec *start) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int)((now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000);
}

/// What is sent is taken by then; what closed the radio at once could take it back. Who answers must be read, or may stop reading.
static void drain(void) {
    const int patience = 500;
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int past; (past = milliseconds_since(&start)) < patience;) {
        unsigned char answer[1024];
        struct pollfd wait = {.fd = RADIO, .events = POLLIN};
        if (poll(&wait, 1, patience - past) > 0 && read(RADIO, answer, sizeof answer) == 0) return;
    }
}

static _Noreturn void guard(void) {
    unsigned char words[4096];
    ssize_t count = 0;
    for (;;) {
        ssize_t came = recv(CONTROL, words, sizeof words, 0);
        if (came > 0) count = came;
        if (came == 0 || (came < 0 && errno != EINTR)) break;
    }
    int has_sent = 0;
    for (ssize_t at = 0; at < count && words[at] != 0 && at + words[at] < count; at += 1 + words[at])
        has_sent |= write(RADIO, words + at + 1, words[at]) > 0;
    if (has_sent) drain();
    _exit(0);
}

int nearby_watchdog_start(int radio, int *control) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    // What ends the parent must not end this one, not even while it is being made.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    int code = errno;
    if (child == 0) {
        // Its child in turn is nobody's here.
        pid_t watchdog = fork();
        if (watchdog != 0) _exit(watchdog < 0 ? errno : 0);
        setsid();
        prctl(PR_SET_NAME, "nearby-guard");
        if (chdir("/") != 0) _exit(1);
        keep_only(radio, ends[1]);
        guard();
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    int status = 0;
    if (child >= 0) {
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
        code = WIFEXITED(status) ? WEXITSTATUS(status) : EAGAIN;
    }
    if (code != 0 || child < 0) {
        close(ends[0]);
        return code;
    }
    *control = ends[0];
    return 0;
}

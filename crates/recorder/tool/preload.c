/* A small library for LD_PRELOAD. It notes the processor time at which the program's own code begins, and tells the
 * recorder when a thread yields its processor: a thread does so when it waits for another one without a lock, as the
 * runtime does for `ordered`. It replaces no other function. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Nanoseconds that the process has worked before the program's constructors and `main`. */
__attribute__((visibility("default"))) uint64_t numalab_before_main;

/* Set by the recorder. */
__attribute__((visibility("default"))) void (*numalab_yield)(void);

__attribute__((constructor)) static void note(void) {
    struct timespec spent;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent) == 0)
        numalab_before_main = (uint64_t)spent.tv_sec * 1000000000u + (uint64_t)spent.tv_nsec;
}

__attribute__((visibility("default"))) int sched_yield(void) {
    static _Thread_local int within;
    void (*yield)(void) = *(void (*volatile *)(void))&numalab_yield;
    if (yield != NULL && !within) {
        within = 1;
        yield();
        within = 0;
    }
    return (int)syscall(SYS_sched_yield);
}

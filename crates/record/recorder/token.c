#define _GNU_SOURCE
#include "token.h"

#include "events.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given;
static atomic_int off = 1;
static int taken, broken;
static uint64_t passed, patience;
/* Last event of who has it. */
static atomic_ullong seen;
static _Thread_local int have;

void token_start(uint64_t patience_ns) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&given, &attributes);
    pthread_condattr_destroy(&attributes);
    patience = patience_ns;
    passed = now_ns();
    atomic_store(&off, 0);
}

void token_take(void) {
    if (have || atomic_load(&off))
        return;
    pthread_mutex_lock(&lock);
    while (taken && !atomic_load(&off)) {
        uint64_t last = atomic_load(&seen);
        uint64_t until = (last > passed ? last : passed) + patience;
        if (now_ns() >= until) {
            /* Who has it waits for one who does not, in a way that nobody tells us: a flag of the program's own. */
            broken = 1;
            atomic_store(&off, 1);
            pthread_cond_broadcast(&given);
            break;
        }
        struct timespec then = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
        pthread_cond_timedwait(&given, &lock, &then);
    }
    if (!atomic_load(&off)) {
        taken = 1;
        have = 1;
        passed = now_ns();
    }
    pthread_mutex_unlock(&lock);
}

void token_give(void) {
    if (!have)
        return;
    pthread_mutex_lock(&lock);
    have = 0;
    taken = 0;
    passed = now_ns();
    pthread_cond_signal(&given);
    pthread_mutex_unlock(&lock);
}

int token_held(void) {
    return have && !atomic_load_explicit(&off, memory_order_relaxed);
}

void token_seen(uint64_t now) {
    if (have)
        atomic_store_explicit(&seen, now, memory_order_relaxed);
}

int token_broken(void) {
    pthread_mutex_lock(&lock);
    int answer = broken;
    pthread_mutex_unlock(&lock);
    return answer;
}

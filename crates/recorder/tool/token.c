#define _GNU_SOURCE
#include "token.h"

#include "events.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

/* A thread at a lock gets the token back at once if it is ahead of all others by at most this time, which is about
 * the cost of passing it. */

// Glossary: token: Right to work while a program is recorded; one thread has it at a time.
static const uint64_t AHEAD_NS = 20000;

/* A thread that waits for the token. */
struct waiter {
    pthread_cond_t called;
    uint64_t worked;
    int chosen;
    struct waiter *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_condattr_t monotonic;
/* In the order of arrival. */
static struct waiter *waiters;
static atomic_int off = 1;
static int taken, broken;
static uint64_t passed, patience;
/* Time of the holder's last event. */
static atomic_ullong seen;
static _Thread_local int have;
/* Time that the thread has held the token since the team last met, and start of the present hold. */
static _Thread_local uint64_t worked, since;

void token_start(uint64_t patience_ns) {
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    patience = patience_ns;
    passed = now_ns();
    atomic_store(&off, 0);
}

void token_stop(void) {
    pthread_mutex_lock(&lock);
    atomic_store(&off, 1);
    for (struct waiter *other = waiters; other != NULL; other = other->next)
        pthread_cond_signal(&other->called);
    pthread_mutex_unlock(&lock);
}

static void leave(struct waiter *self) {
    for (struct waiter **at = &waiters; *at != NULL; at = &(*at)->next) {
        if (*at == self) {
            *at = self->next;
            return;
        }
    }
}

/* The caller holds the lock. */
static void wait_for_it(void) {
    struct waiter self = {.worked = worked};
    pthread_cond_init(&self.called, &monotonic);
    struct waiter **end = &waiters;
    while (*end != NULL)
        end = &(*end)->next;
    *end = &self;
    while (taken && !self.chosen && !atomic_load(&off)) {
        uint64_t last = atomic_load(&seen);
        uint64_t until = (last > passed ? last : passed) + patience;
        if (now_ns() >= until) {
            /* The holder waits for a thread without the token in a way that is not reported: a flag of the program's
             * own. */
            broken = 1;
            atomic_store(&off, 1);
            for (struct waiter *other = waiters; other != NULL; other = other->next)
                pthread_cond_signal(&other->called);
            break;
        }
        struct timespec then = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
        pthread_cond_timedwait(&self.called, &lock, &then);
    }
    if (!self.chosen)
        leave(&self);
    pthread_cond_destroy(&self.called);
}

/* The caller holds the lock, and the token is free or meant for it. */
static void hold(void) {
    if (atomic_load(&off))
        return;
    taken = 1;
    have = 1;
    passed = since = now_ns();
}

/* The caller holds the lock and the token. */
static void let_go(void) {
    have = 0;
    passed = now_ns();
    worked += passed - since;
}

void token_take(void) {
    if (have || atomic_load(&off))
        return;
    pthread_mutex_lock(&lock);
    if (taken)
        wait_for_it();
    hold();
    pthread_mutex_unlock(&lock);
}

void token_give(int in_turn) {
    if (!have)
        return;
    pthread_mutex_lock(&lock);
    let_go();
    struct waiter *least = waiters;
    for (struct waiter *other = waiters; other != NULL; other = other->next) {
        if (other->worked < least->worked)
            least = other;
    }
    if (in_turn && least != NULL && worked > least->worked + AHEAD_NS) {
        leave(least);
        least->chosen = 1;
    } else {
        taken = 0;
    }
    if (least != NULL)
        pthread_cond_signal(&least->called);
    pthread_mutex_unlock(&lock);
}

int token_yield(void (*before)(void)) {
    if (!have || atomic_load(&off))
        return 0;
    pthread_mutex_lock(&lock);
    int waited_for = waiters != NULL;
    pthread_mutex_unlock(&lock);
    /* Waiters do not leave while this thread holds the token, unless they abandon it. */
    if (!waited_for)
        return 0;
    before();
    pthread_mutex_lock(&lock);
    struct waiter *next = waiters;
    if (next != NULL) {
        let_go();
        leave(next);
        next->chosen = 1;
        pthread_cond_signal(&next->called);
        wait_for_it();
        hold();
    }
    pthread_mutex_unlock(&lock);
    return 1;
}

void token_together(void) {
    worked = 0;
    if (have)
        since = now_ns();
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

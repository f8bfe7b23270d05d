/* A lock that all threads want all the time: what it takes to hand it from the thread that gives it back to the next
   one. What threads write is in lines of their own. */
#include "bench.h"
#include "delay.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { LINE = 256 }; /* at least a line, and what prefetchers take with it */

/* A thread in the queue of an MCS lock. */
struct node {
    _Alignas(LINE) _Atomic(struct node *) next;
    atomic_bool waiting;
};

/* The word of the simple locks and the next number of the ticket lock; the number served; the end of the queue. */
static _Alignas(LINE) atomic_uint word;
static _Alignas(LINE) atomic_uint serving;
static _Alignas(LINE) _Atomic(struct node *) tail;
/* Steps of the delay for which a thread stays away after its first failure and at the longest. */
static _Alignas(LINE) int64_t first_away, longest_away;

static void take_test_and_set(struct node *me) {
    (void)me;
    while (atomic_exchange_explicit(&word, 1, memory_order_acquire) != 0)
        rest();
}

static void wait_until_free(void) {
    while (atomic_load_explicit(&word, memory_order_relaxed) != 0)
        rest();
}

static void take_test_and_test_and_set(struct node *me) {
    (void)me;
    do
        wait_until_free();
    while (atomic_exchange_explicit(&word, 1, memory_order_acquire) != 0);
}

/* Stays away for a while after a failure, twice as long each time. */
static void take_backoff(struct node *me) {
    (void)me;
    int64_t away = first_away;
    for (;;) {
        wait_until_free();
        if (atomic_exchange_explicit(&word, 1, memory_order_acquire) == 0)
            return;
        delay(away);
        away = 2 * away < longest_away ? 2 * away : longest_away;
    }
}

static void give_word(struct node *me) {
    (void)me;
    atomic_store_explicit(&word, 0, memory_order_release);
}

static void take_ticket(struct node *me) {
    (void)me;
    unsigned mine = atomic_fetch_add_explicit(&word, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, memory_order_acquire) != mine)
        rest();
}

static void give_ticket(struct node *me) {
    (void)me;
    unsigned mine = atomic_load_explicit(&serving, memory_order_relaxed);
    atomic_store_explicit(&serving, mine + 1, memory_order_release);
}

static void take_mcs(struct node *me) {
    atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&me->waiting, true, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    if (before == NULL)
        return;
    atomic_store_explicit(&before->next, me, memory_order_release);
    while (atomic_load_explicit(&me->waiting, memory_order_acquire))
        rest();
}

static void give_mcs(struct node *me) {
    struct node *next = atomic_load_explicit(&me->next, memory_order_acquire);
    if (next == NULL) {
        struct node *last = me;
        if (atomic_compare_exchange_strong_explicit(&tail, &last, NULL, memory_order_release, memory_order_relaxed))
            return;
        /* Somebody is in the queue who has not yet said so. */
        while ((next = atomic_load_explicit(&me->next, memory_order_acquire)) == NULL)
            rest();
    }
    atomic_store_explicit(&next->waiting, false, memory_order_release);
}

static const struct lock {
    const char *name;
    void (*take)(struct node *me);
    void (*give)(struct node *me);
} kinds[] = {
    {"mcs", take_mcs, give_mcs},
    {"ticket", take_ticket, give_ticket},
    {"test-and-set", take_test_and_set, give_word},
    {"test-and-test-and-set", take_test_and_test_and_set, give_word},
    {"backoff", take_backoff, give_word},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Every thread takes the lock so many times. Returns what the bodies have counted without protection, if they count:
   a line more to hand over, so not while the clock runs. */
static int64_t contend(const struct lock *lock, struct node *nodes, int64_t times, int64_t steps, bool counts) {
    static volatile int64_t inside;
    inside = 0;
#pragma omp parallel
    {
        struct node *me = &nodes[omp_get_thread_num()];
        for (int64_t i = 0; i < times; i++) {
            lock->take(me);
            delay(steps);
            if (counts)
                inside = inside + 1;
            lock->give(me);
        }
    }
    return inside;
}

void locks(struct bench *b) {
    const char *words[KINDS + 1] = {NULL};
    for (int i = 0; i < KINDS; i++)
        words[i] = kinds[i].name;
    const struct lock *lock = &kinds[bench_choice(b, "kind", words)];
    int64_t executions = bench_integer(b, "executions", 2000, 1);
    int64_t body_ns = bench_integer(b, "body_ns", 100, 0);
    int threads = bench_threads(b, 0);
    bench_start(b, "hand_over", "ns");

    int64_t times = executions / threads > 0 ? executions / threads : 1;
    int64_t steps = delay_steps((double)body_ns * 1e-9);
    first_away = delay_steps(100e-9);
    longest_away = first_away << 7;
    size_t bytes = sizeof(struct node) * (size_t)threads;
    struct node *nodes = map_pages(bytes, true);

    while (bench_more(b)) {
        /* Only one thread is in its body at a time. */
        double bodies = delays_take(times * threads, steps);
        contend(lock, nodes, 1, steps, false);
        double start = now();
        contend(lock, nodes, times, steps, false);
        double all = now() - start;
        bench_sample(b, (all - bodies) / (double)(times * threads) * 1e9);
    }
    int64_t counted = contend(lock, nodes, times, steps, true);
    bench_check(b, counted == times * threads, "one thread at a time");
    unmap_pages(nodes, bytes);
}

/* Two threads hand a line to and fro: the time of one way. */
#include "bench.h"
#include "team.h"

#include <stdatomic.h>

/* Alone in its line, and in the pair of lines that some prefetchers fetch. */
static struct {
    _Alignas(256) _Atomic int64_t turn;
    char rest[256 - sizeof(int64_t)];
} flag;

/* Thread 0 waits for even numbers and makes them odd, thread 1 the other way. */
static void bounce(int thread, void *what) {
    const int64_t *trips = what;
    for (int64_t trip = 0; trip < *trips; trip++) {
        int64_t mine = 2 * trip + thread;
        while (atomic_load_explicit(&flag.turn, memory_order_acquire) != mine) continue;
        atomic_store_explicit(&flag.turn, mine + 1, memory_order_release);
    }
}

static double trips_take(int64_t trips) {
    atomic_store(&flag.turn, 0);
    return team_time(2, bounce, &trips);
}

void core_to_core(struct bench *b) {
    int threads = bench_threads(b, 2);
    bench_start(b, "handover", "ns");
    if (threads != 2) bench_skip(b, "needs two processors");
    int64_t trips = repeats_for(trips_take(1000) / 1000);
    while (bench_more(b)) {
        double taken = trips_take(trips);
        bench_check(b, atomic_load(&flag.turn) == 2 * trips, "the number of handovers");
        bench_sample(b, taken / (double)(2 * trips) * 1e9);
    }
}

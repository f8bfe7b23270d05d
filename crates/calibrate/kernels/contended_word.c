/* Two threads exchange one word as fast as they can: the time of an exchange, whoever makes it. Who has just had the line asks for
   it again at once, so that requests wait for it all the time. */
#include "bench.h"
#include "team.h"

#include <stdatomic.h>

static struct {
    _Alignas(256) _Atomic int64_t word;
    char rest[256 - sizeof(int64_t)];
} shared;

static void exchange(int thread, void *what) {
    const int64_t times = *(const int64_t *)what;
    int64_t last = 0;
    for (int64_t i = 0; i < times; i++) last ^= atomic_exchange_explicit(&shared.word, thread + 1, memory_order_relaxed);
    keep((double)last);
}

void contended_word(struct bench *b) {
    int64_t times = bench_integer(b, "exchanges", 5000, 2);
    int threads = bench_threads(b, 2);
    bench_start(b, "exchange", "ns");
    while (bench_more(b)) {
        atomic_store(&shared.word, 0);
        double taken = team_time(threads, exchange, &times);
        int64_t last = atomic_load(&shared.word);
        bench_check(b, last >= 1 && last <= threads, "the word is a thread's");
        bench_sample(b, taken / (double)(times * threads) * 1e9);
    }
}

/* Work that a team begins together. */
#include "team.h"
#include "bench.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

double team_time(int threads, void (*work)(int thread, void *what), void *what) {
    double first = INFINITY, last = -INFINITY;
#pragma omp parallel num_threads(threads) reduction(min : first) reduction(max : last)
    {
        int thread = omp_get_thread_num();
        /* The runtime's barrier may put threads to sleep: the second one they leave awake. */
#pragma omp barrier
#pragma omp barrier
        first = now();
        work(thread, what);
        last = now();
    }
    return last - first;
}

/* Alone in its line, and in the pair of lines that some prefetchers fetch. */
static struct {
    _Alignas(256) _Atomic int64_t turn;
    char rest[256 - sizeof(int64_t)];
} flag;

struct trips {
    int64_t count;
    int last;
};

/* The first thread waits for even numbers and makes them odd, the last one the other way. */
static void bounce(int thread, void *what) {
    const struct trips *trips = what;
    if (thread != 0 && thread != trips->last) return;
    for (int64_t trip = 0; trip < trips->count; trip++) {
        int64_t mine = 2 * trip + (thread != 0);
        while (atomic_load_explicit(&flag.turn, memory_order_acquire) != mine) continue;
        atomic_store_explicit(&flag.turn, mine + 1, memory_order_release);
    }
}

double team_hand_over(int threads, int64_t trips) {
    struct trips what = {trips, threads - 1};
    atomic_store(&flag.turn, 0);
    double taken = team_time(threads, bounce, &what);
    if (atomic_load(&flag.turn) != 2 * trips) {
        fprintf(stderr, "numalab-kernels: wrong result: the number of handovers\n");
        exit(1);
    }
    return taken / (double)(2 * trips);
}

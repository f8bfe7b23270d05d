/* How fast a core computes: vector additions within the first-level cache, and a chain of dependent additions. With
   several threads each adds vectors of its own: whoever shares nothing is as fast as alone. */
#include "bench.h"
#include "delay.h"
#include "simd.h"
#include "team.h"

#include <stdlib.h>

static const char *const QUANTITIES[] = {"instructions_per_ns", "frequency", "pause", NULL};

/* 12 KiB together. Two elements take a load, an addition with another load, a store, and what counts and closes the
   loop: seven instructions with vectors of two. That is counted, whatever the compiler makes of it. */
enum { ELEMENTS = 512 };
static const double INSTRUCTIONS = 3.5;

/* Vectors of a thread, in pages of their own. */
struct vectors {
    double first[ELEMENTS], second[ELEMENTS], sum[ELEMENTS];
};

struct work {
    struct vectors **of;
    int64_t passes;
};

static void add(int thread, void *what) {
    const struct work *work = what;
    struct vectors *v = work->of[thread];
    for (int64_t pass = 0; pass < work->passes; pass++) {
#pragma omp simd
        for (int i = 0; i < ELEMENTS; i++) v->sum[i] = v->first[i] + v->second[i];
        /* Memory may have changed: a pass cannot be left out. */
        __asm__ volatile("" : : "r"(v) : "memory");
    }
}

static bool right(const struct vectors *v) {
    for (int i = 0; i < ELEMENTS; i++)
        if (v->sum[i] != 3.0 * i) return false;
    return true;
}

/* Of each thread: the slowest counts. */
static void instructions(struct bench *b, int threads) {
    enum { TRY = 1000 };
    struct work work = {array_of((size_t)threads, sizeof *work.of), TRY};
    for (int thread = 0; thread < threads; thread++) {
        work.of[thread] = map_pages(sizeof *work.of[thread], true);
        for (int i = 0; i < ELEMENTS; i++) work.of[thread]->first[i] = i, work.of[thread]->second[i] = 2 * i;
    }
    work.passes = repeats_for(team_time(threads, add, &work) / TRY);
    while (bench_more(b)) {
        double taken = team_time(threads, add, &work);
        for (int thread = 0; thread < threads; thread++) bench_check(b, right(work.of[thread]), "the sum of two vectors");
        bench_sample(b, (double)work.passes * ELEMENTS * INSTRUCTIONS / taken * 1e-9);
    }
    for (int thread = 0; thread < threads; thread++) unmap_pages(work.of[thread], sizeof *work.of[thread]);
    free(work.of);
}

/* A step of the chain takes one cycle. */
static void frequency(struct bench *b) {
    enum { STEPS = 2400000 };
    while (bench_more(b)) {
        double taken = chain(STEPS);
        bench_check(b, taken > 0, "the sum of the chain");
        bench_sample(b, STEPS / taken * 1e-9);
    }
}

/* What a thread that spins does between two looks, one after another. */
static void pause_alone(struct bench *b) {
    enum { RESTS = 20000 };
    while (bench_more(b)) {
        double start = now();
        for (int i = 0; i < RESTS; i++) rest();
        double taken = now() - start;
        bench_check(b, taken > 0, "the rests");
        bench_sample(b, taken / RESTS * 1e9);
    }
}

void compute(struct bench *b) {
    int quantity = bench_choice(b, "quantity", QUANTITIES);
    int threads = bench_threads(b, 1);
    bench_start(b, QUANTITIES[quantity], quantity == 0 ? "1" : quantity == 1 ? "GHz" : "ns");
    if (quantity == 0)
        instructions(b, threads);
    else if (quantity == 1)
        frequency(b);
    else
        pause_alone(b);
}

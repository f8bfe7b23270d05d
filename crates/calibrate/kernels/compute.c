/* How fast a core computes: vector additions within the first-level cache, and a chain of dependent additions. */
#include "bench.h"
#include "simd.h"

static const char *const QUANTITIES[] = {"instructions_per_ns", "frequency", NULL};

/* 12 KiB together. Two elements take a load, an addition with another load, a store, and what counts and closes the
   loop: seven instructions with vectors of two. That is counted, whatever the compiler makes of it. */
enum { ELEMENTS = 512 };
static const double INSTRUCTIONS = 3.5;

static double first[ELEMENTS], second[ELEMENTS], sum[ELEMENTS];

static void add(int64_t passes) {
    for (int64_t pass = 0; pass < passes; pass++) {
#pragma omp simd
        for (int i = 0; i < ELEMENTS; i++) sum[i] = first[i] + second[i];
        /* Memory may have changed: a pass cannot be left out. */
        __asm__ volatile("" : : "r"(sum), "r"(first), "r"(second) : "memory");
    }
}

static void instructions(struct bench *b) {
    for (int i = 0; i < ELEMENTS; i++) first[i] = i, second[i] = 2 * i;
    enum { TRY = 1000 };
    double start = now();
    add(TRY);
    int64_t passes = repeats_for((now() - start) / TRY);
    while (bench_more(b)) {
        start = now();
        add(passes);
        double taken = now() - start;
        for (int i = 0; i < ELEMENTS; i++) bench_check(b, sum[i] == 3.0 * i, "the sum of two vectors");
        bench_sample(b, (double)passes * ELEMENTS * INSTRUCTIONS / taken * 1e-9);
    }
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

void compute(struct bench *b) {
    int quantity = bench_choice(b, "quantity", QUANTITIES);
    bench_threads(b, 1);
    bench_start(b, QUANTITIES[quantity], quantity == 0 ? "1" : "GHz");
    if (quantity == 0)
        instructions(b);
    else
        frequency(b);
}

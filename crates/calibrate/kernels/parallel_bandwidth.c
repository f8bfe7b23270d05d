/* Every thread reads, writes, copies or adds arrays of its own, first touched by itself. The bytes are those that
   the program asks for, as in STREAM: that a store fetches its line first is not counted. */
#include "bench.h"
#include "team.h"
#include "words.h"

#include <stdlib.h>

static const char *const QUANTITIES[] = {"read_bandwidth", "write_bandwidth", "copy_bandwidth", "triad_bandwidth", NULL};
enum quantity { READ, WRITE, COPY, TRIAD };
enum { PAGE = 4096, MOST_ARRAYS = 3 };

struct part {
    void *pages;
    uint64_t *arrays[MOST_ARRAYS];
    uint64_t result;
    char apart[128];
};

struct work {
    enum quantity quantity;
    size_t count;   /* words of an array */
    int64_t passes; /* over the arrays */
    uint64_t bias;  /* differs between samples */
    struct part *parts;
};

static int arrays_of(enum quantity quantity) { return quantity == COPY ? 2 : quantity == TRIAD ? 3 : 1; }

/* What is stored depends on something, so that no compiler calls memset or memcpy here: these go around the cache. */
static void write_words(uint64_t *to, size_t count, uint64_t bias) {
    for (size_t i = 0; i < count; i++) to[i] = i + bias;
}

static void copy_words(uint64_t *restrict to, const uint64_t *restrict from, size_t count, uint64_t bias) {
    for (size_t i = 0; i < count; i++) to[i] = from[i] + bias;
}

static void triad_words(double *restrict to, const double *restrict one, const double *restrict other, size_t count, double factor) {
    for (size_t i = 0; i < count; i++) to[i] = one[i] + factor * other[i];
}

static void go(int thread, void *what) {
    const struct work *work = what;
    struct part *part = &work->parts[thread];
    uint64_t **at = part->arrays;
    if (work->quantity == READ) part->result = words_read(at[0], work->count, work->passes);
    if (work->quantity == READ) return;
    for (int64_t pass = 0; pass < work->passes; pass++) {
        __asm__ volatile("" : : : "memory");
        if (work->quantity == WRITE) write_words(at[0], work->count, work->bias);
        if (work->quantity == COPY) copy_words(at[0], at[1], work->count, work->bias);
        if (work->quantity == TRIAD) triad_words((double *)at[0], (double *)at[1], (double *)at[2], work->count, (double)work->bias);
    }
}

/* Whether a thread's result is what its last pass had to leave. */
static bool right(const struct work *work, const struct part *part) {
    if (work->quantity == READ) return part->result == (uint64_t)work->passes * words_sum(work->count);
    for (size_t i = 0; i < work->count; i++) {
        double sum = (double)i + (double)work->bias * (double)i;
        bool same = work->quantity == TRIAD ? ((double *)part->arrays[0])[i] == sum : part->arrays[0][i] == i + work->bias;
        if (!same) return false;
    }
    return true;
}

/* Arrays do not begin at the same place of a page: loads would wait for stores that only look like theirs. */
static size_t pitch(const struct work *work) { return (work->count * sizeof(uint64_t) / PAGE + 1) * PAGE + 1344; }

static void first_touch(int thread, void *what) {
    struct work *work = what;
    struct part *part = &work->parts[thread];
    part->pages = map_pages(pitch(work) * (size_t)arrays_of(work->quantity), false);
    for (int i = 0; i < arrays_of(work->quantity); i++) {
        part->arrays[i] = (uint64_t *)((char *)part->pages + (size_t)i * pitch(work));
        words_number(part->arrays[i], work->count);
        for (size_t j = 0; work->quantity == TRIAD && j < work->count; j++) ((double *)part->arrays[i])[j] = (double)j;
    }
}

void parallel_bandwidth(struct bench *b) {
    struct work work = {.quantity = (enum quantity)bench_choice(b, "quantity", QUANTITIES)};
    size_t share = (size_t)bench_integer(b, "share", 16000000, PAGE);
    int threads = bench_threads(b, 0), arrays = arrays_of(work.quantity);
    bench_start(b, QUANTITIES[work.quantity], "GB/s");

    work.count = share / (size_t)arrays / sizeof(uint64_t);
    work.parts = array_of((size_t)threads, sizeof *work.parts);
    team_time(threads, first_touch, &work);
    work.passes = 1;
    team_time(threads, go, &work);
    work.passes = repeats_for(team_time(threads, go, &work));
    while (bench_more(b)) {
        work.bias++;
        double taken = team_time(threads, go, &work);
        bench_sample(b, (double)work.passes * threads * arrays * (double)(work.count * sizeof(uint64_t)) / taken * 1e-9);
    }
    for (int thread = 0; thread < threads; thread++) {
        bench_check(b, right(&work, &work.parts[thread]), "what a thread leaves");
        unmap_pages(work.parts[thread].pages, pitch(&work) * (size_t)arrays);
    }
    free(work.parts);
}

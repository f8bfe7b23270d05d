/* Every thread first touches a chunk; then thread t reads that of thread t + step. */
#include "bench.h"
#include "team.h"
#include "words.h"

#include <stdlib.h>

struct work {
    size_t bytes;
    int threads;
    int64_t step, passes;
    uint64_t **chunks, *sums;
};

static void first_touch(int thread, void *what) {
    struct work *work = what;
    work->chunks[thread] = map_pages(work->bytes, false);
    words_number(work->chunks[thread], work->bytes / sizeof(uint64_t));
}

static void go(int thread, void *what) {
    struct work *work = what;
    const uint64_t *chunk = work->chunks[(thread + work->step) % work->threads];
    work->sums[thread] = words_read(chunk, work->bytes / sizeof(uint64_t), work->passes);
}

static bool right(const struct work *work) {
    uint64_t sum = (uint64_t)work->passes * words_sum(work->bytes / sizeof(uint64_t));
    for (int thread = 0; thread < work->threads; thread++)
        if (work->sums[thread] != sum) return false;
    return true;
}

void memory_go_around(struct bench *b) {
    struct work work = {.passes = 1};
    work.bytes = (size_t)bench_integer(b, "chunk", 16000000, sizeof(uint64_t));
    work.step = bench_integer(b, "step", 0, 0);
    work.threads = bench_threads(b, 0);
    bench_start(b, "bandwidth", "GB/s");

    work.chunks = array_of((size_t)work.threads, sizeof *work.chunks);
    work.sums = array_of((size_t)work.threads, sizeof *work.sums);
    team_time(work.threads, first_touch, &work);
    for (int thread = 0; thread < work.threads; thread++) {
        int node = node_at(memory_of_cpu(bench_cpu(b, thread)));
        bench_check(b, pages_are_on(work.chunks[thread], work.bytes, node), "chunks lie where they were touched first");
    }
    team_time(work.threads, go, &work);
    work.passes = repeats_for(team_time(work.threads, go, &work));
    while (bench_more(b)) {
        double taken = team_time(work.threads, go, &work);
        bench_check(b, right(&work), "the sum of what was read");
        bench_sample(b, (double)work.passes * work.threads * (double)work.bytes / taken * 1e-9);
    }
    for (int thread = 0; thread < work.threads; thread++) unmap_pages(work.chunks[thread], work.bytes);
    free(work.chunks);
    free(work.sums);
}

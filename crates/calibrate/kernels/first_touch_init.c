/* All threads write a fresh array for the first time: every small page is a fault, and a page to zero. */
#include "bench.h"
#include "team.h"

struct work {
    size_t bytes;
    int threads;
    uint64_t *array;
};

/* The pages of a thread are those of the static schedule over pages: the first threads have one more. */
static size_t first_page(const struct work *work, int thread) {
    size_t pages = (work->bytes + page_size() - 1) / page_size(), team = (size_t)work->threads, t = (size_t)thread;
    size_t more = pages % team;
    return pages / team * t + (t < more ? t : more);
}

static void write_part(int thread, void *what) {
    const struct work *work = what;
    size_t words = page_size() / sizeof(uint64_t), all = work->bytes / sizeof(uint64_t);
    size_t end = first_page(work, thread + 1) * words;
    for (size_t i = first_page(work, thread) * words; i < end && i < all; i++) work->array[i] = i + 1;
}

static bool right(const struct work *work) {
    for (size_t i = 0; i < work->bytes / sizeof(uint64_t); i++)
        if (work->array[i] != i + 1) return false;
    return true;
}

void first_touch_init(struct bench *b) {
    struct work work = {.bytes = (size_t)bench_integer(b, "size", 64000000, sizeof(uint64_t))};
    work.threads = bench_threads(b, 0);
    bench_start(b, "bandwidth", "GB/s");
    while (bench_more(b)) {
        work.array = map_pages(work.bytes, true);
        double taken = team_time(work.threads, write_part, &work);
        bench_check(b, right(&work), "what was written");
        unmap_pages(work.array, work.bytes);
        bench_sample(b, (double)work.bytes / taken * 1e-9);
    }
}

/* All threads allocate a block and free it, over and over, without using it. */
#include "bench.h"
#include "team.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <stdlib.h>

static const char *const ALLOCATORS[] = {"glibc", NULL};

struct work {
    size_t block;
    int64_t calls;
    int failed;
};

static void go(int thread, void *what) {
    struct work *work = what;
    (void)thread;
    for (int64_t call = 0; call < work->calls; call++) {
        void *block = malloc(work->block);
        /* A compiler that sees that nobody uses the block leaves the pair of calls out. */
        __asm__ volatile("" : "+r"(block) : : "memory");
        if (!block) {
#pragma omp atomic
            work->failed++;
        }
        free(block);
    }
}

/* The library raises the size from which it maps a block after the first that is freed; this keeps it. */
static bool fix_threshold(void) {
#if defined(__GLIBC__)
    return mallopt(M_MMAP_THRESHOLD, 128 << 10) == 1;
#else
    return false;
#endif
}

void allocation(struct bench *b) {
    struct work work = {.calls = 100};
    work.block = (size_t)bench_integer(b, "block", 1000000, 1);
    int threads = bench_threads(b, 0);
    bench_choice(b, "allocator", ALLOCATORS);
    bench_start(b, "time_per_call", "us");
    if (!fix_threshold()) bench_skip(b, "the allocator is not that of glibc");

    work.calls = repeats_for(team_time(threads, go, &work) / 100);
    while (bench_more(b)) {
        double taken = team_time(threads, go, &work);
        bench_check(b, work.failed == 0, "every block is there");
        bench_sample(b, taken / (double)work.calls * 1e6);
    }
}

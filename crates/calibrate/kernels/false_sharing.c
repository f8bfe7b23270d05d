/* Every thread stores again and again to an element of its own in an array. Packed, elements share lines, which go
   from thread to thread; padded, each has a line to itself. */
#include "bench.h"

#include <omp.h>
#include <stdatomic.h>
#include <unistd.h>

/* Bytes of a line, or what is usual where the system does not say. */
static int64_t line_bytes(void) {
    long bytes = 0;
#ifdef _SC_LEVEL1_DCACHE_LINESIZE
    bytes = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
#endif
    return bytes > 0 ? bytes : 64;
}

/* Sequentially consistent stores: each waits for its line before the next begins. Others would gather in the core's
   store buffer, and a line once fetched would take them all: many stores, one transfer. */
static void count(char *array, int64_t spacing, int64_t stores) {
#pragma omp parallel firstprivate(stores)
    {
        _Atomic int64_t *mine = (_Atomic int64_t *)(void *)(array + spacing * omp_get_thread_num());
        for (int64_t i = 1; i <= stores; i++)
            atomic_store_explicit(mine, i, memory_order_seq_cst);
    }
}

static double seconds_of(char *array, int64_t spacing, int64_t stores) {
    enum { WARM = 10 };
    count(array, spacing, WARM);
    double start = now();
    count(array, spacing, stores);
    return now() - start;
}

/* What it takes to open and to close the region: the fastest of a few with one store. */
static double seconds_of_region(char *array, int64_t spacing) {
    double best = seconds_of(array, spacing, 1);
    for (int i = 0; i < 2; i++) {
        double seconds = seconds_of(array, spacing, 1);
        best = seconds < best ? seconds : best;
    }
    return best;
}

static bool counted(const char *array, int64_t spacing, int64_t stores, int threads) {
    for (int t = 0; t < threads; t++)
        if (*(const int64_t *)(const void *)(array + spacing * t) != stores)
            return false;
    return true;
}

void false_sharing(struct bench *b) {
    static const char *const arrays[] = {"packed", "padded", NULL};
    bool packed = bench_choice(b, "array", arrays) == 0;
    int64_t element = bench_integer(b, "element", 8, sizeof(int64_t));
    int64_t stores = bench_integer(b, "stores", 10000, 2);
    int threads = bench_threads(b, 0);
    bench_start(b, "store", "ns");
    if (element % (int64_t)sizeof(int64_t) != 0)
        bench_skip(b, "elements have to be a multiple of 8 bytes");

    int64_t line = line_bytes();
    int64_t spacing = packed || element > line ? element : line;
    size_t bytes = (size_t)(spacing * threads);
    char *array = map_pages(bytes, true);

    while (bench_more(b)) {
        double one = seconds_of_region(array, spacing);
        double all = seconds_of(array, spacing, stores);
        bench_sample(b, (all - one) / (double)(stores - 1) * 1e9);
        bench_check(b, counted(array, spacing, stores, threads), "every counter holds the number of stores");
    }
    unmap_pages(array, bytes);
}

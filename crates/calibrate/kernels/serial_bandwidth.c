/* One thread reads an array over and over, from caches or from the memory of a node. */
#include "bench.h"
#include "words.h"

enum { EIGHT = 8 };

static uint64_t read_all(const uint64_t *array, size_t count, int64_t passes, int64_t adds) {
    return adds == 0 ? words_read(array, count, passes) : words_read_beside(array, count, passes, adds / EIGHT);
}

void serial_bandwidth(struct bench *b) {
    size_t footprint = (size_t)bench_integer(b, "footprint", 1 << 20, sizeof(uint64_t));
    int64_t adds = bench_integer(b, "adds", 0, 0);
    bench_threads(b, 1);
    int node = (int)bench_integer(b, "node", node_at(memory_of_cpu(bench_cpu(b, 0))), 0);
    bench_start(b, "bandwidth", "GB/s");
    if (adds % EIGHT != 0 || (adds > 0 && footprint % 64 != 0)) bench_skip(b, "additions come in eights, and beside whole lines");

    size_t count = footprint / sizeof(uint64_t);
    uint64_t *array = map_on_node(b, footprint, node);
    words_number(array, count);
    bench_check(b, pages_are_on(array, footprint, node), "the pages lie on their node");
    /* The first pass fills the caches. */
    bench_check(b, read_all(array, count, 1, adds) == words_sum(count), "the sum of what was read");
    double start = now();
    keep((double)read_all(array, count, 1, adds));
    int64_t passes = repeats_for(now() - start);
    while (bench_more(b)) {
        start = now();
        uint64_t sum = read_all(array, count, passes, adds);
        double taken = now() - start;
        bench_check(b, sum == (uint64_t)passes * words_sum(count), "the sum of what was read");
        bench_sample(b, (double)passes * (double)(count * sizeof(uint64_t)) / taken * 1e-9);
    }
    unmap_pages(array, footprint);
}

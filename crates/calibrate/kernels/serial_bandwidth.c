/* One thread reads an array over and over, from caches or from the memory of a node. */
#include "bench.h"
#include "words.h"

void serial_bandwidth(struct bench *b) {
    size_t footprint = (size_t)bench_integer(b, "footprint", 1 << 20, sizeof(uint64_t));
    bench_threads(b, 1);
    int node = (int)bench_integer(b, "node", node_at(memory_of_cpu(bench_cpu(b, 0))), 0);
    bench_start(b, "bandwidth", "GB/s");

    size_t count = footprint / sizeof(uint64_t);
    uint64_t *array = map_on_node(b, footprint, node);
    words_number(array, count);
    /* The first pass fills the caches. */
    bench_check(b, words_read(array, count, 1) == words_sum(count), "the sum of what was read");
    double start = now();
    keep((double)words_read(array, count, 1));
    int64_t passes = repeats_for(now() - start);
    while (bench_more(b)) {
        start = now();
        uint64_t sum = words_read(array, count, passes);
        double taken = now() - start;
        bench_check(b, sum == (uint64_t)passes * words_sum(count), "the sum of what was read");
        bench_sample(b, (double)passes * (double)(count * sizeof(uint64_t)) / taken * 1e-9);
    }
    unmap_pages(array, footprint);
}

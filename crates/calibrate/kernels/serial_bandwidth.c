/* One thread reads an array over and over, from caches or from the memory of a node. */
#include "bench.h"
#include "words.h"

enum { LINE = 8 };

/* Four registers, so that an addition waits for none of the three before it. The barrier keeps the compiler from
   folding additions into one. */
#define ADD(register) register += one; __asm__ volatile("" : "+r"(register))

/* The same sum, with so many eights of other additions beside each line of eight words. */
static uint64_t read_beside(const uint64_t *array, size_t count, int64_t passes, int64_t eights) {
    uint64_t sum = 0, one = 1, a = 0, b = 0, c = 0, d = 0;
    __asm__ volatile("" : "+r"(one));
    for (int64_t pass = 0; pass < passes; pass++)
        for (size_t i = 0; i + LINE <= count; i += LINE) {
            const uint64_t *line = array + i;
            sum += line[0] + line[1] + line[2] + line[3] + line[4] + line[5] + line[6] + line[7];
            for (int64_t k = 0; k < eights; k++) {
                ADD(a); ADD(b); ADD(c); ADD(d); ADD(a); ADD(b); ADD(c); ADD(d);
            }
        }
    keep((double)(a + b + c + d));
    return sum;
}

static uint64_t read_all(const uint64_t *array, size_t count, int64_t passes, int64_t adds) {
    return adds == 0 ? words_read(array, count, passes) : read_beside(array, count, passes, adds / LINE);
}

void serial_bandwidth(struct bench *b) {
    size_t footprint = (size_t)bench_integer(b, "footprint", 1 << 20, sizeof(uint64_t));
    int64_t adds = bench_integer(b, "adds", 0, 0);
    bench_threads(b, 1);
    int node = (int)bench_integer(b, "node", node_at(memory_of_cpu(bench_cpu(b, 0))), 0);
    bench_start(b, "bandwidth", "GB/s");
    if (adds % LINE != 0 || (adds > 0 && footprint % 64 != 0)) bench_skip(b, "additions come in eights, and beside whole lines");

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

/* One thread reads lines in random order: no address depends on a load, so that it is the core that says how many are on
   their way. Additions beside each line push the next ones out of its sight. */
#include "bench.h"
#include "words.h"

enum { WORDS = 8 };

/* Four registers, so that an addition waits for none of the three before it. The barrier keeps the compiler from
   folding additions into one. */
#define ADD(register) register += one; __asm__ volatile("" : "+r"(register))

/* The next word, the first of a line. What is kept from draw to draw is only added to, so that no multiplication waits for
   the one of the draw before. */
static inline uint64_t draw(uint64_t lines, uint64_t *state) {
    *state += 0x9e3779b97f4a7c15u;
    uint64_t mixed = (*state ^ *state >> 32) * 6364136223846793005u;
    return (mixed >> 32) * lines / ((uint64_t)1 << 32) * WORDS;
}

/* The sum of the words that are drawn, with so many eights of additions beside each. */
static uint64_t read_drawn(const uint64_t *array, uint64_t lines, int64_t reads, int64_t eights, uint64_t *state) {
    uint64_t sum = 0, one = 1, a = 0, b = 0, c = 0, d = 0, at = *state;
    __asm__ volatile("" : "+r"(one));
    for (int64_t i = 0; i < reads; i++) {
        sum += array[draw(lines, &at)];
        for (int64_t k = 0; k < eights; k++) {
            ADD(a); ADD(b); ADD(c); ADD(d); ADD(a); ADD(b); ADD(c); ADD(d);
        }
    }
    keep((double)(a + b + c + d));
    *state = at;
    return sum;
}

/* The same without the array: words hold their numbers. */
static uint64_t sum_of_drawn(uint64_t lines, int64_t reads, uint64_t state) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < reads; i++) sum += draw(lines, &state);
    return sum;
}

void random_reads(struct bench *b) {
    enum { TRY = 10000 };
    size_t footprint = (size_t)bench_integer(b, "footprint", 1 << 20, 64);
    int64_t adds = bench_integer(b, "adds", 0, 0);
    bench_threads(b, 1);
    int node = (int)bench_integer(b, "node", node_at(memory_of_cpu(bench_cpu(b, 0))), 0);
    bench_start(b, "line_time", "ns");
    uint64_t lines = footprint / 64;
    if (adds % 8 != 0) bench_skip(b, "additions come in eights");
    if (lines > UINT32_MAX) bench_skip(b, "footprint too large");

    uint64_t *array = map_on_node(b, footprint, node);
    words_number(array, footprint / sizeof(uint64_t));
    bench_check(b, pages_are_on(array, footprint, node), "the pages lie on their node");
    uint64_t state = 1, expected = sum_of_drawn(lines, TRY, state);
    double start = now();
    uint64_t sum = read_drawn(array, lines, TRY, adds / 8, &state);
    int64_t reads = repeats_for((now() - start) / TRY);
    bench_check(b, sum == expected, "the sum of what was read");
    while (bench_more(b)) {
        start = now();
        sum = read_drawn(array, lines, reads, adds / 8, &state);
        double taken = now() - start;
        bench_check(b, sum >= WORDS || lines < 2 || reads < 2, "something was read");
        bench_sample(b, taken / (double)reads * 1e9);
    }
    unmap_pages(array, footprint);
}

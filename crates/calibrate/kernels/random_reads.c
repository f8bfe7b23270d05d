/* One thread reads lines in random order: no address depends on a load, so that it is the core that says how many are on
   their way. Additions beside each line push the next ones out of its sight. */
#include "bench.h"
#include "words.h"

enum { WORDS = 8 };

/* Four registers, so that an addition waits for none of the three before it. The barrier keeps the compiler from
   folding additions into one. */
#define ADD(register) register += one; __asm__ volatile("" : "+r"(register))

/* The sum of the first words of lines that a linear congruential generator draws, with so many eights of additions beside
   each. Words hold their numbers, so that without an array the sum is known. */
static uint64_t draw(const uint64_t *array, uint64_t lines, int64_t reads, int64_t eights, uint64_t *state) {
    uint64_t sum = 0, one = 1, a = 0, b = 0, c = 0, d = 0, at = *state;
    __asm__ volatile("" : "+r"(one));
    for (int64_t i = 0; i < reads; i++) {
        at = at * 6364136223846793005u + 1442695040888963407u;
        uint64_t word = (at >> 32) * lines / ((uint64_t)1 << 32) * WORDS;
        sum += array ? array[word] : word;
        for (int64_t k = 0; k < eights; k++) {
            ADD(a); ADD(b); ADD(c); ADD(d); ADD(a); ADD(b); ADD(c); ADD(d);
        }
    }
    keep((double)(a + b + c + d));
    *state = at;
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
    uint64_t state = 1, again = 1;
    double start = now();
    uint64_t sum = draw(array, lines, TRY, adds / 8, &state);
    int64_t reads = repeats_for((now() - start) / TRY);
    bench_check(b, sum == draw(NULL, lines, TRY, adds / 8, &again), "the sum of what was read");
    while (bench_more(b)) {
        start = now();
        sum = draw(array, lines, reads, adds / 8, &state);
        double taken = now() - start;
        bench_check(b, sum >= WORDS || lines < 2 || reads < 2, "something was read");
        bench_sample(b, taken / (double)reads * 1e9);
    }
    unmap_pages(array, footprint);
}

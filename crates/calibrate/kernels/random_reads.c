/* One thread reads lines in random order: no address depends on a load, so that it is the core that says how many are on
   their way. Additions beside each line push the next ones out of its sight; lines of a stream from memory beside each
   are waited for too, one after the other or together. */
#include "bench.h"
#include "words.h"

enum { WORDS = 8 };

/* Four registers, so that an addition waits for none of the three before it. The barrier keeps the compiler from
   folding additions into one. */
#define ADD(register) register += one; __asm__ volatile("" : "+r"(register))

/* What is read, and what beside it. */
struct reads {
    const uint64_t *array;
    uint64_t lines, state;
    /* Additions beside each line, by eights. */
    int64_t eights;
    /* Lines of a stream beside each: words that are read over and over, from a place on. */
    int64_t beside;
    const uint64_t *stream;
    size_t words, next;
};

/* The next word, the first of a line. What is kept from draw to draw is only added to, so that no multiplication waits for
   the one of the draw before. */
static inline uint64_t draw(uint64_t lines, uint64_t *state) {
    *state += 0x9e3779b97f4a7c15u;
    uint64_t mixed = (*state ^ *state >> 32) * 6364136223846793005u;
    return (mixed >> 32) * lines / ((uint64_t)1 << 32) * WORDS;
}

/* The sum of the words that are drawn, with additions beside each. */
static uint64_t beside_additions(struct reads *r, int64_t reads) {
    const uint64_t *array = r->array;
    uint64_t sum = 0, one = 1, a = 0, b = 0, c = 0, d = 0, lines = r->lines, state = r->state;
    int64_t eights = r->eights;
    __asm__ volatile("" : "+r"(one));
    for (int64_t i = 0; i < reads; i++) {
        sum += array[draw(lines, &state)];
        for (int64_t k = 0; k < eights; k++) {
            ADD(a); ADD(b); ADD(c); ADD(d); ADD(a); ADD(b); ADD(c); ADD(d);
        }
    }
    keep((double)(a + b + c + d));
    r->state = state;
    return sum;
}

/* The sum of the words that are drawn, and of the stream's beside each. */
static uint64_t beside_stream(struct reads *r, int64_t reads) {
    const uint64_t *array = r->array, *stream = r->stream;
    uint64_t sum = 0, lines = r->lines, state = r->state;
    size_t words = r->words, next = r->next;
    int64_t beside = r->beside;
    for (int64_t i = 0; i < reads; i++) {
        sum += array[draw(lines, &state)];
        for (int64_t k = 0; k < beside; k++) {
            const uint64_t *line = stream + next;
            sum += line[0] + line[1] + line[2] + line[3] + line[4] + line[5] + line[6] + line[7];
            next += WORDS;
            if (next >= words) next = 0;
        }
    }
    r->state = state;
    r->next = next;
    return sum;
}

static uint64_t read_all(struct reads *r, int64_t reads) {
    return r->beside > 0 ? beside_stream(r, reads) : beside_additions(r, reads);
}

/* What the first reads sum up to. Words hold their numbers, and the stream does not end so soon. */
static uint64_t expected(struct reads r, int64_t reads) {
    uint64_t sum = words_sum((size_t)(reads * r.beside * WORDS));
    for (int64_t i = 0; i < reads; i++) sum += draw(r.lines, &r.state);
    return sum;
}

static uint64_t *numbered(struct bench *b, size_t bytes, int node) {
    uint64_t *array = map_on_node(b, bytes, node);
    words_number(array, bytes / sizeof(uint64_t));
    bench_check(b, pages_are_on(array, bytes, node), "the pages lie on their node");
    return array;
}

void random_reads(struct bench *b) {
    enum { TRY = 10000, MOST_BESIDE = 64, LEAST_STREAM = TRY * MOST_BESIDE * 64 };
    size_t footprint = (size_t)bench_integer(b, "footprint", 1 << 20, 64);
    int64_t adds = bench_integer(b, "adds", 0, 0), beside = bench_integer(b, "beside", 0, 0);
    size_t streamed = (size_t)bench_integer(b, "stream", 256 << 20, LEAST_STREAM);
    bench_threads(b, 1);
    int node = (int)bench_integer(b, "node", node_at(memory_of_cpu(bench_cpu(b, 0))), 0);
    bench_start(b, "line_time", "ns");
    if (adds % 8 != 0) bench_skip(b, "additions come in eights");
    if (beside > (adds > 0 ? 0 : MOST_BESIDE)) bench_skip(b, "at most 64 lines of a stream beside each, and no additions");
    if (footprint / 64 > UINT32_MAX) bench_skip(b, "footprint too large");

    uint64_t *array = numbered(b, footprint, node), *stream = beside > 0 ? numbered(b, streamed, node) : NULL;
    struct reads r = {array, footprint / 64, 1, adds / 8, beside, stream, streamed / 64 * WORDS, 0};
    uint64_t sums_to = expected(r, TRY);
    double start = now();
    uint64_t sum = read_all(&r, TRY);
    int64_t reads = repeats_for((now() - start) / TRY);
    bench_check(b, sum == sums_to, "the sum of what was read");
    while (bench_more(b)) {
        start = now();
        sum = read_all(&r, reads);
        double taken = now() - start;
        bench_check(b, sum >= WORDS || r.lines < 2 || reads < 2, "something was read");
        bench_sample(b, taken / (double)reads * 1e9);
    }
    unmap_pages(array, footprint);
    if (stream) unmap_pages(stream, streamed);
}

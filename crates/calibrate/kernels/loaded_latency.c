/* Latency under load: the first thread follows a chain while all others stream through memory of their own, with so much
   computing beside each line that they move a part of what they can. How long a load takes and what the others move is
   measured at the same time. */
#include "chain.h"
#include "team.h"
#include "words.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { FULL = 100, PIECE = 32 << 10, WORDS = PIECE / sizeof(uint64_t), MOST_EIGHTS = 1 << 16 };

struct stream {
    uint64_t *array;
    size_t begin, end; /* pieces that it had read before, and has now: it goes on where it was */
    uint64_t sum;      /* of what it read between */
    double rate;       /* bytes a second */
    char apart[128];
};

struct work {
    size_t share;    /* bytes of a stream */
    int64_t eights;  /* of additions beside each line of a stream */
    int64_t steps;   /* of the chain */
    struct line *at;
    double latency;  /* seconds of a step */
    struct stream *streams;
    _Alignas(128) atomic_bool over;
};

static void first_touch(int thread, void *what) {
    struct work *work = what;
    struct stream *stream = &work->streams[thread];
    if (thread == 0) return;
    stream->array = map_pages(work->share, false);
    words_number(stream->array, work->share / sizeof(uint64_t));
}

/* The others are at it when the time begins, and stay until it ends. */
static void follow(struct work *work) {
    work->at = chain_follow(work->at, work->steps / 4);
    double start = now();
    work->at = chain_follow(work->at, work->steps);
    work->latency = (now() - start) / (double)work->steps;
    atomic_store(&work->over, true);
}

static void read_on(const struct work *work, struct stream *stream) {
    size_t pieces = work->share / PIECE;
    stream->begin = stream->end;
    stream->sum = 0;
    double start = now();
    do {
        const uint64_t *piece = stream->array + stream->end++ % pieces * WORDS;
        stream->sum += work->eights ? words_read_beside(piece, WORDS, 1, work->eights) : words_read(piece, WORDS, 1);
    } while (!atomic_load_explicit(&work->over, memory_order_relaxed));
    stream->rate = (double)((stream->end - stream->begin) * PIECE) / (now() - start);
}

/* The sum of so many pieces, round and round. */
static uint64_t sum_of(const struct work *work, size_t count) {
    size_t pieces = work->share / PIECE;
    return count / pieces * words_sum(pieces * WORDS) + words_sum(count % pieces * WORDS);
}

static void go(int thread, void *what) {
    struct work *work = what;
    if (thread == 0)
        follow(work);
    else
        read_on(work, &work->streams[thread]);
}

/* Everybody once; bytes a second that the streams move. */
static double run(struct bench *b, struct work *work, int threads) {
    double moved = 0;
    atomic_store(&work->over, false);
    team_time(threads, go, work);
    for (int thread = 1; thread < threads; thread++) {
        const struct stream *stream = &work->streams[thread];
        bench_check(b, stream->sum == sum_of(work, stream->end) - sum_of(work, stream->begin), "the sum of what a stream read");
        moved += stream->rate;
    }
    bench_check(b, work->at != NULL, "the chase stays in its cycle");
    return moved;
}

/* What the streams can move, so much computing beside each line: the most of a few tries. */
static double can_move(struct bench *b, struct work *work, int threads, int64_t eights) {
    enum { TRIES = 5 };
    double most = 0;
    work->eights = eights;
    for (int i = 0; i < TRIES; i++) most = fmax(most, run(b, work, threads));
    return most;
}

/* The least computing beside each line with which the streams move no more than a part of what they do without: by halves. */
static void slow_down(struct bench *b, struct work *work, int threads, int64_t load) {
    double wanted = can_move(b, work, threads, 0) * (double)load / FULL;
    int64_t fast = 0, slow = 1;
    if (load >= FULL) return;
    for (; slow < MOST_EIGHTS && can_move(b, work, threads, slow) > wanted; slow *= 2) fast = slow;
    while (slow - fast > 1 + slow / 16) {
        int64_t middle = (fast + slow) / 2;
        *(can_move(b, work, threads, middle) > wanted ? &fast : &slow) = middle;
    }
    work->eights = slow;
}

void loaded_latency(struct bench *b) {
    size_t footprint = (size_t)bench_integer(b, "footprint", 1 << 28, sizeof(struct line));
    struct work work = {.share = (size_t)bench_integer(b, "share", 16 << 20, PIECE)};
    int64_t load = bench_integer(b, "load", FULL, 1);
    int threads = bench_threads(b, 0);
    int node = (int)bench_integer(b, "node", node_at(memory_of_cpu(bench_cpu(b, 0))), 0);
    if (threads < 2) bench_skip(b, "needs another processor, which streams");
    bench_start(b, "latency", "ns");
    bench_beside(b, "moved", "GB/s");
    size_t count = footprint / sizeof(struct line);
    if (count > MOST_OF_CHAIN) bench_skip(b, "footprint too large");
    if (load > FULL) bench_skip(b, "nobody moves more than all they can");

    work.share = work.share / PIECE * PIECE;
    work.streams = array_of((size_t)threads, sizeof *work.streams);
    struct line *lines = map_on_node(b, footprint, node);
    work.at = chain_link(b, lines, (uint32_t)count);
    bench_check(b, pages_are_on(lines, footprint, node), "the pages lie on their node");
    team_time(threads, first_touch, &work);
    for (int thread = 1; thread < threads; thread++) {
        int own = node_at(memory_of_cpu(bench_cpu(b, thread)));
        bench_check(b, pages_are_on(work.streams[thread].array, work.share, own), "streams lie where they were touched first");
    }
    work.steps = chain_steps(work.at);
    slow_down(b, &work, threads, load);
    while (bench_more(b)) {
        double moved = run(b, &work, threads);
        bench_sample_beside(b, work.latency * 1e9, moved * 1e-9);
    }
    for (int thread = 1; thread < threads; thread++) unmap_pages(work.streams[thread].array, work.share);
    unmap_pages(lines, footprint);
    free(work.streams);
}

/* Latency: every load waits for the address that the one before it brings. On small pages translations of addresses take
   a part of it that they hardly take on huge ones. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

/* A pointer per line, so that every load is a line of its own. */
struct line {
    struct line *next;
    char rest[64 - sizeof(struct line *)];
};

/* Lines of the cycle, equally far apart on it. */
enum { MARKS = 8 };

/* One random cycle through all lines. Shuffling the order first keeps the random accesses in a small array. */
static void link_lines(struct line *lines, uint32_t count, struct line **marks) {
    uint32_t *order = array_of(count, sizeof *order);
    uint64_t state = 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = (uint32_t)(random_next(&state) % (i + 1));
        order[i] = order[other];
        order[other] = i;
    }
    for (uint32_t i = 0; i < count; i++) lines[order[i]].next = &lines[order[i + 1 < count ? i + 1 : 0]];
    for (uint32_t i = 0; i < MARKS; i++) marks[i] = &lines[order[i * (count / MARKS)]];
    free(order);
}

static struct line *chase(struct line *at, int64_t steps) {
    for (int64_t i = 0; i < steps; i++) at = at->next;
    return at;
}

/* Whether the chase is back at the first mark after so many steps, and not before. From every mark to the next at the
   same time, since one after the other takes as long as it sounds. */
static bool is_cycle(struct line *const *marks, uint32_t count) {
    struct line *at[MARKS];
    memcpy(at, marks, sizeof at);
    uint32_t starts = 0, steps = count / MARKS;
    for (uint32_t i = 0; i < steps; i++)
        for (int k = 0; k < MARKS; k++) {
            starts += at[k] == marks[0];
            at[k] = at[k]->next;
        }
    struct line *last = at[MARKS - 1];
    for (uint32_t i = MARKS * steps; i < count; i++) {
        starts += last == marks[0];
        last = last->next;
    }
    bool joined = last == marks[0];
    for (int k = 0; k + 1 < MARKS; k++) joined &= at[k] == marks[k + 1];
    return joined && starts == 1;
}

static const char *const QUANTITIES[] = {"latency", "latency_on_small_pages", NULL};

void pointer_chase(struct bench *b) {
    enum { MOST = 1 << 30 };
    int quantity = bench_choice(b, "quantity", QUANTITIES);
    size_t footprint = (size_t)bench_integer(b, "footprint", 1 << 20, sizeof(struct line));
    bench_threads(b, 1);
    int node = (int)bench_integer(b, "node", node_at(memory_of_cpu(bench_cpu(b, 0))), 0);
    bench_start(b, QUANTITIES[quantity], "ns");
    size_t count = footprint / sizeof(struct line);
    if (count > MOST) bench_skip(b, "footprint too large");

    struct line *lines = quantity == 0 ? map_on_node(b, footprint, node) : map_small_on_node(b, footprint, node);
    struct line *marks[MARKS];
    link_lines(lines, (uint32_t)count, marks);
    bench_check(b, pages_are_on(lines, footprint, node), "the pages lie on their node");
    bench_check(b, is_cycle(marks, (uint32_t)count), "the chase visits every line once");

    enum { TRY = 1000 };
    double start = now();
    struct line *at = chase(lines, TRY);
    int64_t steps = repeats_for((now() - start) / TRY);
    while (bench_more(b)) {
        start = now();
        at = chase(at, steps);
        double taken = now() - start;
        bench_check(b, at != NULL, "the chase stays in its cycle");
        bench_sample(b, taken / (double)steps * 1e9);
    }
    unmap_pages(lines, footprint);
}

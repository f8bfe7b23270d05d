/* Latency: every load waits for the address that the one before it brings. On small pages translations of addresses take
   a part of it that they hardly take on huge ones. */
#include "chain.h"

static const char *const QUANTITIES[] = {"latency", "latency_on_small_pages", NULL};

void pointer_chase(struct bench *b) {
    int quantity = bench_choice(b, "quantity", QUANTITIES);
    size_t footprint = (size_t)bench_integer(b, "footprint", 1 << 20, sizeof(struct line));
    bench_threads(b, 1);
    int node = (int)bench_integer(b, "node", node_at(memory_of_cpu(bench_cpu(b, 0))), 0);
    bench_start(b, QUANTITIES[quantity], "ns");
    size_t count = footprint / sizeof(struct line);
    if (count > MOST_OF_CHAIN) bench_skip(b, "footprint too large");

    struct line *lines = quantity == 0 ? map_on_node(b, footprint, node) : map_small_on_node(b, footprint, node);
    struct line *at = chain_link(b, lines, (uint32_t)count);
    bench_check(b, pages_are_on(lines, footprint, node), "the pages lie on their node");
    int64_t steps = chain_steps(at);
    while (bench_more(b)) {
        double start = now();
        at = chain_follow(at, steps);
        double taken = now() - start;
        bench_check(b, at != NULL, "the chase stays in its cycle");
        bench_sample(b, taken / (double)steps * 1e9);
    }
    unmap_pages(lines, footprint);
}

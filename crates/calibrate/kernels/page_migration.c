/* Pages move from a node to the one of the thread that moves them (move_pages). */
#include "bench.h"

void page_migration(struct bench *b) {
    size_t size = (size_t)bench_integer(b, "size", 16 << 20, 1);
    int to = node_at(memory_of_cpu(bench_cpu(b, 0)));
    int from = (int)bench_integer(b, "node", node_at(nodes() - 1), 0);
    bench_threads(b, 1);
    bench_start(b, "page_migration", "us");
    if (from == to) bench_skip(b, "needs two nodes with memory that we may use");

    long pages = (long)((size + page_size() - 1) / page_size());
    while (bench_more(b)) {
        /* Fresh pages, since those that have moved may be refused. */
        uint64_t *array = map_pages(size, true);
        if (!bind_pages(array, size, from)) bench_skip(b, "pages cannot be bound to a node");
        for (size_t i = 0; i < size / sizeof *array; i++) array[i] = i;
        double start = now();
        long moved = move_to_node(array, size, to);
        double taken = now() - start;
        if (moved < 0) bench_skip(b, "pages cannot be moved");
        bool same = true;
        for (size_t i = 0; i < size / sizeof *array; i++) same &= array[i] == i;
        bench_check(b, moved == pages && same, "every page arrives as it was");
        unmap_pages(array, size);
        bench_sample(b, taken / (double)pages * 1e6);
    }
}

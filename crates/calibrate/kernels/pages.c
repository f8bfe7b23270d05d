/* Memory: mapping, placement, moving. System calls are raw, since libnuma may not be there. */
#define _GNU_SOURCE
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { HUGE_PAGE = 2 << 20, BIND = 2, MOVE = 1 << 1, MOST_NODES = 1024, BITS = 8 * sizeof(unsigned long) };

size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static _Noreturn void no_memory(size_t bytes) {
    fprintf(stderr, "numalab-kernels: no memory for %zu bytes\n", bytes);
    exit(1);
}

void *array_of(size_t count, size_t each) {
    void *array = calloc(count, each);
    if (!array) no_memory(count * each);
    return array;
}

static size_t whole_pages(size_t bytes) { return (bytes + page_size() - 1) / page_size() * page_size(); }

/* Large arrays do not all begin at the same place of a page: loads would wait for stores to another array whose
   addresses end in the same bits. */
static size_t next_place(void) {
    static size_t arrays;
    enum { LINES_APART = 21, LINE = 64 };
    return arrays++ * LINES_APART * LINE % page_size();
}

static void *page_of(void *at) { return (char *)at - (uintptr_t)at % page_size(); }

void *map_pages(size_t bytes, bool small) {
    size_t place = small ? 0 : next_place();
    bytes = whole_pages(bytes + place);
    bool huge = !small && bytes >= HUGE_PAGE;
    size_t room = huge ? bytes + HUGE_PAGE : bytes;
    char *at = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) no_memory(bytes);
    if (huge) {
        /* Huge pages begin at multiples of their size. */
        size_t head = (HUGE_PAGE - (uintptr_t)at % HUGE_PAGE) % HUGE_PAGE;
        if (head) munmap(at, head);
        if (head < HUGE_PAGE) munmap(at + head + bytes, HUGE_PAGE - head);
        at += head;
    }
    /* Only advice: a kernel without huge pages refuses it. */
    madvise(at, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return at + place;
}

void unmap_pages(void *at, size_t bytes) {
    char *start = page_of(at);
    munmap(start, whole_pages(bytes + (size_t)((char *)at - start)));
}

bool bind_pages(void *at, size_t bytes, int node) {
#ifdef SYS_mbind
    unsigned long mask[MOST_NODES / BITS] = {0};
    if (node < 0 || node >= MOST_NODES) return false;
    mask[(size_t)node / BITS] |= 1UL << ((size_t)node % BITS);
    char *start = page_of(at);
    bytes += (size_t)((char *)at - start);
    return syscall(SYS_mbind, start, whole_pages(bytes), BIND, mask, (unsigned long)MOST_NODES + 1, 0U) == 0;
#else
    return (void)at, (void)bytes, (void)node, false;
#endif
}

static void *map_bound(struct bench *b, size_t bytes, int node, bool small) {
    bool known = false;
    for (int i = 0; i < nodes(); i++) known |= node_at(i) == node;
    if (!known) bench_skip(b, "no such node with memory that we may use");
    void *at = map_pages(bytes, small);
    /* With a single node there is nothing to choose, and perhaps no mbind. */
    if (nodes() > 1 && !bind_pages(at, bytes, node)) bench_skip(b, "pages cannot be bound to a node");
    return at;
}

void *map_on_node(struct bench *b, size_t bytes, int node) { return map_bound(b, bytes, node, false); }

void *map_small_on_node(struct bench *b, size_t bytes, int node) { return map_bound(b, bytes, node, true); }

bool pages_are_on(void *at, size_t bytes, int node) {
#ifdef SYS_move_pages
    if (nodes() < 2) return true;
    size_t last = (bytes - 1) / page_size() * page_size(), places[] = {0, last / 2 / page_size() * page_size(), last};
    enum { PLACES = sizeof places / sizeof places[0] };
    void *pages[PLACES];
    int status[PLACES];
    for (int i = 0; i < PLACES; i++) {
        pages[i] = (char *)page_of(at) + places[i];
        status[i] = -1;
    }
    /* Without targets nothing moves. A system that does not say where pages are is believed. */
    if (syscall(SYS_move_pages, 0, (unsigned long)PLACES, pages, NULL, status, 0) < 0) return true;
    for (int i = 0; i < PLACES; i++)
        if (status[i] >= 0 && status[i] != node) return false;
#endif
    (void)at, (void)bytes, (void)node;
    return true;
}

long move_to_node(void *at, size_t bytes, int node) {
#ifdef SYS_move_pages
    size_t count = whole_pages(bytes) / page_size();
    void **pages = array_of(count, sizeof *pages);
    int *targets = array_of(count, sizeof *targets), *status = array_of(count, sizeof *status);
    for (size_t i = 0; i < count; i++) {
        pages[i] = (char *)at + i * page_size();
        targets[i] = node;
        status[i] = -1;
    }
    long arrived = -1;
    if (syscall(SYS_move_pages, 0, (unsigned long)count, pages, targets, status, MOVE) >= 0) {
        arrived = 0;
        for (size_t i = 0; i < count; i++) arrived += status[i] == node;
    }
    free(pages);
    free(targets);
    free(status);
    return arrived;
#else
    return (void)at, (void)bytes, (void)node, -1;
#endif
}
